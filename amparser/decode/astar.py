"""A* search for the best well-typed projective AM dependency tree.

Lindemann, Groschwitz and Koller (2020), "Fast semantic parsing with
well-typedness guarantees", sections 4 and 5. An item covers the tokens
`first .. stop - 1` and knows its head and the head's state (see `rules`). A head
takes its dependents on the right first, the nearest first; then come the ignored tokens
before it, then its dependents on the left:

    token h with a supertag of state s        (h, h + 1, h, s)
    h takes the item beside it on the right   (h, l, h, r) from (h, k, h, s) and (k, l, d, u)
    by operation o, if s leads to r
    the token before is ignored, if h has     (i, k, h, s) from (i + 1, k, h, s)
    no dependents on the left
    h takes the item beside it on the left    (i, l, h, r) from (i, k, d, u) and (k, l, h, s)
    h is the root, if s is complete with      (0, k, h, s), and all from k on are ignored
    type ()

As states do not depend on the order of dependents, each well-typed projective
tree is found, and in just one way. Items leave the agenda by inside score plus
outside estimate. When an item leaves it, its inside score is its best; the search
ends when nothing left on the agenda can beat the best tree found.

Ties: of equal priorities the longer item goes first, then the older; of
equally good analyses of an item, and of equally good trees, the first one
found stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode import agenda as a
from amparser.decode.agenda import Agenda, Beside, wide
from amparser.decode.candidates import (
    ROOT_OPERATION,
    Candidates,
    candidates_of,
    edge_array,
)
from amparser.decode.compiled import compiled
from amparser.decode.outside import TIGHTEST, Outside, estimate, outside_of
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
from amparser.decode.threads import in_threads

SUPERTAG_LIMIT = 6
MAX_ITEMS = 100_000

# Most items are never popped. The agenda may hold this many for each one that may be
# popped, for the sake of memory (130 bytes an item), and in any case so many.
_HELD_PER_POPPED = 8
_HELD = 100_000

# To make them is most of the work. So a first round drops those that are more than 5 below
# the best estimate of the whole sentence; only if there is no tree above that, the next
# one starts anew with a lower bound.
_ROUNDS = (5.0, 20.0, 60.0, float("inf"))

_NO_TREE, _BUDGET = -1, -2


@dataclass(frozen=True, slots=True)
class Trace:
    """The items a search took from its agenda, in order; for tests and for looking at it.

    Attributes:
        items: `[M, 4]`, first, stop, head (tokens from 0, `stop` exclusive) and state.
        runs: `[M]`, 1 where the item may still absorb ignored tokens before it.
        inside_logp, priority: `[M]`.
    """

    items: Int
    runs: Int
    inside_logp: Float
    priority: Float


def decode(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    heuristic: str = TIGHTEST,
    max_items: int = MAX_ITEMS,
    open_root: bool = False,
) -> Parse:
    """The best well-typed projective tree; exact, given the candidate supertags.

    Args:
        scores: of a sentence of n tokens.
        table: the types of the same lexicon.
        supertag_limit: how many lexical types a token may choose from (None: all).
        heuristic: the outside estimate, one of `outside.HEURISTICS`; it changes
            the time, never the score.
        max_items: how many items may be popped; and some more may be made than popped.
        open_root: let the root of a one-token sentence have any type.

    Returns:
        The tree, or a `Parse` whose `failure` is `NO_TREE` or `BUDGET`.

    Raises:
        ValueError: for scores that are NaN, +inf or of another shape.
    """
    return _decode(scores, table, supertag_limit, heuristic, max_items, open_root)[0]


def decode_batch(
    batch: Sequence[Scores], table: TypeTable, *, threads: int = 2, **options: object
) -> list[Parse]:
    """`decode` with these options for each sentence, in the order of input, on threads."""
    return in_threads(decode, batch, table, threads, **options)


def trace(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    heuristic: str = TIGHTEST,
    max_items: int = MAX_ITEMS,
    open_root: bool = False,
) -> tuple[Parse, Trace]:
    """`decode`, and the items it popped in its last round."""
    parse, agenda = _decode(scores, table, supertag_limit, heuristic, max_items, open_root)
    if agenda is None:
        nothing = np.zeros(0)
        return parse, Trace(np.zeros((0, 4), np.int32), np.zeros(0, np.int32), nothing, nothing)
    item = agenda.item[: agenda.counts[a.CREATED]]
    order = np.argsort(item[:, a.TURN])[-int(agenda.counts[a.POPPED]) :]
    return parse, Trace(
        item[order, : a.STATE + 1],
        item[order, a.RUN],
        agenda.score[order, a.INSIDE],
        agenda.score[order, a.PRIORITY],
    )


def _decode(
    scores: Scores,
    table: TypeTable,
    supertag_limit: int | None,
    heuristic: str,
    max_items: int,
    open_root: bool,
) -> tuple[Parse, Agenda | None]:
    candidates = candidates_of(scores, table, supertag_limit)
    if len(scores) == 0:
        return Parse(failure=NO_TREE), None
    rules, edge_logp = rules_of(table), edge_array(scores)
    outside = outside_of(candidates, heuristic)
    any_root = open_root and len(scores) == 1
    popped = 0
    for slack in _ROUNDS:
        goal, logp, agenda = _search(
            candidates,
            edge_logp,
            rules,
            outside,
            max_items - popped,
            max(_HELD_PER_POPPED * max_items, _HELD),
            any_root,
            slack,
        )
        popped += int(agenda.counts[a.POPPED])
        if goal != _NO_TREE:
            break
    if goal < 0:
        failure = BUDGET if goal == _BUDGET else NO_TREE
        return Parse(popped_count=popped, failure=failure), agenda
    supertags, heads, operations = _read_off(agenda, goal, len(scores))
    return (
        Parse(
            tuple(supertags.tolist()),
            tuple(heads.tolist()),
            tuple(operations.tolist()),
            float(logp),
            popped,
        ),
        agenda,
    )


@compiled
def _search(
    candidates: Candidates,
    edge_logp: NDArray[np.float32],
    rules: Rules,
    outside: Outside,
    max_items: int,
    max_held: int,
    any_root: bool,
    slack: float,
) -> tuple[int, float, Agenda]:
    """Run the agenda; the root's item (or `_NO_TREE`, `_BUDGET`) and the tree's score.

    Only trees less than `slack` below the best estimate of the sentence are looked for.
    """
    n, limit = candidates.supertag.shape
    state_count = len(rules.is_root)
    trailing = np.zeros(n + 1)
    for i in range(n - 1, -1, -1):
        trailing[i] = trailing[i + 1] + candidates.ignore_logp[i]
    shape = (3, n + 1, state_count)
    beside = Beside(np.full(shape, -1, dtype=np.int32), np.zeros(shape, dtype=np.int32))
    goal, goal_logp = _NO_TREE, -np.inf
    agenda = a.with_room(a.new_agenda(256), n * limit)
    for h in range(n):
        for c in range(limit):
            signature = (h, h + 1, h, wide(candidates.state[h, c]), 1)
            step = (-1, -1, wide(candidates.supertag[h, c]))
            _consider(agenda, outside, state_count, signature, candidates.supertag_logp[h, c], step)
    if a.waits(agenda):
        goal_logp = agenda.heap[0] - slack
    while a.waits(agenda) and agenda.heap[0] > goal_logp:
        if agenda.counts[a.POPPED] >= max_items or agenda.counts[a.CREATED] > max_held:
            return _BUDGET, -np.inf, agenda
        x = a.take(agenda)
        first, stop = wide(agenda.item[x, a.FIRST]), wide(agenda.item[x, a.STOP])
        head, state = wide(agenda.item[x, a.HEAD]), wide(agenda.item[x, a.STATE])
        inside = agenda.score[x, a.INSIDE]
        if first == 0 and (rules.is_root[state] or any_root):
            logp = inside + candidates.root_logp[head] + trailing[stop]
            if logp > goal_logp:
                goal, goal_logp = x, logp
        combinations = _combination_count(beside, rules, first, stop, state, first == head)
        agenda = a.with_room(agenda, 1 + combinations)
        if agenda.item[x, a.RUN] == 1 and first > 0:
            signature = (first - 1, stop, head, state, 1)
            step = (x, -1, -1)
            _consider(
                agenda,
                outside,
                state_count,
                signature,
                inside + candidates.ignore_logp[first - 1],
                step,
            )
        _combine(agenda, beside, rules, outside, edge_logp, goal_logp, x)
        a.add_beside(agenda, beside, x)
    return goal, goal_logp, agenda


@compiled
def _consider(
    agenda: Agenda,
    outside: Outside,
    state_count: int,
    signature: tuple[int, int, int, int, int],
    inside: float,
    step: tuple[int, int, int],
) -> None:
    """Offer a lexical item, unless it is in no tree."""
    first, stop, head, _, run = signature
    if inside > -np.inf:
        edge, left, right = outside
        priority = inside + estimate(edge, left, right, first, stop, head, run)
        if priority > -np.inf:
            item, score, slots, heap, rank, counts = agenda
            key = a.key_of(len(edge) - 1, state_count, signature)
            a.offer(item, score, slots, heap, rank, counts, key, signature, inside, priority, step)


@compiled
def _combination_count(
    beside: Beside, rules: Rules, first: int, stop: int, state: int, grows: bool
) -> int:
    """In how many ways an item can be combined with popped ones."""
    rule, as_dependent, length = rules.rule, rules.as_dependent, beside.length
    total = 0
    for r in range(rules.head_start[state], rules.head_start[state + 1]):
        other = rule[r, DEPENDENT]
        total += length[a.END, first, other]
        if grows:
            total += length[a.BEGIN, stop, other]
    for s in range(rules.dependent_start[state], rules.dependent_start[state + 1]):
        other = rule[as_dependent[s], HEAD]
        total += length[a.GROWING, first, other] + length[a.BEGIN, stop, other]
    return total


@compiled
def _combine(
    agenda: Agenda,
    beside: Beside,
    rules: Rules,
    outside: Outside,
    edge_logp: NDArray[np.float32],
    goal_logp: float,
    x: int,
) -> None:
    """Offer what item x makes with the popped items beside it, as their head or dependent."""
    item, score, slots, heap, rank, counts = agenda
    edge, left, right = outside
    rule, as_dependent, latest = rules.rule, rules.as_dependent, beside.latest
    state_count = len(rules.is_root)
    n = len(edge_logp)
    first, stop = wide(item[x, a.FIRST]), wide(item[x, a.STOP])
    head, state = wide(item[x, a.HEAD]), wide(item[x, a.STATE])
    x_inside = score[x, a.INSIDE]
    as_head_count = rules.head_start[state + 1] - rules.head_start[state]
    as_dependent_count = rules.dependent_start[state + 1] - rules.dependent_start[state]
    for s in range(as_head_count + as_dependent_count):
        x_is_head = s < as_head_count
        if x_is_head:
            r = wide(rules.head_start[state] + s)
            other = rule[r, DEPENDENT]
        else:
            r = wide(as_dependent[rules.dependent_start[state] + s - as_head_count])
            other = rule[r, HEAD]
        operation, result = wide(rule[r, OPERATION]), wide(rule[r, RESULT])
        for y_is_left in range(2):
            if y_is_left:
                side, boundary = a.END if x_is_head else a.GROWING, first
            else:
                side, boundary = a.BEGIN, stop
                if x_is_head and first < head:
                    continue
            # The dependent is on the left where y is and depends, or x depends and y is not.
            if not rule[r, SIDES] >> (0 if x_is_head == y_is_left else 1) & 1:
                continue
            run = 1 if x_is_head != y_is_left else 0
            y = wide(latest[side, boundary, other])
            while y >= 0:
                y_head = wide(item[y, a.HEAD])
                if x_is_head:
                    step = (x, y, operation)
                    new_head = head
                    logp = edge_logp[y_head, head + 1, operation]
                else:
                    step = (y, x, operation)
                    new_head = y_head
                    logp = edge_logp[head, y_head + 1, operation]
                new_first = wide(item[y, a.FIRST]) if y_is_left else first
                new_stop = stop if y_is_left else wide(item[y, a.STOP])
                inside = x_inside + score[y, a.INSIDE] + np.float64(logp)
                y = wide(item[y, a.NEXT + side])
                if inside == -np.inf:
                    continue
                priority = inside + estimate(edge, left, right, new_first, new_stop, new_head, run)
                if priority > goal_logp:
                    signature = (new_first, new_stop, new_head, result, run)
                    key = a.key_of(n, state_count, signature)
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
                        step,
                    )


@compiled
def _read_off(agenda: Agenda, goal: int, n: int) -> tuple[Int, Int, Int]:
    """Supertags, heads and operations of the tree below the root's item."""
    supertags = np.zeros(n, dtype=np.int32)
    heads = np.zeros(n, dtype=np.int32)
    operations = np.zeros(n, dtype=np.int32)
    operations[agenda.item[goal, a.HEAD]] = ROOT_OPERATION
    stack = [wide(goal)]
    while len(stack) > 0:
        x = stack.pop()
        head = agenda.item[x, a.HEAD]
        above, below = agenda.item[x, a.HEAD_ITEM], agenda.item[x, a.DEPENDENT_ITEM]
        if above < 0:
            supertags[head] = agenda.item[x, a.LABEL]
            continue
        stack.append(wide(above))
        if below >= 0:
            dependent = agenda.item[below, a.HEAD]
            heads[dependent] = head + 1
            operations[dependent] = agenda.item[x, a.LABEL]
            stack.append(wide(below))
    return supertags, heads, operations
