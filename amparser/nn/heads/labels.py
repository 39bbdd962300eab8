"""Scorers of edge labels, default arguments, re-entrant edges and auxiliary annotations.

Edge labels are scored by one hidden layer over the two tokens, their tags, their lexical labels and
their distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.head import Gold, Head, Reading, class_loss
from amparser.nn.heads.pairs import BiaffineScorer, distance_indices
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.lstm import Dropout
from amparser.nn.vocabulary import PADDING

_DISTANCE = 8


@dataclass(frozen=True)
class LabelNeeds:
    """Sizes of a label head.

    Attributes:
        filler_size: width of the embeddings of lexical labels and texts.
        label_dropout: probability in training that a token's lexical label is hidden.
    """

    count: int
    hidden_size: int
    dropout: float
    fillers: int
    texts: int
    filler_size: int
    label_dropout: float


class LabelHead(Head):
    """Scorer of edge labels, given two tokens, their tags, lexical labels and distance."""

    def __init__(self, needs: LabelNeeds, encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        self.needs, self.tag_count = needs, tags.count
        hidden, width = needs.hidden_size, needs.filler_size
        self.above = nn.Linear(encoder.state_size, hidden)
        self.below = nn.Linear(encoder.state_size, hidden)
        self.tag_above = nn.Embedding(tags.count + 1, hidden)
        self.tag_below = nn.Embedding(tags.count + 1, hidden)
        self.fillers = nn.Embedding(needs.fillers + 1, width, padding_idx=PADDING)
        self.texts = nn.Embedding(needs.texts + 1, width, padding_idx=PADDING)
        self.filler_above = nn.Linear(width, hidden, bias=False)
        self.filler_below = nn.Linear(width, hidden, bias=False)
        self.distance = nn.Embedding(2 * _DISTANCE + 1, hidden)
        self.out = nn.Linear(hidden, needs.count)
        self.dropout = Dropout(needs.dropout)
        for table in (self.fillers, self.texts):
            nn.init.normal_(table.weight, std=0.3)
        for table in (self.tag_above, self.tag_below, self.distance):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, reading: Reading, pairs: Tensor, tags: Tensor, fillers: Tensor) -> Tensor:
        """Return logits `[P, labels]` of edge labels.

        Args:
            reading: the encoded batch.
            pairs: `[P, 3]`, sentence, token (from 0) and head (from 1; 0 is the root).
            tags: `[B, N]`, tags of tokens.
            fillers: `[B, N, 2]`, lexical label of each token's first slot, and its text.
        """
        if self.training and self.needs.label_dropout:
            # A label is hidden twice as often as its text, because senses are often wrong.
            chance = torch.rand(fillers.shape[:2], device=fillers.device)[:, :, None]
            rate = self.needs.label_dropout
            rates = torch.tensor([rate, rate / 2], device=fillers.device)
            fillers = fillers.masked_fill(chance < rates, PADDING)
        known = torch.cat([tags.clamp(min=0)[:, :, None], fillers], dim=2)
        root = known.new_tensor([self.tag_count, PADDING, PADDING]).expand(len(known), 1, -1)
        known = torch.cat([root, known], dim=1)
        sentence, below, above = pairs[:, 0], pairs[:, 1] + 1, pairs[:, 2]
        states = reading.rooted
        tag_above, *fills_above = known[sentence, above].unbind(1)
        tag_below, *fills_below = known[sentence, below].unbind(1)
        near = (above - below).clamp(-_DISTANCE, _DISTANCE) + _DISTANCE
        hidden = (
            self.above(states[sentence, above])
            + self.below(states[sentence, below])
            + self.tag_above(tag_above)
            + self.filler_above(self._filler(*fills_above))
            + self.tag_below(tag_below)
            + self.filler_below(self._filler(*fills_below))
            + self.distance(near)
        )
        scores: Tensor = self.out(self.dropout(torch.relu(hidden)))
        return scores

    def _filler(self, fillers: Tensor, texts: Tensor) -> Tensor:
        vectors: Tensor = self.fillers(fillers) + self.texts(texts)
        return vectors

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        assert gold.labels is not None
        assert gold.fillers is not None
        scores = self(reading, gold.labels[:, :3], gold.tags, gold.fillers)
        return {"labels": class_loss(scores, gold.labels[:, 3])}


class DefaultHead(Head):
    """Scorer of defaults: whether each default label fills a port of a token."""

    partial = True

    def __init__(self, needs: int, encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        self.out = nn.Linear(encoder.state_size, max(1, needs))

    def forward(self, reading: Reading) -> Tensor:
        """Return log odds `[T, D]` that a default label fills a port of a token."""
        scores: Tensor = self.out(reading.encoded.states)
        return scores

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        assert gold.defaults is not None
        right = gold.defaults[reading.mask]
        known = right >= 0
        if not bool(known.any()):
            return {}
        scores = self(reading)[known]
        loss = binary_cross_entropy_with_logits(scores, right[known], reduction="sum")
        return {"defaults": loss}


class ReentrantHead(Head):
    """Scorer of re-entrant edges: whether two tokens have one.

    Args:
        needs: hidden size, dropout, and maximum distance with a separate embedding (0 if distances
            are not used).
    """

    def __init__(self, needs: tuple[int, float, int], encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        size, dropout, self.clip = needs
        self.pairs = BiaffineScorer(encoder.state_size, size, dropout=dropout, clip=self.clip)

    def forward(self, reading: Reading) -> Tensor:
        """Return log odds `[B, N, 1 + N]` of a re-entrant edge to each dependent from each head."""
        heads = torch.arange(reading.rooted.shape[1], device=reading.states.device)
        distances = distance_indices(heads, heads[1:, None], self.clip) if self.clip else None
        content = self.pairs.heads(reading.rooted), self.pairs.dependents(reading.states)
        return self.pairs.pairs(*content, distances)

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        scores = self(reading)
        target = torch.zeros_like(scores)
        if gold.reentrant is not None:
            target[gold.reentrant[:, 0], gold.reentrant[:, 1], gold.reentrant[:, 2]] = 1.0
        inside = nn.functional.pad(reading.mask, (1, 0), value=True)
        both = reading.mask[:, :, None] & inside[:, None, :]
        loss = binary_cross_entropy_with_logits(scores[both], target[both], reduction="sum")
        return {"beside": loss}


class AuxiliaryHead(Head):
    """Scorer of auxiliary annotation layers; it is trained but not used for parsing."""

    def __init__(self, needs: Sequence[int], encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(encoder.state_size, count) for count in needs)

    def forward(self, reading: Reading) -> list[Tensor]:
        """Return logits `[T, items]` for each annotation layer."""
        return [layer(reading.encoded.states) for layer in self.layers]

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        return {
            f"auxiliary_{number}": class_loss(scores, right[reading.mask])
            for number, (scores, right) in enumerate(
                zip(self(reading), gold.auxiliary, strict=True)
            )
        }
