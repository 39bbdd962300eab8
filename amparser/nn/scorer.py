"""Scorers (an encoder with the heads that a lexicon needs), and ensembles of scorers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import torch
from torch import nn

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.arcs import CHUNK_SIZE, ArcHead, ArcNeeds
from amparser.nn.heads.boxes import BoxHead, BoxNeeds
from amparser.nn.heads.fillers import FillerHead, FillerNeeds
from amparser.nn.heads.head import Head, Reading
from amparser.nn.heads.labels import (
    AuxiliaryHead,
    DefaultHead,
    LabelHead,
    LabelNeeds,
    ReentrantHead,
)
from amparser.nn.heads.tags import TagHead, TagNeeds

OneHead = TypeVar("OneHead", bound=Head)


@dataclass(frozen=True)
class Needs:
    """Heads that a lexicon needs: the scorer gets a head for each field that is not None.

    Attributes:
        tags, arcs, labels, fillers, boxes: sizes and options of the heads of these names.
        defaults: number of default labels.
        beside: hidden size, dropout and maximum distance of the head for re-entrant edges.
        auxiliary: number of different items of each auxiliary annotation layer.
    """

    tags: TagNeeds
    arcs: ArcNeeds
    defaults: int | None = None
    labels: LabelNeeds | None = None
    fillers: FillerNeeds | None = None
    boxes: BoxNeeds | None = None
    beside: tuple[int, float, int] | None = None
    auxiliary: Sequence[int] | None = None


_HEADS: Mapping[str, Callable[[Any, Encoder, TagNeeds], Head]] = {
    "tags": TagHead,
    "arcs": ArcHead,
    "defaults": DefaultHead,
    "labels": LabelHead,
    "fillers": FillerHead,
    "boxes": BoxHead,
    "beside": ReentrantHead,
    "auxiliary": AuxiliaryHead,
}
"""Class of the head for each field of `Needs`; the order determines the initial weights."""


class Scorer(nn.Module):
    """Network that computes the scores that a lexicon needs.

    Args:
        needs: the heads of the network.
        encoder: untrained encoder; scorers do not share encoders.
    """

    def __init__(self, encoder: Encoder, needs: Needs) -> None:
        super().__init__()
        self.encoder = encoder
        self.needs = needs
        self.root: nn.Parameter | None = None
        size = encoder.state_size
        if needs.arcs.root == "random":
            self.root = nn.Parameter(torch.randn(size) / size**0.5)
        elif needs.arcs.root == "zero":
            self.root = nn.Parameter(torch.zeros(size))
        parts = {name: getattr(needs, name) for name in _HEADS}
        self.heads = nn.ModuleDict(
            {
                name: _HEADS[name](part, encoder, needs.tags)
                for name, part in parts.items()
                if part is not None
            }
        )

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    def head(self, head_class: type[OneHead]) -> OneHead:
        """Return the head of a class; raise LookupError if the lexicon does not need it."""
        for head in self.heads.values():
            if isinstance(head, head_class):
                return head
        raise LookupError(f"no {head_class.__name__}")

    def forward(self, batch: Any) -> Reading:
        """Encode a batch and score its tags."""
        encoded = self.encoder(batch)
        return Reading(encoded, self.root, *self.head(TagHead)(encoded))

    def read(self, sentences: Sequence[Sequence[str]]) -> Reading:
        """Encode tokenised, non-empty sentences and score their tags.

        Raises InputError if the encoder cannot read a sentence.
        """
        reading: Reading = self(self.encoder.batch(sentences).to(self.device))
        return reading

    @property
    def partial(self) -> bool:
        """True if a batch may give no gradient to some trained parameters."""
        return self.encoder.partial or any(head.partial for head in self.heads.values())


class Ensemble(nn.ModuleList):
    """Scorers with equal structure and different weights, whose log-probabilities are averaged.

    Args:
        encoder: function that returns a new encoder for each member.
    """

    def __init__(self, needs: Needs, encoder: Callable[[], Encoder], members: int = 1) -> None:
        super().__init__(Scorer(encoder(), needs) for _ in range(members))
        self.needs = needs

    def scorers(self) -> Sequence[Scorer]:
        """Return the members."""
        return cast("Sequence[Scorer]", self)

    def scorer(self, number: int) -> Scorer:
        """Return a member by its index, from 0."""
        return self.scorers()[number]

    @property
    def encoder(self) -> Encoder:
        """The first member's encoder; all members share its vocabulary."""
        return self.scorer(0).encoder

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.scorer(0).device

    def rates(self) -> dict[str, float]:
        """Return special learning rates by prefix of parameter names."""
        return {
            f"{number}.encoder.{prefix}": rate
            for number, scorer in enumerate(self.scorers())
            for prefix, rate in scorer.encoder.rates().items()
        }

    def batches(self, lengths: Iterable[int]) -> Iterator[list[int]]:
        """Yield batches of non-empty sentences of similar length, as indices from 0.

        The padded size of a batch is limited. If edge labels are scored, a batch has up to 64
        sentences, which stay encoded until their trees are known.
        """
        width = self.scorer(0).head(ArcHead).width
        sizes = list(lengths)
        batch: list[int] = []
        for i in sorted((i for i, size in enumerate(sizes) if size), key=sizes.__getitem__):
            area = sizes[i] * (sizes[i] + 1) * width
            full = (len(batch) + 1) * area > CHUNK_SIZE
            if self.needs.labels is not None:
                full = len(batch) == 64
            if batch and full:
                yield batch
                batch = []
            batch.append(i)
        if batch:
            yield batch
