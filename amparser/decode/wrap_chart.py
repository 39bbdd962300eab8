"""The chart of `amparser.decode.wrap`, as machine code."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

Float = NDArray[np.float64]
Int = NDArray[np.int64]


class Variants(NamedTuple):
    """The constants that the tokens of one sentence may have; natural logarithms.

    Attributes:
        token: `[V]`, the token (from 0); in ascending order.
        ports: `[V]`, the number of its ports.
        logp: `[V, Z]`, for each sort of the constituent that it heads.
        closed: `[V, 2^H]`, for leaving so many ports (bits) open and filling the others; -inf
            where it may not.
        place: `[V, H]`, for each port the row of `filler`; -1 where there is none.
        span: `[V, L]`, for covering its token and so many that follow; -inf where it may not.
        filler: `[P, Z, Z]`, the score of a filler's sort (last) given the head's.
        pair: `[V, H, V]`, the score of each variant as the filler of a port; -inf where it may not.
        root: `[V]`, the score of standing at the root.
    """

    token: Int
    ports: Int
    logp: Float
    closed: Float
    place: Int
    span: Float
    filler: Float
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


# Long: numba compiles one loop nest; its arrays grow, so parts of it would have to return them.
@compiled
def filled(tokens: Tokens, variants: Variants, wrap: bool, least: float) -> tuple[float, Int]:
    """Fill the chart, read off the best tree: variant, head, port, sort, open ports, `[5, n]`.

    Trees of a smaller score than `least` need not be found.
    """
    n = len(tokens.ignored)
    variant_count, sorts = variants.logp.shape
    places = len(variants.filler)
    longest = variants.span.shape[1]
    ignored = np.zeros(n + 1)
    for t in range(n):
        ignored[t + 1] = ignored[t] + tokens.ignored[t]
    fits = _reachable(variants)
    token_most, above, closed_most = bounds(tokens, variants)
    before, behind = np.zeros(n + 1), np.zeros(n + 1)
    for t in range(n):
        before[t + 1] = before[t] + token_most[t]
        behind[n - 1 - t] = behind[n - t] + token_most[n - 1 - t]
    # Tokens that may be a gap: those with a variant that may have one filler.
    may_gap = np.zeros(n, dtype=np.bool_)
    first_variant = np.zeros(n + 1, dtype=np.int64)
    first_mask = np.zeros(variant_count + 1, dtype=np.int64)
    for v in range(variant_count):
        first_variant[variants.token[v] + 1] += 1
        first_mask[v + 1] = first_mask[v] + (1 << variants.ports[v])
        every = (1 << variants.ports[v]) - 1
        for port in range(variants.ports[v]):
            if wrap and variants.closed[v, every & ~(1 << port)] > -np.inf:
                may_gap[variants.token[v]] = True
    for t in range(n):
        first_variant[t + 1] += first_variant[t]
    gaps = n if wrap else 0

    # Complete items: gap (-1: none), variant; what they are worth in each row of `filler`.
    capacity = 256
    c_gap, c_variant = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    c_logp = np.empty((capacity, sorts))
    c_worth = np.empty((capacity, max(places, 1), sorts))
    c_back = np.empty((capacity, sorts, 3), np.int64)
    c_count = 0
    # Open items: gap, variant, ports left.
    o_gap, o_variant = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    o_mask = np.empty(capacity, np.int64)
    o_logp = np.empty((capacity, sorts))
    o_back = np.empty((capacity, sorts, 3), np.int64)
    o_count = 0
    # The items of each cell that may be part of a tree that is good enough.
    c_list, o_list = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    c_kept, o_kept = 0, 0
    c_cell = np.zeros((n + 1, n + 1, 2), np.int64)
    o_cell = np.zeros((n + 1, n + 1, 2), np.int64)
    c_place = np.zeros((gaps + 1, variant_count), np.int64)
    c_stamp = np.full((gaps + 1, variant_count), -1, np.int64)
    o_place = np.zeros((gaps + 1, first_mask[variant_count]), np.int64)
    o_stamp = np.full((gaps + 1, first_mask[variant_count]), -1, np.int64)

    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            stamp = i * (n + 1) + j
            c_cell[i, j, 0], o_cell[i, j, 0] = c_kept, o_kept
            c_first, o_first = c_count, o_count
            around = before[i] + behind[j]
            # A constant alone: ignored tokens (or a gap) before it, its continuation after it.
            after = 0.0
            for t in range(j - 1, i - 1, -1):
                for v in range(first_variant[t], first_variant[t + 1]):
                    covered = variants.span[v, j - 1 - t] if j - 1 - t < longest else -np.inf
                    if covered == -np.inf:
                        continue
                    mask = (1 << variants.ports[v]) - 1
                    for gap in range(-1, gaps):
                        if gap >= 0 and not (i <= gap < t and may_gap[gap]):
                            continue
                        base = ignored[t] - ignored[i] + after + covered
                        if gap >= 0:
                            base -= tokens.ignored[gap]
                        if base == -np.inf:
                            continue
                        closed = variants.closed[v, mask]
                        if closed > -np.inf:
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
                            _start(c_logp, c_back, at, variants.logp, v, base + closed, j - 1 - t)
                        if fits[v, mask]:
                            one = first_mask[v] + mask
                            if o_stamp[gap + 1, one] != stamp:
                                if o_count == len(o_gap):
                                    o_gap, o_variant, o_logp, o_back, o_mask = _more_open(
                                        o_gap, o_variant, o_logp, o_back, o_mask
                                    )
                                o_stamp[gap + 1, one], o_place[gap + 1, one] = stamp, o_count
                                o_gap[o_count], o_variant[o_count] = gap, v
                                o_mask[o_count] = mask
                                o_logp[o_count] = -np.inf
                                o_count += 1
                            at = o_place[gap + 1, one]
                            _start(o_logp, o_back, at, variants.logp, v, base, j - 1 - t)
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
                    for o_at in range(o_cell[oa, ob, 0], o_cell[oa, ob, 1]):
                        x = o_list[o_at]
                        v, mask = o_variant[x], o_mask[x]
                        head = variants.token[v]
                        for c_at in range(c_cell[ca, cb, 0], c_cell[ca, cb, 1]):
                            y = c_list[c_at]
                            if o_gap[x] >= 0 and c_gap[y] >= 0:
                                continue
                            gap = max(o_gap[x], c_gap[y])
                            arc = tokens.arc[variants.token[c_variant[y]], head + 1]
                            if arc == -np.inf:
                                continue
                            for port in range(variants.ports[v]):
                                if not mask >> port & 1:
                                    continue
                                pair = variants.pair[v, port, c_variant[y]]
                                if pair == -np.inf:
                                    continue
                                place = variants.place[v, port]
                                left = mask & ~(1 << port)
                                closed = variants.closed[v, left]
                                if closed > -np.inf:
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
                                    more = pair + arc + closed
                                    _join(
                                        c_logp, c_back, at, o_logp, x, c_worth, y, place, more, port
                                    )
                                if fits[v, left]:
                                    one = first_mask[v] + left
                                    if o_stamp[gap + 1, one] != stamp:
                                        if o_count == len(o_gap):
                                            o_gap, o_variant, o_logp, o_back, o_mask = _more_open(
                                                o_gap, o_variant, o_logp, o_back, o_mask
                                            )
                                        o_stamp[gap + 1, one] = stamp
                                        o_place[gap + 1, one] = o_count
                                        o_gap[o_count], o_variant[o_count] = gap, v
                                        o_mask[o_count] = left
                                        o_logp[o_count] = -np.inf
                                        o_count += 1
                                    at = o_place[gap + 1, one]
                                    more = pair + arc
                                    _join(
                                        o_logp, o_back, at, o_logp, x, c_worth, y, place, more, port
                                    )
            made = c_count
            for y in range(c_first, made):
                more = around + above[c_variant[y]]
                if c_gap[y] >= 0 and c_logp[y].max() + more + token_most[c_gap[y]] >= least:
                    _worth(c_logp, variants.filler, c_worth, y)
                    c_list = _with(c_list, c_kept, y)
                    c_kept += 1
            # A head in the gap of its only argument.
            for c_at in range(c_cell[i, j, 0], c_kept):
                y = c_list[c_at]
                head = c_gap[y]
                arc = tokens.arc[variants.token[c_variant[y]], head + 1]
                if arc == -np.inf:
                    continue
                for v in range(first_variant[head], first_variant[head + 1]):
                    every = (1 << variants.ports[v]) - 1
                    for port in range(variants.ports[v]):
                        closed = variants.closed[v, every & ~(1 << port)]
                        pair = variants.pair[v, port, c_variant[y]]
                        if closed == -np.inf or pair == -np.inf:
                            continue
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
                        place = variants.place[v, port]
                        more = pair + arc + variants.span[v, 0] + closed
                        own = variants.logp
                        _join(c_logp, c_back, at, own, v, c_worth, y, place, more, -2 - port)
            for y in range(c_first, c_count):
                if c_gap[y] < 0 and c_logp[y].max() + around + above[c_variant[y]] >= least:
                    _worth(c_logp, variants.filler, c_worth, y)
                    c_list = _with(c_list, c_kept, y)
                    c_kept += 1
            for x in range(o_first, o_count):
                more = around + above[o_variant[x]] + closed_most[o_variant[x]]
                if o_gap[x] >= 0:
                    more += token_most[o_gap[x]]
                if o_logp[x].max() + more >= least:
                    o_list = _with(o_list, o_kept, x)
                    o_kept += 1
            c_cell[i, j, 1], o_cell[i, j, 1] = c_kept, o_kept

    best, goal, goal_sort = -np.inf, -1, 0
    for j in range(1, n + 1):
        for c_at in range(c_cell[0, j, 0], c_cell[0, j, 1]):
            y = c_list[c_at]
            if c_gap[y] >= 0:
                continue
            v = c_variant[y]
            at_root = variants.root[v] + tokens.arc[variants.token[v], 0]
            for z in range(sorts):
                score = c_logp[y, z] + tokens.root[z] + at_root
                score += ignored[n] - ignored[j]
                if score > best:
                    best, goal, goal_sort = score, y, z
    found = np.full((5, n), -1, np.int64)
    found[4] = 0
    if goal < 0:
        return best, found
    # Item, its sort, whether it is complete, the head above it (-1: the root) and its port.
    stack = [(goal, goal_sort, 1, -1, -1)]
    while len(stack) > 0:
        item, z, complete, above, port_above = stack.pop()
        v = c_variant[item] if complete == 1 else o_variant[item]
        every, head = (1 << variants.ports[v]) - 1, variants.token[v]
        if complete == 1:
            first, second, port = c_back[item, z, 0], c_back[item, z, 1], c_back[item, z, 2]
            found[1, head], found[2, head], found[3, head] = above, port_above, z
            if port == -1:
                found[4, head] = every
            elif port < -1:
                found[4, head] = every & ~(1 << (-2 - port))
            else:
                found[4, head] = o_mask[first] & ~(1 << port)
        else:
            first, second, port = o_back[item, z, 0], o_back[item, z, 1], o_back[item, z, 2]
        if port == -1:
            found[0, head] = v
            for t in range(head + 1, head + 1 + second):
                found[0, t] = -2
            continue
        if port < -1:
            port = -2 - port
            found[0, head] = v
        else:
            stack.append((first, z, 0, -1, -1))
        place = variants.place[v, port]
        filler, filler_logp = 0, -np.inf
        for q in range(sorts):
            score = variants.filler[place, z, q] + c_logp[second, q]
            if score > filler_logp:
                filler, filler_logp = q, score
        stack.append((second, filler, 1, head, port))
    return best, found


@compiled
def _start(logp: Float, back: Int, at: int, own: Float, v: int, more: float, covered: int) -> None:
    """Raise the scores of an item to those of a constant alone that covers further tokens."""
    for z in range(logp.shape[1]):
        score = own[v, z] + more
        if score > logp[at, z]:
            logp[at, z] = score
            back[at, z, 0], back[at, z, 1], back[at, z, 2] = v, covered, -1


@compiled
def _join(
    logp: Float,
    back: Int,
    at: int,
    own: Float,
    x: int,
    worth: Float,
    y: int,
    place: int,
    more: float,
    port: int,
) -> None:
    """Raise the scores of an item to those of item x with item y in a port."""
    for z in range(logp.shape[1]):
        score = own[x, z] + worth[y, place, z] + more
        if score > logp[at, z]:
            logp[at, z] = score
            back[at, z, 0], back[at, z, 1], back[at, z, 2] = x, y, port


@compiled
def _reachable(variants: Variants) -> Any:
    """Whether an item with so many ports left may fill one of them, `[V, 2^H]`."""
    count, masks = variants.closed.shape
    below = variants.closed > -np.inf  # whether a part of the set may stay open
    fits = np.zeros((count, masks), np.bool_)
    for v in range(count):
        for mask in range(1 << variants.ports[v]):
            for port in range(variants.ports[v]):
                if mask >> port & 1 and below[v, mask & ~(1 << port)]:
                    fits[v, mask] = below[v, mask] = True
    return fits


@compiled
def bounds(tokens: Tokens, variants: Variants) -> Any:
    """Bounds of what a tree gets.

    Returns:
        `[n]` for each token, `[V]` for the place of each variant, and `[V]` for its open ports.
    """
    count = len(variants.token)
    place_most = np.zeros(len(variants.filler))
    for place in range(len(variants.filler)):
        place_most[place] = variants.filler[place].max()
    token_most = np.maximum(tokens.ignored, tokens.continues)
    above, closed_most = np.empty(count), np.empty(count)
    for v in range(count):
        t = variants.token[v]
        closed_most[v] = variants.closed[v].max()
        above[v] = variants.root[v] + tokens.arc[t, 0] + tokens.root.max()
        for head in range(count):
            for port in range(variants.ports[head]):
                score = tokens.arc[t, variants.token[head] + 1] + variants.pair[head, port, v]
                score += place_most[variants.place[head, port]]
                above[v] = max(above[v], score)
        own = variants.logp[v].max() + closed_most[v] + variants.span[v].max() + above[v]
        token_most[t] = max(token_most[t], own)
    return token_most, above, closed_most


@compiled
def _worth(logp: Float, filler: Float, worth: Float, y: int) -> None:
    """`worth[y, p, z]`: the best of `filler[p, z, q] + logp[y, q]` over sorts q."""
    places, sorts, _ = filler.shape
    for p in range(places):
        for z in range(sorts):
            best = -np.inf
            for q in range(sorts):
                score = filler[p, z, q] + logp[y, q]
                if score > best:
                    best = score
            worth[y, p, z] = best


@compiled
def _with(items: Int, count: int, item: int) -> Int:
    """A list of so many items with one more."""
    if count == len(items):
        items = _twice(items)
    items[count] = item
    return items


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
