"""Pruning of scores to the arrays that compiled searches read.

In these arrays, tokens count from 0, so token i of an array is token i + 1 of a `Parse`. The heads
in `edge_logp` count from 1, and head 0 is the artificial root.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.algebra.types import IGNORE, ROOT
from amparser.decode.compiled import compiled
from amparser.decode.rules import Float, Int, rules_of
from amparser.decode.scores import FloatArray, Scores

IGNORE_OPERATION, ROOT_OPERATION = range(2)


class Candidates(NamedTuple):
    """Scores of n tokens after pruning; natural logarithms.

    Attributes:
        supertag: `[n, C]`, best supertag for each of the C best lexical states (see `rules`) of a
            token, best first; padded with 0.
        state: `[n, C]`, the lexical states, in the same order.
        supertag_logp: `[n, C]`, scores of the supertags; padded with -inf.
        root_logp: `[n]`, score of the ROOT edge of each token.
        ignore_logp: `[n]`, score of ignoring each token: empty supertag and IGNORE edge.
    """

    supertag: Int
    state: Int
    supertag_logp: Float
    root_logp: Float
    ignore_logp: Float


def edge_array(scores: Scores) -> NDArray[np.float32]:
    """Return `scores.edge_logp` in the dtype and memory layout for which searches are compiled."""
    return np.require(scores.edge_logp, dtype=np.float32, requirements=["C", "W"])


def candidates_of(scores: Scores, table: TypeTable, supertag_limit: int | None) -> Candidates:
    """Check the scores and prune them.

    Only the best supertag of each token and lexical state (see `rules`) is kept, because edges
    depend only on types. `supertag_limit` limits the lexical types of each token (None: no
    limit). If supertags are equally good, the lowest index is used. Raises ValueError if
    shapes do not fit, a score is NaN or +inf, or the limit is below 1.
    """
    if supertag_limit is not None and supertag_limit < 1:
        raise ValueError(f"supertag_limit is {supertag_limit}, expected at least 1")
    token_count = len(scores)
    supertag_count, operation_count = len(table.lexical_type), table.combine.shape[2]
    for name, array, shape in (
        ("supertag_logp", scores.supertag_logp, (token_count, supertag_count)),
        ("edge_logp", scores.edge_logp, (token_count, token_count + 1, operation_count)),
    ):
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
        if not (array < np.inf).all():
            raise ValueError(_fault_of(array))
    rules = rules_of(table)
    state_count = len(rules.is_root)
    limit = state_count if supertag_limit is None else min(supertag_limit, state_count)
    supertag_logp = np.require(scores.supertag_logp, np.float32, ["C", "W"])
    return _pruned(supertag_logp, edge_array(scores), rules.lexical_state, state_count, limit)


def _fault_of(array: FloatArray) -> str:
    token, *place = np.argwhere(~(array < np.inf))[0].tolist()
    if len(place) == 1:
        where = f"supertag {place[0]}"
    else:
        head, operation = place
        name = {IGNORE_OPERATION: IGNORE, ROOT_OPERATION: ROOT}.get(operation, operation)
        where = f"head {head}, operation {name}"
    return (
        f"token {token + 1}: the score of {where} is {array[token, *place]}, "
        "expected a natural logarithm (finite or -inf)"
    )


# This function is long because calls are costly (see `agenda`).
@compiled
def _pruned(
    supertag_logp: NDArray[np.float32],
    edge_logp: NDArray[np.float32],
    lexical_state: Int,
    state_count: int,
    limit: int,
) -> Candidates:
    n, supertag_count = supertag_logp.shape
    supertag = np.zeros((n, limit), dtype=np.int32)
    states = np.zeros((n, limit), dtype=np.int32)
    logp = np.full((n, limit), -np.inf)
    root_logp = np.empty(n)
    ignore_logp = np.empty(n)
    best = np.empty(state_count, dtype=np.int32)
    for token in range(n):
        for state in range(state_count):
            best[state] = 0
        for k in range(1, supertag_count):
            value = supertag_logp[token, k]
            state = lexical_state[k]
            if value > -np.inf and (best[state] == 0 or value > supertag_logp[token, best[state]]):
                best[state] = k
        for c in range(limit):
            chosen = -1
            for state in range(state_count):
                k = best[state]
                if k == 0:
                    continue
                if chosen < 0 or supertag_logp[token, k] > supertag_logp[token, best[chosen]]:
                    chosen = state
            if chosen < 0:
                break
            supertag[token, c] = best[chosen]
            states[token, c] = chosen
            logp[token, c] = supertag_logp[token, best[chosen]]
            best[chosen] = 0
    for token in range(n):
        root_logp[token] = edge_logp[token, 0, ROOT_OPERATION]
        # In a single step, the sum would be computed in single precision.
        ignore_logp[token] = supertag_logp[token, 0]
        ignore_logp[token] += edge_logp[token, 0, IGNORE_OPERATION]
    return Candidates(supertag, states, logp, root_logp, ignore_logp)
