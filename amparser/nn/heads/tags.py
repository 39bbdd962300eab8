"""Tagger: one hidden layer over the encoder's vectors.

Tags may share weights in two ways. The score of a tag may be the sum of the scores of its parts,
which makes unseen tags possible. Or the vector of a tag may include vectors of the letter n-grams
in its label: a rare tag `smallest_one` profits from `largest_one` and `smallest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from amparser.nn.encoders.encoder import Encoded, Encoder
from amparser.nn.encoders.spelling import letter_ngrams
from amparser.nn.heads.head import Gold, Head, Reading, class_loss
from amparser.nn.lstm import Dropout


@dataclass(frozen=True)
class TagNeeds:
    """Sizes and options of a tagger.

    Attributes:
        parts: indices (from 0) of the parts of each tag; None if tags share no parts.
        labels: label of each tag, whose n-grams are part of the tag's vector; "" for none.
        buckets: number of buckets of hashed n-grams.
        words: whether the hidden layer also reads the embeddings.
        words_beside: whether the output layer also reads the embeddings.
        context_dropout: probability in training that the tags of a sentence are predicted without
            the states.
    """

    count: int
    hidden_size: int
    dropout: float
    parts: Sequence[Sequence[int]] | None = None
    labels: Sequence[str] = ()
    buckets: int = 2048
    words: bool = False
    words_beside: bool = False
    context_dropout: float = 0.0


class TagHead(Head):
    """Scorer of tags."""

    def __init__(self, needs: TagNeeds, encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        self.needs = needs
        width = encoder.embedding_size
        self.hidden = nn.Linear(encoder.state_size + needs.words * width, needs.hidden_size)
        self.dropout = Dropout(needs.dropout)
        known = needs.hidden_size + needs.words_beside * width
        self.out: nn.Module
        if needs.parts is not None:
            self.out = _Composed(known, needs.parts)
        elif needs.labels:
            self.out = _Spelled(known, needs.labels, needs.buckets)
        else:
            self.out = nn.Linear(known, needs.count)

    def forward(self, encoded: Encoded) -> tuple[Tensor, Tensor]:
        """Return the hidden layer `[T, H]` and the logits of tags `[T, K]`."""
        known = encoded.states
        if self.training and self.needs.context_dropout > 0:
            count = len(encoded.lengths)
            kept = torch.rand(count, 1, device=known.device) >= self.needs.context_dropout
            lengths = torch.tensor(encoded.lengths, device=known.device)
            known = known * kept.repeat_interleave(lengths, dim=0)
        if self.needs.words:
            known = torch.cat([known, encoded.embedded], dim=1)
        hidden = self.dropout(torch.relu(self.hidden(known)))
        beside = [encoded.embedded] if self.needs.words_beside else []
        return hidden, self.out(torch.cat([hidden, *beside], dim=1))

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        return {"tags": class_loss(reading.tags, gold.tags[reading.mask])}


class _Composed(nn.Module):
    """Layer of tag logits `[..., K]`: each is the sum of the logits of the tag's parts."""

    parts: Tensor

    def __init__(self, size: int, tag_parts: Sequence[Sequence[int]]) -> None:
        super().__init__()
        part_count = 1 + max(part for parts in tag_parts for part in parts)
        has_part = torch.zeros(part_count, len(tag_parts))
        for k, parts in enumerate(tag_parts):
            has_part[list(parts), k] = 1
        self.register_buffer("parts", has_part, persistent=False)
        self.score = nn.Linear(size, part_count)

    def forward(self, hidden: Tensor) -> Tensor:
        part_scores: Tensor = self.score(hidden)
        return part_scores @ self.parts


class _Spelled(nn.Linear):
    """Linear layer; each row is a tag's own vector plus the n-gram vectors of its label."""

    grams: Tensor
    begins: Tensor
    shares: Tensor

    def __init__(self, size: int, labels: Sequence[str], buckets: int) -> None:
        super().__init__(size, len(labels))
        rows = [letter_ngrams(label, buckets) if label else [] for label in labels]
        numbers = {gram: i for i, gram in enumerate(sorted({g for row in rows for g in row}))}
        buffers = {
            "grams": torch.tensor(
                [numbers[gram] for row in rows for gram in row], dtype=torch.long
            ),
            "begins": torch.tensor([0, *accumulate(map(len, rows))][:-1]),
            "shares": torch.tensor([len(row) ** -0.5 for row in rows for _ in row]),
        }
        for name, values in buffers.items():
            self.register_buffer(name, values, persistent=False)
        self.vectors = nn.Parameter(torch.zeros(max(1, len(numbers)), size))

    def forward(self, hidden: Tensor) -> Tensor:
        spelled = nn.functional.embedding_bag(
            self.grams, self.vectors, self.begins, mode="sum", per_sample_weights=self.shares
        )
        return linear(hidden, self.weight + spelled, self.bias)
