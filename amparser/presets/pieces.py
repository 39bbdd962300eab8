"""What constants of several nodes have in common: pieces of trees, and pieces of graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.decode.scores import Scores
from amparser.presets.model import ParserModel


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


class PieceModel(ParserModel):
    """See the module's docstring."""

    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """See `ParserModel`."""
        derivation: Derivation = parse.analysis
        fragments = np.array([one is not None for one in derivation.fragments])
        tags, heads = self.chosen((), parse), np.array(derivation.heads) + 1
        at, logp = np.arange(len(heads)), scores.scores
        # Least log probability of an arc.
        arcs = np.maximum(np.where(fragments, logp.head_logp[at, heads], 0.0), -1e3)
        return np.asarray(logp.supertag_logp[at, tags].astype(np.float64) + arcs)

    def derivation(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """See `ParserModel`."""
        derivation: Derivation = parse.analysis
        return derivation
