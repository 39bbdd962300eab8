"""Heads for default ports, re-entrant edges and auxiliary layers."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.head import Gold, Head, Reading, class_loss
from amparser.nn.heads.pairs import BiaffineScorer, distance_indices


class DefaultHead(Head):
    """Scores whether each kind of default fills its port at a token.

    Args:
        count: number of kinds.
        encoder: encoder whose states the head reads.
    """

    def __init__(self, count: int, encoder: Encoder) -> None:
        super().__init__()
        self.out = nn.Linear(encoder.state_size, max(1, count))

    def forward(self, reading: Reading) -> Tensor:
        """Return log odds `[T, D]`."""
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
    """Scores whether a re-entrant edge joins two tokens.

    Args:
        hidden_size: width of the content vectors of head and dependent.
        dropout: dropout on the content vectors.
        clip: greatest distance with an embedding of its own; 0 ignores distances.
        encoder: encoder whose states the head reads.
    """

    def __init__(self, hidden_size: int, dropout: float, clip: int, encoder: Encoder) -> None:
        super().__init__()
        self.pairs = BiaffineScorer(encoder.state_size, hidden_size, dropout=dropout, clip=clip)
        self.clip = clip

    def forward(self, reading: Reading) -> Tensor:
        """Return log odds `[B, N, 1 + N]`, dependent by head (0: the root)."""
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
    """Scores the items of auxiliary layers, which are trained but never decoded.

    Args:
        counts: number of items of each layer.
        encoder: encoder whose states the head reads.
    """

    def __init__(self, counts: Sequence[int], encoder: Encoder) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(encoder.state_size, count) for count in counts)

    def forward(self, reading: Reading) -> list[Tensor]:
        """Return logits `[T, items]` of each layer."""
        return [layer(reading.encoded.states) for layer in self.layers]

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        return {
            f"auxiliary_{number}": class_loss(scores, right[reading.mask])
            for number, (scores, right) in enumerate(
                zip(self(reading), gold.auxiliary, strict=True)
            )
        }
