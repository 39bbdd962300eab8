"""Compilation of a type table into a finite automaton over the dependents of a head.

A tree is well typed if the dependents of each head combine with it in *some* order. A search takes
dependents in another order, the nearest first. In "persuaded Liam to sleep", for example, it takes
the R2 of the type (R2(), R1(L1_UNIFY_R2)) before R1, although types require the reverse. The
*state* of a head is therefore not its current type. It is its lexical type with the set of
operations that have changed the type:

- An operation that changes the type (APP) can be used once. It requests the same argument whenever
  it is used, because the request of a source does not change before the source is filled
  (Groschwitz 2019, chapter 5).
- An operation that does not change the type (MOD) can be used at any time if it is defined on the
  lexical type, because modifiers may combine with the head before all arguments do.
- A state is *complete*, and has a term type, if its operations can be ordered so that each of them
  is defined.
- Some operations must be nearer to the head than others (`TypeTable.nearer`). On each side, they
  are *barred* once a dependent that must be farther away has been taken. A state also contains the
  barred operations.

States with the same continuations are merged (Moore's minimisation). States from which no complete
state can be reached are removed. The states are simply the types if types have no requests and
modifiers have no further sources.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable

Int = NDArray[np.int32]
Float = NDArray[np.float64]
Bool = NDArray[np.bool_]

# A state under construction: lexical type, used operations, barred (side, operation) pairs.
# Moves of a state: a map from (type of the dependent, operation, side) to the next state.
_State = tuple[int, frozenset[int], frozenset[tuple[int, int]]]
_Moves = dict[tuple[int, int, int], _State]


# Columns of `Rules.rule`.
HEAD, DEPENDENT, OPERATION, RESULT, SIDES = range(5)

# Side of a dependent: left of its head, right of it, or displaced (AFAR).
# Column SIDES is a sum of `1 << side`.
LEFT, RIGHT, AFAR = range(3)


class Rules(NamedTuple):
    """States 0 .. S - 1, and the R rules by which a head takes a dependent.

    Attributes:
        rule: `[R, 5]`: a head in state HEAD takes a dependent in state DEPENDENT by OPERATION
            and moves to state RESULT, if the dependent is on one of SIDES (bit 0: left,
            1: right, 2: displaced). Sorted by these columns.
        head_start: `[S + 1]`, the rules of head state h are rows `head_start[h]` to
            `head_start[h + 1]` (exclusive).
        lexical_state: `[K]`, the state of each supertag without dependents; -1 for supertag 0.
        is_root: `[S]`, true if the state is complete with type `()`.
        head_operations, dependent_operations: `[S, O]`, the operations by which a token can
            take a dependent, or be a dependent, in this state or a later one.
    """

    rule: Int
    head_start: Int
    lexical_state: Int
    is_root: Bool
    head_operations: Bool
    dependent_operations: Bool


@lru_cache(maxsize=16)
def rules_of(table: TypeTable) -> Rules:
    """Return the rules of a table, which are cached for each table object."""
    operation_count = table.combine.shape[2]
    entries: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for h, d, o in np.argwhere(table.combine >= 0).tolist():
        entries[h].append((d, o, int(table.combine[h, d, o])))
    moves: dict[_State, _Moves] = {}
    term_type: dict[_State, int] = {}
    lexical: list[_State] = [(t, frozenset(), frozenset()) for t in table.lexical_type.tolist()]
    for start in sorted(set(lexical[1:]), key=itemgetter(0)):
        _unfold(start, entries, table.nearer, moves, term_type)
    _trim(moves, term_type, set(lexical[1:]))
    number = _minimised(moves, term_type)
    state_count = max(number.values(), default=-1) + 1
    complete: dict[int, set[int]] = defaultdict(set)
    for state, t in term_type.items():
        complete[t].add(number[state])
    sides: dict[tuple[int, int, int, int], int] = defaultdict(int)
    for state, leads in moves.items():
        for (d, o, side), following in leads.items():
            for below in complete[d]:
                sides[number[state], below, o, number[following]] |= 1 << side
    rows = sorted((*step, allowed) for step, allowed in sides.items())
    rule = np.array(rows, dtype=np.int32).reshape(-1, 5)
    head, dependent, operation, result, _ = rule.T
    takes = np.zeros((state_count, operation_count), dtype=np.bool_)
    fills = np.zeros((state_count, operation_count), dtype=np.bool_)
    takes[head, operation] = True
    fills[dependent, operation] = True
    becomes = np.eye(state_count, dtype=np.bool_)
    becomes[head, result] = True
    while ((further := (becomes.astype(np.int64) @ becomes) > 0) != becomes).any():
        becomes = further
    is_root = np.zeros(state_count, dtype=np.bool_)
    is_root[list(complete[0])] = True
    return Rules(
        rule,
        np.searchsorted(head, np.arange(state_count + 1)).astype(np.int32),
        np.array([-1, *(number[state] for state in lexical[1:])], dtype=np.int32),
        is_root,
        (becomes.astype(np.int64) @ takes) > 0,
        (becomes.astype(np.int64) @ fills) > 0,
    )


def _unfold(
    start: _State,
    entries: dict[int, list[tuple[int, int, int]]],
    nearer: NDArray[np.bool_],
    moves: dict[_State, _Moves],
    term_type: dict[_State, int],
) -> None:
    """Add the moves of all states that can be reached from `start`, and their term types.

    Only complete states have a term type.
    """
    lexical_type = start[0]
    types: dict[frozenset[int], int] = {frozenset(): lexical_type}
    fills: set[tuple[int, int]] = set()
    agenda = [frozenset[int]()]
    while agenda:
        used = agenda.pop()
        for d, o, result in entries[types[used]]:
            if result == types[used]:
                continue
            fills.add((d, o))
            if used | {o} not in types:
                types[used | {o}] = result
                agenda.append(used | {o})
    modifies = [(d, o) for d, o, result in entries[lexical_type] if result == lexical_type]
    waiting = [start]
    while waiting:
        _, used, barred = state = waiting.pop()
        if state in moves:
            continue
        if used in types:
            term_type[state] = types[used]
        moves[state] = {}
        for side in (LEFT, RIGHT, AFAR):
            for d, o in [*modifies, *sorted(fills)]:
                if o in used or (side, o) in barred:
                    continue
                now_used = used if (d, o) in modifies else used | {o}
                now_barred = barred
                if side != AFAR:
                    now_barred |= {(side, e) for e in np.flatnonzero(nearer[side, :, o]).tolist()}
                still = {e for _, e in modifies} | {e for _, e in fills if e not in now_used}
                now_barred = frozenset(bar for bar in now_barred if bar[1] in still)
                moves[state][d, o, side] = (lexical_type, now_used, now_barred)
        waiting.extend(moves[state].values())


def _trim(moves: dict[_State, _Moves], term_type: dict[_State, int], lexical: set[_State]) -> None:
    """Remove non-lexical states that cannot become complete dependents or roots."""
    while True:
        wanted = {d for leads in moves.values() for d, _, _ in leads} | {0}
        useful = {state for state in moves if term_type.get(state, -1) in wanted}
        grew = True
        while grew:
            more = {
                state
                for state, leads in moves.items()
                if state not in useful and not useful.isdisjoint(leads.values())
            }
            useful |= more
            grew = bool(more)
        before = sum(map(len, moves.values())) + len(moves)
        for state in list(moves):
            if state not in useful | lexical:
                del moves[state]
                term_type.pop(state, None)
        for state, leads in moves.items():
            moves[state] = {move: to for move, to in leads.items() if to in useful}
        if sum(map(len, moves.values())) + len(moves) == before:
            return


def _minimised(moves: dict[_State, _Moves], term_type: dict[_State, int]) -> dict[_State, int]:
    number = {state: term_type.get(state, -1) for state in moves}
    class_count = len(set(number.values()))
    while True:
        signatures: dict[object, int] = {}
        refined = {}
        for state, leads in moves.items():
            signature = (number[state], frozenset((move, number[to]) for move, to in leads.items()))
            refined[state] = signatures.setdefault(signature, len(signatures))
        if len(signatures) == class_count:
            return refined
        number, class_count = refined, len(signatures)
