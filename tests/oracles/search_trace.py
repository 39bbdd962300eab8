"""The items that an A* search pops from its agenda, in order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode import agenda as a, gap_rules as g
from amparser.decode.candidates import candidates_of, edge_array
from amparser.decode.gap_rules import gap_rules_of
from amparser.decode.rules import Float, Int
from amparser.decode.scores import Scores
from amparser.decode.search import MAX_ITEMS, MAX_STEPS, flags, most_held, run_rounds, space_of


class Trace(NamedTuple):
    """The items popped in the last round of a search.

    Attributes:
        items: `[M, 5]`, first, stop (exclusive), head, state and form; tokens are 0-based.
        runs: `[M]`, 1 if the item may still absorb ignored tokens before it.
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
    projective: bool = True,
) -> tuple[float, Trace]:
    """Return the score of the best tree, and the items popped by the search.

    Args:
        projective: whether the estimate uses its second bound.
        scores, table, gaps, supertag_limit: see `best_tree`.
    """
    n, rules, edge_logp = len(scores), gap_rules_of(table, gaps), edge_array(scores)
    candidates = candidates_of(scores, table, supertag_limit)
    in_place = flags(scores.in_place, (n, 2, edge_logp.shape[2]))
    mobile = flags(scores.mobile, (n,)) if gaps else np.zeros(n, np.bool_)
    limit = n if projective else 0
    space = space_of(candidates, edge_logp, in_place, mobile, rules, limit)
    budgets = MAX_ITEMS, MAX_STEPS, most_held(MAX_ITEMS)
    _, logp, agenda, _ = run_rounds(space, budgets, False)
    popped = int(agenda.counts[a.POPPED])
    item = agenda.item[: agenda.counts[a.CREATED]]
    order = np.argsort(item[:, a.TURN])[len(item) - popped :]
    return logp, Trace(
        item[order, : a.FORM + 1],
        (item[order, a.FORM] % g.PHASES == g.RUN).astype(np.int64),
        agenda.score[order, a.INSIDE],
        agenda.score[order, a.PRIORITY],
    )
