"""The items that an A* search takes from its agenda, in order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.constants.type_table import TypeTable
from amparser.decode import agenda as a
from amparser.decode import gap_rules as g
from amparser.decode.best_tree import search
from amparser.decode.outside import TIGHTEST
from amparser.decode.parse import Parse
from amparser.decode.rules import Float, Int
from amparser.decode.scores import Scores
from amparser.decode.search import MAX_ITEMS


class Trace(NamedTuple):
    """The items popped in the last round of a search.

    Attributes:
        items: `[M, 5]`, first, stop, head (tokens from 0, `stop` exclusive), state and form.
        runs: `[M]`, 1 where the item may still absorb ignored tokens before it.
        inside_logp, priority: `[M]`.
    """

    items: Int
    runs: NDArray[np.int64]
    inside_logp: Float
    priority: Float


def trace(
    scores: Scores,
    table: TypeTable,
    *,
    gaps: bool = False,
    supertag_limit: int | None = 6,
    heuristic: str = TIGHTEST,
) -> tuple[Parse, Trace]:
    """The result of a search, and what it popped."""
    parse, agenda = search(
        scores,
        table,
        gaps=gaps,
        supertag_limit=supertag_limit,
        heuristic=heuristic,
        max_items=MAX_ITEMS,
        open_root=False,
    )
    assert agenda is not None
    popped = int(agenda.counts[a.POPPED])
    item = agenda.item[: agenda.counts[a.CREATED]]
    order = np.argsort(item[:, a.TURN])[len(item) - popped :]
    return parse, Trace(
        item[order, : a.FORM + 1],
        (item[order, a.FORM] % g.PHASES == g.RUN).astype(np.int64),
        agenda.score[order, a.INSIDE],
        agenda.score[order, a.PRIORITY],
    )
