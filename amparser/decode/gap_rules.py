"""Rules of the decoder with a travelling gap, and bounds on what the rest of a sentence adds.

The rules extend `rules.rules_of` by gaps; outside estimates follow. A tree of the
decoder's class becomes projective when each displaced argument hangs from its host.
So the *projective* estimate of `outside` holds for it if an arc into a word that may be
displaced scores as high as the best edge that the word could have anywhere. Moreover,
a gap that is still open costs at least what its cheapest filler or binder outside the
item loses against the edge, or the supertag, that this estimate gives it.
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

# Column of `GapRules.rule` after those of `Rules.rule`, and its values: the dependent has no
# gap; it may have one; it must have one, which the head binds. (No rule has FILLS: the
# dependent then fills the head's gap.)
KIND = SIDES + 1
MODIFIES, APPLIES, BINDS, FILLS = range(4)

# Columns of `GapRules.opening`.
LACKS, SOURCE, REST = range(3)

# How an item may grow:
# RUN: on the left only ignored tokens, or nothing
# DONE: not to the right until a dependent on the left involves a gap
# WAITS: the last dependent, on the left, has brought a gap that the right may fill
# FREED: the last dependent, on the left, has closed a gap: the right may bring or bind one
# AGAIN: on both sides
# OPENED: not at all: its head itself lacks a source
RUN, DONE, WAITS, FREED, AGAIN, OPENED, PHASES = range(7)


class GapRules(NamedTuple):
    """What heads of S states do with dependents, by R rules, and P ways to open a gap.

    Attributes:
        rule: `[R, 6]`, the rules of `Rules.rule` for a dependent beside the head, with their
            KIND; sorted by these columns.
        head_start, as_dependent, dependent_start: see `Rules`.
        opening: `[P, 3]`: a token in state LACKS may go without its argument of the
            operation SOURCE, and then has state REST; sorted by these columns.
        fills: `[P, S]`, whether an argument of this state fills the gap.
        closes: `[P]`, whether an argument of type () fills it, so that the gap may be bound.
        is_root: `[S]`, complete with type ().
        head_operations, dependent_operations: `[S, O]`, see `Rules`; including gaps.
        binds: `[3, S]`, whether a token in this lexical state, or a later one, can bind a
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
    """What can close the gaps of a sentence.

    Attributes:
        loss: `[2, n + 1, n, O]`, the least loss from closing a gap of a token's source
            before position i (0), or from i on (1); inf if impossible. Empty,
            `[2, 0, n, O]`, if no gap can be closed.
        mobile: `[n]`.
        mobile_ends: `[2]`, the first and the last mobile token; n and -1 if none is.
        binds_left: `[n]`, whether the token can bind a gap on its left.
    """

    loss: Float
    mobile: Bool
    mobile_ends: NDArray[np.int64]
    binds_left: Bool


@lru_cache(maxsize=16)
def gap_rules_of(table: TypeTable, gaps: bool) -> GapRules:
    """Compile the rules of a table, once for each table object; with gaps, or without."""
    rules = rules_of(table)
    state_count = len(rules.is_root)
    every = np.arange(state_count + 1)
    # An operation is an APP if it leaves less of some type.
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
    """The fields `fills` and `closes` of `GapRules`."""
    fills = np.zeros((len(openings), len(is_root)), dtype=np.bool_)
    closes = np.zeros(len(openings), dtype=np.bool_)
    for p, (lacks, source, _) in enumerate(openings):
        states = list(fillers[lacks, source])
        fills[p, states] = True
        closes[p] = is_root[states].any() and not unbound[source]
    return fills, closes


def _without(state: int, operation: int, rule: Int) -> set[int]:
    """A state and all it can become before it uses an operation."""
    found: set[int] = set()
    agenda = [state]
    while agenda:
        state = agenda.pop()
        if state not in found:
            found.add(state)
            leads = rule[(rule[:, HEAD] == state) & (rule[:, OPERATION] != operation), RESULT]
            agenda.extend(leads.tolist())
    return found


# Long, since calls are costly (see `agenda`).
@compiled
def reach_of(
    candidates: Candidates,
    rules: GapRules,
    edge_logp: NDArray[np.float32],
    in_place: Bool,
    mobile: Bool,
) -> tuple[NDArray[np.float32], Reach]:
    """The `Reach`; and `[n, n]`, the best edge of each token d (column) below h (row).

    That is the best edge by which h can be the head of d, given their candidates, or the
    best displaced edge of d if h may be its host.
    """
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
            # From one boundary to the next one over a token.
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
    """Whether an item may take some dependent on the right."""
    return (phase == RUN and first == head) or phase in (WAITS, FREED, AGAIN)


@compiled
def full_of(
    first: int, stop: int, head: int, phase: int, mobile_ends: NDArray[np.int64], binds_left: Bool
) -> int:
    """How an item grows to the right, as `outside.estimate` takes it: OUT or OUT_FULL."""
    if phase == OPENED:
        return OUT_FULL
    if (phase == RUN and first == head) or phase in (FREED, AGAIN):
        return OUT
    # Only a dependent on the left that closes a gap, or brings one for the right, allows it.
    again = mobile_ends[0] < first or mobile_ends[1] >= stop or binds_left[head]
    return OUT if again else OUT_FULL


@compiled
def loss_of(loss: Float, opening: Int, gap: int, first: int, stop: int) -> float:
    """The least loss from closing an item's gap, against the item's `outside.estimate`.

    Args:
        gap: 1 + P * o + p is the one that token o has by opening p of P.
    """
    owner, p = (gap - 1) // len(opening), (gap - 1) % len(opening)
    source = opening[p, SOURCE]
    least: float = min(loss[0, first, owner, source], loss[1, stop, owner, source])
    return least
