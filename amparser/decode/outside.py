"""Outside estimate: an upper bound of the scores that the rest of a sentence adds to an item.

An item covers the tokens `first .. stop - 1` with head h. Its inside score does not contain the
edge to h or the scores of the tokens outside. The estimate is an upper bound of these
(admissible). The priority of an item is its inside score plus the estimate; it does not increase
when items are combined (consistent), so an item is popped with its best inside score (Lindemann,
Groschwitz and Koller 2020, section 5). Two bounds are computed; the estimate is their minimum:

- Either h or one of the tokens outside has its ROOT edge; each other token outside has its best
  edge and supertag, or the IGNORE edge and the empty supertag (the ignore-aware estimate).
- All tokens form the best projective tree that contains the item's left half (first .. h) or right
  half (h .. stop - 1); types are ignored. The algorithm of Eisner (1996) computes this tree in
  O(n^3) time, for sentences of up to `PROJECTIVE_LIMIT` tokens.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.candidates import Candidates
from amparser.decode.compiled import compiled
from amparser.decode.rules import Float

PROJECTIVE_LIMIT = 400

# Columns of `Outside.edge`; for example, ROOT_BEFORE: tokens before a position, with the root.
BEFORE, ROOT_BEFORE, AFTER, ROOT_AFTER, ATTACH, ROOT = range(6)

# Indices on the last axis of `Outside.left` and `Outside.right`.
IN, OUT, IN_RUN, OUT_RUN = range(4)
OUT_FULL = IN_RUN


class Outside(NamedTuple):
    """Tables from which `estimate` computes the bounds of an item in constant time.

    Attributes:
        edge: `[n + 1, 6]`, best score of the tokens before position i (BEFORE, ROOT_BEFORE) and
            from i on (AFTER, ROOT_AFTER); best edge to token i from another token (ATTACH) and from
            the artificial root (ROOT).
        left: `[n, n, 4]`, inside and outside score of the left half (first, h), and the same scores
            if the left half has only ignored tokens so far. The array is empty if the second bound
            is not used.
        right: `[n, n + 1, 3]`, inside and outside score of the right half (h, stop), and the
            outside score if the right half cannot grow any more.
    """

    edge: Float
    left: Float
    right: Float


@compiled
def outside_of(
    candidates: Candidates, arc_logp: NDArray[np.float32], limit: int = PROJECTIVE_LIMIT
) -> Outside:
    """Compute the tables for a sentence of n tokens.

    Args:
        candidates: pruned scores.
        arc_logp: `[n, n]`, upper bound of the score of the edge from token h (row) to token d in
            any tree of the decoder's class; see `gap_rules.reach_of`.
        limit: maximum number of tokens for which the second bound is computed.
    """
    n = len(candidates.root_logp)
    attach = np.full(n, -np.inf)
    for h in range(n):
        for d in range(n):
            attach[d] = max(attach[d], arc_logp[h, d])
    stays = np.empty(n)
    roots = np.empty(n)
    for d in range(n):
        supertag_logp = candidates.supertag_logp[d, 0]
        roots[d] = supertag_logp + candidates.root_logp[d]
        stays[d] = max(supertag_logp + attach[d], candidates.ignore_logp[d])
    # Best sums over the tokens before and after each position, with and without a root.
    edge = np.zeros((n + 1, 6))
    edge[0, ROOT_BEFORE] = edge[n, ROOT_AFTER] = -np.inf
    for i in range(n):
        without, with_root = edge[i, BEFORE], edge[i, ROOT_BEFORE]
        edge[i + 1, BEFORE] = without + stays[i]
        edge[i + 1, ROOT_BEFORE] = max(with_root + stays[i], without + roots[i])
        j = n - 1 - i
        without, with_root = edge[j + 1, AFTER], edge[j + 1, ROOT_AFTER]
        edge[j, AFTER] = without + stays[j]
        edge[j, ROOT_AFTER] = max(with_root + stays[j], without + roots[j])
        edge[i, ATTACH], edge[i, ROOT] = attach[i], candidates.root_logp[i]
    left, right = _half_spans(candidates, arc_logp, n if n <= limit else 0)
    return Outside(edge, left, right)


@compiled
def estimate(
    edge: Float, left: Float, right: Float, first: int, stop: int, head: int, run: int, full: int
) -> float:
    """Return the outside estimate (natural log) of an item with a finite inside score.

    Args:
        edge, left, right: see `Outside`.
        first, stop, head: span and head of the item.
        run: 1 if the item has no dependents on the left so far, else 0.
        full: OUT if the item may still grow to the right, else OUT_FULL.
    """
    before, after = edge[first, BEFORE], edge[stop, AFTER]
    best: float = max(
        edge[head, ROOT] + before + after,
        edge[head, ATTACH] + max(edge[first, ROOT_BEFORE] + after, before + edge[stop, ROOT_AFTER]),
    )
    if len(left) > 0:
        half = 2 * run
        best = min(
            best,
            left[first, head, OUT + half] - right[head, stop, IN],
            right[head, stop, full] - left[first, head, IN + half],
        )
    return best


# This function is long because calls are costly (see `agenda`).
@compiled
def _half_spans(candidates: Candidates, arc: NDArray[np.float32], n: int) -> tuple[Float, Float]:
    """Return the best inside and outside scores of half spans in trees without types.

    A right half (h, stop) is the token h with its supertag, and all tokens below it on its right up
    to `stop`. A left half (first, h) consists of all tokens below h on its left, from `first`. An
    arc combines the right half of its left token with the left half of its right token. As in the
    search, ignored tokens before h are the first part of a left half, and ignored tokens at the end
    of the sentence are added last.
    """
    ignore_logp = candidates.ignore_logp
    left = np.full((n, n), -np.inf)
    right = np.full((n, n + 1), -np.inf)
    run = np.full((n, n), -np.inf)
    arc_left = np.full((n, n), -np.inf)  # [d, h]: arc into d from h to its right
    arc_right = np.full((n, n), -np.inf)  # [h, d]: arc into d from h to its left
    for h in range(n):
        right[h, h + 1] = candidates.supertag_logp[h, 0]
        run[h, h] = left[h, h] = 0.0
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            best = -np.inf
            for m in range(i + 1, j + 1):
                best = max(best, right[i, m] + left[m, j])
            arc_right[i, j] = best + arc[i, j]
            arc_left[i, j] = best + arc[j, i]
            best = -np.inf
            for d in range(i + 1, j + 1):
                best = max(best, arc_right[i, d] + right[d, j + 1])
            right[i, j + 1] = best
            run[i, j] = run[i + 1, j] + ignore_logp[i]
            best = run[i, j]
            for d in range(i, j):
                best = max(best, left[i, d] + arc_left[d, j])
            left[i, j] = best

    out_left = np.full((n, n), -np.inf)
    out_right = np.full((n, n + 1), -np.inf)
    out_full = np.full((n, n + 1), -np.inf)
    trailing = 0.0
    for stop in range(n, 0, -1):
        for h in range(stop):
            around = candidates.root_logp[h] + trailing
            out_left[0, h] = max(out_left[0, h], around + right[h, stop])
            out_full[h, stop] = max(out_full[h, stop], around + left[0, h])
        trailing += ignore_logp[stop - 1]
    out_arc_left = np.full((n, n), -np.inf)
    out_arc_right = np.full((n, n), -np.inf)
    for width in range(n - 1, 0, -1):
        for i in range(n - width):
            j = i + width
            out_right[i, j + 1] = max(out_right[i, j + 1], out_full[i, j + 1])
            above = out_right[i, j + 1]
            for d in range(i + 1, j + 1):
                out_full[d, j + 1] = max(out_full[d, j + 1], above + arc_right[i, d])
                out_arc_right[i, d] = max(out_arc_right[i, d], above + right[d, j + 1])
            above = out_left[i, j]
            for d in range(i, j):
                out_left[i, d] = max(out_left[i, d], above + arc_left[d, j])
                out_arc_left[d, j] = max(out_arc_left[d, j], above + left[i, d])
            grows = out_arc_right[i, j] + arc[i, j]
            full = out_arc_left[i, j] + arc[j, i]
            above = max(grows, full)
            for m in range(i + 1, j + 1):
                out_right[i, m] = max(out_right[i, m], grows + left[m, j])
                out_full[i, m] = max(out_full[i, m], full + left[m, j])
                out_left[m, j] = max(out_left[m, j], above + right[i, m])
    lefts = np.empty((n, n, 4))
    rights = np.empty((n, n + 1, 3))
    for h in range(n):
        best = -np.inf
        for i in range(n):
            best = max(best, out_left[i, h])
            lefts[i, h, IN] = left[i, h]
            lefts[i, h, OUT] = out_left[i, h]
            lefts[i, h, IN_RUN] = run[i, h]
            lefts[i, h, OUT_RUN] = best
            best += ignore_logp[i]
        for i in range(n + 1):
            rights[h, i, IN] = right[h, i]
            rights[h, i, OUT] = max(out_right[h, i], out_full[h, i])
            rights[h, i, OUT_FULL] = out_full[h, i]
    return lefts, rights
