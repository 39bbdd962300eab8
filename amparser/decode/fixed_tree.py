"""Fixed-tree decoder (Groschwitz et al. 2018, section 6.2), which also finds non-projective trees.

First, the best unlabelled tree is computed. Then, dynamic programming over the states of its heads
finds the best well-typed labelling of this tree, bottom-up. A state (see `rules`) does not depend
on the order of the dependents, so they are taken one by one, in O(n R) time for R rules.

The unlabelled tree is the best arborescence. The score of the arc from h to d is the maximum, over
all operations except IGNORE and ROOT, of the sum of

- the edge score,
- the score of d's best supertag that can be a dependent by the operation, and
- the score of h's best supertag that can be d's head, minus the score of h's best supertag.

There is no arc from h to d if none of their supertags fit. Ignored tokens are attached to an
additional node, with the score of the IGNORE edge and the empty supertag; this node may be attached
to any token at no cost. In the best arborescence, an ignored token may have dependents. In this
case, either the arcs to its dependents or the arc that ignores it are forbidden (whichever costs
less), and the arborescence is computed again.

Words that are never displaced in training must be on their usual side (`Scores.in_place`); all
other words may be anywhere (`Scores.mobile`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.arborescence import best_arborescence
from amparser.decode.candidates import ROOT_OPERATION, Candidates, candidates_of, edge_array
from amparser.decode.compiled import compiled
from amparser.decode.decoder import OneByOne
from amparser.decode.parse import NO_TREE, Parse
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
from amparser.decode.search import SUPERTAG_LIMIT

NO_UNLABELLED_TREE = f"{NO_TREE}: no unlabelled tree"
NO_LABELLING = f"{NO_TREE}: the fixed tree has no well-typed labelling"

IGNORED = -1


def decode(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    open_root: bool = False,
) -> Parse:
    """Return the best well-typed labelling of the best unlabelled tree.

    Returns:
        The tree, or a `Parse` whose `failure` begins with `NO_TREE` and states the reason. Its
        `popped_count` is the number of cells of the dynamic program.

    Raises:
        ValueError: if a score is NaN or +inf, or an array has the wrong shape.
    """
    held = scores.held_in_place()
    heads = unlabelled_tree(held, table, supertag_limit=supertag_limit)
    if heads is None:
        return Parse(failure=NO_UNLABELLED_TREE)
    return label_tree(held, table, heads, supertag_limit=supertag_limit, open_root=open_root)


def unlabelled_tree(
    scores: Scores, table: TypeTable, *, supertag_limit: int | None = SUPERTAG_LIMIT
) -> NDArray[np.int64] | None:
    """Return heads `[n]` of the best unlabelled tree: 0 for the root, `IGNORED` for ignored tokens.

    Returns None if all trees have the score -inf.
    """
    candidates = candidates_of(scores, table, supertag_limit)
    n = len(scores)
    if n == 0:
        return None
    arc_logp = _arcs(candidates, edge_array(scores), rules_of(table))
    while True:
        heads = best_arborescence(arc_logp)
        if heads is None:
            return None
        if not _repair(arc_logp, heads):
            heads = heads[:n]
            return np.where(heads == n + 1, IGNORED, heads)


def label_tree(
    scores: Scores,
    table: TypeTable,
    heads: NDArray[np.int64],
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    open_root: bool = False,
) -> Parse:
    """Return the best well-typed labelling of a tree.

    Args:
        scores: scores of the sentence.
        table: types of the supertags.
        heads: `[n]`, heads as `unlabelled_tree` returns them.
        supertag_limit: maximum number of lexical types per token, or None for all.
        open_root: whether the root of a one-token sentence may have any type.

    Raises:
        ValueError: if the heads are not a tree with one root, or for the reasons in `decode`.
    """
    candidates = candidates_of(scores, table, supertag_limit)
    order = _top_down(heads)
    if len(order) != (heads != IGNORED).sum() or (heads == 0).sum() != 1:
        raise ValueError(f"heads {heads.tolist()} are not a tree with one root")
    logp, cell_count, supertags, operations = _label(
        candidates,
        edge_array(scores),
        rules_of(table),
        heads,
        order,
        open_root and len(scores) == 1,
    )
    if logp == -np.inf:
        return Parse(failure=NO_LABELLING, popped_count=int(cell_count))
    return Parse(
        tuple(supertags.tolist()),
        tuple(np.maximum(heads, 0).tolist()),
        tuple(operations.tolist()),
        float(logp),
        int(cell_count),
    )


def _arcs(candidates: Candidates, edge_logp: NDArray[np.float32], rules: Rules) -> Float:
    """Return arc scores `[n + 2, n + 2]` from row to column; node n + 1 is for ignored tokens."""
    n, first = len(edge_logp), ROOT_OPERATION + 1
    best = candidates.supertag_logp[:, 0]
    as_head, as_dependent = (
        np.where(able.T[first:, candidates.state], candidates.supertag_logp, -np.inf).max(axis=2)
        for able in (rules.head_operations, rules.dependent_operations)
    )
    as_head -= np.where(best > -np.inf, best, 0.0)
    arc_logp = np.full((n + 2, n + 2), -np.inf)
    arc_logp[0, 1:-1] = candidates.root_logp + best
    arc_logp[n + 1, 1:-1] = candidates.ignore_logp
    arc_logp[1:-1, n + 1] = 0.0
    # The maximum over the first axis is faster in a contiguous array.
    edges = np.ascontiguousarray(edge_logp[:, 1:, first:].T) + as_head[:, :, None]
    arc_logp[1:-1, 1:-1] = (edges + as_dependent[:, None]).max(axis=0, initial=-np.inf)
    np.fill_diagonal(arc_logp, -np.inf)
    return arc_logp


@compiled
def _repair(arc_logp: Float, heads: NDArray[np.int64]) -> bool:
    """Exclude arcs of ignored tokens that have dependents; return True if there are such tokens.

    For each of them, either the arc that ignores it or all arcs to dependents are excluded.
    """
    n = len(arc_logp) - 2
    nowhere = n + 1
    loss = np.zeros(n + 1)  # cost if the dependents of a token must have other heads
    has_dependents = np.zeros(n + 1, dtype=np.bool_)
    for d in range(1, n + 1):
        h = heads[d - 1]
        if h == 0 or h == nowhere or heads[h - 1] != nowhere:
            continue
        has_dependents[h] = True
        best = -np.inf
        for other in range(n + 2):
            if other == nowhere or other == 0 or heads[other - 1] != nowhere:
                best = max(best, arc_logp[other, d])
        loss[h] += arc_logp[h, d] - best
    for z in range(1, n + 1):
        if has_dependents[z]:
            best = -np.inf
            for other in range(n + 1):
                best = max(best, arc_logp[other, z])
            if arc_logp[nowhere, z] - best <= loss[z] and best > -np.inf:
                arc_logp[nowhere, z] = -np.inf
            else:
                arc_logp[z, 1 : n + 1] = -np.inf
    return bool(has_dependents.any())


def _top_down(heads: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tokens (from 0) of the tree, heads before their dependents.

    In the reverse order, each head's right dependents come before its left ones, nearest first.
    """
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for d, head in enumerate(heads.tolist()):
        if head >= 0:
            below[head].append(d)
    order = below[0][::-1]
    for h in order:  # `order` grows during the loop
        order += [d for d in below[h + 1] if d < h]
        order += [d for d in reversed(below[h + 1]) if d > h]
    return np.array(order, dtype=np.int64)


# This function is long because calls are costly (see `agenda`).
@compiled
def _label(
    candidates: Candidates,
    edge_logp: NDArray[np.float32],
    rules: Rules,
    heads: NDArray[np.int64],
    order: NDArray[np.int64],
    any_root: bool,
) -> tuple[float, int, Int, Int]:
    """Return the score (-inf if no labelling exists), number of cells, supertags and operations."""
    n, limit = candidates.supertag.shape
    rule, head_start = rules.rule, rules.head_start
    state_count = len(rules.is_root)
    supertags = np.zeros(n, dtype=np.int32)
    operations = np.zeros(n, dtype=np.int32)
    # best[t, s]: score of token t in state s after the dependents taken so far. taken[d, s]: the
    # rule by which d was taken when its head entered state s.
    best = np.full((n, state_count), -np.inf)
    taken = np.full((n, state_count), -1, dtype=np.int32)
    following = np.empty(state_count)
    cell_count = 0
    total = 0.0
    for token in range(n):
        if heads[token] < 0:
            total += candidates.ignore_logp[token]
        for c in range(limit):
            if candidates.supertag_logp[token, c] > -np.inf:
                best[token, candidates.state[token, c]] = candidates.supertag_logp[token, c]
    for place in range(len(order) - 1, -1, -1):
        d = order[place]
        h = heads[d] - 1
        if h < 0:
            continue
        following[:] = -np.inf
        for state in range(state_count):
            if best[h, state] == -np.inf:
                continue
            for r in range(head_start[state], head_start[state + 1]):
                if not rule[r, SIDES] >> (0 if d < h else 1) & 1:
                    continue
                below = best[d, rule[r, DEPENDENT]]
                logp = best[h, state] + below + edge_logp[d, h + 1, rule[r, OPERATION]]
                result = rule[r, RESULT]
                if logp > following[result]:
                    following[result] = logp
                    taken[d, result] = r
        best[h, :] = following
        for state in range(state_count):
            cell_count += following[state] > -np.inf
    root = order[0]
    wanted = np.full(n, -1, dtype=np.int64)  # the final state of each token
    root_logp = -np.inf
    for state in range(state_count):
        if (rules.is_root[state] or any_root) and best[root, state] > root_logp:
            root_logp = best[root, state]
            wanted[root] = state
    total += root_logp + candidates.root_logp[root]
    if not total > -np.inf:
        return -np.inf, cell_count, supertags, operations
    operations[root] = ROOT_OPERATION
    # The rules were chosen from the leaves up; they are read from the root down.
    for d in order:
        h = heads[d] - 1
        if h < 0:
            continue
        r = taken[d, wanted[h]]
        wanted[h], wanted[d] = rule[r, HEAD], rule[r, DEPENDENT]
        operations[d] = rule[r, OPERATION]
    for token in order:
        for c in range(limit):
            if candidates.state[token, c] == wanted[token]:
                supertags[token] = candidates.supertag[token, c]
                break
    return total, cell_count, supertags, operations


FIXED_TREE = OneByOne(
    "fixed-tree",
    "the best unlabelled tree, crossing edges included, with its best well-typed labelling; "
    "not exact",
    decode,
)
