"""The best directed tree over a dense matrix of arc scores.

Chu and Liu (1965) and Edmonds (1967) in the dense form of Tarjan (1977): a path
grows backwards along best incoming arcs; when it closes a cycle, the cycle is
contracted in place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled
from amparser.decode.rules import Float, Int


def best_arborescence(arc_logp: Float) -> NDArray[np.int64] | None:
    """Heads of the best tree rooted in node 0 in which node 0 has one dependent.

    Exact, in O(n^2) time and memory (16 bytes per arc). Ties are broken by a fixed rule.

    Args:
        arc_logp: `[n + 1, n + 1]`, the arc from h (row) to d (column); -inf forbids.
            Row 0 is the artificial root; column 0 and the diagonal are not read.

    Returns:
        `[n]`, the head of node i + 1; or None if no such tree exists.
    """
    heads = _chu_liu_edmonds(np.array(arc_logp, dtype=np.float64, order="C"))
    if (heads[1:] == 0).sum() != 1 or heads.min() < 0:
        return None
    return heads[1:]


# Long, since calls are costly (see `agenda`).
@compiled
def _chu_liu_edmonds(arc: Float) -> NDArray[np.int64]:
    """Heads `[n + 1]` of the tree; -1 where a node cannot be reached. Overwrites `arc`.

    An arc from node 0 counts as worse than any other, so the tree has as few as
    possible: the result is the lexicographic optimum of (arcs from 0, score).
    Subtracting the arc that an entering arc replaces preserves this, as no arc of
    a cycle comes from 0.
    """
    n = len(arc)
    # Row and column i represent a node, or the contracted node with number name[i].
    # An arc between two of them represents the arc tail -> tip of the input.
    name = np.arange(n)
    tail = np.empty((n, n), dtype=np.int32)
    tip = np.empty((n, n), dtype=np.int32)
    for h in range(n):
        tail[h, :] = h
        tip[:, h] = h
    alive = np.ones(n, dtype=np.bool_)
    reaches_root = np.zeros(n, dtype=np.bool_)
    reaches_root[0] = True
    best = np.zeros(n, dtype=np.int64)
    on_path = np.zeros(n, dtype=np.bool_)
    path = np.empty(n, dtype=np.int64)
    # For each node number: the arc that enters it, and the node it was contracted into.
    enter_tail = np.full(2 * n, -1, dtype=np.int64)
    enter_tip = np.full(2 * n, -1, dtype=np.int64)
    inside = np.full(2 * n, -1, dtype=np.int64)
    named = n
    for start in range(1, n):
        if not alive[start] or reaches_root[start]:
            continue
        length = 1
        path[0] = start
        on_path[start] = True
        while length > 0:
            d = path[length - 1]
            h = _best_head(arc, alive, d)
            if h < 0:
                return np.full(n, -1, dtype=np.int64)
            best[d] = h
            enter_tail[name[d]], enter_tip[name[d]] = tail[h, d], tip[h, d]
            if reaches_root[h]:
                for i in range(length):
                    reaches_root[path[i]] = True
                    on_path[path[i]] = False
                length = 0
            elif on_path[h]:
                # The nodes from h to the end of the path are a cycle; it moves into row h.
                first = length - 1
                while path[first] != h:
                    first -= 1
                _contract(arc, tail, tip, alive, best, path[first:length])
                for i in range(first, length):
                    inside[name[path[i]]] = named
                    on_path[path[i]] = i == first
                name[h] = named
                named += 1
                length = first + 1
            else:
                path[length] = h
                length += 1
                on_path[h] = True
    return _expanded(enter_tail, enter_tip, inside, named, n)


@compiled
def _best_head(arc: Float, alive: NDArray[np.bool_], d: int) -> int:
    best = -1
    for h in range(1, len(arc)):
        if alive[h] and h != d and arc[h, d] > -np.inf and (best < 0 or arc[h, d] > arc[best, d]):
            best = h
    if best < 0 and arc[0, d] > -np.inf:
        best = 0
    return best


@compiled
def _contract(
    arc: Float,
    tail: Int,
    tip: Int,
    alive: NDArray[np.bool_],
    best: NDArray[np.int64],
    cycle: NDArray[np.int64],
) -> None:
    """Make one node of a cycle, in the row and column of its first member."""
    new = cycle[0]
    replaced = np.empty(len(cycle))
    for i in range(len(cycle)):
        replaced[i] = arc[best[cycle[i]], cycle[i]]
        alive[cycle[i]] = False
    for other in range(len(arc)):
        if not alive[other]:
            continue
        arc[other, new] -= replaced[0]
        for i in range(1, len(cycle)):
            member = cycle[i]
            if arc[other, member] - replaced[i] > arc[other, new]:
                arc[other, new] = arc[other, member] - replaced[i]
                tail[other, new], tip[other, new] = tail[other, member], tip[other, member]
            if arc[member, other] > arc[new, other]:
                arc[new, other] = arc[member, other]
                tail[new, other], tip[new, other] = tail[member, other], tip[member, other]
    alive[new] = True


@compiled
def _expanded(
    enter_tail: NDArray[np.int64],
    enter_tip: NDArray[np.int64],
    inside: NDArray[np.int64],
    named: int,
    n: int,
) -> NDArray[np.int64]:
    """Undo contractions, last first: a cycle loses its arc into the node that is entered."""
    heads = np.zeros(n, dtype=np.int64)
    entered = np.zeros(named, dtype=np.bool_)
    for node in range(named - 1, 0, -1):
        if entered[node]:
            continue
        reached = enter_tip[node]
        heads[reached] = enter_tail[node]
        while reached != node:
            entered[reached] = True
            reached = inside[reached]
    return heads


class SpanningTree:
    """The decoder; see `amparser.decode.decoder`."""

    name = "tree"
    trees = "the best spanning tree, projective or not; exact"
    constants = ("graph",)

    def heads(self, arc_logp: Float) -> NDArray[np.int64] | None:
        """See `best_arborescence`."""
        return best_arborescence(arc_logp)


TREE = SpanningTree()
