"""The best projective tree: over a dense matrix of arcs, or over pieces with ports.

Over arcs it is Eisner's (1996) algorithm: a span is *complete* if its head is at one of its ends
and all its other tokens are below, and *incomplete* if an arc joins its two ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled
from amparser.decode.rules import Float
from amparser.decode.wrap import WrapParse, decode
from amparser.decode.wrap_chart import Tokens, Variants


class Projective:
    """The decoder; see `amparser.decode.decoder`."""

    name = "projective"
    trees = "the best projective tree; exact"
    constants = ("tree", "graph")

    def chart(self, tokens: Tokens, variants: Variants) -> WrapParse:
        """See `ChartDecoder`."""
        return decode(tokens, variants, wrap=False)

    def heads(self, arc_logp: Float) -> NDArray[np.int64] | None:
        """See `best_projective`."""
        return best_projective(arc_logp)


def best_projective(arc_logp: Float) -> NDArray[np.int64] | None:
    """Heads of the best projective tree rooted in node 0 in which node 0 has one dependent.

    Exact, in O(n^3) time and O(n^2) memory. Ties are broken by a fixed rule.

    Args:
        arc_logp: `[n + 1, n + 1]`, as `amparser.decode.arborescence.best_arborescence` takes it.

    Returns:
        `[n]`, the head of node i + 1; or None if no such tree exists.
    """
    heads = _eisner(np.array(arc_logp, dtype=np.float64, order="C"))
    return heads if len(heads) and heads.min() >= 0 else None


# Long: numba compiles one loop nest.
@compiled
def _eisner(arc: Float) -> NDArray[np.int64]:
    """Heads `[n]` of nodes 1 to n; -1 everywhere if there is no tree.

    The chart has the nodes 1 to n alone. The root's dependent is the one whose complete spans to
    both ends and whose arc from node 0 are best together, so there is only one.
    """
    n = len(arc) - 1
    # [direction, first, last]: 0 has the head on the right, 1 on the left.
    complete = np.full((2, n, n), -np.inf)
    joined = np.full((2, n, n), -np.inf)
    split_complete = np.zeros((2, n, n), dtype=np.int32)
    split_joined = np.zeros((n, n), dtype=np.int32)
    heads = np.full(n, -1, dtype=np.int64)
    for i in range(n):
        complete[0, i, i] = complete[1, i, i] = 0.0
    for width in range(1, n):
        for first in range(n - width):
            last = first + width
            best, at = -np.inf, first
            for middle in range(first, last):
                score = complete[1, first, middle] + complete[0, middle + 1, last]
                if score > best:
                    best, at = score, middle
            split_joined[first, last] = at
            joined[0, first, last] = best + arc[last + 1, first + 1]
            joined[1, first, last] = best + arc[first + 1, last + 1]
            for middle in range(first, last):
                score = complete[0, first, middle] + joined[0, middle, last]
                if score > complete[0, first, last]:
                    complete[0, first, last], split_complete[0, first, last] = score, middle
            for middle in range(first + 1, last + 1):
                score = joined[1, first, middle] + complete[1, middle, last]
                if score > complete[1, first, last]:
                    complete[1, first, last], split_complete[1, first, last] = score, middle
    best, root = -np.inf, -1
    for i in range(n):
        score = arc[0, i + 1] + complete[0, 0, i] + complete[1, i, n - 1]
        if score > best:
            best, root = score, i
    if root < 0:
        return heads
    heads[root] = 0
    # Whether a span is complete, its direction, its ends.
    stack = [(1, 0, 0, root), (1, 1, root, n - 1)]
    while len(stack) > 0:
        is_complete, direction, first, last = stack.pop()
        if first == last:
            continue
        if is_complete == 0:
            middle = split_joined[first, last]
            if direction == 0:
                heads[first] = last + 1
            else:
                heads[last] = first + 1
            stack.append((1, 1, first, middle))
            stack.append((1, 0, middle + 1, last))
            continue
        middle = split_complete[direction, first, last]
        if direction == 0:
            stack.append((1, 0, first, middle))
            stack.append((0, 0, middle, last))
        else:
            stack.append((0, 1, first, middle))
            stack.append((1, 1, middle, last))
    return heads


PROJECTIVE = Projective()
