"""A typed chart over pieces with sorts: projective trees, and a head inside its argument.

A constituent is a token with its arguments. It covers a span of tokens, of which others
may be ignored. Two neighbours combine when one fills a hole of the other; a head that has
one hole left may also stand inside its only argument (*wrap*): the argument is then built
with that token left out (a *gap*), and what is built around a gap combines as usual.

Sorts never multiply the items: an item carries a score for each sort of its head, and a
filler's scores are turned once into what they are worth in each hole.

With n tokens, V variants and Z sorts there are O(n^2 * n * V) items and O(n^4 * n * V * Z)
steps at worst; a tagger leaves one or two variants a token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

Float = NDArray[np.float64]
Int = NDArray[np.int64]

_NO = -1
_COMPLETE = -1


class Variants(NamedTuple):
    """The constants that the tokens of one sentence may have; natural logarithms.

    Attributes:
        token: `[V]`, the token (from 0); in ascending order.
        holes: `[V]`, the holes to be filled, as bits.
        logp: `[V, Z]`, for each sort of the constituent that it heads.
        row: `[V, H]`, for each hole the row of `filler`; -1 where there is none.
        span: `[V, L]`, for covering its token and so many that follow; -inf where it may not.
        filler: `[R, Z, Z]`, the score of a filler's sort (last) given the head's.
        kind: `[V]`, the kind of each variant.
        pair: `[R, K]`, the score of a filler of each kind.
        root: `[V]`, the score of standing at the root.
    """

    token: Int
    holes: Int
    logp: Float
    row: Int
    span: Float
    filler: Float
    kind: Int
    pair: Float
    root: Float


class Tokens(NamedTuple):
    """What the tokens and arcs of a sentence score, whatever their constants.

    Attributes:
        ignored: `[n]`, as an ignored token.
        continues: `[n]`, as one that continues the token before it.
        arc: `[n, n + 1]`, token i below head h; h = 0 is the artificial root, else token h - 1.
        root: `[Z]`, the root's sort.
    """

    ignored: Float
    continues: Float
    arc: Float
    root: Float


@dataclass(frozen=True, slots=True)
class WrapParse:
    """The best tree; tokens count from 0.

    Attributes:
        variants: for each token its variant; -1 if it is ignored, -2 if it continues another.
        heads: the head of each token with a variant; -1 for the root and the others.
        holes: which hole of its head it fills; -1 likewise.
        sorts: the sort of each constituent; -1 where there is none.
        logp: the score; -inf if there is no tree.
    """

    variants: tuple[int, ...]
    heads: tuple[int, ...]
    holes: tuple[int, ...]
    sorts: tuple[int, ...]
    logp: float

    @property
    def found(self) -> bool:
        """Whether there is a tree."""
        return self.logp > float("-inf")


def decode(tokens: Tokens, variants: Variants, *, wrap: bool = True) -> WrapParse:
    """The best tree of the class above; without `wrap`, the best projective one."""
    n = len(tokens.ignored)
    if n == 0 or len(variants.token) == 0:
        return WrapParse((_NO,) * n, (_NO,) * n, (_NO,) * n, (_NO,) * n, float("-inf"))
    logp, assigned = _fill(tokens, variants, wrap)
    kinds, heads, holes, sorts = (tuple(int(x) for x in column) for column in assigned)
    return WrapParse(kinds, heads, holes, sorts, float(logp))


# Long: numba compiles one loop nest; its arrays grow, so parts of it would have to return them.
@compiled
def _fill(tokens: Tokens, variants: Variants, wrap: bool) -> tuple[float, Int]:
    """Fill the chart and read off the best tree: variant, head, hole and sort, `[4, n]`."""
    n = len(tokens.ignored)
    variant_count, sorts = variants.logp.shape
    rows = len(variants.filler)
    hole_count = variants.row.shape[1]
    longest = variants.span.shape[1]
    masks = 1 << hole_count
    ignored = np.zeros(n + 1)
    for t in range(n):
        ignored[t + 1] = ignored[t] + tokens.ignored[t]
    # Tokens that may be a gap: those with a variant that has one hole.
    may_gap = np.zeros(n, dtype=np.bool_)
    first_variant = np.zeros(n + 1, dtype=np.int64)
    for v in range(variant_count):
        first_variant[variants.token[v] + 1] += 1
        holes = variants.holes[v]
        if holes != 0 and holes & (holes - 1) == 0:
            may_gap[variants.token[v]] = wrap
    for t in range(n):
        first_variant[t + 1] += first_variant[t]

    # Complete items: gap (-1: none), variant; what they are worth in each row of `filler`.
    capacity = 256
    c_gap, c_variant = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    c_logp = np.empty((capacity, sorts))
    c_worth = np.empty((capacity, max(rows, 1), sorts))
    c_back = np.empty((capacity, sorts, 3), np.int64)
    c_count = 0
    # Open items: gap, variant, holes left.
    o_gap, o_variant = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    o_mask = np.empty(capacity, np.int64)
    o_logp = np.empty((capacity, sorts))
    o_back = np.empty((capacity, sorts, 3), np.int64)
    o_count = 0
    c_cell = np.zeros((n + 1, n + 1, 2), np.int64)
    o_cell = np.zeros((n + 1, n + 1, 2), np.int64)
    c_place = np.zeros((n + 1, variant_count), np.int64)
    c_stamp = np.full((n + 1, variant_count), -1, np.int64)
    o_place = np.zeros((n + 1, variant_count, masks), np.int64)
    o_stamp = np.full((n + 1, variant_count, masks), -1, np.int64)

    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            stamp = i * (n + 1) + j
            c_cell[i, j, 0], o_cell[i, j, 0] = c_count, o_count
            # A constant alone: ignored tokens (or a gap) before it, its continuation after it.
            after = 0.0
            for t in range(j - 1, i - 1, -1):
                for v in range(first_variant[t], first_variant[t + 1]):
                    covered = variants.span[v, j - 1 - t] if j - 1 - t < longest else -np.inf
                    if covered == -np.inf:
                        continue
                    for gap in range(-1, n):
                        if gap >= 0 and not (i <= gap < t and may_gap[gap]):
                            continue
                        base = ignored[t] - ignored[i] + after + covered
                        if gap >= 0:
                            base -= tokens.ignored[gap]
                        if base == -np.inf:
                            continue
                        if variants.holes[v] == 0:
                            if c_stamp[gap + 1, v] != stamp:
                                if c_count == len(c_gap):
                                    c_gap, c_variant, c_logp, c_back, c_worth = _more_complete(
                                        c_gap, c_variant, c_logp, c_back, c_worth
                                    )
                                c_stamp[gap + 1, v], c_place[gap + 1, v] = stamp, c_count
                                c_gap[c_count], c_variant[c_count] = gap, v
                                c_logp[c_count] = -np.inf
                                c_count += 1
                            at = c_place[gap + 1, v]
                            for z in range(sorts):
                                score = base + variants.logp[v, z]
                                if score > c_logp[at, z]:
                                    c_logp[at, z] = score
                                    c_back[at, z, 0], c_back[at, z, 1] = v, j - 1 - t
                                    c_back[at, z, 2] = -1
                        else:
                            mask = variants.holes[v]
                            if o_stamp[gap + 1, v, mask] != stamp:
                                if o_count == len(o_gap):
                                    o_gap, o_variant, o_logp, o_back, o_mask = _more_open(
                                        o_gap, o_variant, o_logp, o_back, o_mask
                                    )
                                o_stamp[gap + 1, v, mask] = stamp
                                o_place[gap + 1, v, mask] = o_count
                                o_gap[o_count], o_variant[o_count] = gap, v
                                o_mask[o_count] = mask
                                o_logp[o_count] = -np.inf
                                o_count += 1
                            at = o_place[gap + 1, v, mask]
                            for z in range(sorts):
                                score = base + variants.logp[v, z]
                                if score > o_logp[at, z]:
                                    o_logp[at, z] = score
                                    o_back[at, z, 0], o_back[at, z, 1] = v, j - 1 - t
                                    o_back[at, z, 2] = -1
                after += tokens.continues[t]
                if after == -np.inf:
                    break
            # An open item and a complete one, side by side.
            for m in range(i + 1, j):
                for turn in range(2):
                    oa, ob = (i, m) if turn == 0 else (m, j)
                    ca, cb = (m, j) if turn == 0 else (i, m)
                    if c_cell[ca, cb, 0] == c_cell[ca, cb, 1]:
                        continue
                    for x in range(o_cell[oa, ob, 0], o_cell[oa, ob, 1]):
                        v, mask = o_variant[x], o_mask[x]
                        head = variants.token[v]
                        for y in range(c_cell[ca, cb, 0], c_cell[ca, cb, 1]):
                            if o_gap[x] >= 0 and c_gap[y] >= 0:
                                continue
                            gap = max(o_gap[x], c_gap[y])
                            arc = tokens.arc[variants.token[c_variant[y]], head + 1]
                            if arc == -np.inf:
                                continue
                            for hole in range(hole_count):
                                if not mask >> hole & 1:
                                    continue
                                row = variants.row[v, hole]
                                left = mask & ~(1 << hole)
                                if left == 0:
                                    if c_stamp[gap + 1, v] != stamp:
                                        if c_count == len(c_gap):
                                            c_gap, c_variant, c_logp, c_back, c_worth = (
                                                _more_complete(
                                                    c_gap, c_variant, c_logp, c_back, c_worth
                                                )
                                            )
                                        c_stamp[gap + 1, v] = stamp
                                        c_place[gap + 1, v] = c_count
                                        c_gap[c_count], c_variant[c_count] = gap, v
                                        c_logp[c_count] = -np.inf
                                        c_count += 1
                                    at = c_place[gap + 1, v]
                                    for z in range(sorts):
                                        score = o_logp[x, z] + c_worth[y, row, z] + arc
                                        if score > c_logp[at, z]:
                                            c_logp[at, z] = score
                                            c_back[at, z, 0], c_back[at, z, 1] = x, y
                                            c_back[at, z, 2] = hole
                                else:
                                    if o_stamp[gap + 1, v, left] != stamp:
                                        if o_count == len(o_gap):
                                            o_gap, o_variant, o_logp, o_back, o_mask = _more_open(
                                                o_gap, o_variant, o_logp, o_back, o_mask
                                            )
                                        o_stamp[gap + 1, v, left] = stamp
                                        o_place[gap + 1, v, left] = o_count
                                        o_gap[o_count], o_variant[o_count] = gap, v
                                        o_mask[o_count] = left
                                        o_logp[o_count] = -np.inf
                                        o_count += 1
                                    at = o_place[gap + 1, v, left]
                                    for z in range(sorts):
                                        score = o_logp[x, z] + c_worth[y, row, z] + arc
                                        if score > o_logp[at, z]:
                                            o_logp[at, z] = score
                                            o_back[at, z, 0], o_back[at, z, 1] = x, y
                                            o_back[at, z, 2] = hole
            made = c_count
            for y in range(c_cell[i, j, 0], made):
                if c_gap[y] >= 0:
                    _worth(c_logp[y], variants.kind[c_variant[y]], variants, c_worth[y])
            # A head in the gap of its only argument.
            for y in range(c_cell[i, j, 0], made):
                head = c_gap[y]
                if head < 0:
                    continue
                arc = tokens.arc[variants.token[c_variant[y]], head + 1]
                if arc == -np.inf:
                    continue
                for v in range(first_variant[head], first_variant[head + 1]):
                    mask = variants.holes[v]
                    if mask == 0 or mask & (mask - 1) != 0:
                        continue
                    hole = 0
                    while not mask >> hole & 1:
                        hole += 1
                    row = variants.row[v, hole]
                    if c_stamp[0, v] != stamp:
                        if c_count == len(c_gap):
                            c_gap, c_variant, c_logp, c_back, c_worth = _more_complete(
                                c_gap, c_variant, c_logp, c_back, c_worth
                            )
                        c_stamp[0, v], c_place[0, v] = stamp, c_count
                        c_gap[c_count], c_variant[c_count] = -1, v
                        c_logp[c_count] = -np.inf
                        c_count += 1
                    at = c_place[0, v]
                    for z in range(sorts):
                        score = variants.logp[v, z] + c_worth[y, row, z] + arc
                        score += variants.span[v, 0]
                        if score > c_logp[at, z]:
                            c_logp[at, z] = score
                            c_back[at, z, 0], c_back[at, z, 1] = v, y
                            c_back[at, z, 2] = -2 - hole
            for y in range(c_cell[i, j, 0], c_count):
                if c_gap[y] < 0:
                    _worth(c_logp[y], variants.kind[c_variant[y]], variants, c_worth[y])
            c_cell[i, j, 1], o_cell[i, j, 1] = c_count, o_count

    best, goal, goal_sort = -np.inf, -1, 0
    for j in range(1, n + 1):
        for y in range(c_cell[0, j, 0], c_cell[0, j, 1]):
            if c_gap[y] >= 0:
                continue
            v = c_variant[y]
            at_root = variants.root[v] + tokens.arc[variants.token[v], 0]
            for z in range(sorts):
                score = c_logp[y, z] + tokens.root[z] + at_root
                score += ignored[n] - ignored[j]
                if score > best:
                    best, goal, goal_sort = score, y, z
    found = np.full((4, n), -1, np.int64)
    if goal < 0:
        return best, found
    # Item, its sort, whether it is complete, the head above it (-1: the root) and its hole.
    stack = [(goal, goal_sort, 1, -1, -1)]
    while len(stack) > 0:
        item, z, complete, above, hole_above = stack.pop()
        if complete == 1:
            first, second, hole = c_back[item, z, 0], c_back[item, z, 1], c_back[item, z, 2]
            token = variants.token[c_variant[item]]
            found[1, token], found[2, token] = above, hole_above
            found[3, token] = z
        else:
            first, second, hole = o_back[item, z, 0], o_back[item, z, 1], o_back[item, z, 2]
        if hole == -1:
            token = variants.token[first]
            found[0, token] = first
            for t in range(token + 1, token + 1 + second):
                found[0, t] = -2
            continue
        if hole < -1:
            hole = -2 - hole
            v = first
            head = variants.token[v]
            found[0, head] = v
        else:
            v = o_variant[first]
            head = variants.token[v]
            stack.append((first, z, 0, -1, -1))
        row = variants.row[v, hole]
        filler, filler_logp = 0, -np.inf
        for q in range(sorts):
            score = variants.filler[row, z, q] + c_logp[second, q]
            if score > filler_logp:
                filler, filler_logp = q, score
        stack.append((second, filler, 1, head, hole))
    return best, found


@compiled
def _worth(logp: Float, kind: int, variants: Variants, worth: Float) -> None:
    """`worth[r, z]`: the best of `filler[r, z, q] + logp[q]` over sorts q, and `pair[r, kind]`."""
    rows, sorts, _ = variants.filler.shape
    for r in range(rows):
        for z in range(sorts):
            best = -np.inf
            for q in range(sorts):
                score = variants.filler[r, z, q] + logp[q]
                if score > best:
                    best = score
            worth[r, z] = best + variants.pair[r, kind]


@compiled
def _twice(array: Any) -> Any:
    """The array with as much room again."""
    more = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    more[: len(array)] = array
    return more


@compiled
def _more_complete(gap: Int, variant: Int, logp: Float, back: Int, worth: Float) -> Any:
    return _twice(gap), _twice(variant), _twice(logp), _twice(back), _twice(worth)


@compiled
def _more_open(gap: Int, variant: Int, logp: Float, back: Int, mask: Int) -> Any:
    return _twice(gap), _twice(variant), _twice(logp), _twice(back), _twice(mask)


class Wrap:
    """The decoder; see `amparser.decode.decoder`."""

    name = "wrap"
    trees = "the best tree that is projective but for heads inside their only arguments; exact"
    constants = ("tree",)

    def chart(self, tokens: Tokens, variants: Variants) -> WrapParse:
        """See `ChartDecoder`."""
        return decode(tokens, variants)


WRAP = Wrap()
