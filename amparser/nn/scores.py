"""What networks score in sentences: what a search begins with, and what depends on its tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid

from amparser.decode.scores import FloatArray, Later, Pair, Pointers, Scores
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.heads.beside import BesideHead, DefaultHead
from amparser.nn.heads.boxes import ABOVE, SCOPE, BoxHead
from amparser.nn.heads.fillers import FillerHead, tensors_of
from amparser.nn.heads.head import Reading
from amparser.nn.heads.labels import LabelHead
from amparser.nn.scorer import Ensemble, Scorer

if TYPE_CHECKING:
    from amparser.lexicon.offers import Candidate

_CERTAIN = 0.01
"""No default is more certain to stand in its place, or not to."""

Members = Sequence[tuple[Scorer, Reading]]
"""The scorers of an ensemble, and what each has read."""


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
        for rows in network.batches(map(len, sentences)):
            batch = network.encoder.batch([sentences[i] for i in rows]).to(network.device)
            members = [(scorer, scorer(batch)) for scorer in network.scorers()]
            tags = _mean(members, lambda _, reading: log_softmax(reading.tags, -1))
            edges = _mean(members, lambda scorer, reading: scorer.head(ArcHead).edges(reading))
            defaults = None if needs.defaults is None else _odds(_mean(members, _defaults))
            known = _known(members) if needs.labels is not None else None
            start = 0
            for row, i in enumerate(rows):
                n = len(sentences[i])
                at = slice(start, start + n)
                start += n
                alone = [(scorer, reading.sentence(at)) for scorer, reading in members]
                later = (*known(row, at), *_by_tree(alone)) if known else None
                scores[i] = Scores(
                    np.ascontiguousarray(tags[at]),
                    np.ascontiguousarray(edges[row, :n, : n + 1]),
                    default_logp=None if defaults is None else defaults[at],
                    later=None if later is None else Later._make(later),
                )
    finally:
        network.train(was_training)
    return scores


def _mean(members: Members, scores: Callable[[Scorer, Reading], Tensor]) -> FloatArray:
    """Return the mean of the scores of all members."""
    values = [scores(scorer, reading) for scorer, reading in members]
    total = values[0] if len(values) == 1 else torch.stack(values).mean(dim=0)
    mean: FloatArray = total.float().cpu().numpy()
    return mean


@torch.inference_mode()
def _mean_logp(members: Members, scores: Callable[[Scorer, Reading], Tensor]) -> FloatArray:
    return _mean(members, lambda *member: log_softmax(scores(*member), -1))


def _defaults(scorer: Scorer, reading: Reading) -> Tensor:
    return logsigmoid(scorer.head(DefaultHead)(reading))


def _odds(logp: FloatArray) -> NDArray[np.float64]:
    """`[.., 2]`: the log probabilities of no and yes, given those of yes."""
    yes = np.clip(np.exp(logp.astype(np.float64)), _CERTAIN, 1 - _CERTAIN)
    odds: NDArray[np.float64] = np.log(np.stack([1 - yes, yes], axis=-1))
    return odds


def _known(members: Members) -> Callable[[int, slice], tuple[Any, ...]]:
    """What `Later` has of a sentence, by its number and its tokens, before anything is chosen."""

    logp = partial(_mean_logp, members)
    introduced = logp(lambda scorer, reading: scorer.head(BoxHead).introduced_scores(reading))
    scripts = logp(lambda scorer, reading: scorer.head(FillerHead).scripts(reading.hidden))
    beside = _mean(members, lambda scorer, reading: scorer.head(BesideHead)(reading))

    def pointers(name: str) -> Pointers:
        return Pointers(
            logp(lambda scorer, reading: scorer.head(BoxHead).place(name, reading.rooted)),
            logp(lambda scorer, reading: scorer.head(BoxHead).levels(name, reading.rooted)),
        )

    boxes = pointers(SCOPE), pointers(ABOVE)

    def of_sentence(row: int, at: slice) -> tuple[Any, ...]:
        n = at.stop - at.start
        arcs = row, slice(n), slice(n + 1)
        places = (Pointers(one.places[arcs], one.levels[arcs]) for one in boxes)
        return introduced[at], scripts[at], beside[arcs], *places

    return of_sentence


def _by_tree(members: Members) -> tuple[Callable[..., FloatArray], Callable[..., FloatArray]]:
    """The scores of fillers and of labels of one sentence (`Later`)."""
    device = members[0][0].device

    def fillers(
        tokens: Sequence[int], candidates: Sequence[Sequence[Candidate]], arcs: Sequence[Pair]
    ) -> FloatArray:
        told = [one.to(device) for one in tensors_of(candidates)]
        pairs = _pairs(arcs, device)

        def scores(scorer: Scorer, reading: Reading) -> Tensor:
            head = scorer.head(FillerHead)
            found: Tensor = head(head.queries(reading, pairs)[0, list(tokens)], *told)
            return found

        return _mean_logp(members, scores)

    def labels(
        arcs: Sequence[Pair], tags: NDArray[np.int64], fillers: NDArray[np.int64]
    ) -> FloatArray:
        ends = (torch.from_numpy(one)[None].to(device) for one in (tags, fillers))
        given = _pairs(arcs, device), *ends
        return _mean_logp(members, lambda scorer, reading: scorer.head(LabelHead)(reading, *given))

    return fillers, labels


def _pairs(arcs: Sequence[Pair], device: torch.device) -> Tensor:
    """`[P, 3]`: the only sentence, token and head."""
    return torch.tensor([(0, *arc) for arc in arcs], device=device)
