"""The A* search as one call of compiled code, for callers that want the tree alone.

A sentence takes some hundred microseconds, and each call of compiled code with tables as
arguments takes ten. `search` does the same step by step and keeps the agenda.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.constants.type_table import TypeTable
from amparser.decode.agenda import Agenda
from amparser.decode.candidates import candidates_of, check_shapes, edge_array, fault_of, prune
from amparser.decode.compiled import compiled
from amparser.decode.gap_rules import GapRules, gap_rules_of, reach_of, reached
from amparser.decode.outside import HEURISTICS, outside_of, tables
from amparser.decode.parse import NO_TREE, Parse
from amparser.decode.rules import Bool, Int, rules_of
from amparser.decode.scores import Scores
from amparser.decode.search import (
    FAILURES,
    MAX_STEPS,
    flags,
    most_held,
    read_off,
    run_rounds,
)

_FAULTY = -3


def best_tree(
    scores: Scores,
    table: TypeTable,
    *,
    gaps: bool,
    supertag_limit: int | None,
    heuristic: str,
    max_items: int,
    open_root: bool,
    max_steps: int = MAX_STEPS,
) -> Parse:
    """The best tree; arguments, results and errors are those of `search`."""
    n = len(scores)
    level = HEURISTICS.index(heuristic) if heuristic in HEURISTICS else 0
    if not n or not level:
        return search(
            scores,
            table,
            gaps=gaps,
            supertag_limit=supertag_limit,
            heuristic=heuristic,
            max_items=max_items,
            open_root=open_root,
            max_steps=max_steps,
        )[0]
    check_shapes(scores, table, supertag_limit)
    lexical_state = rules_of(table).lexical_state
    supertag_logp = np.require(scores.supertag_logp, np.float32, ["C", "W"])
    edge_logp = edge_array(scores)
    goal, logp, popped, supertags, heads, operations = _best_tree(
        supertag_logp,
        edge_logp,
        flags(scores.in_place, (n, 2, edge_logp.shape[2])),
        flags(scores.mobile, (n,)) if gaps else np.zeros(n, np.bool_),
        lexical_state,
        gap_rules_of(table, gaps),
        -1 if supertag_limit is None else supertag_limit,
        level,
        (max_items, max_steps, most_held(max_items)),
        open_root and n == 1,
    )
    if goal == _FAULTY:
        raise ValueError(fault_of(int(popped), supertag_logp, edge_logp))
    if goal < 0:
        return Parse(popped_count=int(popped), failure=FAILURES[goal])
    chosen, above = tuple(supertags.tolist()), tuple(heads.tolist())
    return Parse(chosen, above, tuple(operations.tolist()), float(logp), int(popped))


def search(
    scores: Scores,
    table: TypeTable,
    *,
    gaps: bool,
    supertag_limit: int | None,
    heuristic: str,
    max_items: int,
    open_root: bool,
    any_root: bool = False,
    max_steps: int = MAX_STEPS,
) -> tuple[Parse, Agenda | None]:
    """The best tree, and the agenda of the last round (None: the sentence is empty).

    Args:
        scores: the scores of a sentence of n tokens.
        table: the types of the same lexicon.
        gaps: whether one open source may travel.
        supertag_limit: how many lexical types a token may choose from (None: all).
        heuristic: one of `outside.HEURISTICS`; it changes the time, never the score.
        max_items: how many items may be popped; more may be created.
        max_steps: bounds the time; a million steps (see `steps_of`) take up to half a second.
        open_root, any_root: let the root of a one-token sentence, or of any, have any type.

    Raises:
        ValueError: for scores that are NaN, +inf or of another shape.
    """
    candidates = candidates_of(scores, table, supertag_limit)
    n = len(scores)
    if n == 0:
        return Parse(failure=NO_TREE), None
    rules, edge_logp = gap_rules_of(table, gaps), edge_array(scores)
    in_place = flags(scores.in_place, (n, 2, edge_logp.shape[2]))
    mobile = flags(scores.mobile, (n,)) if gaps else np.zeros(n, np.bool_)
    arc_logp, reach = reach_of(candidates, rules, edge_logp, in_place, mobile)
    outside = outside_of(candidates, arc_logp, heuristic)
    goal, logp, agenda, popped = run_rounds(
        candidates,
        edge_logp,
        in_place,
        rules,
        reach,
        outside,
        (max_items, max_steps, most_held(max_items)),
        any_root or (open_root and n == 1),
    )
    popped = int(popped)
    if goal < 0:
        return Parse(popped_count=popped, failure=FAILURES[goal]), agenda
    arrays = read_off(agenda, len(rules.opening), goal, n)
    supertags, heads, operations = (tuple(array.tolist()) for array in arrays)
    return Parse(supertags, heads, operations, float(logp), popped), agenda


# Long, since calls are costly (see `agenda`).
@compiled
def _best_tree(
    supertag_logp: NDArray[np.float32],
    edge_logp: NDArray[np.float32],
    in_place: Bool,
    mobile: Bool,
    lexical_state: Int,
    rules: GapRules,
    limit: int,
    level: int,
    budgets: tuple[int, int, int],
    any_root: bool,
) -> tuple[int, float, int, Int, Int, Int]:
    """The root's item or why there is none, the tree's score, items popped, and the tree.

    If a score is no logarithm, the number of items is that of the token.
    """
    n = len(supertag_logp)
    nothing = np.zeros(0, dtype=np.int32)
    state_count = len(rules.is_root)
    if limit < 0 or limit > state_count:
        limit = state_count
    faulty, candidates = prune(supertag_logp, edge_logp, lexical_state, state_count, limit)
    if faulty >= 0:
        return _FAULTY, -np.inf, faulty, nothing, nothing, nothing
    arc_logp, reach = reached(
        candidates.state,
        candidates.supertag_logp,
        rules.opening,
        rules.head_operations,
        rules.dependent_operations,
        rules.binds,
        edge_logp,
        in_place,
        mobile,
    )
    outside = tables(candidates, arc_logp, level)
    goal, logp, agenda, popped = run_rounds(
        candidates, edge_logp, in_place, rules, reach, outside, budgets, any_root
    )
    if goal < 0:
        return goal, logp, popped, nothing, nothing, nothing
    supertags, heads, operations = read_off(agenda, len(rules.opening), goal, n)
    return goal, logp, popped, supertags, heads, operations
