"""The exhaustive chart: every well-typed projective tree, span by span (CKY).

The reference for `astar`: it has no agenda, no estimates and no order among a
head's dependents. An item is a span, its head and the head's state (see
`rules`); two neighbours are combined whichever way one can take the other.
There are O(n^3 S) items and O(n^5 S^2) combinations in a sentence of n tokens with S
states.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.constants.type_table import TypeTable
from amparser.decode.candidates import ROOT_OPERATION, Candidates, candidates_of, edge_array
from amparser.decode.compiled import compiled
from amparser.decode.parse import BUDGET, NO_TREE, Parse
from amparser.decode.rules import (
    DEPENDENT,
    HEAD,
    OPERATION,
    RESULT,
    SIDES,
    Float,
    Int,
    Rules,
    rules_of,
)
from amparser.decode.scores import Scores

SUPERTAG_LIMIT = 6
MAX_ITEMS = 2_000_000

# Columns of the items: the head's token and state; the step that made the item.
TOKEN, STATE, HEAD_ITEM, DEPENDENT_ITEM, LABEL = 0, 1, 2, 3, 4

_NO_TREE, _BUDGET = -1, -2


def decode(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    max_items: int = MAX_ITEMS,
    open_root: bool = False,
) -> Parse:
    """The best well-typed projective tree; `astar.decode` says what the options are.

    `popped_count` counts the items of the chart.

    Raises:
        ValueError: for scores that are NaN, +inf or of another shape.
    """
    candidates = candidates_of(scores, table, supertag_limit)
    n = len(scores)
    if n == 0:
        return Parse(failure=NO_TREE)
    goal, logp, count, items = _fill(
        candidates, edge_array(scores), rules_of(table), max_items, open_root and n == 1
    )
    if goal < 0:
        return Parse(popped_count=int(count), failure=BUDGET if goal == _BUDGET else NO_TREE)
    supertags, heads, operations = [0] * n, [0] * n, [0] * n
    operations[items[goal, TOKEN]] = ROOT_OPERATION
    stack = [goal]
    while stack:
        token, _, above, below, label = items[stack.pop()].tolist()
        if above < 0:
            supertags[token] = label
            continue
        dependent = items[below, TOKEN]
        heads[dependent], operations[dependent] = token + 1, label
        stack += [above, below]
    return Parse(tuple(supertags), tuple(heads), tuple(operations), float(logp), int(count))


@compiled
def _fill(
    candidates: Candidates,
    edge_logp: NDArray[np.float32],
    rules: Rules,
    max_items: int,
    any_root: bool,
) -> tuple[int, float, int, Int]:
    """Fill the chart; the root's item (or `_NO_TREE`, `_BUDGET`), its score, all items."""
    n, limit = candidates.supertag.shape
    state_count = len(rules.is_root)
    rule = rules.rule
    ignore_logp = candidates.ignore_logp
    pair_start = _pair_starts(rule, state_count)
    # The items of span (i, k) are cell[i, k, 0] up to cell[i, k, 1].
    cell = np.zeros((n + 1, n + 1, 2), dtype=np.int64)
    items = np.empty((1024, 5), dtype=np.int32)
    inside = np.empty(1024)
    count = 0
    # The item of this cell with a head and state, if `stamp` is that of the cell.
    place = np.zeros((n, state_count), dtype=np.int64)
    stamp = np.full((n, state_count), -1, dtype=np.int64)
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            k = i + width
            this = i * (n + 1) + k
            cell[i, k, 0] = count
            h = k - 1
            run = 0.0
            for token in range(i, h):
                run += ignore_logp[token]
            for c in range(limit):
                logp = run + candidates.supertag_logp[h, c]
                if logp == -np.inf:
                    continue
                items, inside = _with_room(items, inside, count)
                state = candidates.state[h, c]
                items[count, TOKEN], items[count, STATE] = h, state
                items[count, HEAD_ITEM], items[count, DEPENDENT_ITEM] = -1, -1
                items[count, LABEL] = candidates.supertag[h, c]
                inside[count] = logp
                stamp[h, state], place[h, state] = this, count
                count += 1
            for m in range(i + 1, k):
                for u in range(cell[i, m, 0], cell[i, m, 1]):
                    for v in range(cell[m, k, 0], cell[m, k, 1]):
                        for turn in range(2):
                            x, y = (u, v) if turn == 0 else (v, u)
                            pair = items[x, STATE] * state_count + items[y, STATE]
                            head, dependent = items[x, TOKEN], items[y, TOKEN]
                            for r in range(pair_start[pair], pair_start[pair + 1]):
                                # In turn 0 the dependent is on the right.
                                if not rule[r, SIDES] >> (1 - turn) & 1:
                                    continue
                                operation, state = rule[r, OPERATION], rule[r, RESULT]
                                logp = inside[x] + inside[y]
                                logp += edge_logp[dependent, head + 1, operation]
                                if logp == -np.inf:
                                    continue
                                if stamp[head, state] != this:
                                    items, inside = _with_room(items, inside, count)
                                    stamp[head, state], place[head, state] = this, count
                                    inside[count] = -np.inf
                                    count += 1
                                z = place[head, state]
                                if logp > inside[z]:
                                    inside[z] = logp
                                    items[z, TOKEN], items[z, STATE] = head, state
                                    items[z, HEAD_ITEM], items[z, DEPENDENT_ITEM] = x, y
                                    items[z, LABEL] = operation
            cell[i, k, 1] = count
            if count > max_items:
                return _BUDGET, -np.inf, count, items
    goal, goal_logp = _NO_TREE, -np.inf
    trailing = 0.0
    for k in range(n, 0, -1):
        for x in range(cell[0, k, 0], cell[0, k, 1]):
            if rules.is_root[items[x, STATE]] or any_root:
                logp = inside[x] + candidates.root_logp[items[x, TOKEN]] + trailing
                if logp > goal_logp:
                    goal, goal_logp = x, logp
        trailing += ignore_logp[k - 1]
    return goal, goal_logp, count, items


@compiled
def _with_room(items: Int, inside: Float, count: int) -> tuple[Int, Float]:
    if count < len(inside):
        return items, inside
    more_items = np.empty((2 * count, 5), dtype=np.int32)
    more_inside = np.empty(2 * count)
    more_items[:count] = items
    more_inside[:count] = inside
    return more_items, more_inside


@compiled
def _pair_starts(rule: Int, state_count: int) -> Int:
    """The rules of head state h and dependent state d begin at entry h * S + d, `[S * S + 1]`."""
    starts = np.zeros(state_count * state_count + 1, dtype=np.int32)
    for r in range(len(rule)):
        starts[rule[r, HEAD] * state_count + rule[r, DEPENDENT] + 1] += 1
    for pair in range(state_count * state_count):
        starts[pair + 1] += starts[pair]
    return starts
