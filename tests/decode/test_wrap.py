from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pytest

from amparser.decode.chart import Tokens, Variants
from amparser.decode.wrap import Constituents, decode


def instance(seed: int, n: int) -> tuple[Tokens, Variants]:
    random = np.random.default_rng(seed)
    token = [t for t in range(n) for _ in range(int(random.integers(0, 3)))]
    count = len(token)
    ports = random.choice([0, 0, 1, 1, 1, 2], count)
    closed = np.log(random.random((count, 4)))
    closed[random.random(closed.shape) < 0.4] = -np.inf
    closed[np.arange(4)[None, :] >= 1 << ports[:, None]] = -np.inf
    pair = np.log(random.random((count, 2, count)))
    pair[random.random(pair.shape) < 0.1] = -np.inf
    variants = Variants(
        np.array(token, np.int64),
        ports.astype(np.int64),
        np.log(random.random(count)),
        closed,
        np.where(random.random((count, n)) < 0.3, -np.inf, np.log(random.random((count, n)))),
        pair,
        np.log(random.random(count)),
    )
    ignored = np.log(random.random(n)) - 2
    arc = np.log(random.random((n, n + 1)))
    return Tokens(ignored, np.log(random.random(n)) - 2, arc), variants


def covering(kinds: Sequence[int], token: int) -> int:
    end = token + 1
    while end < len(kinds) and kinds[end] == -2:
        end += 1
    return end - token


def hulls(kinds: Sequence[int], heads: Sequence[int]) -> dict[int, tuple[int, int]]:
    n = len(kinds)
    own = {t: (t, t + covering(kinds, t) - 1) for t in range(n) if kinds[t] >= 0}
    hull = dict(own)
    for t in own:
        above, seen = t, set()
        while above >= 0 and above not in seen:
            seen.add(above)
            low, high = hull[above]
            hull[above] = (min(low, own[t][0]), max(high, own[t][1]))
            above = heads[above]
    return hull


def has_cycle(heads: Sequence[int]) -> bool:
    for t in range(len(heads)):
        for _ in heads:
            t = heads[t] if t >= 0 else t
        if t >= 0:
            return True
    return False


def allowed(kinds: Sequence[int], heads: Sequence[int], wrap: bool) -> bool:
    """Return whether a tree is in the class, defined over whole trees instead of steps."""
    hull = hulls(kinds, heads)
    nodes = list(hull)
    children = {x: [y for y in nodes if heads[y] == x] for x in nodes}

    def plain(x: int) -> bool:
        own = (x, x + covering(kinds, x) - 1)
        spans = sorted([own, *(hull[y] for y in children[x])])
        return all(a[1] < b[0] for a, b in pairwise(spans))

    def below(x: int) -> list[int]:
        return [x, *(z for y in children[x] for z in below(y))]

    for x in nodes:
        if plain(x):
            continue
        if not wrap or len(children[x]) != 1 or covering(kinds, x) > 1:
            return False
        (child,) = children[x]
        if not all(plain(y) for y in below(child) if hull[y][0] < x < hull[y][1]):
            return False
    return True


def brute_force(tokens: Tokens, variants: Variants, wrap: bool) -> float:
    n = len(tokens.ignored)
    best = -np.inf
    masks = [np.flatnonzero(row > -np.inf).tolist() for row in variants.closed]
    options = [
        [(-1, 0), (-2, 0)]
        + [(v, mask) for v in np.flatnonzero(variants.token == t).tolist() for mask in masks[v]]
        for t in range(n)
    ]
    for chosen in product(*options):
        kinds = [kind for kind, _ in chosen]
        nodes = [t for t in range(n) if kinds[t] >= 0]
        if not nodes or (-1, -2) in pairwise([-1, *kinds]):
            continue
        covered = {t: covering(kinds, t) for t in nodes}
        slots = [
            (t, h)
            for t in nodes
            for h in range(variants.ports[kinds[t]])
            if not chosen[t][1] >> h & 1
        ]
        if len(slots) != len(nodes) - 1:
            continue
        base = sum(tokens.ignored[t] for t in range(n) if kinds[t] == -1)
        base += sum(tokens.continues[t] for t in range(n) if kinds[t] == -2)
        base += sum(variants.span[kinds[t], count - 1] for t, count in covered.items())
        base += sum(variants.closed[chosen[t]] for t in nodes)
        for fillers in product(nodes, repeat=len(slots)):
            if len(set(fillers)) != len(slots):
                continue
            heads, filled = [-1] * n, {}
            for (t, h), child in zip(slots, fillers, strict=True):
                heads[child] = t
                filled[t, h] = child
            if has_cycle(heads) or not allowed(kinds, heads, wrap):
                continue

            root = next(t for t in nodes if heads[t] < 0)
            total = base + tokens.arc[root, 0] + variants.root[kinds[root]]
            total += sum(variants.logp[kinds[t]] for t in nodes)
            for (t, h), child in filled.items():
                total += variants.pair[kinds[t], h, kinds[child]] + tokens.arc[child, t + 1]
            best = max(best, float(total))
    return best


def rescored(parse: Constituents, tokens: Tokens, variants: Variants) -> float:
    total = 0.0
    for t, kind in enumerate(parse.variants):
        if kind < 0:
            total += tokens.ignored[t] if kind == -1 else tokens.continues[t]
            continue
        head = parse.heads[t]
        total += variants.logp[kind] + tokens.arc[t, head + 1]
        total += variants.span[kind, covering(parse.variants, t) - 1]
        total += variants.closed[kind, parse.closed[t]]
        if head < 0:
            total += variants.root[kind]
        else:
            above, port = parse.variants[head], parse.ports[t]
            total += variants.pair[above, port, kind]
    return float(total)


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("seed", range(120))
def test_chart_score_equals_brute_force(seed, wrap) -> None:
    tokens, variants = instance(seed, 2 + seed % 4)
    parse = decode(tokens, variants, wrap=wrap)
    assert parse.logp == pytest.approx(brute_force(tokens, variants, wrap))
    if (tree := parse.analysis) is not None:
        assert rescored(tree, tokens, variants) == pytest.approx(parse.logp)
        assert allowed(tree.variants, tree.heads, wrap)


@pytest.mark.parametrize("seed", range(40))
def test_a_minimum_score_hides_only_worse_trees(seed) -> None:
    tokens, variants = instance(seed, 2 + seed % 4)
    best = decode(tokens, variants)
    if best.found:
        assert decode(tokens, variants, best.logp - 1e-6) == best
        assert not decode(tokens, variants, best.logp + 1e-6).found


def test_empty_input_has_no_tree() -> None:
    empty = np.zeros(0)
    no_variants = instance(0, 0)[1]
    assert not decode(Tokens(empty, empty, np.zeros((0, 1))), no_variants).found
