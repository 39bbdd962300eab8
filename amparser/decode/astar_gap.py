"""Mildly non-projective A*: over spans, with one open source that may travel.

The deduction system of `astar` with items `[i, k, h, t, gap]`: tokens i..k-1
(from 0, half open) form a tree headed by h whose state is t, and `gap` is None
or (o, s): token o below h still lacks the argument of its source s. To the
rules of the projective parser come

    open    a head takes an argument whose own head o lacks s: the result has
            the gap (o, s)
    fill    an item with the gap (o, s) and an adjacent item that may be the
            s-argument of o: that item's head gets an edge from o
    bind    a head with a polymorphic request takes an argument that is
            complete but for its gap, which is unified with the head's own
            source (a relativiser, say); no edge is drawn

A gap goes up through APP alone, never out of a modifier, and an item has at
most one. The trees that can be found are those in which some arguments can be
moved to a *host*, an ancestor of their head that it is reached from by APP
edges alone, such that the moved tree is projective and every token is passed
by at most one of them (compare the restricted classes of Pitler et al. 2013
and Gomez-Rodriguez et al. 2011). Only words that were seen displaced in
training fill a gap, and a gap knows no sides (see `Scores.mobile`, `in_place`).

The outside estimate is root-aware and ignore-aware; it is admissible and
consistent, so an item's inside score is final when it leaves the agenda. Of
equal priorities the older item goes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.candidates import candidates_of
from amparser.decode.compiled import compiled
from amparser.decode.gap_rules import (
    GapOutside,
    GapRules,
    Matrix,
    gap_outside_of,
    gap_rules_of,
)
from amparser.decode.parse import BUDGET, NO_TREE, Parse
from amparser.decode.rules import AFAR
from amparser.decode.threads import in_threads
from amparser.scores import Scores

SUPERTAG_LIMIT = 6
MAX_ITEMS = 30_000

# For each item that may be popped so many pairs of neighbours may be joined.
_JOINED_PER_POPPED = 30

# Columns of an item; the first seven are its signature.
_LEFT, _RIGHT, _TOP, _STATE, _OWNER, _SOURCE, _LACKS = range(7)
_KIND, _FIRST, _SECOND, _LABEL, _CLOSED, _NEXT_LEFT, _NEXT_RIGHT = range(7, 14)
_SIGNATURE, _COLUMNS = 7, 14

_LEXICAL, _SKIP, _COMBINE, _FILL = range(4)
_WAITING, _TAKEN, _OUTDONE = range(3)
_CREATED, _HEAP_SIZE, _KNOWN = range(3)


class _Agenda(NamedTuple):
    item: Matrix
    inside: NDArray[np.float64]
    slot: Matrix
    priority: NDArray[np.float64]
    waiting: Matrix
    counts: Matrix


def decode(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    max_items: int = MAX_ITEMS,
    open_root: bool = False,
) -> Parse:
    """The best well-typed tree of the class above; exact, given the candidate supertags.

    Args:
        scores: of a sentence of n tokens.
        table: the types of the same lexicon.
        supertag_limit: how many lexical types a token may choose from (None: all).
        max_items: how many items may be popped; thirty times as many pairs of
            neighbours may be joined.
        open_root: let the root of a one-token sentence have any type.

    Returns:
        The tree, or a `Parse` whose `failure` is `NO_TREE` or `BUDGET`. Where a
        gap was bound the tree is well typed once it is instantiated (see
        `amparser.amtree.polymorphism`).

    Raises:
        ValueError: for scores that are NaN, +inf or of another shape.
    """
    candidates = candidates_of(scores, table, supertag_limit)
    n = len(scores)
    if n == 0:
        return Parse(failure=NO_TREE)
    operation_count = len(table.combine[0, 0])
    in_place = np.ones((n, 2, operation_count), np.bool_)
    mobile = np.ones(n, np.bool_)
    agenda, goal, logp, popped, exhausted = _search(
        candidates.state.astype(np.int64),
        candidates.supertag_logp,
        candidates.ignore_logp,
        scores.edge_logp.astype(np.float64),
        in_place if scores.in_place is None else scores.in_place,
        mobile if scores.mobile is None else scores.mobile,
        gap_rules_of(table),
        open_root and n == 1,
        max_items,
    )
    if goal < 0:
        return Parse(popped_count=popped, failure=BUDGET if exhausted else NO_TREE)
    supertags, heads, operations = _read_off(agenda.item, goal, candidates.supertag, n)
    return Parse(
        tuple(supertags.tolist()), tuple(heads.tolist()), tuple(operations.tolist()), logp, popped
    )


def decode_batch(
    batch: Sequence[Scores], table: TypeTable, *, threads: int = 2, **options: object
) -> list[Parse]:
    """`decode` with these options for each sentence, in the order of input, on threads."""
    return in_threads(decode, batch, table, threads, **options)


@compiled
def _search(
    states: Matrix,
    supertag_logp: NDArray[np.float64],
    ignore_logp: NDArray[np.float64],
    edge_logp: NDArray[np.float64],
    in_place: NDArray[np.bool_],
    mobile: NDArray[np.bool_],
    rules: GapRules,
    any_root: bool,
    max_items: int,
) -> tuple[_Agenda, int, float, int, bool]:
    """Run the agenda; the root's item (or -1), its tree's score, items popped, budget hit."""
    n, limit = states.shape
    operation_count = edge_logp.shape[2]
    outside = gap_outside_of(supertag_logp, ignore_logp, edge_logp)
    trailing = np.zeros(n + 1)
    for t in range(n - 1, -1, -1):
        trailing[t] = trailing[t + 1] + ignore_logp[t]
    agenda = _with_room(_new_agenda(1024), n * limit)
    signature = np.full(_SIGNATURE, -1, dtype=np.int64)
    for h in range(n):
        for c in range(limit):
            if supertag_logp[h, c] > -np.inf:
                signature[:] = -1
                signature[:4] = (h, h + 1, h, states[h, c])
                _offer(agenda, outside, signature, supertag_logp[h, c], (_LEXICAL, -1, -1, c))
    # Closed items by their left and right end, as chains.
    starting = np.full(n + 1, -1, dtype=np.int64)
    ending = np.full(n + 1, -1, dtype=np.int64)
    goal, goal_logp = -1, -np.inf
    popped = joined = 0
    most = 2 * (operation_count * operation_count + 2 * operation_count + 1)
    while agenda.counts[_HEAP_SIZE] > 0:
        priority = agenda.priority[0]
        if priority <= goal_logp:
            break
        x = _take(agenda)
        if agenda.item[x, _CLOSED] != _WAITING:
            continue
        if popped == max_items or joined > _JOINED_PER_POPPED * max_items:
            return agenda, -1, -np.inf, popped, True
        popped += 1
        item = agenda.item
        item[x, _CLOSED] = _TAKEN
        left, right, top = item[x, _LEFT], item[x, _RIGHT], item[x, _TOP]
        inside = agenda.inside[x]
        item[x, _NEXT_LEFT], starting[left] = starting[left], x
        item[x, _NEXT_RIGHT], ending[right] = ending[right], x
        if left == 0 and item[x, _OWNER] < 0 and (rules.is_root[item[x, _STATE]] or any_root):
            logp = inside + outside.root[top] + trailing[right]
            if logp > goal_logp:
                goal, goal_logp = x, logp
        agenda = _with_room(agenda, most)
        if item[x, _KIND] <= _SKIP and left > 0 and ignore_logp[left - 1] > -np.inf:
            signature[:] = item[x, :_SIGNATURE]
            signature[_LEFT] = left - 1
            score = inside + ignore_logp[left - 1]
            _offer(agenda, outside, signature, score, (_SKIP, x, -1, -1))
        for side in range(2):
            y = ending[left] if side == 0 else starting[right]
            while y >= 0:
                joined += 1
                agenda = _with_room(agenda, most)
                _join(agenda, outside, rules, edge_logp, in_place, mobile, x, y)
                _join(agenda, outside, rules, edge_logp, in_place, mobile, y, x)
                y = agenda.item[y, _NEXT_RIGHT if side == 0 else _NEXT_LEFT]
    return agenda, goal, goal_logp, popped, False


@compiled
def _join(
    agenda: _Agenda,
    outside: GapOutside,
    rules: GapRules,
    edge_logp: NDArray[np.float64],
    in_place: NDArray[np.bool_],
    mobile: NDArray[np.bool_],
    x: int,
    y: int,
) -> None:
    """Offer all items in which item x, on top, takes its neighbour y."""
    item = agenda.item
    state, below = item[x, _STATE], item[y, _STATE]
    top, low = item[x, _TOP], item[y, _TOP]
    gap, low_gap = item[x, _OWNER], item[y, _OWNER]
    if gap >= 0 and low_gap >= 0:
        return
    inside = agenda.inside[x] + agenda.inside[y]
    side = 0 if low < top else 1
    new = np.empty(_SIGNATURE, dtype=np.int64)
    new[_LEFT] = min(item[x, _LEFT], item[y, _LEFT])
    new[_RIGHT] = max(item[x, _RIGHT], item[y, _RIGHT])
    new[_TOP] = top
    for o in range(2, edge_logp.shape[2]):
        link = edge_logp[low, top + 1, o]
        if not (link > -np.inf and in_place[low, side, o]):
            continue
        result = rules.result[side, state, below, o]
        if result >= 0 and (low_gap < 0 or rules.is_app[o]):
            new[_STATE] = result
            new[_OWNER:] = item[y if low_gap >= 0 else x, _OWNER:_SIGNATURE]
            _offer(agenda, outside, new, inside + link, (_COMBINE, x, y, o))
        if gap >= 0 or not rules.is_app[o]:
            continue
        if low_gap >= 0:
            bound = rules.bound[side, state, o]
            closes = rules.closes[item[y, _LACKS], item[y, _SOURCE]]
            if bound >= 0 and closes and rules.is_root[below]:
                new[_STATE] = bound
                new[_OWNER:] = -1
                _offer(agenda, outside, new, inside + link, (_COMBINE, x, y, o))
            continue
        for s in range(2, edge_logp.shape[2]):
            rest = rules.rest[below, s]
            if rest < 0 or rules.result[side, state, rest, o] < 0:
                continue
            new[_STATE] = rules.result[side, state, rest, o]
            new[_OWNER], new[_SOURCE], new[_LACKS] = low, s, below
            _offer(agenda, outside, new, inside + link, (_COMBINE, x, y, o))
    if gap >= 0 and mobile[low]:
        o = item[x, _SOURCE]
        link = edge_logp[low, gap + 1, o]
        if link > -np.inf and rules.result[AFAR, item[x, _LACKS], below, o] >= 0:
            new[_STATE] = state
            new[_OWNER:] = -1
            _offer(agenda, outside, new, inside + link, (_FILL, x, y, o))


@compiled
def _offer(
    agenda: _Agenda,
    outside: GapOutside,
    signature: Matrix,
    inside: float,
    step: tuple[int, int, int, int],
) -> None:
    """Add an item, or a better analysis of one that still waits; there must be room."""
    left, right, top = signature[_LEFT], signature[_RIGHT], signature[_TOP]
    estimate = max(
        outside.root[top],
        outside.into[top] + max(outside.gain_before[left], outside.gain_after[right]),
    )
    estimate += outside.before[left] + outside.after[right]
    if not inside + estimate > -np.inf:
        return
    item, count = agenda.item, agenda.counts
    slot = _find(agenda.slot, item, signature)
    known = agenda.slot[slot]
    if known >= 0:
        if item[known, _CLOSED] == _TAKEN or agenda.inside[known] >= inside:
            return
        item[known, _CLOSED] = _OUTDONE
    else:
        count[_KNOWN] += 1
    x = count[_CREATED]
    count[_CREATED] += 1
    item[x, :_SIGNATURE] = signature
    item[x, _KIND], item[x, _FIRST], item[x, _SECOND], item[x, _LABEL] = step
    item[x, _CLOSED] = _WAITING
    agenda.inside[x] = inside
    agenda.slot[slot] = x
    priority = inside + estimate
    # Into the heap: higher priority first, then the older item.
    at = count[_HEAP_SIZE]
    count[_HEAP_SIZE] += 1
    while at > 0:
        above = (at - 1) >> 1
        if agenda.priority[above] >= priority:
            break
        agenda.priority[at], agenda.waiting[at] = agenda.priority[above], agenda.waiting[above]
        at = above
    agenda.priority[at], agenda.waiting[at] = priority, x


@compiled
def _take(agenda: _Agenda) -> int:
    """Remove the first item from the heap."""
    priority, waiting = agenda.priority, agenda.waiting
    first = waiting[0]
    agenda.counts[_HEAP_SIZE] -= 1
    size = agenda.counts[_HEAP_SIZE]
    last_priority, last = priority[size], waiting[size]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (
            priority[other] > priority[child]
            or (priority[other] == priority[child] and waiting[other] < waiting[child])
        ):
            child = other
        if last_priority > priority[child] or (
            last_priority == priority[child] and last < waiting[child]
        ):
            break
        priority[at], waiting[at] = priority[child], waiting[child]
        at = child
    priority[at], waiting[at] = last_priority, last
    return int(first)


@compiled
def _find(slots: Matrix, item: Matrix, signature: Matrix) -> int:
    """The slot of the item with this signature, or the free one where it belongs."""
    mask = len(slots) - 1
    value = np.int64(0)
    for column in range(_SIGNATURE):
        value = (value * 1_000_003) ^ (signature[column] + 1)
        value = (value ^ (value >> 17)) & 0x3FFFFFFFFFF
    slot = np.int64(value & mask)
    while slots[slot] >= 0:
        x = slots[slot]
        same = True
        for column in range(_SIGNATURE):
            if item[x, column] != signature[column]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & mask
    return int(slot)


@compiled
def _new_agenda(capacity: int) -> _Agenda:
    return _Agenda(
        np.empty((capacity, _COLUMNS), dtype=np.int64),
        np.empty(capacity),
        np.full(4 * capacity, -1, dtype=np.int64),
        np.empty(capacity),
        np.empty(capacity, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )


@compiled
def _with_room(agenda: _Agenda, more: int) -> _Agenda:
    """The agenda, made larger where it has no room for so many more items."""
    created, size = agenda.counts[_CREATED], agenda.counts[_HEAP_SIZE]
    capacity = len(agenda.inside)
    if created + more <= capacity:
        return agenda
    while created + more > capacity:
        capacity *= 2
    larger = _new_agenda(capacity)
    larger.item[:created] = agenda.item[:created]
    larger.inside[:created] = agenda.inside[:created]
    larger.priority[:size] = agenda.priority[:size]
    larger.waiting[:size] = agenda.waiting[:size]
    larger.counts[:] = agenda.counts
    for x in range(created):
        if larger.item[x, _CLOSED] != _OUTDONE:
            larger.slot[_find(larger.slot, larger.item, larger.item[x, :_SIGNATURE])] = x
    return larger


@compiled
def _read_off(
    item: Matrix, goal: int, supertag: NDArray[np.int32], n: int
) -> tuple[Matrix, Matrix, Matrix]:
    """Supertags, heads and operations of the tree below the root's item."""
    supertags = np.zeros(n, dtype=np.int64)
    heads = np.zeros(n, dtype=np.int64)
    operations = np.zeros(n, dtype=np.int64)
    operations[item[goal, _TOP]] = 1
    stack = [np.int64(goal)]
    while len(stack) > 0:
        x = stack.pop()
        kind, above, below = item[x, _KIND], item[x, _FIRST], item[x, _SECOND]
        if kind == _LEXICAL:
            supertags[item[x, _TOP]] = supertag[item[x, _TOP], item[x, _LABEL]]
            continue
        stack.append(np.int64(above))
        if kind == _SKIP:
            continue
        stack.append(np.int64(below))
        dependent = item[below, _TOP]
        head = item[above, _OWNER] if kind == _FILL else item[above, _TOP]
        heads[dependent] = head + 1
        operations[dependent] = item[x, _LABEL]
    return supertags, heads, operations
