"""Rules and outside estimates of the decoder with a travelling gap, as dense tables."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.compiled import compiled
from amparser.decode.rules import AFAR, DEPENDENT, HEAD, OPERATION, RESULT, SIDES, rules_of

Matrix = NDArray[np.int64]


class GapRules(NamedTuple):
    """What heads of S states do with dependents, as dense tables over O operations.

    Attributes:
        result: `[3, S, S, O]`, the head's state after it took the dependent from the
            left, from the right, or from afar, or -1.
        rest: `[S, O]`, the state after any argument from afar by an APP operation, or -1.
        bound: `[2, S, O]`, that after an argument on a side, where the request is
            polymorphic, else -1.
        closes: `[S, O]`, whether a complete argument of type () may fill it.
        is_root: `[S]`, complete with type ().
        is_app: `[O]`.
    """

    result: Matrix
    rest: Matrix
    bound: Matrix
    closes: NDArray[np.bool_]
    is_root: NDArray[np.bool_]
    is_app: NDArray[np.bool_]


class GapOutside(NamedTuple):
    """Best scores of what lies outside: see `gap_outside_of`."""

    into: NDArray[np.float64]
    root: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    gain_before: NDArray[np.float64]
    gain_after: NDArray[np.float64]


def gap_rules_of(table: TypeTable) -> GapRules:
    """The rules of a table, compiled once for each table object."""
    return _gap_rules(id(table), _Held(table))


class _Held:
    """A table that counts as equal to every other one: the cache's key is its identity."""

    def __init__(self, table: TypeTable) -> None:
        self.table = table

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)


@lru_cache(maxsize=16)
def _gap_rules(identity: int, held: _Held) -> GapRules:
    table = held.table
    rules = rules_of(table)
    state_count = len(rules.is_root)
    operation_count = table.combine.shape[2]
    # An operation is an APP where it leaves less of some type.
    h = np.arange(len(table.types))[:, None, None]
    is_app = ((table.combine >= 0) & (table.combine != h)).any(axis=(0, 1))
    is_app |= (table.rest >= 0).any(axis=0) | (table.bound >= 0).any(axis=0)
    result = np.full((3, state_count, state_count, operation_count), -1, dtype=np.int64)
    rest = np.full((3, state_count, operation_count), -1, dtype=np.int64)
    closes = np.zeros((state_count, operation_count), dtype=np.bool_)
    for row in rules.rule:
        for side in range(3):
            if not row[SIDES] >> side & 1:
                continue
            result[side, row[HEAD], row[DEPENDENT], row[OPERATION]] = row[RESULT]
            if is_app[row[OPERATION]]:
                rest[side, row[HEAD], row[OPERATION]] = row[RESULT]
                closes[row[HEAD], row[OPERATION]] |= rules.is_root[row[DEPENDENT]]
    bound = np.full((2, state_count, operation_count), -1, dtype=np.int64)
    for k, state in enumerate(rules.lexical_state.tolist()):
        if k:
            polymorphic = table.bound[table.lexical_type[k]] >= 0
            bound[:, state, polymorphic] = rest[:2, state, polymorphic]
    return GapRules(result, rest[AFAR], bound, closes, rules.is_root, is_app)


@compiled
def gap_outside_of(
    supertag_logp: NDArray[np.float64],
    ignore_logp: NDArray[np.float64],
    edge_logp: NDArray[np.float64],
) -> GapOutside:
    """Sums over the tokens before and after a position, none of them the root.

    `into` and `root` are the best edge into a token, from another token and
    from the artificial root; `gain_before` and `gain_after` are what the best
    single token gains there by being the root.
    """
    n, operation_count = len(ignore_logp), edge_logp.shape[2]
    into = np.full(n, -np.inf)
    root = edge_logp[:, 0, 1].copy()
    before, after = np.zeros(n + 1), np.zeros(n + 1)
    gain_before, gain_after = np.full(n + 1, -np.inf), np.full(n + 1, -np.inf)
    best, gain = np.empty(n), np.full(n, -np.inf)
    for d in range(n):
        for h in range(1, n + 1):
            if h != d + 1:
                for o in range(2, operation_count):
                    into[d] = max(into[d], edge_logp[d, h, o])
        used = supertag_logp[d, 0]
        best[d] = max(ignore_logp[d], used + into[d])
        if used + root[d] > -np.inf:
            # A token that can only be the root gains nothing by being it: this
            # keeps the sums finite, and the estimate an upper bound.
            if best[d] == -np.inf:
                best[d] = used + root[d]
            gain[d] = used + root[d] - best[d]
    for d in range(n):
        before[d + 1] = before[d] + best[d]
        gain_before[d + 1] = max(gain_before[d], gain[d])
    for d in range(n - 1, -1, -1):
        after[d] = after[d + 1] + best[d]
        gain_after[d] = max(gain_after[d + 1], gain[d])
    return GapOutside(into, root, before, after, gain_before, gain_after)
