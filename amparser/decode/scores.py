"""What a network passes to a search: log-probabilities, and nothing else.

A decoder is a pure function of a `Scores` and of what its lexicon allows; it knows no
network. All logarithms are natural.
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
"""A token, from 0, and its head, from 1 (0: the artificial root)."""


class Pointers(NamedTuple):
    """Where boxes are: log probabilities of tokens, and of which of their boxes.

    Attributes:
        places: `[n, 1 + n]`, from each token to the first box or to a token.
        levels: `[n, 1 + n, L]`.
    """

    places: FloatArray
    levels: FloatArray


class Question(NamedTuple):
    """What a search asks of a sentence whose tree it knows; `together` answers it.

    Attributes:
        score: answers questions about the sentences of one batch.
        row: the number of the sentence in the batch.
        given: what it is asked (see `Later`).
    """

    score: Callable[[Sequence[Question]], list[FloatArray]]
    row: int
    given: tuple[Any, ...]


Found = TypeVar("Found")
Search = Generator[Question, FloatArray, Found]


def together(searches: Iterable[Search[Found]]) -> list[Found]:
    """Run searches in step and return what each finds; the same batch is asked once a step."""
    running = list(searches)
    found: dict[int, Found] = {}
    answers: dict[int, FloatArray | None] = dict.fromkeys(range(len(running)))
    while answers:
        asked: dict[Any, dict[int, Question]] = defaultdict(dict)
        for number, answer in answers.items():
            try:
                # The first step of a generator takes None.
                question = running[number].send(answer)  # type: ignore[arg-type]
                asked[question.score][number] = question
            except StopIteration as end:
                found[number] = end.value
        answers = {}
        for score, questions in asked.items():
            answers |= zip(questions, score([*questions.values()]), strict=True)
    return [found[number] for number in range(len(running))]


class Later(NamedTuple):
    """Scores of fillers, labels and boxes; what depends on the tree is scored when it is asked.

    Attributes:
        row: the number of the sentence in its batch.
        introduced: `[n, I]`, the boxes of a token.
        scripts: `[n, S]`, from forms to texts.
        reentrant: `[n, 1 + n]`, log odds that there is an arc beside the tree.
        within, above: where the box of a token is, and the one above those that it introduces.
        score_fillers: given tokens, the candidates of each, and the pairs of the tree, `[P, K]`.
        score_labels: given pairs, and the tags `[n]` and first fillers with their texts `[n, 2]`
            of all tokens, `[P, labels]`.
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
        """Ask for the scores of fillers."""
        return Question(self.score_fillers, self.row, (tokens, candidates, pairs))

    def labels(
        self, pairs: Sequence[Pair], tags: NDArray[np.int64], fillers: NDArray[np.int64]
    ) -> Question:
        """Ask for the scores of labels."""
        return Question(self.score_labels, self.row, (pairs, tags, fillers))


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one sentence of n tokens, whatever its constants are.

    Attributes:
        supertag_logp: `[n, K]`, token i + 1 has the constant k of the lexicon. -inf forbids.
            Of constants of one node, 0 is the empty one, of an ignored token.
        edge_logp: `[n, n + 1, O]`, token i + 1 hangs from head h (0: the
            artificial root) by operation o of the lexicon. Operation 0 is
            IGNORE and 1 is ROOT, both from head 0 only; the others never
            from head 0. O is 1 where heads alone are scored.
        in_place: `[n, 2, O]`, whether token i + 1, beside its head's subtree, may
            hang from it by operation o, to its left (0) or its right (1); None
            allows all.
        mobile: `[n]`, whether token i + 1 may be elsewhere, on any side; None
            allows all.
        default_logp: `[n, D, 2]`, whether a default of each kind stands in its place; None where
            there are no defaults.
        later: what depends on the tree; None where nothing does.
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
        """`[n, n + 1]`, the heads of tokens, where no operations are scored."""
        heads: FloatArray = self.edge_logp[:, :, 0]
        return heads

    def held_in_place(self, tokens: NDArray[np.bool_] | None = None) -> Scores:
        """These scores, with -inf for the edges that `in_place` forbids.

        Args:
            tokens: `[n]`, the tokens whose edges are restricted; None for all.
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
