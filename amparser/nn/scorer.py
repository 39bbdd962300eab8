"""The scorer: an encoder, and the heads that a lexicon needs; and several of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import nn

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.arcs import CHUNK_SIZE, ArcHead, ArcNeeds
from amparser.nn.heads.boxes import BoxHead, BoxNeeds
from amparser.nn.heads.fillers import FillerHead, FillerNeeds
from amparser.nn.heads.head import Head, Reading
from amparser.nn.heads.labels import LabelHead, LabelNeeds
from amparser.nn.heads.reentrant import AuxiliaryHead, DefaultHead, ReentrantHead
from amparser.nn.heads.tags import TagHead, TagNeeds

OneHead = TypeVar("OneHead", bound=Head)


@dataclass(frozen=True)
class Needs:
    """What a lexicon needs scored; there is a head for each part that is not None.

    Attributes:
        tags: the tags of tokens.
        arcs: heads of tokens, and operations.
        defaults: how many kinds of defaults there are.
        labels: labels of arcs.
        fillers: what fills slots, and scripts.
        boxes: boxes of tokens and their places.
        reentrant: width of the content vectors for arcs beside the tree, dropout on these, and the
            longest distance that they see.
        auxiliary: how many items each layer has that is learned beside all else.
    """

    tags: TagNeeds
    arcs: ArcNeeds
    defaults: int | None = None
    labels: LabelNeeds | None = None
    fillers: FillerNeeds | None = None
    boxes: BoxNeeds | None = None
    reentrant: tuple[int, float, int] | None = None
    auxiliary: Sequence[int] | None = None


class Scorer(nn.Module):
    """From sentences to scores of all that a lexicon needs.

    Args:
        encoder: of its own, with fresh weights.
        needs: what is scored.
    """

    def __init__(self, encoder: Encoder, needs: Needs) -> None:
        super().__init__()
        self.encoder = encoder
        self.needs = needs
        self.root: nn.Parameter | None = None
        size, tags = encoder.state_size, needs.tags
        if needs.arcs.root == "random":
            self.root = nn.Parameter(torch.randn(size) / size**0.5)
        elif needs.arcs.root == "zero":
            self.root = nn.Parameter(torch.zeros(size))
        heads: dict[str, Head] = {
            "tags": TagHead(tags, encoder),
            "arcs": ArcHead(needs.arcs, encoder, tags.count),
        }
        if needs.defaults is not None:
            heads["defaults"] = DefaultHead(needs.defaults, encoder)
        if needs.labels is not None:
            heads["labels"] = LabelHead(needs.labels, encoder, tags.count)
        if needs.fillers is not None:
            heads["fillers"] = FillerHead(needs.fillers, encoder, tags.hidden_size)
        if needs.boxes is not None:
            heads["boxes"] = BoxHead(needs.boxes, encoder)
        if needs.reentrant is not None:
            heads["beside"] = ReentrantHead(*needs.reentrant, encoder)
        if needs.auxiliary is not None:
            heads["auxiliary"] = AuxiliaryHead(needs.auxiliary, encoder)
        self.heads = nn.ModuleDict(heads)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    def head(self, kind: type[OneHead]) -> OneHead:
        """The head of a class; LookupError if the lexicon does not need it."""
        for head in self.heads.values():
            if isinstance(head, kind):
                return head
        raise LookupError(f"no {kind.__name__}")

    def forward(self, batch: Any) -> Reading:
        """Encode a batch of the encoder, and score its tags."""
        encoded = self.encoder(batch)
        return Reading(encoded, self.root, *self.head(TagHead)(encoded))

    def read(self, sentences: Sequence[Sequence[str]]) -> Reading:
        """The same of tokenised sentences, none empty.

        Raises:
            InputError: the encoder cannot take a sentence.
        """
        reading: Reading = self(self.encoder.batch(sentences).to(self.device))
        return reading

    @property
    def partial(self) -> bool:
        """Whether some parameters with a gradient may not be reached by a batch."""
        sometimes = self.needs.defaults, self.needs.fillers, self.needs.boxes
        return self.encoder.partial or any(part is not None for part in sometimes)


class Ensemble(nn.ModuleList):
    """Scorers that differ in their weights; their log probabilities are averaged.

    Args:
        needs: what each of them scores.
        encoder: makes the encoder of each.
        members: how many there are.
    """

    def __init__(self, needs: Needs, encoder: Callable[[], Encoder], members: int = 1) -> None:
        super().__init__(Scorer(encoder(), needs) for _ in range(members))
        self.needs = needs

    def scorers(self) -> Iterator[Scorer]:
        """The members."""
        for member in self:
            assert isinstance(member, Scorer)
            yield member

    def scorer(self, number: int) -> Scorer:
        """A member."""
        member = self[number]
        assert isinstance(member, Scorer)
        return member

    @property
    def encoder(self) -> Encoder:
        """That of the first member; all know the same words."""
        return self.scorer(0).encoder

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.scorer(0).device

    def rates(self) -> dict[str, float]:
        """The learning rates of parameters that have their own, by the prefix of their names."""
        return {
            f"{number}.encoder.{prefix}": rate
            for number, scorer in enumerate(self.scorers())
            for prefix, rate in scorer.encoder.rates().items()
        }

    def batches(self, lengths: Iterable[int]) -> Iterator[list[int]]:
        """Numbers of non-empty sentences, in batches of similar length.

        Their area is bounded; their number, where what they share is kept for later.
        """
        width = self.scorer(0).head(ArcHead).width
        sizes = list(lengths)
        batch: list[int] = []
        for i in sorted(range(len(sizes)), key=lambda i: sizes[i]):
            area = sizes[i] * (sizes[i] + 1) * width
            full = (len(batch) + 1) * area > CHUNK_SIZE
            if self.needs.labels is not None:
                # So many sentences are kept together whose labels are scored when their trees are
                # known.
                full = len(batch) == 64
            if batch and full:
                yield batch
                batch = []
            if sizes[i]:
                batch.append(i)
        if batch:
            yield batch
