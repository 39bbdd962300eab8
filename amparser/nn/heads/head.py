"""Interface of the heads: their input, their targets and their base class."""

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
"""Target class of positions that do not count in a loss."""
NEVER = float("-inf")


@dataclass(frozen=True)
class Reading:
    """Encoded batch with tag scores, the input of all heads.

    Attributes:
        encoded: the sentences as vectors.
        root: `[S]`, state of the artificial root, or None.
        hidden: `[T, H]`, hidden layer of the tagger.
        tags: `[T, K]`, logits of tags.
    """

    encoded: Encoded
    root: Tensor | None
    hidden: Tensor
    tags: Tensor

    def sentences(self, rows: Sequence[int]) -> Reading:
        """Return the part of the batch with these sentences."""
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
        """`[B, N]` bool, true on tokens."""
        return self.encoded.mask

    @cached_property
    def embedded(self) -> Tensor:
        """`[B, N, E]`, padded embeddings."""
        return self.encoded.padded(self.encoded.embedded)

    @cached_property
    def states(self) -> Tensor:
        """`[B, N, S]`, padded states."""
        return self.encoded.padded(self.encoded.states)

    @cached_property
    def rooted(self) -> Tensor:
        """`[B, 1 + N, S]`, the state of the root followed by the padded states."""
        assert self.root is not None, "these heads need a state of the root"
        root = self.root.expand(len(self.states), 1, -1)
        return torch.cat([root, self.states], dim=1)


@dataclass(frozen=True)
class Gold:
    """Training targets of a batch; a field is None if the scorer has no `Head` for it.

    Tokens count from 0, heads from 1; head 0 is the artificial root. Positions that do not count in
    a loss, such as padding, have the class IGNORED.

    Attributes:
        tags: `[B, N]`, tag of each token.
        heads: `[B, N]`, head of each token.
        operations: `[B, N]`, operation of the edge from the head.
        projective: `[B]` bool, whether the tree, without ignored tokens, has no crossing edges.
        defaults: `[B, N, D]` float, 1 if the default fills a port of the token, 0 if it does not.
        labels: `[P, 4]`, sentence, token, head and label of tree edges and re-entrant edges.
        reentrant: `[X, 3]`, sentence, token and head of re-entrant edges.
        fillers: `[B, N, 2]`, lexical label of a token's first slot, and its text.
        scripts: `[F, 3]`, sentence, token and edit script of each slot.
        choices: `[C, 3]`, sentence, token and index of the correct candidate of each slot.
        candidates: `[C, L]`, candidate lexical labels of these slots; 0 is padding.
        offers: `[C, L, F]`, features of the candidates (`Candidate.good`).
        introduced: `[B, N]`, class of the boxes that each token introduces.
        places: targets of each pointer (`boxes.SCOPE` and `boxes.ABOVE`), `[A, 4]`: sentence,
            token, target token (0 for the first box), and index of the box among those that the
            target token introduces.
        auxiliary: for each auxiliary annotation layer, `[B, N]`, item of each token.
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
        """Return the targets on a device."""
        return Gold(**moved(vars(self), device))


class Head(nn.Module, ABC):
    """Base class of heads; constructors take their sizes (`...Needs`), an encoder and `TagNeeds`.

    Attributes:
        partial: true if a batch may give no gradient to some trained parameters.
    """

    partial = False

    @abstractmethod
    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """Return the losses of a batch by name, each summed over positions, in nats."""


def class_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """Return the summed cross entropy of logits `[P, C]` for gold classes `[P]`.

    Positions with the class IGNORED do not count.
    """
    return cross_entropy(scores, gold, ignore_index=IGNORED, reduction="sum")
