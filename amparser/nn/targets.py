"""Batches of training targets, and their losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amparser.lexicon.encoded import Targets
from amparser.nn.heads.boxes import ABOVE, SCOPE
from amparser.nn.heads.fillers import tensors_of
from amparser.nn.heads.head import IGNORED, Gold, Head, Reading

if TYPE_CHECKING:
    from amparser.nn.scorer import Scorer


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
        projective=torch.tensor([row.projective for row in rows]) if rows[0].operations else None,
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


class Losses(NamedTuple):
    """Loss of a batch, in nats per token.

    Attributes:
        total: scalar with a gradient; the sum of the parts.
        parts: weighted losses of the heads as numbers, by their name in the training log.
        token_count: number of tokens in the batch.
    """

    total: Tensor
    parts: Mapping[str, float]
    token_count: int


def losses_of(
    scorer: Scorer, reading: Reading, gold: Gold, weights: Mapping[str, float] | None = None
) -> Losses:
    """Return the loss of an encoded batch.

    Args:
        weights: weights of losses by prefix of their names; the default is 1.
    """
    gold = gold.to(scorer.device)
    count = len(reading.tags)
    parts: dict[str, Tensor] = {}
    for head in scorer.heads.values():
        assert isinstance(head, Head)
        for name, loss in head.losses(reading, gold).items():
            prefixes = (w for start, w in (weights or {}).items() if name.startswith(start))
            parts[name] = next(prefixes, 1.0) * loss / count
    values = torch.stack(list(parts.values()))
    figures = values.detach().cpu().double().tolist()
    return Losses(values.sum(), dict(zip(parts, figures, strict=True)), count)
