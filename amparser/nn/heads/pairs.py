"""Scorers of pairs of a head and a dependent; for distance indices see `distance_indices`."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from amparser.nn.lstm import Dropout


def distance_indices(heads: Tensor, dependents: Tensor, clip: int) -> Tensor:
    """Return the index of the signed distance between two tokens (counted from 1).

    Distances are limited to -clip .. clip and have the indices 0 .. 2 * clip. Pairs with the
    artificial root (head 0) have the index 2 * clip + 1.

    >>> distance_indices(torch.tensor([0, 1, 3, 9]), torch.tensor(2), clip=3).tolist()
    [7, 2, 4, 6]
    """
    distance = (heads - dependents).clamp(-clip, clip) + clip
    return torch.where(heads == 0, 2 * clip + 1, distance)


class PairScorer(nn.Module, ABC):
    """Base class of pair scorers.

    `heads` and `dependents` map states to content vectors of width H; `pairs` scores all pairs.
    """

    head: nn.Module
    dependent: nn.Module

    def heads(self, states: Tensor) -> Tensor:
        """Return content vectors `[B, m, H]` of heads, given states `[B, m, S]`."""
        vectors: Tensor = self.head(states)
        return vectors

    def dependents(self, states: Tensor) -> Tensor:
        """Return content vectors `[B, d, H]` of dependents, given states `[B, d, S]`."""
        vectors: Tensor = self.dependent(states)
        return vectors

    @abstractmethod
    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """Score every dependent with every head: `[B, d, m]`, or `[B, d, m, O]` if O > 1.

        Takes content vectors `[B, m, H]` and `[B, d, H]` and distance indices `[d, m]`.
        """


class AdditiveScorer(PairScorer):
    """score(h, d) = W relu(U h + V d + E[distance]), with dropout only on U h and V d.

    Without dropout on the distance, the scorer learns more from word order.
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
        """See `PairScorer`."""
        vectors: Tensor = self.dropout(self.head(states))
        return vectors

    def dependents(self, states: Tensor) -> Tensor:
        """See `PairScorer`."""
        vectors: Tensor = self.dropout(self.dependent(states))
        return vectors

    def aligned(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """Return scores `[..., O]` of pairs of content vectors, given their distance indices."""
        hidden = (heads + dependents).add_(self.distance(distances)).relu_()
        scores: Tensor = self.output(hidden)
        return scores

    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """See `PairScorer`."""
        scores = self.aligned(heads[:, None], dependents[:, :, None], distances)
        return scores.squeeze(-1) if self.output.out_features == 1 else scores


def content_layer(state_size: int, hidden_size: int, dropout: float) -> nn.Module:
    """Return a hidden layer from states to content vectors."""
    return nn.Sequential(nn.Linear(state_size, hidden_size), nn.ReLU(), Dropout(dropout))


class BiaffineScorer(PairScorer):
    """score(h, d) = h W d + u h (Dozat & Manning 2017, equation 6), plus E[distance] d.

    Args:
        orthogonal: whether W is initialised as an orthogonal matrix and u as 0; otherwise, initial
            weights are uniform (Glorot & Bengio 2010).
        bias: whether the score has the term u h.
        clip: maximum distance with a separate embedding; 0 if distances are not used.
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
        super().__init__()
        self.head = content_layer(state_size, hidden_size, dropout)
        self.dependent = content_layer(state_size, hidden_size, dropout)
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
        """Score every dependent with every head, `[B, d, m]`, given their states."""
        return self.pairs(self.heads(heads), self.dependents(dependents))

    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor | None = None) -> Tensor:
        """See `PairScorer`."""
        scores = dependents @ self.weight @ heads.transpose(1, 2)
        if self.distance is not None:
            assert distances is not None, "this scorer sees distances"
            near = dependents @ self.distance.weight.T
            scores = scores + torch.take_along_dim(near, distances[None], 2)
        return scores if self.bias is None else scores + self.bias(heads).transpose(1, 2)
