"""Encoded derivations: what scorers learn to predict of a sentence, and batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amparser.nn.heads.boxes import ABOVE, SCOPE
from amparser.nn.heads.fillers import tensors_of
from amparser.nn.heads.head import IGNORED, Gold

if TYPE_CHECKING:
    from amparser.lexicon.candidates import Candidate

Place = tuple[int, int, int]
"""A token (from 0) and two numbers."""


@dataclass(frozen=True)
class Targets:
    """A derivation as numbers of a lexicon; what no head learns is empty.

    Tokens count from 0, and from 1 as heads (0: the root). Classes are IGNORED where nothing is
    learned.

    Attributes:
        tokens: n words.
        tags: n numbers of fragments.
        heads: n heads.
        operations: n, of the arc from the head.
        projective: whether no two arcs cross.
        defaults: for each token and kind of default whether it stands in its place.
        labels: token, head and label of the arcs of the tree.
        reentrant: child, parent and label of re-entrant arcs.
        slots: token, script, number of the right candidate, and the candidates, of each slot and
            of slots as if their words were unknown.
        fillers: n pairs, the filler of the first slot and its text; 0 for none.
        introduced: n, the boxes of a token.
        scope, above: token, place of the box (0: first) and which of the boxes there.
        auxiliary: n items of each auxiliary layer.
    """

    tokens: Sequence[str]
    tags: Sequence[int]
    heads: Sequence[int]
    operations: Sequence[int] = ()
    projective: bool | None = None
    defaults: Sequence[Sequence[float]] = ()
    labels: Sequence[Place] = ()
    reentrant: Sequence[Place] = ()
    slots: Sequence[tuple[int, int, int, Sequence[Candidate]]] = ()
    fillers: Sequence[tuple[int, int]] = ()
    introduced: Sequence[int] = ()
    scope: Sequence[Place] = ()
    above: Sequence[Place] = ()
    auxiliary: Sequence[Sequence[int]] = ()


def collated(rows: Sequence[Targets]) -> Gold:
    """Return the targets of a batch, padded to its longest sentence."""

    def padded(values: Sequence[Any], padding: float = IGNORED) -> Any:
        return pad_sequence([*map(torch.tensor, values)], True, padding) if values[0] else None

    def classes(name: str) -> Any:
        return padded([getattr(row, name) for row in rows])

    def places(name: str) -> list[tuple[Any, ...]]:
        return [(b, *place) for b, row in enumerate(rows) for place in getattr(row, name)]

    reentrant, slots = places("reentrant"), places("slots")
    choices = [slot for slot in slots if slot[3] >= 0 and len(slot[4]) > 1]
    candidates, offers = tensors_of([slot[4] for slot in choices]) if choices else (None, None)
    return Gold(
        tags=classes("tags"),
        heads=classes("heads"),
        operations=classes("operations"),
        projective=None
        if rows[0].projective is None
        else torch.tensor([row.projective for row in rows]),
        defaults=classes("defaults"),
        labels=_tensor(places("labels") + reentrant),
        reentrant=_tensor([arc[:3] for arc in reentrant]),
        fillers=padded([row.fillers for row in rows], 0),
        scripts=_tensor([slot[:3] for slot in slots]),
        choices=_tensor([(*slot[:2], slot[3]) for slot in choices]),
        candidates=candidates,
        offers=offers,
        introduced=classes("introduced"),
        places={name: torch.tensor(places(name)) for name in (SCOPE, ABOVE) if places(ABOVE)},
        auxiliary=tuple(map(padded, zip(*(row.auxiliary for row in rows), strict=True))),
    )


def _tensor(rows: Sequence[Sequence[int]]) -> Tensor | None:
    return torch.tensor(rows) if rows else None
