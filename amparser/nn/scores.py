"""What networks score in sentences: what a search begins with, and what depends on its tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid

from amparser.decode.scores import Scores
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.heads.beside import BesideHead, DefaultHead
from amparser.nn.heads.boxes import BoxHead
from amparser.nn.heads.fillers import FillerHead, tensors_of
from amparser.nn.heads.head import Reading
from amparser.nn.heads.labels import LabelHead
from amparser.nn.scorer import Ensemble, Scorer

if TYPE_CHECKING:
    from amparser.lexicon.offers import Candidate

FloatArray = NDArray[np.float32]

_CERTAIN = 0.01
"""No default is more certain to stand in its place, or not to."""


@torch.inference_mode()
def scores_of(network: Ensemble, sentences: Sequence[Sequence[str]]) -> list[Scores]:
    """Score tokenised sentences in batches of similar length; results in input order.

    The result of a sentence of n tokens takes O(n^2 O) memory. Dropout is off.

    Raises:
        InputError: the encoder cannot take a sentence.
    """
    needs = network.needs
    edge_count = needs.arcs.operations or 1
    nothing = Scores(
        np.zeros((0, needs.tags.count), np.float32), np.zeros((0, 1, edge_count), np.float32)
    )
    scores = [nothing] * len(sentences)
    was_training = network.training
    network.eval()
    try:
        for members in network.batches(map(len, sentences)):
            batch = BatchScores(network, [sentences[i] for i in members])
            tags, edges = batch.tags(), batch.edges()
            defaults = None if needs.defaults is None else _odds(batch.defaults())
            for row, i in enumerate(members):
                n = len(sentences[i])
                scores[i] = Scores(
                    np.ascontiguousarray(tags[row, :n]),
                    np.ascontiguousarray(edges[row, :n, : n + 1]),
                    default_logp=None if defaults is None else defaults[row, :n],
                    batch=None if needs.labels is None else batch,
                    row=row,
                )
    finally:
        network.train(was_training)
    return scores


def _odds(logp: FloatArray) -> NDArray[np.float64]:
    """`[.., 2]`: the log probabilities of no and yes, given those of yes."""
    yes = np.clip(np.exp(logp.astype(np.float64)), _CERTAIN, 1 - _CERTAIN)
    odds: NDArray[np.float64] = np.log(np.stack([1 - yes, yes], axis=-1))
    return odds


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
        self._network = network
        self._device = network.device
        batch = network.encoder.batch(sentences).to(network.device)
        self._members = [(scorer, scorer(batch)) for scorer in network.scorers()]

    def _mean(self, scores: Callable[[Scorer, Reading], Tensor]) -> FloatArray:
        """Return the mean of the scores of all members."""
        values = [scores(scorer, reading) for scorer, reading in self._members]
        total = values[0] if len(values) == 1 else torch.stack(values).mean(dim=0)
        mean: FloatArray = total.float().cpu().numpy()
        return mean

    def tags(self) -> FloatArray:
        """`[B, N, tags]`."""
        return self._mean(lambda _, reading: reading.encoded.padded(reading.tags.log_softmax(-1)))

    def edges(self) -> FloatArray:
        """`[B, N, 1 + N, operations]`; without operations, of heads alone `[B, N, 1 + N, 1]`."""
        if self._network.needs.arcs.operations:
            return self._mean(lambda scorer, reading: scorer.head(ArcHead).edges(reading))
        heads = self._mean(lambda scorer, reading: scorer.head(ArcHead)(reading).log_softmax(-1))
        return heads[..., None]

    def defaults(self) -> FloatArray:
        """`[B, N, D]`, that a default stands in its place."""
        return self._mean(
            lambda scorer, reading: reading.encoded.padded(
                logsigmoid(scorer.head(DefaultHead)(reading))
            )
        )

    def scripts(self) -> FloatArray:
        """`[B, N, scripts]`."""
        return self._mean(
            lambda scorer, reading: log_softmax(scorer.head(FillerHead).script_scores(reading), -1)
        )

    @cached_property
    def introduced(self) -> FloatArray:
        """`[B, N, introduced]`."""
        return self._mean(
            lambda scorer, reading: reading.encoded.padded(
                log_softmax(scorer.head(BoxHead).introduced_scores(reading), -1)
            )
        )

    def fillers(
        self,
        places: Sequence[tuple[int, int]],
        candidates: Sequence[Sequence[Candidate]],
        arcs: Sequence[tuple[int, int, int]],
    ) -> FloatArray:
        """`[P, K]`: of the candidates of each place, a sentence and a token.

        `arcs` are sentence, token from 0 and head from 1 (0: the root) of all trees.
        """
        at = torch.tensor(places, device=self._device)
        trees = torch.tensor(arcs, device=self._device)
        told = [one.to(self._device) for one in tensors_of(candidates)]

        def scores(scorer: Scorer, reading: Reading) -> Tensor:
            head = scorer.head(FillerHead)
            queries = head.queries(reading, trees)
            return log_softmax(head(queries[at[:, 0], at[:, 1]], *told), -1)

        return self._mean(scores)

    def extra(self) -> FloatArray:
        """`[B, N, 1 + N]`: the log odds that there is an arc beside the tree."""
        return self._mean(lambda scorer, reading: scorer.head(BesideHead)(reading))

    def labels(
        self, pairs: Sequence[tuple[int, int, int]], tags: Tensor, fillers: Tensor
    ) -> FloatArray:
        """`[P, labels]`: of arcs, given the tags `[B, N]` and fillers `[B, N, 2]` of all tokens."""
        at = torch.tensor(pairs, device=self._device)
        known = (at, tags.to(self._device), fillers.to(self._device))
        return self._mean(
            lambda scorer, reading: log_softmax(scorer.head(LabelHead)(reading, *known), -1)
        )

    def pointers(self, sentences: Sequence[int], name: str) -> Pointers:
        """Where boxes are (`SCOPE`, `ABOVE`), in some of the sentences."""
        chosen = list(sentences)

        def places(scorer: Scorer, reading: Reading) -> Tensor:
            return log_softmax(scorer.head(BoxHead).place(name, reading.rooted[chosen]), -1)

        def levels(scorer: Scorer, reading: Reading) -> Tensor:
            return log_softmax(scorer.head(BoxHead).levels(name, reading.rooted[chosen]), -1)

        return Pointers(self._mean(places), self._mean(levels))
