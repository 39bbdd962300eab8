"""What constants of several nodes have in common: pieces of trees, and pieces of graphs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment
from amparser.compositions.composition import Composition
from amparser.decode.scores import Scores
from amparser.explanation import Explanation, explanation_of


class Scored(NamedTuple):
    """A sentence as it is searched, and its scores.

    Attributes:
        words: its tokens, or the units that they are cut into.
        scores: one row for each word.
        parts: the same of its sentences, if it is a text of several.
    """

    words: tuple[Any, ...]
    scores: Scores
    parts: tuple[Scored, ...] = ()


class PieceComposition(Composition):
    """See the module's docstring."""

    @abstractmethod
    def chosen(self, analysis: Derivation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """`[n]`, `[n]`: the number of the constant of each word, and its head.

        Heads count from 1 (0: the root); -1 where there is no arc above.
        """

    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """See `Composition`."""
        tags, heads = self.chosen(parse.analysis)
        at, logp = np.arange(len(tags)), scores.scores
        # No arc counts as less likely than this, a natural logarithm.
        arcs = np.maximum(np.where(heads >= 0, logp.head_logp[at, heads], 0.0), -1e3)
        return np.asarray(logp.supertag_logp[at, tags].astype(np.float64) + arcs)

    def explain(self, tokens: Sequence[str], parse: Any, failure: str | None) -> Explanation:
        """See `Composition`."""
        [(_, scores, _)] = self.score([tokens])
        logp, found, words = scores.supertag_logp, parse.analysis, self.words(tokens)
        chosen = logp.argmax(axis=1) if found is None else self.chosen(found)[0]
        return explanation_of(words, found, logp, chosen.tolist(), self.constant, failure)

    @abstractmethod
    def constant(self, number: int) -> Fragment | str:
        """A constant by its number, or what a token without one does."""
