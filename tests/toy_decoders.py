"""Decoders, as another package could define them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.decoders import DECODERS
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores


class Narrow:
    """A* with one supertag per token."""

    name = "narrow"
    trees = "projective trees over the best supertag of each token"

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """See `TypedDecoder`."""
        found: list[Parse] = DECODERS["astar"].search(
            scores, table, supertag_limit=1, open_root=open_root
        )
        return found


class Star(Narrow):
    """Trees in which all constants are attached to one; A* with one supertag for typed models."""

    name = "star"
    trees = "trees in which all constants hang from one"
    presets = ("node", "graph")

    def heads(self, arc_logp: NDArray[np.float64]) -> NDArray[np.int64]:
        """See `SpanningTree`; row 0 is the artificial root."""
        count = len(arc_logp) - 1
        totals = [
            arc_logp[0, top]
            + sum(arc_logp[top, other] for other in range(1, count + 1) if other != top)
            for top in range(1, count + 1)
        ]
        top = int(np.argmax(totals)) + 1
        return np.array([0 if token == top else top for token in range(1, count + 1)])


STAR = Star()
