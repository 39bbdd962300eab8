"""The fixed-tree decoder and its arborescence compared with enumeration."""

import numpy as np
import pytest
from decode_oracles import (
    TYPE_SYSTEMS,
    best_labelling,
    random_scores,
    score_of,
    system,
    trees,
    well_typed,
)

from amparser.decode import fixed_tree
from amparser.decode.arborescence import best_arborescence
from amparser.decode.scores import Scores

NONE = float("-inf")


def weights_of(seed: int, n: int, *, forbidden: float, rounded: bool) -> np.ndarray:
    generator = np.random.default_rng(seed)
    weights = generator.normal(size=(n + 1, n + 1))
    if rounded:
        weights = weights.round(0)
    weights[generator.random(weights.shape) < forbidden] = NONE
    return weights


def tree_score(weights: np.ndarray, heads: tuple[int, ...]) -> float:
    return float(sum(weights[head, i] for i, head in enumerate(heads, 1)))


@pytest.mark.parametrize("rounded", [False, True], ids=["continuous", "ties"])
@pytest.mark.parametrize("seed", range(60))
def test_arborescence_is_the_best_single_root_tree(seed, rounded) -> None:
    n = 1 + seed % 5
    weights = weights_of(seed, n, forbidden=0.2 * (seed % 3), rounded=rounded)
    every = [tree_score(weights, heads) for heads in trees(n) if -1 not in heads]
    best = max(every)
    found = best_arborescence(weights)
    if best == NONE:
        assert found is None
    else:
        heads = tuple(found.tolist())
        assert heads in set(trees(n))
        assert tree_score(weights, heads) == pytest.approx(best)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
@pytest.mark.parametrize("seed", range(12))
def test_labelling_is_the_best_of_the_fixed_tree(index, seed) -> None:
    n = 2 + seed % 4
    table = system(index, order=seed if n < 5 and seed % 3 == 0 else None)
    scores = random_scores(table, n, seed, forbidden=0.1 if seed % 2 else 0.0)
    every = list(trees(n))
    for heads in every[:: max(1, len(every) // 12)]:
        parse = fixed_tree.label_tree(scores, table, np.array(heads), supertag_limit=None)
        expected = best_labelling(heads, scores, table)
        if expected == NONE:
            assert parse.failure == fixed_tree.NO_LABELLING
        else:
            assert parse.logp == pytest.approx(expected)
            found = (parse.supertags, parse.heads, parse.operations)
            assert well_typed(table, *found)
            assert score_of(scores, *found) == pytest.approx(expected)
            assert parse.heads == tuple(max(head, 0) for head in heads)


def test_a_token_may_have_any_number_of_dependents() -> None:
    table = system(0)  # ((), (S()), (S(), O()), (M())), each twice, and APP_S, APP_O, MOD_M
    n = 40
    shapes = random_scores(table, n, 1)
    tags, edges = np.full_like(shapes.supertag_logp, NONE), shapes.edge_logp
    tags[0, 1] = tags[1:, 4] = 0.0
    heads = np.array([0] + [1] * (n - 1))
    parse = fixed_tree.label_tree(Scores(tags, edges), table, heads)
    assert parse.found
    assert parse.supertags == (1,) + (4,) * (n - 1)
    assert parse.operations == (1,) + (4,) * (n - 1)


@pytest.mark.parametrize("heads", [[0, 0], [2, 1], [0, 3, -1], [-1, -1]])
def test_heads_that_form_no_tree_are_refused(heads) -> None:
    table = system(0)
    scores = random_scores(table, len(heads), 1)
    with pytest.raises(ValueError, match="not a tree with one root"):
        fixed_tree.label_tree(scores, table, np.array(heads))


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_ignored_tokens_head_nothing_in_the_unlabelled_tree(index) -> None:
    table = system(index)
    every = set(trees(5))
    for seed in range(30):
        scores = random_scores(table, 5, seed)
        scores.edge_logp[:, 0, 0] += seed % 5  # from few ignored tokens to many
        scores.edge_logp[:, 0, 0] = np.minimum(scores.edge_logp[:, 0, 0], 0.0)
        heads = fixed_tree.unlabelled_tree(scores, table)
        assert heads is None or tuple(heads.tolist()) in every
