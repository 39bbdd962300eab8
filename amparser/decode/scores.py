"""Scores: log-probabilities (natural logs) that a network gives to a decoder.

The result of a decoder depends only on `Scores` and the lexicon.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]

Pair = tuple[int, int]
"""Token (from 0) and head (from 1; 0 is the artificial root)."""


class Pointers(NamedTuple):
    """Log-probabilities of the box to which each token points.

    Attributes:
        places: `[n, 1 + n]`, target of each token: the first box (column 0), or the token that
            introduces the box.
        levels: `[n, 1 + n, L]`, index of the box among the boxes that the target introduces.
    """

    places: FloatArray
    levels: FloatArray


class Question(NamedTuple):
    """Request for scores that depend on the tree; a search yields it to `together`.

    Attributes:
        score: function that answers the requests about all sentences of a batch.
        row: index of the sentence in the batch.
        given: arguments of the request (see `Later`).
    """

    score: Callable[[Sequence[Question]], list[FloatArray]]
    row: int
    given: tuple[Any, ...]


Found = TypeVar("Found")
Search = Generator[Question, FloatArray, Found]


def together(searches: Iterable[Search[Found]]) -> list[Found]:
    """Run searches step by step, answering their requests in batches; return their results."""
    running = list(searches)
    results: dict[int, Found] = {}
    answers: dict[int, FloatArray | None] = dict.fromkeys(range(len(running)))
    while answers:
        asked: dict[Any, dict[int, Question]] = defaultdict(dict)
        for number, answer in answers.items():
            try:
                # The first `send` to a generator must be None.
                question = running[number].send(answer)  # type: ignore[arg-type]
                asked[question.score][number] = question
            except StopIteration as end:
                results[number] = end.value
        answers = {}
        for score, questions in asked.items():
            answers |= zip(questions, score([*questions.values()]), strict=True)
    return [results[number] for number in range(len(running))]


class Later(NamedTuple):
    """Further scores of a sentence: lexical labels, edge labels, re-entrant edges and boxes.

    Scores that depend on the tree are computed on request.

    Attributes:
        row: index of the sentence in its batch.
        introduced: `[n, I]`, log-probabilities of the boxes that each token introduces.
        scripts: `[n, S]`, log-probabilities of edit scripts from forms to texts.
        reentrant: `[n, 1 + n]`, log odds of a re-entrant edge to each token from each head.
        within, above: pointers to the box that contains each token, and to the parent of the boxes
            that it introduces.
        score_fillers: function that returns the log-probabilities of candidate lexical labels
            `[P, K]`, given tokens, their candidates and the edges of the tree.
        score_labels: function that returns the log-probabilities of edge labels `[P, labels]`,
            given edges, supertags `[n]`, and first lexical label and text of each token `[n, 2]`.
    """

    row: int
    introduced: FloatArray
    scripts: FloatArray
    reentrant: FloatArray
    within: Pointers
    above: Pointers
    score_fillers: Callable[[Sequence[Question]], list[FloatArray]]
    score_labels: Callable[[Sequence[Question]], list[FloatArray]]

    def fillers(
        self, tokens: Sequence[int], candidates: Sequence[Sequence[Any]], pairs: Sequence[Pair]
    ) -> Question:
        """Return the request for the scores of lexical labels."""
        return Question(self.score_fillers, self.row, (tokens, candidates, pairs))

    def labels(
        self, pairs: Sequence[Pair], tags: NDArray[np.int64], fillers: NDArray[np.int64]
    ) -> Question:
        """Return the request for the scores of edge labels."""
        return Question(self.score_labels, self.row, (pairs, tags, fillers))


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one sentence of n tokens, in any preset.

    A token is *displaced* if other words separate it from the rest of its constituent, like most
    question words.

    Attributes:
        supertag_logp: `[n, K]`, log-probability of each supertag k at token i + 1; -inf if it is
            excluded. In the preset `node`, supertag 0 is the empty supertag of ignored tokens.
        edge_logp: `[n, n + 1, O]`, log-probability that token i + 1 depends on head h (0 is the
            artificial root) by operation o. With head 0, only the operations 0 (IGNORE) and 1
            (ROOT) are possible; with other heads, only the other operations. O is 1 if only heads
            are scored.
        in_place: `[n, 2, O]`, whether token i + 1 may be on the left (0) or right (1) of its head,
            by operation o, unless it is displaced; None if both sides are always allowed.
        mobile: `[n]`, whether token i + 1 may be displaced, to either side; None if all tokens may.
        default_logp: `[n, D, 2]`, log-probabilities that each default label is unused (0) and used
            (1); None if the lexicon has no defaults.
        later: scores that depend on the tree; None if there are none.
    """

    supertag_logp: FloatArray
    edge_logp: FloatArray
    in_place: NDArray[np.bool_] | None = None
    mobile: NDArray[np.bool_] | None = None
    default_logp: FloatArray | None = None
    later: Later | None = None

    def __len__(self) -> int:
        return int(self.supertag_logp.shape[0])

    @property
    def head_logp(self) -> FloatArray:
        """Scores of heads `[n, n + 1]`, for models that do not score operations."""
        heads: FloatArray = self.edge_logp[:, :, 0]
        return heads

    def held_in_place(self) -> Scores:
        """Return a copy in which edges that `in_place` does not allow have the score -inf.

        Edges of mobile tokens keep their scores.
        """
        if self.in_place is None:
            return self
        at = np.arange(len(self))
        allowed = self.in_place[at[:, None], (at[:, None] > at).astype(np.int64)]
        if self.mobile is not None:
            allowed |= self.mobile[:, None, None]
        edges = self.edge_logp.copy()
        edges[:, 1:][~allowed] = -np.inf
        return replace(self, edge_logp=edges)
