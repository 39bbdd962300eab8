"""The scores of a batch of sentences, averaged over networks, as plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import log_softmax

from amparser.layered.network import LayeredNetwork

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

SCOPE, ABOVE = "scope", "above"
_LEAST = -1e3


class Pointers(NamedTuple):
    """Where boxes are: log probabilities of tokens, and of which of their boxes.

    Attributes:
        places: `[S, N, 1 + N]`, from each token to the first box or to a token.
        levels: `[S, N, 1 + N, L]`.
    """

    places: FloatArray
    levels: FloatArray


class _Member(NamedTuple):
    """What one network says of a batch."""

    network: LayeredNetwork
    states: Tensor
    embedded: Tensor
    tags: Tensor
    scripts: Tensor
    introduced: Tensor


class BatchScores:
    """Scores of a batch; all are natural logarithms of probabilities unless it says otherwise.

    Args:
        networks: their log probabilities are averaged.
        sentences: the units of each, none empty.
    """

    def __init__(
        self, networks: Sequence[LayeredNetwork], sentences: Sequence[Sequence[str]]
    ) -> None:
        self.lengths = [len(sentence) for sentence in sentences]
        self._device = networks[0].root.device
        self._members = []
        for network in networks:
            states, embedded = network(network.encoder.batch(sentences).to(self._device))
            self._members.append(
                _Member(network, states, embedded, *network.classify(states, embedded))
            )

    @property
    def width(self) -> int:
        """The length of the longest sentence."""
        return max(self.lengths)

    def tags(self) -> FloatArray:
        """`[B, N, tags]`."""
        return self._mean(lambda member: log_softmax(member.tags, -1))

    def scripts(self) -> FloatArray:
        """`[B, N, scripts]`."""
        return self._mean(lambda member: log_softmax(member.scripts, -1))

    def introduced(self) -> FloatArray:
        """`[B, N, introduced]`."""
        return self._mean(lambda member: log_softmax(member.introduced, -1))

    def fillers(
        self,
        places: Sequence[tuple[int, int]],
        candidates: Tensor,
        arcs: Sequence[tuple[int, int, int]],
    ) -> FloatArray:
        """`[P, K]`: of candidates `[P, K]` (0: none) at sentences and tokens.

        `arcs` are sentence, token from 0 and head from 1 (0: the root) of all trees.
        """
        at = torch.tensor(places, device=self._device)
        trees = torch.tensor(arcs, device=self._device)
        ids = candidates.to(self._device)

        def scores(member: _Member) -> Tensor:
            queries = member.network.queries(member.states, member.embedded, trees)
            return log_softmax(member.network.fill(queries[at[:, 0], at[:, 1]], ids), -1)

        return self._mean(scores)

    def arcs(self) -> FloatArray:
        """`[B, N, 1 + N]`: of each token's head, the first of which is the root."""
        keep = torch.arange(1 + self.width)[None, :] <= torch.tensor(self.lengths)[:, None]
        outside = ~keep[:, None, :].to(self._device)

        def scores(member: _Member) -> Tensor:
            found = member.network.attach(member.states, member.tags)
            return log_softmax(found.masked_fill(outside, float("-inf")), -1)

        return np.maximum(self._mean(scores), np.float32(_LEAST))

    def extra(self) -> FloatArray:
        """`[B, N, 1 + N]`: the log odds that there is an arc beside the tree."""
        return self._mean(lambda m: m.network.extra(m.states[:, 1:], m.states))

    def labels(
        self, pairs: Sequence[tuple[int, int, int]], tags: Tensor, fillers: Tensor
    ) -> FloatArray:
        """`[P, labels]`: of arcs, given the tags `[B, N]` and fillers `[B, N, 2]` of all tokens."""
        at = torch.tensor(pairs, device=self._device)
        known = (at, tags.to(self._device), fillers.to(self._device))
        return self._mean(
            lambda member: log_softmax(member.network.label(member.states, *known), -1)
        )

    def pointers(self, sentences: Sequence[int], name: str) -> Pointers:
        """Where boxes are (`SCOPE`, `ABOVE`), in some of the sentences."""
        chosen = list(sentences)
        return Pointers(
            self._mean(lambda m: log_softmax(m.network.point(name, m.states[chosen]), -1)),
            self._mean(lambda m: log_softmax(m.network.all_levels(name, m.states[chosen]), -1)),
        )

    def _mean(self, scores: Callable[[_Member], Tensor]) -> FloatArray:
        values = [scores(member) for member in self._members]
        total = values[0] if len(values) == 1 else torch.stack(values).mean(dim=0)
        found: FloatArray = total.float().cpu().numpy()
        return found
