"""Compiled part of the chart parser; `amparser.decode.wrap` defines items and gaps.

For each span of tokens, from short to long, `filled` creates the items of single fragments,
combines the items of shorter spans, and puts heads into gaps. It then follows the back pointers
from the best item of the whole sentence. A port is *closed* if its default fills it, and *unfilled*
if neither its default nor an argument fills it. A *complete* item has no unfilled ports.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

Float = NDArray[np.float64]
Int = NDArray[np.int64]

# Columns of an item. GAP: the token that is left out, -1 if there is none. UNFILLED: unfilled ports
# (bits), -1 for a complete item.
_GAP, _VARIANT, _UNFILLED = range(3)

# A back pointer has the port that an argument fills, or _WRAPPED minus this port if the head is in
# the gap of the argument. It has _ALONE if the fragment has no arguments.
_ALONE, _WRAPPED = -1, -2


class Variants(NamedTuple):
    """V variants (possible fragments of tokens) and up to H ports; natural logarithms.

    Attributes:
        token: `[V]`, token (from 0) of each variant, ascending.
        ports: `[V]`, number of ports of each variant.
        logp: `[V]`, score of each variant.
        closed: `[V, 2^H]`, score of closing a set of ports (bits) if the others are filled; -inf if
            it is impossible.
        span: `[V, L]`, score of covering the token and the next 0 .. L - 1 tokens (a name); -inf if
            it is impossible.
        pair: `[V, H, V]`; `pair[v, h, w]` is the score of variant w as the argument in port h of
            variant v; -inf if it is impossible.
        root: `[V]`, score of each variant as the root.
    """

    token: Int
    ports: Int
    logp: Float
    closed: Float
    span: Float
    pair: Float
    root: Float


class Tokens(NamedTuple):
    """Scores of tokens and arcs that do not depend on fragments.

    Attributes:
        ignored: `[n]`, score of ignoring each token.
        continues: `[n]`, score of each token as a further token of a name (`York` in `New York`).
        arc: `[n, n + 1]`, score of each token with each head h; h = 0 is the artificial root, and
            h > 0 is token h - 1.
    """

    ignored: Float
    continues: Float
    arc: Float


# This function is long because its arrays grow: smaller functions would have to return them.
@compiled
def filled(tokens: Tokens, variants: Variants, wrap: bool, least: float) -> tuple[float, Int]:
    """Fill the chart; return the best score and the rows of `Constituents`, `[4, n]`.

    If this score is below `least`, a better tree may have been missed.
    """
    n = len(tokens.ignored)
    variant_count = len(variants.logp)
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
    # A token may be the gap of an item if it has a variant that may take a single argument.
    may_gap = np.zeros(n, dtype=np.bool_)
    first_variant = np.zeros(n + 1, dtype=np.int64)
    # The state of a complete item is its variant. The state of any other item is its variant and
    # the set of unfilled ports.
    first_state = np.full(variant_count + 1, variant_count, dtype=np.int64)
    for v in range(variant_count):
        first_variant[variants.token[v] + 1] += 1
        first_state[v + 1] = first_state[v] + (1 << variants.ports[v])
        every = (1 << variants.ports[v]) - 1
        for port in range(variants.ports[v]):
            if wrap and variants.closed[v, every & ~(1 << port)] > -np.inf:
                may_gap[variants.token[v]] = True
    for t in range(n):
        first_variant[t + 1] += first_variant[t]
    gaps = n if wrap else 0
    state_count = int(first_state[variant_count])
    variant_of = np.empty(state_count, dtype=np.int64)
    for v in range(variant_count):
        variant_of[v] = v
        variant_of[first_state[v] : first_state[v + 1]] = v

    # Items of the current cell, at index (gap + 1) * state_count + state; `made` lists the indices.
    size = (gaps + 1) * state_count
    new_logp = np.empty(size)
    new_back = np.empty((size, 3), np.int64)
    stamps = np.full(size, -1, np.int64)
    made = np.empty(size + 1, np.int64)
    # Items of all cells that can still be part of a tree with a score of at least `least`. In each
    # cell, complete items precede the other items.
    item = np.empty((256, 3), np.int64)
    logp = np.empty(256)
    back = np.empty((256, 3), np.int64)
    count = 0
    cell = np.zeros((n + 1, n + 1, 3), np.int64)

    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            stamp = i * (n + 1) + j
            made[0] = 0
            cell[i, j, :] = count
            # Items of a single fragment: ignored tokens (or a gap) may precede its token, and
            # tokens that continue its name may follow.
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
                        base += variants.logp[v]
                        step = (v, j - 1 - t, _ALONE)
                        closed = variants.closed[v, mask]
                        row = (gap + 1) * state_count  # first row of states with this gap
                        if closed > -np.inf:
                            at = _made(made, stamps, new_logp, row + v, stamp)
                            _raise(new_logp, new_back, at, base + closed, step)
                        if fits[v, mask]:
                            to = row + first_state[v] + mask
                            at = _made(made, stamps, new_logp, to, stamp)
                            _raise(new_logp, new_back, at, base, step)
                after += tokens.continues[t]
                if after == -np.inf:
                    break
            # Combine an item that has unfilled ports with an adjacent complete item.
            for m in range(i + 1, j):
                for turn in range(2):
                    oa, ob = (i, m) if turn == 0 else (m, j)
                    ca, cb = (m, j) if turn == 0 else (i, m)
                    if cell[ca, cb, 0] == cell[ca, cb, 1]:
                        continue
                    for x in range(cell[oa, ob, 1], cell[oa, ob, 2]):
                        v, mask = item[x, _VARIANT], item[x, _UNFILLED]
                        head = variants.token[v]
                        for y in range(cell[ca, cb, 0], cell[ca, cb, 1]):
                            if item[x, _GAP] >= 0 and item[y, _GAP] >= 0:
                                continue
                            row = (max(item[x, _GAP], item[y, _GAP]) + 1) * state_count
                            filler = item[y, _VARIANT]
                            arc = tokens.arc[variants.token[filler], head + 1]
                            if arc == -np.inf:
                                continue
                            for port in range(variants.ports[v]):
                                pair = variants.pair[v, port, filler]
                                if not mask >> port & 1 or pair == -np.inf:
                                    continue
                                left, step = mask & ~(1 << port), (x, y, port)
                                both = logp[x] + logp[y] + pair + arc
                                closed = variants.closed[v, left]
                                if closed > -np.inf:
                                    at = _made(made, stamps, new_logp, row + v, stamp)
                                    _raise(new_logp, new_back, at, both + closed, step)
                                if fits[v, left]:
                                    to = row + first_state[v] + left
                                    at = _made(made, stamps, new_logp, to, stamp)
                                    _raise(new_logp, new_back, at, both, step)
            # Keep complete items with a gap first (a head may then be put into the gap), then the
            # other complete items, then items with unfilled ports.
            for turn in range(3):
                for k in range(1, made[0] + 1):
                    at = made[k]
                    gap, state = at // state_count - 1, at % state_count
                    if turn != (2 if state >= variant_count else 0 if gap >= 0 else 1):
                        continue
                    v, mask = variant_of[state], -1
                    rest = before[i] + behind[j] + above[v]
                    if turn == 2:
                        mask = state - first_state[v]
                        rest += closed_most[v]
                    if gap >= 0:
                        rest += token_most[gap]
                    if new_logp[at] + rest < least:
                        continue
                    if count == len(item):
                        item, logp, back = _twice(item), _twice(logp), _twice(back)
                    item[count, _GAP], item[count, _VARIANT], item[count, _UNFILLED] = gap, v, mask
                    logp[count], back[count] = new_logp[at], new_back[at]
                    count += 1
                    if turn < 2:
                        cell[i, j, 1] = count
                cell[i, j, 2] = count
                if turn > 0:
                    continue
                # Put a head into the gap of its only argument.
                for y in range(cell[i, j, 0], count):
                    head, filler = item[y, _GAP], item[y, _VARIANT]
                    arc = tokens.arc[variants.token[filler], head + 1]
                    if arc == -np.inf:
                        continue
                    for v in range(first_variant[head], first_variant[head + 1]):
                        every = (1 << variants.ports[v]) - 1
                        for port in range(variants.ports[v]):
                            closed = variants.closed[v, every & ~(1 << port)]
                            pair = variants.pair[v, port, filler]
                            if closed == -np.inf or pair == -np.inf:
                                continue
                            at = _made(made, stamps, new_logp, v, stamp)
                            both = variants.logp[v] + logp[y] + pair + arc
                            both += variants.span[v, 0] + closed
                            _raise(new_logp, new_back, at, both, (v, y, _WRAPPED - port))
                cell[i, j, 1] = count

    best, goal = -np.inf, -1
    for j in range(1, n + 1):
        for y in range(cell[0, j, 0], cell[0, j, 1]):
            if item[y, _GAP] >= 0:
                continue
            v = item[y, _VARIANT]
            score = logp[y] + variants.root[v] + tokens.arc[variants.token[v], 0]
            score += ignored[n] - ignored[j]
            if score > best:
                best, goal = score, y
    tree = np.full((4, n), -1, np.int64)
    tree[3] = 0
    if goal < 0:
        return best, tree
    # Each entry is an item, the head above it (-1 for the root) and the port it fills.
    stack = [(goal, -1, -1)]
    while len(stack) > 0:
        x, head_above, port_above = stack.pop()
        v = item[x, _VARIANT]
        head = variants.token[v]
        first, second, port = back[x]
        if item[x, _UNFILLED] < 0:
            tree[1, head], tree[2, head] = head_above, port_above
            left = (1 << variants.ports[v]) - 1 if port < 0 else item[first, _UNFILLED]
            taken = _WRAPPED - port if port <= _WRAPPED else port
            tree[3, head] = left & ~(1 << taken) if port != _ALONE else left
        if port == _ALONE:
            tree[0, head] = v
            for t in range(head + 1, head + 1 + second):
                tree[0, t] = -2
            continue
        if port <= _WRAPPED:
            port = _WRAPPED - port
            tree[0, head] = v
        else:
            stack.append((first, -1, -1))
        stack.append((second, head, port))
    return best, tree


@compiled
def _made(made: Int, stamps: Int, logp: Float, at: int, stamp: int) -> int:
    """Add an item to a cell at the index `at`, unless the cell has it already; return `at`.

    `made[0]` is the number of items in the cell.
    """
    if stamps[at] != stamp:
        stamps[at] = stamp
        made[0] += 1
        made[made[0]] = at
        logp[at] = -np.inf
    return at


@compiled
def _raise(logp: Float, back: Int, at: int, score: float, step: tuple[int, int, int]) -> None:
    """Update the score of an item if a step gives a better score."""
    if score > logp[at]:
        logp[at] = score
        back[at, 0], back[at, 1], back[at, 2] = step


@compiled
def _reachable(variants: Variants) -> Any:
    """Return `[V, 2^H]`: whether a variant with a set of unfilled ports can become complete."""
    count, masks = variants.closed.shape
    below = variants.closed > -np.inf  # whether the ports may be closed
    fits = np.zeros((count, masks), np.bool_)
    for v in range(count):
        for mask in range(1 << variants.ports[v]):
            for port in range(variants.ports[v]):
                if mask >> port & 1 and below[v, mask & ~(1 << port)]:
                    fits[v, mask] = below[v, mask] = True
    return fits


@compiled
def bounds(tokens: Tokens, variants: Variants) -> Any:
    """Return upper bounds of the scores in a tree.

    Returns:
        Three arrays of upper bounds: for the sum of all scores of each token, `[n]`; for the score
            of each variant as root or argument, `[V]`; for the score of closing the ports of each
            variant, `[V]`.
    """
    count = len(variants.token)
    token_most = np.maximum(tokens.ignored, tokens.continues)
    above, closed_most = np.empty(count), np.empty(count)
    for v in range(count):
        t = variants.token[v]
        closed_most[v] = variants.closed[v].max()
        above[v] = variants.root[v] + tokens.arc[t, 0]
        for head in range(count):
            for port in range(variants.ports[head]):
                score = tokens.arc[t, variants.token[head] + 1] + variants.pair[head, port, v]
                above[v] = max(above[v], score)
        own = variants.logp[v] + closed_most[v] + variants.span[v].max() + above[v]
        token_most[t] = max(token_most[t], own)
    return token_most, above, closed_most


@compiled
def _twice(array: Any) -> Any:
    more = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    more[: len(array)] = array
    return more
