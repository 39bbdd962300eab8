"""Scores: the log-probabilities that a network passes to a decoder.

A decoder is a pure function of `Scores` and its lexicon; it never sees a network. All
logarithms are natural.
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
"""A token (from 0) and its head (from 1; 0 is the artificial root)."""


class Pointers(NamedTuple):
    """Log-probabilities of box positions.

    Attributes:
        places: `[n, 1 + n]`, each token points to the first box (column 0) or to a token.
        levels: `[n, 1 + n, L]`, the index of the box among the boxes that the target introduces.
    """

    places: FloatArray
    levels: FloatArray


class Question(NamedTuple):
    """A request for scores that depend on the tree; `together` answers it.

    Attributes:
        score: the function that answers all questions about one batch.
        row: index of the sentence in the batch.
        given: arguments of the request (see `Later`).
    """

    score: Callable[[Sequence[Question]], list[FloatArray]]
    row: int
    given: tuple[Any, ...]


Found = TypeVar("Found")
Search = Generator[Question, FloatArray, Found]


def together(searches: Iterable[Search[Found]]) -> list[Found]:
    """Run searches in lockstep, so that each round scores a batch; return the results in order."""
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
    """Scores of lexical labels, edge labels and boxes; computed on request if they need the tree.

    Attributes:
        row: index of the sentence in its batch.
        introduced: `[n, I]`, log-probabilities of combinations of boxes that a token introduces.
        scripts: `[n, S]`, log-probabilities of edit scripts from word forms to texts.
        reentrant: `[n, 1 + n]`, log odds of a re-entrant edge from each head.
        within, above: the box of each token, and the box above the boxes that it introduces.
        score_fillers: returns `[P, K]`, log-probabilities of candidate lexical labels, given
            tokens, their candidates and the pairs of the tree.
        score_labels: returns `[P, labels]`, log-probabilities of edge labels, given pairs, and
            for all tokens the supertags `[n]`, first lexical labels and their texts `[n, 2]`.
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
        """Return the question for the scores of lexical labels."""
        return Question(self.score_fillers, self.row, (tokens, candidates, pairs))

    def labels(
        self, pairs: Sequence[Pair], tags: NDArray[np.int64], fillers: NDArray[np.int64]
    ) -> Question:
        """Return the question for the scores of edge labels."""
        return Question(self.score_labels, self.row, (pairs, tags, fillers))


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one sentence of n tokens; the same class for all lexicon types.

    Attributes:
        supertag_logp: `[n, K]`, log-probability that token i + 1 has supertag k of the lexicon.
            It is -inf if the supertag is forbidden. In lexicons of one-node constants, supertag 0
            is the empty supertag of ignored tokens.
        edge_logp: `[n, n + 1, O]`, log-probability that head h (0: the artificial root) takes
            token i + 1 by operation o of the lexicon. Head 0 takes tokens only by operations 0
            (IGNORE) and 1 (ROOT), and all other heads only by the other operations. O is 1 if only
            heads are scored.
        in_place: `[n, 2, O]`, true if operation o may attach token i + 1 next to its head's
            subtree, on the left (0) or on the right (1). Default: always.
        mobile: `[n]`, true if token i + 1 may be displaced, to either side. Default: all.
        default_logp: `[n, D, 2]`, log-probability that each kind of default is present; None if
            the lexicon has no defaults.
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
        """Head scores `[n, n + 1]`, for models that do not score operations."""
        heads: FloatArray = self.edge_logp[:, :, 0]
        return heads

    def held_in_place(self, tokens: NDArray[np.bool_] | None = None) -> Scores:
        """Return a copy in which edges that `in_place` does not allow have the score -inf.

        Args:
            tokens: `[n]`, the tokens whose edges are restricted (default: all).
        """
        if self.in_place is None:
            return self
        n = len(self)
        heads, dependents = np.arange(1, n + 1)[None, :], np.arange(1, n + 1)[:, None]
        side = (dependents > heads).astype(np.int64)
        allowed = self.in_place[np.arange(n)[:, None], side]
        if tokens is not None:
            allowed |= ~tokens[:, None, None]
        edges = self.edge_logp.copy()
        edges[:, 1:][~allowed] = -np.inf
        return replace(self, edge_logp=edges)
