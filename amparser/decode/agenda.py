"""Agenda of an A* search: arrays of items, a hash table and a binary heap, for compiled code.

This code is written for speed. Each access to a field of a record, and each assignment of an array
to a variable, updates an atomic reference count. Inner loops therefore unpack the arrays of a
record once, after `with_room` has enlarged them. Functions are long, because a function for one
step of a loop would unpack all arrays again. Arrays are copied and filled element by element,
because slices are not faster and compile slowly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled
from amparser.decode.rules import Float, Int

# Columns of `Agenda.item`.
# FORM: gap and phase, see `search`
# HEAD_ITEM: the item that the last step extended; -1 for a lexical item
# DEPENDENT_ITEM: the item that the last step attached; -1 if it attached none
# LABEL: operation of the last step, or supertag of a lexical item
# TURN: rank in the order in which items are popped, from 0; -1 until the item is popped
# NEXT: first of the three columns with the links of the linked lists in `Beside`
FIRST, STOP, HEAD, STATE, FORM, HEAD_ITEM, DEPENDENT_ITEM, LABEL, TURN, NEXT = range(10)
COLUMNS = NEXT + 3

# Columns of `Agenda.score`.
INSIDE, PRIORITY = range(2)

# Entries of `Agenda.counts`.
CREATED, WAITING, POPPED, WORK = range(4)

_LAST_ITEM = 2**31 - 1


class Agenda(NamedTuple):
    """Agenda of items, which are numbered in the order of their creation.

    Attributes:
        item: `[capacity, COLUMNS]`, the columns FIRST to NEXT + 2 of each item.
        score: `[capacity, 2]`, best inside score so far, and priority of each item.
        slots: `[2^s, 2]`, hash table from keys (column 0) to items (column 1); a slot with item -1
            is free.
        heap, rank: binary heap of priorities; if priorities are equal, the greater rank goes first.
        counts: `[4]`, numbers of items created, heap entries waiting, items popped, and work
            (examined pairs of items, plus 10 for each popped item).
    """

    item: Int
    score: Float
    slots: NDArray[np.int64]
    heap: Float
    rank: NDArray[np.int64]
    counts: NDArray[np.int64]


# Sides of `Beside`.
BEGIN, END, GROWING = range(3)


class Beside(NamedTuple):
    """Linked lists of popped items: one list for each side, boundary between tokens, and state.

    Attributes:
        latest: `[3, n + 1, S]`, first item of each list, which is the item popped last; -1 if the
            list is empty. The sides are BEGIN (items that begin at the boundary), END (items that
            end there) and GROWING (items that end there and may grow to the right). Column
            `NEXT + side` of an item is the next item of the list. In a search with gaps, the array
            is `[3, n + 1, 2 * S]`; its last S columns are for items with a gap.
        length: `[3, n + 1, S]`, length of each linked list.
    """

    latest: Int
    length: Int


@compiled
def wide(value: Any) -> int:
    """Return a number as a 64-bit integer; in compiled code, `int` would keep a narrower type."""
    return np.int64(value)  # type: ignore[return-value]


@compiled
def new_beside(n: int, width: int) -> Beside:
    """Return an empty `Beside` for n tokens and `width` states."""
    latest = np.empty((3, n + 1, width), dtype=np.int32)
    length = np.empty((3, n + 1, width), dtype=np.int32)
    for side in range(3):
        for boundary in range(n + 1):
            for state in range(width):
                latest[side, boundary, state] = -1
                length[side, boundary, state] = 0
    return Beside(latest, length)


@compiled
def new_agenda(capacity: int) -> Agenda:
    """Return an empty agenda; `capacity` must be a power of two."""
    slots = np.empty((2 * capacity, 2), dtype=np.int64)
    for slot in range(2 * capacity):
        slots[slot, 1] = -1
    return Agenda(
        np.empty((capacity, COLUMNS), dtype=np.int32),
        np.empty((capacity, 2)),
        slots,
        np.empty(2 * capacity),
        np.empty(2 * capacity, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
    )


@compiled
def with_room(agenda: Agenda, more: int) -> Agenda:
    """Return the agenda, enlarged if it has no room for `more` calls of `offer`."""
    created, waiting = agenda.counts[CREATED], agenda.counts[WAITING]
    capacity = len(agenda.item)
    while created + more > capacity or waiting + more > 2 * capacity:
        capacity *= 2
    if capacity == len(agenda.item):
        return agenda
    larger = new_agenda(capacity)
    item, score, slots, heap, rank, counts = agenda
    new_item, new_score, new_slots, new_heap, new_rank, new_counts = larger
    for x in range(created):
        for column in range(COLUMNS):
            new_item[x, column] = item[x, column]
        for column in range(2):
            new_score[x, column] = score[x, column]
    for place in range(waiting):
        new_heap[place] = heap[place]
        new_rank[place] = rank[place]
    for entry in range(len(counts)):
        new_counts[entry] = counts[entry]
    for slot in range(len(slots)):
        if slots[slot, 1] >= 0:
            new_slot = _find(new_slots, slots[slot, 0])
            for column in range(2):
                new_slots[new_slot, column] = slots[slot, column]
    return larger


@compiled
def _find(slots: NDArray[np.int64], key: int) -> int:
    """Return the slot of a key, or the free slot in which the key must be inserted."""
    mask = len(slots) - 1
    # Multiplicative hash of 31 bits with an odd factor. The product fits into 64 bits, so Python
    # and machine code compute the same value.
    slot = ((((key ^ (key >> 31)) & _LAST_ITEM) * 0x5BD1E995) >> 16) & mask
    while slots[slot, 1] >= 0 and slots[slot, 0] != key:
        slot = (slot + 1) & mask
    return slot


# This function is long because it takes arrays instead of their record (see the module).
@compiled
def offer(
    item: Int,
    score: Float,
    slots: NDArray[np.int64],
    heap: Float,
    rank: NDArray[np.int64],
    counts: NDArray[np.int64],
    key: int,
    signature: tuple[int, int, int, int, int],
    inside: float,
    priority: float,
    step: tuple[int, int, int],
) -> None:
    """Add an item, or a better analysis of an item that has not been popped.

    Args:
        item, score, slots, heap, rank, counts: fields of an agenda with room for one more item.
        key: unique number of the signature.
        signature: columns FIRST to FORM of the item.
        inside, priority: inside score and priority of this analysis.
        step: columns HEAD_ITEM, DEPENDENT_ITEM and LABEL of the item.
    """
    slot = _find(slots, key)
    x = slots[slot, 1]
    if x < 0:
        x = counts[CREATED]
        counts[CREATED] += 1
        slots[slot, 0] = key
        slots[slot, 1] = x
        item[x, FIRST], item[x, STOP], item[x, HEAD], item[x, STATE], item[x, FORM] = signature
        item[x, TURN] = -1
    elif item[x, TURN] >= 0 or inside <= score[x, INSIDE]:
        return
    score[x, INSIDE] = inside
    item[x, HEAD_ITEM], item[x, DEPENDENT_ITEM], item[x, LABEL] = step
    _push(heap, rank, counts, priority, _rank_of(x, signature[1] - signature[0]))


@compiled
def waits(agenda: Agenda) -> bool:
    """Return whether an item is waiting; remove outdated entries from the top of the heap."""
    heap, rank, counts = agenda.heap, agenda.rank, agenda.counts
    while counts[WAITING] > 0:
        if agenda.item[_item_of(rank[0]), TURN] < 0:
            return True
        _pop(heap, rank, counts)  # the entry is outdated, because its item has been popped
    return False


@compiled
def take(agenda: Agenda) -> int:
    """Pop the item with the highest priority; `waits` must have returned True directly before."""
    counts = agenda.counts
    x = _item_of(agenda.rank[0])
    agenda.item[x, TURN] = counts[POPPED]
    agenda.score[x, PRIORITY] = agenda.heap[0]
    counts[POPPED] += 1
    _pop(agenda.heap, agenda.rank, counts)
    return x


@compiled
def _rank_of(x: int, length: int) -> int:
    """Return the rank of item x: longer items have greater ranks, then older ones."""
    return (length << 31) + (_LAST_ITEM - x)


@compiled
def _item_of(rank: int) -> int:
    return _LAST_ITEM - (rank & _LAST_ITEM)


@compiled
def _push(
    heap: Float,
    rank: NDArray[np.int64],
    counts: NDArray[np.int64],
    new_priority: float,
    new_rank: int,
) -> None:
    place = counts[WAITING]
    counts[WAITING] += 1
    while place > 0:
        parent = (place - 1) >> 1
        above = heap[parent]
        if above > new_priority or (above == new_priority and rank[parent] >= new_rank):
            break
        heap[place] = above
        rank[place] = rank[parent]
        place = parent
    heap[place] = new_priority
    rank[place] = new_rank


@compiled
def _pop(heap: Float, rank: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    counts[WAITING] -= 1
    size = counts[WAITING]
    last, last_rank = heap[size], rank[size]
    place = 0
    child = 1
    while child < size:
        other = child + 1
        if other < size and (
            heap[other] > heap[child] or (heap[other] == heap[child] and rank[other] > rank[child])
        ):
            child = other
        if last > heap[child] or (last == heap[child] and last_rank >= rank[child]):
            break
        heap[place] = heap[child]
        rank[place] = rank[child]
        place = child
        child = 2 * place + 1
    heap[place] = last
    rank[place] = last_rank
