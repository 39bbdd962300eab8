"""The best directed tree over a dense matrix of arc scores (Chu and Liu 1965, Edmonds 1967)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.decode.rules import Float


def best_arborescence(arc_logp: Float) -> NDArray[np.int64] | None:
    """Heads of the best tree rooted in node 0 in which node 0 has one dependent.

    Exact; O(n^2) time for each cycle of best arcs that is contracted. Ties are broken by a fixed
    rule.

    Args:
        arc_logp: `[n + 1, n + 1]`, the arc from h (row) to d (column); -inf forbids.
            Row 0 is the artificial root; column 0 and the diagonal are not read.

    Returns:
        `[n]`, the head of node i + 1; or None if no such tree exists.
    """
    arc = np.array(arc_logp, dtype=np.float64)
    np.fill_diagonal(arc, -np.inf)
    arc[:, 0] = -np.inf
    finite = arc[arc > -np.inf]
    if len(finite):
        # So the tree has as few arcs from node 0 as possible.
        arc[0] -= len(arc) * (finite.max() - finite.min() + 1.0)
    heads = _best_heads(arc)[1:]
    nodes = np.arange(1, len(arc))
    if (heads == 0).sum() != 1 or (arc[heads, nodes] == -np.inf).any():
        return None
    return heads


def _best_heads(arc: Float) -> NDArray[np.int64]:
    """Heads `[n]` of the best tree rooted in node 0, whose own is 0."""
    heads: NDArray[np.int64] = arc.argmax(axis=0)
    heads[0] = 0
    cycle = _cycle(heads)
    if not len(cycle):
        return heads
    # The cycle becomes the last node; an arc that enters it replaces one of its own.
    rest = np.setdiff1d(np.arange(len(arc)), cycle)
    entering = arc[np.ix_(rest, cycle)] - arc[heads[cycle], cycle]
    leaving = arc[np.ix_(cycle, rest)]
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = arc[np.ix_(rest, rest)]
    small[:-1, -1], small[-1, :-1] = entering.max(axis=1), leaving.max(axis=0)
    above = _best_heads(small)
    heads[rest] = np.append(rest, -1)[above[:-1]]
    out = above[:-1] == len(rest)
    heads[rest[out]] = cycle[leaving[:, out].argmax(axis=0)]
    heads[cycle[entering[above[-1]].argmax()]] = rest[above[-1]]
    return heads


def _cycle(heads: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nodes of a cycle; none if all nodes lead to node 0."""
    head_of = heads.tolist()
    done = {0}
    for node in range(len(head_of)):
        path: list[int] = []
        while node not in done:
            done.add(node)
            path.append(node)
            node = head_of[node]
        if node in path:
            return np.array(path[path.index(node) :])
    return np.zeros(0, np.int64)


class SpanningTree:
    """The decoder; see `amparser.decode.decoder`."""

    name = "tree"
    trees = "the best spanning tree, projective or not; exact"
    constants = ("graph",)

    def heads(self, arc_logp: Float) -> NDArray[np.int64] | None:
        """See `best_arborescence`."""
        return best_arborescence(arc_logp)


TREE = SpanningTree()
