"""The scores of a batch of sentences, averaged over scorers, as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import log_softmax

from amparser.nn.heads.beside import BesideHead
from amparser.nn.heads.boxes import ABOVE, SCOPE, BoxHead
from amparser.nn.heads.fillers import FillerHead
from amparser.nn.heads.head import Reading
from amparser.nn.heads.labels import LabelHead
from amparser.nn.scorer import Ensemble, Scorer

__all__ = ["ABOVE", "SCOPE", "BatchScores", "FloatArray", "Pointers"]

FloatArray = NDArray[np.float32]

_LEAST = -1e3


class Pointers(NamedTuple):
    """Where boxes are: log probabilities of tokens, and of which of their boxes.

    Attributes:
        places: `[S, N, 1 + N]`, from each token to the first box or to a token.
        levels: `[S, N, 1 + N, L]`.
    """

    places: FloatArray
    levels: FloatArray


class BatchScores:
    """Scores of a batch; all are natural logarithms of probabilities unless it says otherwise.

    Args:
        network: the log probabilities of its members are averaged.
        sentences: the units of each, none empty.
    """

    def __init__(self, network: Ensemble, sentences: Sequence[Sequence[str]]) -> None:
        self.width = max(map(len, sentences))
        self._device = network.device
        self._readings = network.read(sentences)

    def tags(self) -> FloatArray:
        """`[B, N, tags]`."""
        return self._readings.tags()

    def scripts(self) -> FloatArray:
        """`[B, N, scripts]`."""
        return self._readings.mean(
            lambda scorer, reading: log_softmax(scorer.head(FillerHead).script_scores(reading), -1)
        )

    def introduced(self) -> FloatArray:
        """`[B, N, introduced]`."""
        return self._readings.mean(
            lambda scorer, reading: reading.encoded.padded(
                log_softmax(scorer.head(BoxHead).introduced_scores(reading), -1)
            )
        )

    def fillers(
        self,
        places: Sequence[tuple[int, int]],
        candidates: Tensor,
        offers: Tensor,
        arcs: Sequence[tuple[int, int, int]],
    ) -> FloatArray:
        """`[P, K]`: of candidates `[P, K]` (0: none) at sentences and tokens.

        `offers` `[P, K, F]` says how good candidates are that train does not have with the word.
        `arcs` are sentence, token from 0 and head from 1 (0: the root) of all trees.
        """
        at = torch.tensor(places, device=self._device)
        trees = torch.tensor(arcs, device=self._device)
        ids, good = candidates.to(self._device), offers.to(self._device)

        def scores(scorer: Scorer, reading: Reading) -> Tensor:
            head = scorer.head(FillerHead)
            queries = head.queries(reading, trees)
            return log_softmax(head(queries[at[:, 0], at[:, 1]], ids, good), -1)

        return self._readings.mean(scores)

    def arcs(self) -> FloatArray:
        """`[B, N, 1 + N]`: of each token's head, the first of which is the root."""
        return np.maximum(self._readings.heads(), np.float32(_LEAST))

    def extra(self) -> FloatArray:
        """`[B, N, 1 + N]`: the log odds that there is an arc beside the tree."""
        return self._readings.mean(lambda scorer, reading: scorer.head(BesideHead)(reading))

    def labels(
        self, pairs: Sequence[tuple[int, int, int]], tags: Tensor, fillers: Tensor
    ) -> FloatArray:
        """`[P, labels]`: of arcs, given the tags `[B, N]` and fillers `[B, N, 2]` of all tokens."""
        at = torch.tensor(pairs, device=self._device)
        known = (at, tags.to(self._device), fillers.to(self._device))
        return self._readings.mean(
            lambda scorer, reading: log_softmax(scorer.head(LabelHead)(reading, *known), -1)
        )

    def pointers(self, sentences: Sequence[int], name: str) -> Pointers:
        """Where boxes are (`SCOPE`, `ABOVE`), in some of the sentences."""
        chosen = list(sentences)

        def places(scorer: Scorer, reading: Reading) -> Tensor:
            return log_softmax(scorer.head(BoxHead).place(name, reading.rooted[chosen]), -1)

        def levels(scorer: Scorer, reading: Reading) -> Tensor:
            return log_softmax(scorer.head(BoxHead).levels(name, reading.rooted[chosen]), -1)

        return Pointers(self._readings.mean(places), self._readings.mean(levels))
