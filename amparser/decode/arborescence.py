"""The best directed tree over a dense matrix of arc scores (Chu-Liu/Edmonds).

Chu & Liu 1965, Edmonds 1967; the single-root variant penalises arcs from the
root by more than any tree can differ in, so that as few of them as possible,
one, are used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled


def best_arborescence(arc_logp: NDArray[np.float64]) -> NDArray[np.int64] | None:
    """Heads of the best tree rooted in node 0 in which node 0 has one dependent.

    Args:
        arc_logp: `[n + 1, n + 1]`, the arc from h (row) to d (column); -inf forbids.
            Row 0 is the artificial root; column 0 and the diagonal are not read.

    Returns:
        `[n]`, the head of node i + 1; None where no such tree exists. Ties go to
        the lower head. O(n^3) time.
    """
    n = arc_logp.shape[0] - 1
    if n == 0:
        return None
    finite = arc_logp[:, 1:][np.isfinite(arc_logp[:, 1:])]
    if not len(finite):
        return None
    spread = (float(finite.max()) - float(finite.min()) + 1.0) * (n + 1)
    weights = arc_logp.astype(np.float64, copy=True)
    weights[:, 0] = -np.inf
    np.fill_diagonal(weights, -np.inf)
    weights[0] -= spread
    heads = _chu_liu_edmonds(weights)
    if heads[0] < 0 or (heads[1:] == 0).sum() != 1:
        return None
    return heads[1:]


@compiled
def _chu_liu_edmonds(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Heads `[n + 1]` of the best tree from node 0 (entry 0 is 0), or -1 there if there is none.

    Contracted cycles become new nodes n + 1, n + 2, ... of a table of twice the size.
    """
    n = len(weights)
    size = 2 * n
    arc = np.full((size, size), -np.inf)
    arc[:n, :n] = weights
    # The arc between two nodes of the contracted graph stands for one of the input.
    tail = np.empty((size, size), dtype=np.int64)
    tip = np.empty((size, size), dtype=np.int64)
    for h in range(n):
        for d in range(n):
            tail[h, d] = h
            tip[h, d] = d
    alive = np.zeros(size, dtype=np.bool_)
    alive[:n] = True
    inside = np.full(size, -1, dtype=np.int64)  # the cycle a node was contracted into
    best = np.full(size, -1, dtype=np.int64)
    count = n
    while True:
        cycle_start = -1
        for d in range(1, count):
            if not alive[d]:
                continue
            best[d] = -1
            for h in range(count):
                possible = alive[h] and h != d and arc[h, d] > -np.inf
                if possible and (best[d] < 0 or arc[h, d] > arc[best[d], d]):
                    best[d] = h
            if best[d] < 0:
                return np.full(n, -1, dtype=np.int64)
        colour = np.zeros(count, dtype=np.int64)
        for d in range(1, count):
            if not alive[d]:
                continue
            node = d
            while node != 0 and colour[node] == 0:
                colour[node] = d
                node = best[node]
            if node != 0 and colour[node] == d:
                cycle_start = node
                break
        if cycle_start < 0:
            break
        # Contract the cycle into one node.
        new = count
        count += 1
        node = cycle_start
        while inside[node] < 0:
            inside[node] = new
            alive[node] = False
            node = best[node]
        alive[new] = True
        for other in range(new):
            if not alive[other]:
                continue
            node = cycle_start
            while True:
                gain = arc[other, node] - arc[best[node], node]
                if arc[other, node] > -np.inf and gain > arc[other, new]:
                    arc[other, new] = gain
                    tail[other, new] = tail[other, node]
                    tip[other, new] = tip[other, node]
                if arc[node, other] > arc[new, other]:
                    arc[new, other] = arc[node, other]
                    tail[new, other] = tail[node, other]
                    tip[new, other] = tip[node, other]
                node = best[node]
                if node == cycle_start:
                    break
    # Expand: a cycle keeps its arcs, but at the node that its entering arc reaches.
    heads = np.full(n, -1, dtype=np.int64)
    heads[0] = 0
    entered = np.zeros(size, dtype=np.bool_)
    for node in range(count - 1, 0, -1):
        if entered[node]:
            continue
        reached = tip[best[node], node]
        heads[reached] = tail[best[node], node]
        while reached != node:
            entered[reached] = True
            reached = inside[reached]
    return heads
