"""Maximum spanning arborescence over dense arc scores (Chu and Liu 1965, Edmonds 1967).

An arborescence is a tree in which every node except the root has one head. The algorithm gives each
node its best head, contracts a cycle of such arcs to one node, and solves the smaller graph.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled
from amparser.decode.rules import Float


def best_arborescence(arc_logp: Float) -> NDArray[np.int64] | None:
    """Return the heads of the best tree rooted in node 0 in which node 0 has exactly one dependent.

    The search is exact and takes O(n^2) time for each contracted cycle of best arcs. It is
    deterministic if several trees have the same score.

    Args:
        arc_logp: `[n + 1, n + 1]`, score of the arc from h (row) to d (column); -inf if the arc is
            forbidden. Row 0 is the artificial root; column 0 and the diagonal are not read.

    Returns:
        `[n]`, the head of node i + 1; or None if no such tree exists.
    """
    arc = np.array(arc_logp, dtype=np.float64)
    np.fill_diagonal(arc, -np.inf)
    arc[:, 0] = -np.inf
    finite = arc[arc > -np.inf]
    if len(finite):
        # With this penalty, the best tree has as few arcs from node 0 as possible.
        arc[0] -= len(arc) * (finite.max() - finite.min() + 1.0)
    heads = _best_heads(arc)[1:]
    nodes = np.arange(1, len(arc))
    if (heads == 0).sum() != 1 or (arc[heads, nodes] == -np.inf).any():
        return None
    return heads


@compiled
def _best_heads(arc: Float) -> NDArray[np.int64]:
    """Return the heads `[n]` of the best tree rooted in node 0; the head of node 0 is 0."""
    n = len(arc)
    heads = np.zeros(n, np.int64)
    for d in range(1, n):
        for h in range(n):
            if arc[h, d] > arc[heads[d], d]:
                heads[d] = h
    cycle = _cycle(heads)
    if not cycle.any():
        return heads
    # The cycle is contracted to the last node. An arc into the cycle replaces one arc of the cycle.
    rest, inside = np.flatnonzero(~cycle), np.flatnonzero(cycle)
    last = len(rest)
    small = np.full((last + 1, last + 1), -np.inf)
    entered = np.full(last, inside[0])
    left = np.full(last, inside[0])
    for i in range(last):
        for j in range(last):
            small[i, j] = arc[rest[i], rest[j]]
        for node in inside:
            enters = arc[rest[i], node] - arc[heads[node], node]
            if enters > small[i, last]:
                small[i, last], entered[i] = enters, node
            if arc[node, rest[i]] > small[last, i]:
                small[last, i], left[i] = arc[node, rest[i]], node
    above = _best_heads(small)
    for i in range(1, last):
        heads[rest[i]] = left[i] if above[i] == last else rest[above[i]]
    heads[entered[above[last]]] = rest[above[last]]
    return heads


@compiled
def _cycle(heads: NDArray[np.int64]) -> NDArray[np.bool_]:
    cycle = np.zeros(len(heads), np.bool_)
    reached_from = np.full(len(heads), -1)
    reached_from[0] = 0
    for start in range(1, len(heads)):
        node = start
        while reached_from[node] < 0:
            reached_from[node] = start
            node = heads[node]
        if reached_from[node] == start:
            while not cycle[node]:
                cycle[node] = True
                node = heads[node]
            return cycle
    return cycle


class SpanningTree:
    """Decoder that finds the best spanning tree, given scores of arcs only."""

    name = "tree"
    trees = "the best spanning tree, projective or not; exact"
    presets = ("graph",)

    def heads(self, arc_logp: Float) -> NDArray[np.int64] | None:
        """Return the heads of the best tree; see `best_arborescence`."""
        return best_arborescence(arc_logp)


TREE = SpanningTree()
