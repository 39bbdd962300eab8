"""Lexical labels of slots: a candidate from train, or the word changed by an edit script.

In this module, *filler* means the lexical label of a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.head import NEVER, Gold, Head, Reading, class_loss
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.lstm import Dropout
from amparser.nn.vocabulary import PADDING

if TYPE_CHECKING:
    from amparser.lexicon.candidates import Candidate

_NEAR_SIZE, _OFFER_HIDDEN = 64, 16


@dataclass(frozen=True)
class FillerNeeds:
    """Sizes of a lexical label head.

    Attributes:
        texts: id of each lexical label's text (the label without its sense number); label 0 means
            that there is no label.
        offers: whether the candidates for a word include labels that it does not have in train.
    """

    texts: Sequence[int]
    text_count: int
    scripts: int
    hidden_size: int
    size: int
    dropout: float
    offers: bool = False


def tensors_of(rows: Sequence[Sequence[Candidate]]) -> tuple[Tensor, Tensor]:
    """Return the indices of candidates `[P, K]`, padded with 0, and their features `[P, K, F]`."""
    from amparser.lexicon.candidates import NO_FEATURES

    shape = len(rows), max(map(len, rows))
    numbers = np.full(shape, PADDING)
    good = np.zeros((*shape, len(NO_FEATURES)), np.float32)
    for i, row in enumerate(rows):
        numbers[i, : len(row)] = [candidate.number for candidate in row]
        if row and row[0].good is not NO_FEATURES:
            good[i, : len(row)] = [candidate.good for candidate in row]
    return torch.from_numpy(numbers), torch.from_numpy(good)


class FillerHead(Head):
    """Scorer of edit scripts, and of lexical labels given a token, its head and its dependents."""

    partial = True

    def __init__(self, needs: FillerNeeds, encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        hidden, width = needs.hidden_size, encoder.embedding_size
        self.scripts = nn.Linear(tags.hidden_size, needs.scripts)
        self.near_above = nn.Linear(width, _NEAR_SIZE, bias=False)
        self.near_below = nn.Linear(width, _NEAR_SIZE, bias=False)
        self.wanted = nn.Linear(encoder.state_size + width + 2 * _NEAR_SIZE, hidden)
        self.query = nn.Linear(hidden + width, needs.size)
        self.fillers = nn.Embedding(len(needs.texts), needs.size)
        self.meant = nn.Embedding(needs.text_count + 1, needs.size, padding_idx=PADDING)
        self.bias = nn.Embedding(len(needs.texts), 1)
        self.offer = _offer() if needs.offers else None
        self.dropout = Dropout(needs.dropout)
        self.texts: Tensor
        self.register_buffer("texts", torch.tensor(needs.texts), persistent=False)
        nn.init.normal_(self.fillers.weight, std=0.1)
        nn.init.normal_(self.meant.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def queries(self, reading: Reading, arcs: Tensor) -> Tensor:
        """Return query vectors `[B, N, F]`, which `forward` compares with lexical labels.

        Args:
            reading: the encoded batch.
            arcs: `[A, 3]`, sentence, token (from 0) and head (from 1; 0 is the root) of each tree
                edge.
        """
        embedded = reading.embedded
        sentence, token, head = arcs[:, 0], arcs[:, 1], arcs[:, 2]
        above, below = self.near_above(embedded), self.near_below(embedded)
        count, width = embedded.shape[:2]
        from_head = nn.functional.pad(above, (0, 0, 1, 0))[sentence, head]
        heads = above.new_zeros(count * width, _NEAR_SIZE)
        heads = heads.index_add(0, sentence * width + token, from_head)
        children = below.new_zeros(count * (width + 1), _NEAR_SIZE)
        children = children.index_add(0, sentence * (width + 1) + head, below[sentence, token])
        near = [
            torch.relu(heads.view(count, width, -1)),
            torch.relu(children.view(count, width + 1, -1)[:, 1:]),
        ]
        known = torch.cat([reading.states, embedded, *near], dim=2)
        wanted = self.dropout(torch.relu(self.wanted(known)))
        queries: Tensor = self.query(torch.cat([wanted, embedded], dim=2))
        return queries

    def forward(self, query: Tensor, candidates: Tensor, offers: Tensor) -> Tensor:
        """Return logits `[P, K]` of candidate lexical labels, -inf for padding.

        Args:
            query: `[P, F]`, query vectors from `queries`.
            candidates: `[P, K]`, indices of lexical labels; 0 is padding.
            offers: `[P, K, F]`, features of the candidates (`Candidate.good`).
        """
        known = self.fillers(candidates) + self.meant(self.texts[candidates])
        scores: Tensor = (known @ query[:, :, None])[:, :, 0]
        scores = scores + self.bias(candidates)[:, :, 0]
        if self.offer is not None:
            scores = scores + self.offer(offers)[:, :, 0]
        return scores.masked_fill(candidates == PADDING, NEVER)

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        losses = {}
        if gold.scripts is not None:
            sentence, token, script = gold.scripts.unbind(1)
            scores = reading.encoded.padded(self.scripts(reading.hidden))
            losses["scripts"] = class_loss(scores[sentence, token], script)
        if gold.choices is not None:
            assert gold.candidates is not None
            assert gold.offers is not None
            sentence, token, right = gold.choices.unbind(1)
            arcs = (gold.heads >= 0).nonzero()
            arcs = torch.cat([arcs, gold.heads[arcs[:, 0], arcs[:, 1], None]], dim=1)
            query = self.queries(reading, arcs)[sentence, token]
            losses["fillers"] = class_loss(self(query, gold.candidates, gold.offers), right)
        return losses


def _offer() -> nn.Module:
    from amparser.lexicon.candidates import NO_FEATURES

    return nn.Sequential(
        nn.Linear(len(NO_FEATURES), _OFFER_HIDDEN), nn.ReLU(), nn.Linear(_OFFER_HIDDEN, 1)
    )
