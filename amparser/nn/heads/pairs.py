"""Scores of pairs of a head and a dependent: whether an edge joins them, and which.

A pair's distance is given as an index into a table of embeddings (see
`distance_indices`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from amparser.nn.dropout import Dropout


def distance_indices(heads: Tensor, dependents: Tensor, clip: int) -> Tensor:
    """Index of the signed distance between two tokens (1-based; head 0 is the artificial root).

    Distances are clipped to `clip` on both sides and counted from 0 to 2 * clip.
    The artificial root has no distance and gets the index 2 * clip + 1.

    >>> distance_indices(torch.tensor([0, 1, 3, 9]), torch.tensor(2), clip=3).tolist()
    [7, 2, 4, 6]
    """
    distance = (heads - dependents).clamp(-clip, clip) + clip
    return torch.where(heads == 0, 2 * clip + 1, distance)


class PairScorer(nn.Module, ABC):
    """Base of the scorers of pairs.

    `heads` and `dependents` turn states into content vectors of width H;
    `pairs` scores every dependent with every head.
    """

    @abstractmethod
    def heads(self, states: Tensor) -> Tensor:
        """`[B, m, S]` states to `[B, m, H]` content vectors of heads."""

    @abstractmethod
    def dependents(self, states: Tensor) -> Tensor:
        """`[B, d, S]` states to `[B, d, H]` content vectors of dependents."""

    @abstractmethod
    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """Every dependent with every head: `[B, d, m]`, or `[B, d, m, O]` with O > 1 outputs.

        Takes `[B, m, H]`, `[B, d, H]` and distance indices `[d, m]`.
        """


class AdditiveScorer(PairScorer):
    """score(h, d) = W relu(U h + V d + E[distance]), with dropout only on U h and V d.

    Dropout never hides the distance, so the scorer does not learn to use content
    where the order of words decides.
    """

    def __init__(
        self, state_size: int, hidden_size: int, outputs: int, *, clip: int, dropout: float
    ) -> None:
        super().__init__()
        self.head = nn.Linear(state_size, hidden_size)
        self.dependent = nn.Linear(state_size, hidden_size, bias=False)
        self.distance = nn.Embedding(2 * clip + 2, hidden_size)
        self.output = nn.Linear(hidden_size, outputs)
        self.dropout = Dropout(dropout)

    def heads(self, states: Tensor) -> Tensor:
        """`[B, m, S]` to `[B, m, H]`."""
        vectors: Tensor = self.dropout(self.head(states))
        return vectors

    def dependents(self, states: Tensor) -> Tensor:
        """`[B, d, S]` to `[B, d, H]`."""
        vectors: Tensor = self.dropout(self.dependent(states))
        return vectors

    def aligned(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """Score aligned pairs: `[..., H]`, `[..., H]` and distances `[...]` to `[..., O]`."""
        hidden = (heads + dependents).add_(self.distance(distances)).relu_()
        scores: Tensor = self.output(hidden)
        return scores

    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """Every dependent with every head: `[B, d, m, O]`, or `[B, d, m]` with one output."""
        scores = self.aligned(heads[:, None], dependents[:, :, None], distances)
        return scores.squeeze(-1) if self.output.out_features == 1 else scores


class PerceptronPairScorer(PairScorer):
    """Content vectors from one hidden layer each, for scorers that ignore distances."""

    def __init__(self, state_size: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.head = nn.Sequential(nn.Linear(state_size, hidden_size), nn.ReLU(), Dropout(dropout))
        self.dependent = nn.Sequential(
            nn.Linear(state_size, hidden_size), nn.ReLU(), Dropout(dropout)
        )

    def heads(self, states: Tensor) -> Tensor:
        """`[B, m, S]` to `[B, m, H]`."""
        vectors: Tensor = self.head(states)
        return vectors

    def dependents(self, states: Tensor) -> Tensor:
        """`[B, d, S]` to `[B, d, H]`."""
        vectors: Tensor = self.dependent(states)
        return vectors


class BiaffineScorer(PerceptronPairScorer):
    """score(h, d) = h W d + u h (Dozat & Manning 2017, equation 6), and E[distance] d.

    Args:
        state_size, hidden_size, dropout: as above.
        orthogonal: whether W is orthogonal and u zero at first; else they are drawn evenly
            (Glorot & Bengio 2010).
        bias: whether there is u.
        clip: distances beyond this share one embedding; 0 where distances are ignored.
    """

    def __init__(
        self,
        state_size: int,
        hidden_size: int,
        *,
        dropout: float,
        orthogonal: bool = False,
        bias: bool = True,
        clip: int = 0,
    ) -> None:
        super().__init__(state_size, hidden_size, dropout)
        self.distance = nn.Embedding(2 * clip + 2, hidden_size) if clip else None
        if self.distance is not None:
            nn.init.zeros_(self.distance.weight)
        self.weight = nn.Parameter(torch.empty(hidden_size, hidden_size))
        self.bias = nn.Linear(hidden_size, 1) if bias else None
        if not orthogonal:
            nn.init.xavier_uniform_(self.weight)
            return
        nn.init.orthogonal_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias.weight)
            nn.init.zeros_(self.bias.bias)

    def forward(self, heads: Tensor, dependents: Tensor) -> Tensor:
        """Every dependent with every head, given their states: `[B, d, m]`."""
        return self.pairs(self.heads(heads), self.dependents(dependents))

    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor | None = None) -> Tensor:
        """Every dependent with every head: `[B, d, m]`."""
        scores = dependents @ self.weight @ heads.transpose(1, 2)
        if self.distance is not None:
            assert distances is not None, "this scorer sees distances"
            near = dependents @ self.distance.weight.T
            scores = scores + torch.take_along_dim(near, distances[None], 2)
        return scores if self.bias is None else scores + self.bias(heads).transpose(1, 2)
