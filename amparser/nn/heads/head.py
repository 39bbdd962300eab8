"""What heads read, what they learn from, and what each of them is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from amparser.nn.device import moved
from amparser.nn.encoders.encoder import Encoded

IGNORED = -100
"""The gold class where nothing is learned."""
NEVER = float("-inf")


@dataclass(frozen=True)
class Reading:
    """What is known of a batch when its tags are scored.

    Attributes:
        encoded: the sentences as vectors.
        root: `[S]`, the state of the artificial root; None if it has none.
        hidden: `[T, H]`, what the tags were scored from.
        tags: `[T, K]`, the scores of tags before normalisation.
    """

    encoded: Encoded
    root: Tensor | None
    hidden: Tensor
    tags: Tensor

    def sentences(self, rows: Sequence[int]) -> Reading:
        """The same of some sentences of the batch."""
        lengths = self.encoded.lengths
        if [*rows] == [*range(len(lengths))]:
            return self
        places = torch.split(torch.arange(len(self.tags), device=self.tags.device), [*lengths])
        at = torch.cat([places[row] for row in rows])
        encoded = Encoded(
            self.encoded.embedded[at], self.encoded.states[at], [lengths[row] for row in rows]
        )
        return Reading(encoded, self.root, self.hidden[at], self.tags[at])

    @cached_property
    def mask(self) -> Tensor:
        """`[B, N]`, where there is a token."""
        return self.encoded.mask

    @cached_property
    def embedded(self) -> Tensor:
        """`[B, N, E]`."""
        return self.encoded.padded(self.encoded.embedded)

    @cached_property
    def states(self) -> Tensor:
        """`[B, N, S]`."""
        return self.encoded.padded(self.encoded.states)

    @cached_property
    def rooted(self) -> Tensor:
        """`[B, 1 + N, S]`, the root's state first."""
        assert self.root is not None, "these heads need a state of the root"
        root = self.root.expand(len(self.states), 1, -1)
        return torch.cat([root, self.states], dim=1)


@dataclass(frozen=True)
class Gold:
    """What a batch is to be; what no head learns is None.

    Tokens count from 0, and from 1 as heads (0 is the artificial root). The classes of padding,
    and of all else that is not learned, are IGNORED.

    Attributes:
        tags: `[B, N]`.
        heads: `[B, N]`.
        operations: `[B, N]`, of the arc from the head.
        projective: `[B]` bool, whether no two arcs cross, without ignored tokens.
        defaults: `[B, N, D]` float, 1 where a default stands in its place and 0 where it does not.
        labels: `[P, 4]`, sentence, token, head and label of arcs, those beside the tree included.
        reentrant: `[X, 3]`, sentence, token and head of arcs beside the tree.
        fillers: `[B, N, 2]`, what fills a token's first slot, and its text.
        scripts: `[F, 3]`, sentence, token and script of slots.
        choices: `[C, 3]`, sentence, token and number of the right candidate of slots.
        candidates: `[C, L]`, what may fill these slots; 0 for none.
        offers: `[C, L, F]`, how good candidates are that train does not have with the word.
        introduced: `[B, N]`, the boxes of a token.
        places: for each name of a place of boxes `[A, 4]`, sentence, token, place (0: the first
            box) and which of the boxes there.
        auxiliary: `[B, N]` for each layer that is learned beside.
    """

    tags: Tensor
    heads: Tensor
    operations: Tensor | None = None
    projective: Tensor | None = None
    defaults: Tensor | None = None
    labels: Tensor | None = None
    reentrant: Tensor | None = None
    fillers: Tensor | None = None
    scripts: Tensor | None = None
    choices: Tensor | None = None
    candidates: Tensor | None = None
    offers: Tensor | None = None
    introduced: Tensor | None = None
    places: Mapping[str, Tensor] = field(default_factory=dict)
    auxiliary: tuple[Tensor, ...] = ()

    def to(self, device: torch.device) -> Gold:
        """The same on a device."""
        return Gold(**moved(vars(self), device))


class Head(nn.Module, ABC):
    """Base of the heads."""

    @abstractmethod
    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """The losses of a batch by name, each summed over the places where something is learned."""


def class_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """The cross entropy of classes `[P]`, given scores `[P, C]`, summed over those not IGNORED."""
    return cross_entropy(scores, gold, ignore_index=IGNORED, reduction="sum")
