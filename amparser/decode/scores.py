"""What a network passes to a search: log-probabilities, and nothing else.

A decoder is a pure function of a `Scores` and of what its lexicon allows; it knows no
network. All logarithms are natural.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]


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
        batch, row: what scores the rest given a tree (labels, fillers, boxes), of a batch in
            which the sentence has the number `row`; None where there is no rest.
    """

    supertag_logp: FloatArray
    edge_logp: FloatArray
    in_place: NDArray[np.bool_] | None = None
    mobile: NDArray[np.bool_] | None = None
    default_logp: FloatArray | None = None
    batch: Any = None
    row: int = 0

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
