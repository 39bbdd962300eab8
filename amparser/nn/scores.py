"""Scores of sentences by an ensemble: before the search, and for the tree that the search finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid
from torch.nn.utils.rnn import pad_sequence

from amparser.decode.scores import FloatArray, Later, Pointers, Question, Scores
from amparser.errors import ModelError
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.heads.boxes import ABOVE, SCOPE, BoxHead
from amparser.nn.heads.fillers import FillerHead, tensors_of
from amparser.nn.heads.head import Reading
from amparser.nn.heads.labels import DefaultHead, LabelHead, ReentrantHead
from amparser.nn.scorer import Ensemble, Scorer

_CERTAIN = 0.01
"""Probabilities of defaults are limited to `_CERTAIN` .. 1 - `_CERTAIN`."""

Members = Sequence[tuple[Scorer, Reading]]
"""Scorers of an ensemble, each with its own encoding of the batch."""


@torch.inference_mode()
def scores_of(network: Ensemble, sentences: Sequence[Sequence[str]]) -> list[Scores]:
    """Score tokenised sentences in batches of similar length; return the scores in input order.

    Dropout is off. Scores of a sentence of n tokens with O operations take O(n^2 O) memory. Raises
    InputError if the encoder cannot read a sentence, and ModelError if a score is NaN or +inf.
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
                scores[i] = Scores(
                    np.ascontiguousarray(tags[at]),
                    np.ascontiguousarray(edges[row, :n, : n + 1]),
                    default_logp=None if defaults is None else defaults[at],
                    later=known(row, at) if known else None,
                )
    finally:
        network.train(was_training)
    return scores


def _mean(members: Members, scores: Callable[[Scorer, Reading], Tensor]) -> FloatArray:
    values = [scores(scorer, reading) for scorer, reading in members]
    total = values[0] if len(values) == 1 else torch.stack(values).mean(dim=0)
    mean: FloatArray = total.float().cpu().numpy()
    if not (mean < np.inf).all():
        raise ModelError("the model's scores are not finite: its weights are damaged")
    return mean


@torch.inference_mode()
def _mean_logp(members: Members, scores: Callable[[Scorer, Reading], Tensor]) -> FloatArray:
    return _mean(members, lambda *member: log_softmax(scores(*member), -1))


def _defaults(scorer: Scorer, reading: Reading) -> Tensor:
    return logsigmoid(scorer.head(DefaultHead)(reading))


def _odds(logp: FloatArray) -> NDArray[np.float64]:
    """Return the log-probabilities of no and yes `[.., 2]`, given log P(yes) `[..]`."""
    yes = np.clip(np.exp(logp.astype(np.float64)), _CERTAIN, 1 - _CERTAIN)
    odds: NDArray[np.float64] = np.log(np.stack([1 - yes, yes], axis=-1))
    return odds


def _known(members: Members) -> Callable[[int, slice], Later]:
    """Return a function that makes the `Later` of a sentence (scores for the tree that is found).

    It takes the index of the sentence in the batch, and the slice of the sentence's tokens.
    """
    logp = partial(_mean_logp, members)
    introduced = logp(lambda scorer, reading: scorer.head(BoxHead).introduced_scores(reading))
    scripts = logp(lambda scorer, reading: scorer.head(FillerHead).scripts(reading.hidden))
    beside = _mean(members, lambda scorer, reading: scorer.head(ReentrantHead)(reading))

    def pointers(name: str) -> Pointers:
        return Pointers(
            logp(lambda scorer, reading: scorer.head(BoxHead).pointer(name)(reading.rooted)),
            logp(lambda s, reading: s.head(BoxHead).pointer(name).all_levels(reading.rooted)),
        )

    boxes = pointers(SCOPE), pointers(ABOVE)

    score_fillers, score_labels = partial(_filler_scores, members), partial(_label_scores, members)

    def of_sentence(row: int, at: slice) -> Later:
        n = at.stop - at.start
        arcs = row, slice(n), slice(n + 1)
        within, above = (Pointers(box.places[arcs], box.levels[arcs]) for box in boxes)
        known = introduced[at], scripts[at], beside[arcs], within, above
        return Later(row, *known, score_fillers, score_labels)

    return of_sentence


def _filler_scores(members: Members, asked: Sequence[Question]) -> list[FloatArray]:
    device = members[0][0].device
    candidates = [
        tensor.to(device)
        for tensor in tensors_of([row for question in asked for row in question.given[1]])
    ]
    pairs = _places([question.given[2] for question in asked], device)
    slots = _places([[(token,) for token in question.given[0]] for question in asked], device)

    def scores(scorer: Scorer, reading: Reading) -> Tensor:
        head = scorer.head(FillerHead)
        logits: Tensor = head(head.queries(reading, pairs)[slots[:, 0], slots[:, 1]], *candidates)
        return logits

    logp = _mean_logp(_of(members, asked), scores)
    return _split(logp, [len(question.given[0]) for question in asked])


def _label_scores(members: Members, asked: Sequence[Question]) -> list[FloatArray]:
    device = members[0][0].device
    pairs = _places([question.given[0] for question in asked], device)
    tags, fillers = (
        pad_sequence([torch.from_numpy(question.given[i]) for question in asked], True).to(device)
        for i in (1, 2)
    )
    logp = _mean_logp(
        _of(members, asked),
        lambda scorer, reading: scorer.head(LabelHead)(reading, pairs, tags, fillers),
    )
    return _split(logp, [len(question.given[0]) for question in asked])


def _of(members: Members, asked: Sequence[Question]) -> Members:
    rows = [question.row for question in asked]
    return [(scorer, reading.sentences(rows)) for scorer, reading in members]


def _places(rows: Sequence[Sequence[tuple[int, ...]]], device: torch.device) -> Tensor:
    """Return the tuples of each sentence as tensor rows that begin with the sentence index."""
    places = [(number, *place) for number, row in enumerate(rows) for place in row]
    return torch.tensor(places, device=device)


def _split(logp: FloatArray, counts: Sequence[int]) -> list[FloatArray]:
    return np.split(logp, np.cumsum(counts)[:-1])
