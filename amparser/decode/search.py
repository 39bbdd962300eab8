"""A* search with an agenda, without gaps (`astar`) or with gaps (`astar_gap`).

These two modules define the classes of trees, and the rules by which items are combined. In this
module, the gap and the phase of an item are a single number, its *form* `PHASES * gap + phase`. The
phase (see `gap_rules`) determines how the item may grow. Gap 0 means that the item has no gap; gap
1 + P * o + p is the gap of token o by opening p of the P openings in `GapRules.opening`. Without
gaps, P is 0, and there are only the phases `RUN` and `DONE`.

Items are popped in the order of their priorities, which are the sums of inside score and outside
estimate (`outside`). The estimate is admissible and consistent, so an item is popped with its best
inside score. The search ends when no item on the agenda can lead to a better tree than the best one
so far. If items have equal priorities, longer ones are popped first, then older ones. Of equally
good trees, or equally good analyses of an item, the first one is used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode import agenda as a, gap_rules as g
from amparser.decode.agenda import Agenda, Beside, wide
from amparser.decode.candidates import ROOT_OPERATION, Candidates
from amparser.decode.compiled import compiled
from amparser.decode.gap_rules import GapRules, Reach, reach_of
from amparser.decode.outside import PROJECTIVE_LIMIT, Outside, estimate, outside_of
from amparser.decode.parse import BUDGET, NO_TREE
from amparser.decode.rules import DEPENDENT, HEAD, OPERATION, RESULT, SIDES, Bool, Int

SUPERTAG_LIMIT = 6
MAX_ITEMS = 100_000
MAX_STEPS = 1_500_000


# Creating or popping an item takes as long as examining this many pairs of items.
_STEPS_PER_ITEM = 10

# Most of the work is creating items. The first round therefore drops items that are more than 5
# nats below the best estimate of the whole sentence. If it finds no tree above that bound, the
# search starts over with a lower bound.
ROUNDS = (5.0, 20.0, 60.0, float("inf"))

_NO_TREE, _BUDGET = -1, -2
FAILURES = {_NO_TREE: NO_TREE, _BUDGET: BUDGET}


def most_held(max_items: int) -> int:
    """Return the maximum number of created items, given the maximum number of popped items."""
    # Most items are never popped. The limit saves memory (130 bytes for each item).
    return max(8 * max_items, 100_000)


def flags(given: Bool | None, shape: tuple[int, ...]) -> Bool:
    """Return a mask in the memory layout of compiled code; all true if `given` is None."""
    return np.ones(shape, np.bool_) if given is None else np.require(given, np.bool_, ["C", "W"])


class Space(NamedTuple):
    """Input of the search in one sentence.

    Attributes:
        edge_logp, in_place: see `Scores`.
        rules, reach: see `gap_rules`.
    """

    candidates: Candidates
    edge_logp: NDArray[np.float32]
    in_place: Bool
    rules: GapRules
    reach: Reach
    outside: Outside


@compiled
def space_of(
    candidates: Candidates,
    edge_logp: NDArray[np.float32],
    in_place: Bool,
    mobile: Bool,
    rules: GapRules,
    limit: int = PROJECTIVE_LIMIT,
) -> Space:
    """Prepare the search in one sentence; for `limit` see `outside_of`."""
    arc_logp, reach = reach_of(candidates, rules, edge_logp, in_place, mobile)
    outside = outside_of(candidates, arc_logp, limit)
    return Space(candidates, edge_logp, in_place, rules, reach, outside)


@compiled
def run_rounds(
    space: Space, budgets: tuple[int, int, int], any_root: bool
) -> tuple[int, float, Agenda, int]:
    """Run the search with lower and lower thresholds (`ROUNDS`) until it finds a tree.

    Args:
        space: input of the search.
        budgets: maximum numbers of popped items, steps (see `steps_of`) and created items.
        any_root: whether the root may have any type.

    Returns:
        The root's item (or `_NO_TREE`, `_BUDGET`), the tree's score, the last agenda, and the
        number of items popped in all rounds.
    """
    max_items, max_steps, max_held = budgets
    popped = 0
    steps = 0
    for slack in ROUNDS:
        left = (max_items - popped, max_steps - steps, max_held)
        goal, logp, agenda = _run_agenda(space, left, any_root, slack)
        popped += agenda.counts[a.POPPED]
        steps += steps_of(agenda.counts)
        if goal != _NO_TREE:
            break
    return goal, logp, agenda, popped


@compiled
def _run_agenda(
    space: Space, budgets: tuple[int, int, int], any_root: bool, slack: float
) -> tuple[int, float, Agenda]:
    """Run the search once; return the root's item (or `_NO_TREE`, `_BUDGET`), score and agenda.

    It finds only trees with a score less than `slack` nats below the best estimate.
    """
    candidates, rules = space.candidates, space.rules
    max_items, max_steps, max_held = budgets
    n, limit = candidates.supertag.shape
    state_count = len(rules.is_root)
    trailing = np.zeros(n + 1)
    for i in range(n - 1, -1, -1):
        trailing[i] = trailing[i + 1] + candidates.ignore_logp[i]
    beside = a.new_beside(n, state_count if len(rules.opening) == 0 else 2 * state_count)
    goal, goal_logp = _NO_TREE, -np.inf
    # Literal arguments would make numba compile a version of the function for each of them.
    none, zero, one, alone = wide(-1), wide(0), wide(1), wide(g.RUN)
    agenda = a.with_room(a.new_agenda(wide(256)), n * limit)
    for h in range(n):
        for c in range(limit):
            step = (none, none, wide(candidates.supertag[h, c]))
            signature = (h, h + 1, h, wide(candidates.state[h, c]), alone)
            inside = candidates.supertag_logp[h, c]
            _consider(agenda, space, goal_logp, signature, inside, step)
    if a.waits(agenda):
        goal_logp = agenda.heap[0] - slack
    while a.waits(agenda) and agenda.heap[0] > goal_logp:
        if agenda.counts[a.POPPED] >= max_items or agenda.counts[a.CREATED] > max_held:
            return _BUDGET, -np.inf, agenda
        x = a.take(agenda)
        first, stop = wide(agenda.item[x, a.FIRST]), wide(agenda.item[x, a.STOP])
        head, state = wide(agenda.item[x, a.HEAD]), wide(agenda.item[x, a.STATE])
        form = wide(agenda.item[x, a.FORM])
        inside = agenda.score[x, a.INSIDE]
        if first == 0 and form < g.PHASES and (rules.is_root[state] or any_root):
            logp = inside + candidates.root_logp[head] + trailing[stop]
            if logp > goal_logp:
                goal, goal_logp = x, logp
        begin, end = wide(rules.opening_start[state]), wide(rules.opening_start[state + 1])
        pairs = _combine(agenda, beside, space, goal_logp, x, one)
        agenda.counts[a.WORK] += _STEPS_PER_ITEM + pairs
        if pairs > max_held or steps_of(agenda.counts) > max_steps:
            return _BUDGET, -np.inf, agenda
        agenda = a.with_room(agenda, 1 + end - begin + pairs)
        step = (x, none, none)
        if form % g.PHASES == g.RUN and first > 0:
            signature = (first - 1, stop, head, state, form)
            logp = inside + candidates.ignore_logp[first - 1]
            _consider(agenda, space, goal_logp, signature, logp, step)
        if form < g.PHASES and space.reach.loss.shape[1] > 0:
            for p in range(begin, end):
                gap = 1 + len(rules.opening) * head + p
                form = gap * g.PHASES + g.OPENED
                signature = (first, stop, head, wide(rules.opening[p, g.REST]), form)
                _consider(agenda, space, goal_logp, signature, inside, step)
        _combine(agenda, beside, space, goal_logp, x, zero)
        _add_beside(agenda, beside, state_count, x)
    return goal, goal_logp, agenda


@compiled
def steps_of(counts: NDArray[np.int64]) -> int:
    """Return the work so far: examined pairs of items, plus 10 for each created or popped item."""
    steps: int = counts[a.WORK] + _STEPS_PER_ITEM * counts[a.CREATED]
    return steps


@compiled
def _consider(
    agenda: Agenda,
    space: Space,
    goal_logp: float,
    signature: tuple[int, int, int, int, int],
    inside: float,
    step: tuple[int, int, int],
) -> None:
    """Offer an item that is made from at most one other item, if it can lead to a better tree."""
    if inside == -np.inf:
        return
    first, stop, head, _, form = signature
    rules, reach = space.rules, space.reach
    item, score, slots, heap, rank, counts = agenda
    edge, left, right = space.outside
    gap, phase = form // g.PHASES, form % g.PHASES
    full = g.full_of(first, stop, head, phase, reach.mobile_ends, reach.binds_left)
    run = 1 if phase == g.RUN else 0
    priority = inside + estimate(edge, left, right, first, stop, head, run, full)
    if gap > 0:
        priority -= g.loss_of(reach.loss, rules.opening, gap, first, stop)
    if priority > goal_logp:
        key = _key_of(signature, len(edge) - 1, len(rules.is_root), len(rules.opening))
        a.offer(item, score, slots, heap, rank, counts, key, signature, inside, priority, step)


@compiled
def _key_of(
    signature: tuple[int, int, int, int, int], n: int, state_count: int, opening_count: int
) -> int:
    first, stop, head, state, form = signature
    span = (first * (n + 1) + stop) * n + head
    return (span * state_count + state) * g.PHASES * (1 + n * opening_count) + form


# This function is long because calls are costly (see `agenda`).
@compiled
def _combine(
    agenda: Agenda, beside: Beside, space: Space, goal_logp: float, x: int, counting: int
) -> int:
    """Offer all combinations of item x with adjacent popped items.

    If `counting` is 1, only return the number of combinations.
    """
    _, edge_logp, in_place, rules, reach, outside = space
    item, score, slots, heap, rank, counts = agenda
    edge, left, right = outside
    loss, mobile, mobile_ends, binds_left = reach
    latest, length = beside.latest, beside.length
    rule, as_dependent, opening = rules.rule, rules.as_dependent, rules.opening
    fills, closes = rules.fills, rules.closes
    n, state_count, opening_count = len(mobile), len(rules.is_root), len(opening)
    x_first, x_stop = wide(item[x, a.FIRST]), wide(item[x, a.STOP])
    x_head, x_state = wide(item[x, a.HEAD]), wide(item[x, a.STATE])
    x_gap, x_phase = wide(item[x, a.FORM]) // g.PHASES, wide(item[x, a.FORM]) % g.PHASES
    x_inside = score[x, a.INSIDE]
    x_lacks = 1 if x_gap > 0 else 0
    x_grows = g.takes_right(x_first, x_head, x_phase)
    begin_head, begin_dependent = rules.head_start[x_state], rules.dependent_start[x_state]
    as_head = wide(rules.head_start[x_state + 1]) - begin_head
    rule_count = as_head + wide(rules.dependent_start[x_state + 1]) - begin_dependent
    # The loop goes through the rules, and then through the states of another item: it may fill the
    # gap of x, or x may fill its gap.
    may_fill = x_phase != g.OPENED and (x_lacks or mobile[x_head])
    fill_count = state_count if may_fill else 0
    total = 0
    for s in range(as_head if x_phase == g.OPENED else 0, rule_count + fill_count):
        sides, operation, result = 3, 0, 0
        if s >= rule_count:
            kind = g.FILLS
            x_is_head = x_lacks == 1
            other = s - rule_count
            if x_lacks and not fills[(x_gap - 1) % opening_count, other]:
                continue
        else:
            x_is_head = s < as_head
            r = wide(begin_head + s if x_is_head else as_dependent[begin_dependent + s - as_head])
            other = wide(rule[r, DEPENDENT if x_is_head else HEAD])
            operation, result = wide(rule[r, OPERATION]), wide(rule[r, RESULT])
            sides, kind = wide(rule[r, SIDES]), wide(rule[r, g.KIND])
        for y_lacks in range(1 if opening_count == 0 else 2 - x_lacks):
            # At most one of the two items has a gap. `brings` is 1 if the dependent has it.
            brings = y_lacks if x_is_head else x_lacks
            if (brings == 1 and kind == g.MODIFIES) or (brings == 0 and kind == g.BINDS):
                continue
            if kind == g.FILLS and x_lacks + y_lacks == 0:
                continue
            for y_is_left in range(2):
                # The dependent is on the left (0) if y is the dependent and on the left, or if x is
                # the dependent and y is on the right.
                place = 0 if x_is_head == y_is_left else 1
                if y_is_left:
                    side, boundary = a.END if x_is_head else a.GROWING, x_first
                else:
                    side, boundary = a.BEGIN, x_stop
                    if x_is_head and not x_grows:
                        continue
                if not sides >> place & 1:
                    continue
                if counting:
                    total += length[side, boundary, y_lacks * state_count + other]
                    continue
                y = wide(latest[side, boundary, y_lacks * state_count + other])
                while y >= 0:
                    if x_is_head:
                        above, below, head = x, y, x_head
                        dependent = wide(item[y, a.HEAD])
                    else:
                        above, below, head = y, x, wide(item[y, a.HEAD])
                        dependent = x_head
                    first = wide(item[y, a.FIRST]) if y_is_left else x_first
                    stop = x_stop if y_is_left else wide(item[y, a.STOP])
                    inside = x_inside + score[y, a.INSIDE]
                    y = wide(item[y, a.NEXT + side])
                    form = wide(item[above, a.FORM])
                    gap, phase = form // g.PHASES, form % g.PHASES
                    if phase == g.OPENED:
                        continue
                    if place == 1:
                        if (phase == g.WAITS and kind != g.FILLS) or (
                            phase == g.FREED and kind != g.BINDS and brings == 0
                        ):
                            continue
                        phase = g.RUN if phase == g.RUN else g.AGAIN
                    elif kind in (g.BINDS, g.FILLS):
                        phase = g.FREED
                    else:
                        phase = g.WAITS if brings and mobile_ends[1] >= stop else g.DONE
                    if kind == g.FILLS:
                        owner, p = (gap - 1) // opening_count, (gap - 1) % opening_count
                        if not (mobile[dependent] and fills[p, item[below, a.STATE]]):
                            continue
                        operation, result = wide(opening[p, g.SOURCE]), wide(item[above, a.STATE])
                        inside += np.float64(edge_logp[dependent, owner + 1, operation])
                        gap = 0
                    else:
                        if not in_place[dependent, place, operation]:
                            continue
                        inside += np.float64(edge_logp[dependent, head + 1, operation])
                        if brings:
                            gap = wide(item[below, a.FORM]) // g.PHASES
                            if kind == g.BINDS:
                                p = (gap - 1) % opening_count
                                if item[below, a.FORM] % g.PHASES == g.OPENED or not closes[p]:
                                    continue
                                gap = 0
                    if inside == -np.inf:
                        continue
                    full = g.full_of(first, stop, head, phase, mobile_ends, binds_left)
                    run = 1 if phase == g.RUN else 0
                    priority = inside + estimate(edge, left, right, first, stop, head, run, full)
                    if gap > 0:
                        priority -= g.loss_of(loss, opening, gap, first, stop)
                    if priority > goal_logp:
                        signature = (first, stop, head, result, gap * g.PHASES + phase)
                        key = _key_of(signature, n, state_count, opening_count)
                        a.offer(
                            item,
                            score,
                            slots,
                            heap,
                            rank,
                            counts,
                            key,
                            signature,
                            inside,
                            priority,
                            (above, below, operation),
                        )
    return total


@compiled
def _add_beside(agenda: Agenda, beside: Beside, state_count: int, x: int) -> None:
    item, latest, length = agenda.item, beside.latest, beside.length
    first, form = wide(item[x, a.FIRST]), wide(item[x, a.FORM])
    state = wide(item[x, a.STATE])
    if form >= g.PHASES:
        state += state_count
    grows = g.takes_right(first, wide(item[x, a.HEAD]), form % g.PHASES)
    for side in range(3):
        if side == a.GROWING and not grows:
            continue
        boundary = first if side == a.BEGIN else wide(item[x, a.STOP])
        item[x, a.NEXT + side] = latest[side, boundary, state]
        latest[side, boundary, state] = x
        length[side, boundary, state] += 1


@compiled
def read_off(agenda: Agenda, opening_count: int, goal: int, n: int) -> tuple[Int, Int, Int]:
    """Return supertags, heads and operations (each `[n]`) of the tree below the root's item.

    The arrays are empty if n is 0.
    """
    item = agenda.item
    supertags = np.zeros(n, dtype=np.int32)
    heads = np.zeros(n, dtype=np.int32)
    operations = np.zeros(n, dtype=np.int32)
    if n == 0:
        return supertags, heads, operations
    operations[item[goal, a.HEAD]] = ROOT_OPERATION
    # Each token is created, attached, ignored and opened at most once: four steps.
    stack = np.empty(4 * n, dtype=np.int64)
    stack[0] = goal
    height = 1
    while height > 0:
        height -= 1
        x = stack[height]
        head = wide(item[x, a.HEAD])
        above, below = wide(item[x, a.HEAD_ITEM]), wide(item[x, a.DEPENDENT_ITEM])
        if above < 0:
            supertags[head] = item[x, a.LABEL]
            continue
        stack[height] = above
        height += 1
        if below >= 0:
            gap = wide(item[above, a.FORM]) // g.PHASES
            if gap > 0 and item[x, a.FORM] < g.PHASES:  # filled
                head = (gap - 1) // opening_count
            dependent = item[below, a.HEAD]
            heads[dependent] = head + 1
            operations[dependent] = item[x, a.LABEL]
            stack[height] = below
            height += 1
    return supertags, heads, operations
