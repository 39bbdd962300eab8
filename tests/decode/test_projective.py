"""Eisner's search against all projective trees."""

import numpy as np
import pytest
from decode_oracles import trees
from hypothesis import given
from hypothesis import strategies as st

from amparser.algebra.derivation import is_projective
from amparser.decode.arborescence import best_arborescence
from amparser.decode.projective import best_projective

TREES = {
    n: [heads for heads in trees(n) if -1 not in heads and is_projective(heads)]
    for n in range(1, 6)
}


def score(arc_logp: np.ndarray, heads: tuple[int, ...]) -> float:
    return float(sum(arc_logp[head, i] for i, head in enumerate(heads, 1)))


SCORES = st.sampled_from((-float("inf"), -3.5, -2.0, -1.0, -0.25, 0.0, 1.5))


@given(st.integers(1, 5).flatmap(lambda n: st.lists(SCORES, min_size=(n + 1) ** 2).map(tuple)))
def test_the_best_projective_tree_is_found(values: tuple[float, ...]) -> None:
    n = min(5, int(len(values) ** 0.5) - 1)
    arc_logp = np.array(values[: (n + 1) ** 2]).reshape(n + 1, n + 1)
    best = max(score(arc_logp, heads) for heads in TREES[n])
    found = best_projective(arc_logp)
    if best == -float("inf"):
        assert found is None
        return
    assert found is not None
    heads = tuple(found.tolist())
    assert heads in TREES[n]
    assert score(arc_logp, heads) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(12))
def test_no_projective_tree_is_better_than_the_best_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arc_logp = rng.normal(size=(26, 26))
    found, free = best_projective(arc_logp), best_arborescence(arc_logp)
    assert found is not None
    assert free is not None
    heads = tuple(found.tolist())
    assert is_projective(heads)
    assert heads.count(0) == 1
    assert score(arc_logp, heads) <= score(arc_logp, tuple(free.tolist())) + 1e-9
    # A projective tree that is far better than all others is the best of all.
    for head, node in zip(heads, range(1, 26), strict=True):
        arc_logp[head, node] += 100
    again, free = best_projective(arc_logp), best_arborescence(arc_logp)
    assert again is not None
    assert free is not None
    assert tuple(again.tolist()) == tuple(free.tolist()) == heads


def test_nothing_and_one_node() -> None:
    assert best_projective(np.zeros((1, 1))) is None
    assert best_projective(np.zeros((2, 2))) is not None
