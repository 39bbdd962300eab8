"""Rules for taking dependents with gaps, and the cost of gaps in the outside estimate.

The rules extend `rules.rules_of` for the decoder `astar_gap`, which defines gaps. The estimate of
`outside` assumes projective trees. For trees with gaps, it remains an upper bound if each edge to a
word that may be displaced gets the score of the word's best edge from any head. The estimate of an
item with a gap is reduced by the minimum cost of closing the gap in one of two ways:

- A token d outside the item fills the gap of a token o. The cost is the score of the best edge to d
  minus the score of the edge from o to d.
- A token binds the gap. The cost is the score of its best supertag minus the score of its best
  supertag that can bind gaps.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.candidates import Candidates
from amparser.decode.compiled import compiled
from amparser.decode.outside import OUT, OUT_FULL
from amparser.decode.rules import (
    AFAR,
    DEPENDENT,
    HEAD,
    LEFT,
    OPERATION,
    RESULT,
    RIGHT,
    SIDES,
    Bool,
    Float,
    Int,
    rules_of,
)

KIND = SIDES + 1
"""Last column of `GapRules.rule`; the other columns are the same as in `Rules.rule`."""
MODIFIES, APPLIES, BINDS, FILLS = range(4)
"""Values of KIND.

The dependent has no gap (MODIFIES), may have a gap (APPLIES), or has a gap that the head binds
(BINDS). FILLS is for a dependent that fills the head's gap; it does not occur in `GapRules.rule`.
"""

LACKS, SOURCE, REST = range(3)
"""Columns of `GapRules.opening`."""

RUN, DONE, WAITS, FREED, AGAIN, OPENED, PHASES = range(7)
"""Phases of an item, which determine where it may take dependents; PHASES is their number.

- RUN: left of its head, the item has no tokens, or only ignored tokens.
- DONE: the item takes no dependents on the right until a dependent on the left has or fills a gap.
- WAITS: the last dependent is on the left and has a gap that a dependent on the right may fill.
- FREED: the last dependent is on the left and has filled a gap, so a dependent on the right may
  have a new gap.
- AGAIN: the item may take dependents on both sides.
- OPENED: the item takes no dependents, because the gap is at its head.
"""


class GapRules(NamedTuple):
    """Rules for S states: R ways to take a dependent, and P ways to open a gap.

    Attributes:
        rule: `[R, 6]`, the rules of `Rules.rule` for a dependent adjacent to the head, with
            their KIND; sorted by these columns.
        head_start: as in `Rules`.
        as_dependent, dependent_start: rows of `rule` sorted by DEPENDENT; where each state starts.
        opening: `[P, 3]`: a token in state LACKS may have a gap for the operation SOURCE, and is
            then in state REST; sorted by these columns.
        opening_start: `[S + 1]`, the openings of state s are rows `opening_start[s]` to
            `opening_start[s + 1]` (exclusive).
        fills: `[P, S]`, true if an argument in this state fills the gap.
        closes: `[P]`, true if a head can bind the gap, because an argument of type () may fill it.
        is_root: `[S]`, true if the state is complete with type ().
        head_operations, dependent_operations: `[S, O]`, as in `Rules`; they may also bind gaps.
        binds: `[3, S]`, true if a token in this lexical state, or in a state after it, can bind a
            gap on its left, on its right, on either side.
    """

    rule: Int
    head_start: Int
    as_dependent: Int
    dependent_start: Int
    opening: Int
    opening_start: Int
    fills: Bool
    closes: Bool
    is_root: Bool
    head_operations: Bool
    dependent_operations: Bool
    binds: Bool


class Reach(NamedTuple):
    """Tokens that can close (fill or bind) gaps in a sentence, and the minimum costs of closing.

    Attributes:
        loss: `[2, n + 1, n, O]`; `loss[0, i, o, s]` is the minimum cost of closing the gap (o, s)
            by a token before position i, and `loss[1, i, o, s]` by a token at or after i; inf if it
            is impossible. The shape is `[2, 0, n, O]` if no gap can be closed.
        mobile: `[n]`, see `Scores`.
        mobile_ends: `[2]`, the first and the last mobile token; n and -1 if there is none.
        binds_left: `[n]`, true if the token can bind a gap on its left.
    """

    loss: Float
    mobile: Bool
    mobile_ends: NDArray[np.int64]
    binds_left: Bool


@lru_cache(maxsize=16)
def gap_rules_of(table: TypeTable, gaps: bool) -> GapRules:
    """Compile the rules of a table, with or without gaps; cached for each table object."""
    rules = rules_of(table)
    state_count = len(rules.is_root)
    every = np.arange(state_count + 1)
    # An operation is an APP if it changes some type.
    h = np.arange(len(table.types))[:, None, None]
    is_app = ((table.combine >= 0) & (table.combine != h)).any(axis=(0, 1))
    is_app |= (table.rest >= 0).any(axis=0) | (table.bound >= 0).any(axis=0)
    rows = set()
    after: dict[tuple[int, int, int], int] = {}  # (side, state, APP operation) to the next state
    fillers: dict[tuple[int, int], set[int]] = {}
    for head, dependent, operation, result, sides in rules.rule.tolist():
        beside = sides & (1 << LEFT | 1 << RIGHT)
        if beside:
            kind = APPLIES if is_app[operation] else MODIFIES
            rows.add((head, dependent, operation, result, beside, kind))
        for side in (LEFT, RIGHT, AFAR):
            if sides >> side & 1 and is_app[operation]:
                after[side, head, operation] = result
        if sides >> AFAR & 1 and is_app[operation]:
            fillers.setdefault((head, operation), set()).add(dependent)
    binds = np.zeros((3, state_count), dtype=np.bool_)
    dependent_operations = rules.dependent_operations.copy()
    for k, state in enumerate(rules.lexical_state.tolist()):
        if not (k and gaps):
            continue
        for operation in np.flatnonzero(table.bound[table.lexical_type[k]] >= 0).tolist():
            dependent_operations[:, operation] = True
            for head in _without(state, operation, rules.rule):
                for side in (LEFT, RIGHT):
                    if (following := after.get((side, head, operation))) is None:
                        continue
                    binds[[side, 2], state] = True
                    for below in np.flatnonzero(rules.is_root).tolist():
                        rows.add((head, below, operation, following, 1 << side, BINDS))
    rule = np.array(sorted(rows), dtype=np.int32).reshape(-1, 6)
    as_dependent = np.argsort(rule[:, DEPENDENT], kind="stable").astype(np.int32)
    arguments = set(rule[rule[:, KIND] == APPLIES, DEPENDENT].tolist())
    openings = sorted(
        (lacks, source, rest)
        for (lacks, source) in fillers
        if gaps and (rest := after[AFAR, lacks, source]) in arguments
    )
    fills, closes = _fillers(openings, fillers, rules.is_root, table.unbound)
    opening = np.array(openings, dtype=np.int32).reshape(-1, 3)
    return GapRules(
        rule,
        np.searchsorted(rule[:, HEAD], every).astype(np.int32),
        as_dependent,
        np.searchsorted(rule[as_dependent, DEPENDENT], every).astype(np.int32),
        opening,
        np.searchsorted(opening[:, LACKS], every).astype(np.int32),
        fills,
        closes,
        rules.is_root,
        rules.head_operations,
        dependent_operations,
        binds,
    )


def _fillers(
    openings: list[tuple[int, int, int]],
    fillers: dict[tuple[int, int], set[int]],
    is_root: Bool,
    unbound: Bool,
) -> tuple[Bool, Bool]:
    fills = np.zeros((len(openings), len(is_root)), dtype=np.bool_)
    closes = np.zeros(len(openings), dtype=np.bool_)
    for p, (lacks, source, _) in enumerate(openings):
        states = list(fillers[lacks, source])
        fills[p, states] = True
        closes[p] = is_root[states].any() and not unbound[source]
    return fills, closes


def _without(state: int, operation: int, rule: Int) -> set[int]:
    """Return a state and all states that it can reach without using an operation."""
    reached: set[int] = set()
    agenda = [state]
    while agenda:
        state = agenda.pop()
        if state not in reached:
            reached.add(state)
            leads = rule[(rule[:, HEAD] == state) & (rule[:, OPERATION] != operation), RESULT]
            agenda.extend(leads.tolist())
    return reached


# This function is long because calls are costly (see `agenda`).
@compiled
def reach_of(
    candidates: Candidates,
    rules: GapRules,
    edge_logp: NDArray[np.float32],
    in_place: Bool,
    mobile: Bool,
) -> tuple[NDArray[np.float32], Reach]:
    """Return upper bounds of arc scores, `[n, n]` (from row h to column d), and the `Reach`."""
    state, supertag_logp = candidates.state, candidates.supertag_logp
    opening, binds = rules.opening, rules.binds
    head_operations, dependent_operations = rules.head_operations, rules.dependent_operations
    n, operation_count = len(edge_logp), edge_logp.shape[2]
    takes = np.zeros((n, operation_count), dtype=np.bool_)
    fills = np.zeros((n, operation_count), dtype=np.bool_)
    binds_left = np.zeros(n, dtype=np.bool_)
    binder_loss = np.full(n, np.inf)
    for token in range(n):
        for c in range(state.shape[1]):
            if not supertag_logp[token, c] > -np.inf:
                break
            s = state[token, c]
            for o in range(operation_count):
                takes[token, o] |= head_operations[s, o]
                fills[token, o] |= dependent_operations[s, o]
            binds_left[token] |= binds[LEFT, s]
            if binds[2, s] and binder_loss[token] == np.inf:
                binder_loss[token] = supertag_logp[token, 0] - supertag_logp[token, c]
    is_source = np.zeros(operation_count, dtype=np.bool_)
    for p in range(len(opening)):
        is_source[opening[p, SOURCE]] = True
    arc_logp = np.full((n, n), -np.inf, dtype=np.float32)
    afar_logp = np.full(n, -np.inf)
    ends = np.empty(2, dtype=np.int64)
    ends[0], ends[1] = n, -1
    can_bind = False
    for d in range(n):
        for h in range(n):
            if h == d:
                continue
            side = LEFT if d < h else RIGHT
            for o in range(2, operation_count):
                if takes[h, o] and fills[d, o]:
                    logp = edge_logp[d, h + 1, o]
                    if in_place[d, side, o] and logp > arc_logp[h, d]:
                        arc_logp[h, d] = logp
                    if mobile[d] and is_source[o] and logp > afar_logp[d]:
                        afar_logp[d] = logp
        if mobile[d]:
            ends[0] = min(ends[0], d)
            ends[1] = d
        can_bind |= binder_loss[d] < np.inf
        for h in range(n):
            if h != d and afar_logp[d] > arc_logp[h, d]:
                arc_logp[h, d] = afar_logp[d]
    closable = (ends[1] >= 0 or can_bind) and len(opening) > 0
    loss = np.full((2, n + 1 if closable else 0, n, operation_count), np.inf)
    for side in range(len(loss) if closable else 0):
        for i in range(n):
            # The minimum now includes the cost of closing the gap by token d.
            d = i if side == 0 else n - 1 - i
            before, after = (d, d + 1) if side == 0 else (d + 1, d)
            for o in range(n):
                for s in range(2, operation_count):
                    least = min(loss[side, before, o, s], binder_loss[d])
                    if afar_logp[d] > -np.inf and o != d:
                        logp = np.float64(edge_logp[d, o + 1, s])
                        least = min(least, max(afar_logp[d] - logp, 0.0))
                    loss[side, after, o, s] = least
    return arc_logp, Reach(loss, mobile, ends, binds_left)


@compiled
def takes_right(first: int, head: int, phase: int) -> bool:
    """Return whether an item may take a dependent on the right."""
    return (phase == RUN and first == head) or phase in (WAITS, FREED, AGAIN)


@compiled
def full_of(
    first: int, stop: int, head: int, phase: int, mobile_ends: NDArray[np.int64], binds_left: Bool
) -> int:
    """Return OUT if an item may still grow to the right, else OUT_FULL (see `outside.estimate`)."""
    if phase == OPENED:
        return OUT_FULL
    if (phase == RUN and first == head) or phase in (FREED, AGAIN):
        return OUT
    # The item can grow to the right again only after a dependent on the left has closed a gap, or
    # has a gap that a dependent on the right may fill.
    again = mobile_ends[0] < first or mobile_ends[1] >= stop or binds_left[head]
    return OUT if again else OUT_FULL


@compiled
def loss_of(loss: Float, opening: Int, gap: int, first: int, stop: int) -> float:
    """Return the minimum cost of closing an item's gap, which `outside.estimate` does not contain.

    Args:
        loss: see `Reach`.
        opening: see `GapRules`; it has P rows.
        gap: 1 + P * o + p, the gap of token o by opening p.
        first, stop: span of the item.
    """
    owner, p = (gap - 1) // len(opening), (gap - 1) % len(opening)
    source = opening[p, SOURCE]
    least: float = min(loss[0, first, owner, source], loss[1, stop, owner, source])
    return least
