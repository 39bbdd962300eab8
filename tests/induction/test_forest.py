"""Sums over sorts equal those over all ways to give every node a sort."""

from collections import Counter
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from amparser.induction.forest import Arrays, Port, TagNode, expected, forest, likelihood

TAGS, SORTS = 3, 2
HOLES = {(tag, port): 2 * tag + port for tag, port in product(range(TAGS), range(2))}

trees = st.recursive(
    st.builds(TagNode, st.integers(0, TAGS - 1), st.just(())),
    lambda below: st.builds(
        lambda tag, subs: TagNode(tag, tuple(enumerate(subs))),
        st.integers(0, TAGS - 1),
        st.lists(below, min_size=1, max_size=2),
    ),
    max_leaves=4,
).filter(lambda tree: len(nodes_of(tree)) <= 8)


def nodes_of(
    tree: TagNode, above: int = -1, port: Port | None = None
) -> list[tuple[int, int, Port | None]]:
    found = [(tree.tag, above, port)]
    for number, below in tree.below:
        found += [
            (tag, up + len(found) if up >= 0 else 0, place)
            for tag, up, place in nodes_of(below, -1, (tree.tag, number))
        ]
    return found


@given(st.lists(trees, min_size=1, max_size=4), st.integers(0, 2**16))
@settings(max_examples=60, deadline=None)
def test_expected_counts_and_likelihood_equal_enumeration(corpus, seed) -> None:
    random = np.random.default_rng(seed)
    model = Arrays(
        random.random(SORTS),
        random.random((TAGS, SORTS)),
        random.random((len(HOLES), SORTS, SORTS)),
    )
    counted = Counter(corpus)
    wanted = Arrays(*map(np.zeros_like, model))
    total = 0.0
    for tree, often in counted.items():
        nodes = nodes_of(tree)
        ways = list(product(range(SORTS), repeat=len(nodes)))
        weights = []
        for sorts in ways:
            weight = model.root[sorts[0]]
            for (tag, above, port), sort in zip(nodes, sorts, strict=True):
                weight *= model.tag[tag, sort]
                if port is not None:
                    weight *= model.filler[HOLES[port], sorts[above], sort]
            weights.append(float(weight))
        total += often * log(sum(weights))
        for sorts, weight in zip(ways, weights, strict=True):
            share = often * weight / sum(weights)
            wanted.root[sorts[0]] += share
            for (tag, above, port), sort in zip(nodes, sorts, strict=True):
                wanted.tag[tag, sort] += share
                if port is not None:
                    wanted.filler[HOLES[port], sorts[above], sort] += share
    found = forest(counted, HOLES)
    assert likelihood(found, model) == pytest.approx(total)
    for array, other in zip(expected(found, model), wanted, strict=True):
        np.testing.assert_allclose(array, other, atol=1e-12)
