"""The fixed-tree decoder (Groschwitz et al. 2018, section 6.2): non-projective.

First the best unlabelled tree is fixed, then the best well-typed labelling of
it is found by dynamic programming over types, bottom-up. For a token with m
dependents the program goes over the 2^m sets of dependents it has combined
with, since the order in which a head combines matters for its type; it takes
O(2^m m T^2 O) time for T types and O operations.

Which tokens are ignored is decided first, for only the others can be heads:
a token is ignored when being ignored scores at least as high as its best
supertag with its best incoming edge. The arc from h to d then counts the best
operation between them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.arborescence import best_arborescence
from amparser.decode.compiled import compiled
from amparser.decode.parse import NO_TREE, Parse
from amparser.decode.threads import in_threads
from amparser.scores import Scores

SUPERTAG_LIMIT = 6
MAX_DEPENDENTS = 12

TOO_MANY_DEPENDENTS = f"{NO_TREE}: a token of the fixed tree has over {MAX_DEPENDENTS} dependents"
NO_LABELLING = f"{NO_TREE}: the fixed tree has no well-typed labelling"

_FIRST_OPERATION = 2


def decode(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    open_root: bool = False,
) -> Parse:
    """The best well-typed labelling of the best unlabelled tree.

    Args:
        scores: of a sentence of n tokens.
        table: the types of the same lexicon.
        supertag_limit: how many lexical types a token may choose from (None: all).
        open_root: let the root of a one-token sentence have any type.

    Returns:
        The tree, or a `Parse` whose `failure` says why there is none;
        `popped_count` counts the cells of the dynamic program.

    Raises:
        ValueError: for scores that are NaN or +inf.
    """
    for name, array in (("supertag_logp", scores.supertag_logp), ("edge_logp", scores.edge_logp)):
        if not (array < np.inf).all():
            raise ValueError(f"{name} has a score that is NaN or +inf, expected a logarithm")
    heads = unlabelled_tree(scores)
    if heads is None:
        return Parse(failure=NO_TREE)
    return label_tree(
        scores,
        table,
        heads,
        supertag_limit=supertag_limit,
        open_root=open_root and len(scores) == 1,
    )


def decode_batch(
    batch: Sequence[Scores], table: TypeTable, *, threads: int = 2, **options: object
) -> list[Parse]:
    """`decode` with these options for each sentence, in the order of input, on threads."""
    return in_threads(decode, batch, table, threads, **options)


def unlabelled_tree(scores: Scores) -> NDArray[np.int64] | None:
    """Heads `[n]` of the best unlabelled tree: 0 for its root, -1 for ignored tokens."""
    n = len(scores)
    if n == 0:
        return None
    supertag = scores.supertag_logp.astype(np.float64)
    edges = scores.edge_logp.astype(np.float64)
    best_tag = supertag[:, 1:].max(axis=1, initial=-np.inf)
    arcs = edges[:, :, _FIRST_OPERATION:].max(axis=2, initial=-np.inf)
    arcs[:, 0] = edges[:, 0, 1]
    ignore = supertag[:, 0] + edges[:, 0, 0]
    used = best_tag + arcs.max(axis=1)
    ignored = ignore >= used
    if ignored.all():
        # A tree needs a root: the token that loses least by not being ignored.
        possible = np.flatnonzero(used > -np.inf)
        if not len(possible):
            return None
        ignored[possible[np.argmax(used[possible] - ignore[possible])]] = False
    kept = np.flatnonzero(~ignored)
    positions = np.concatenate(([0], kept + 1))
    weights = np.full((len(positions), len(positions)), -np.inf)
    weights[:, 1:] = arcs[np.ix_(kept, positions)].T
    found = best_arborescence(weights)
    if found is None:
        return None
    heads = np.full(n, -1, dtype=np.int64)
    heads[kept] = positions[found]
    return heads


def label_tree(
    scores: Scores,
    table: TypeTable,
    heads: NDArray[np.int64],
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    open_root: bool = False,
) -> Parse:
    """The best well-typed labelling of a given tree, in the notation of `unlabelled_tree`."""
    n = len(scores)
    counts = np.bincount(heads[heads > 0], minlength=n + 1)
    if counts.max(initial=0) > MAX_DEPENDENTS:
        return Parse(failure=TOO_MANY_DEPENDENTS)
    order = _top_down(heads)
    lexical, chosen = lexical_scores(scores, table, supertag_limit)
    logp, cells, supertags, operations = _label(
        order[::-1].copy(),
        heads,
        lexical,
        chosen,
        scores.edge_logp.astype(np.float64),
        table.combine,
        open_root,
    )
    ignored = heads < 0
    logp += float((scores.supertag_logp[ignored, 0] + scores.edge_logp[ignored, 0, 0]).sum())
    if not logp > -np.inf:
        return Parse(failure=NO_LABELLING, popped_count=int(cells))
    return Parse(
        tuple(supertags.tolist()),
        tuple(np.maximum(heads, 0).tolist()),
        tuple(operations.tolist()),
        logp,
        int(cells),
    )


def lexical_scores(
    scores: Scores, table: TypeTable, supertag_limit: int | None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Best score `[n, T]` of each lexical type at each token, and the supertag that has it.

    All but the best `supertag_limit` types of a token are -inf. The lower
    supertag goes first where scores are equal.
    """
    n, type_count = len(scores), len(table.types)
    lexical = np.full((n, type_count), -np.inf)
    chosen = np.zeros((n, type_count), dtype=np.int64)
    for k in range(len(table.lexical_type) - 1, 0, -1):
        t = table.lexical_type[k]
        column = scores.supertag_logp[:, k].astype(np.float64)
        better = column >= lexical[:, t]
        lexical[better, t] = column[better]
        chosen[better, t] = k
    if supertag_limit is not None and supertag_limit < type_count:
        ranked = np.argsort(-lexical, axis=1, kind="stable")
        np.put_along_axis(lexical, ranked[:, supertag_limit:], -np.inf, axis=1)
    return lexical, chosen


def _top_down(heads: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tokens (from 0) that take part, heads before dependents."""
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for token, head in enumerate(heads.tolist()):
        if head >= 0:
            below[head].append(token)
    order = list(below[0])
    for token in order:
        order.extend(below[token + 1])
    return np.array(order, dtype=np.int64)


@compiled
def _label(
    order: NDArray[np.int64],
    heads: NDArray[np.int64],
    lexical: NDArray[np.float64],
    chosen: NDArray[np.int64],
    edges: NDArray[np.float64],
    combine: NDArray[np.int32],
    open_root: bool,
) -> tuple[float, int, NDArray[np.int64], NDArray[np.int64]]:
    """Label the tree; `order` has dependents before heads. Tokens count from 0, heads from 1.

    Returns the score of the labelled part (-inf: none), the number of cells,
    and for each token its supertag and operation.
    """
    n, type_count = lexical.shape
    operation_count = edges.shape[2]
    supertags = np.zeros(n, dtype=np.int64)
    operations = np.zeros(n, dtype=np.int64)
    term = np.full((n, type_count), -np.inf)
    child_count = np.zeros(n, dtype=np.int64)
    for token in order:
        if heads[token] > 0:
            child_count[heads[token] - 1] += 1
    # Cells of token t: rows offset[t] .. offset[t] + 2 ** child_count[t] - 1.
    offset = np.zeros(n + 1, dtype=np.int64)
    child_offset = np.zeros(n + 1, dtype=np.int64)
    for token in range(n):
        offset[token + 1] = offset[token] + (1 << child_count[token])
        child_offset[token + 1] = child_offset[token] + child_count[token]
    children = np.zeros(n, dtype=np.int64)
    filled = np.zeros(n, dtype=np.int64)
    for token in range(n):
        if heads[token] > 0:
            above = heads[token] - 1
            children[child_offset[above] + filled[above]] = token
            filled[above] += 1
    cell = np.full((offset[n], type_count), -np.inf)
    # How a cell was reached: previous type, dependent (its number), its type, operation.
    back = np.full((offset[n], type_count, 4), -1, dtype=np.int16)
    cells = 0
    root = -1
    for token in order:
        m = child_count[token]
        base = offset[token]
        for t in range(type_count):
            cell[base, t] = lexical[token, t]
        for members in range(1 << m):
            for t in range(type_count):
                score = cell[base + members, t]
                if score == -np.inf:
                    continue
                cells += 1
                for c in range(m):
                    if members >> c & 1:
                        continue
                    child = children[child_offset[token] + c]
                    following = base + (members | 1 << c)
                    for d in range(type_count):
                        below = term[child, d]
                        if below == -np.inf:
                            continue
                        for o in range(_FIRST_OPERATION, operation_count):
                            result = combine[t, d, o]
                            if result < 0:
                                continue
                            total = score + below + edges[child, token + 1, o]
                            if total > cell[following, result]:
                                cell[following, result] = total
                                back[following, result, 0] = t
                                back[following, result, 1] = c
                                back[following, result, 2] = d
                                back[following, result, 3] = o
        for t in range(type_count):
            term[token, t] = cell[base + (1 << m) - 1, t]
        if heads[token] == 0:
            root = token
    if root < 0:
        return -np.inf, cells, supertags, operations
    best_type = 0
    if open_root:
        for t in range(type_count):
            if term[root, t] > term[root, best_type]:
                best_type = t
    total = term[root, best_type] + edges[root, 0, 1]
    if not total > -np.inf:
        return -np.inf, cells, supertags, operations
    operations[root] = 1
    wanted = np.zeros(n, dtype=np.int64)
    wanted[root] = best_type
    for i in range(len(order) - 1, -1, -1):
        token = order[i]
        at = wanted[token]
        members = (1 << child_count[token]) - 1
        while members:
            step = back[offset[token] + members, at]
            child = children[child_offset[token] + step[1]]
            wanted[child] = step[2]
            operations[child] = step[3]
            members &= ~(1 << np.int64(step[1]))
            at = np.int64(step[0])
        supertags[token] = chosen[token, at]
    return total, cells, supertags, operations
