"""The order of a head's dependents on a side, in every decoder, against enumeration."""

import itertools

import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    best_labelling,
    best_projective,
    random_scores,
    system,
)
from exhaustive_chart import best_logp

from amparser.decode import astar, astar_gap, fixed_tree

CASES = list(itertools.product(range(len(TYPE_SYSTEMS)), (2, 3, 4), range(4)))


@pytest.mark.parametrize(("index", "n", "seed"), CASES)
def test_projective_search_finds_the_best_tree_in_order(index: int, n: int, seed: int) -> None:
    table = system(index, order=seed)
    scores = random_scores(table, n, seed)
    best = best_projective(scores, table)
    assert best_logp(scores, table, supertag_limit=None) == pytest.approx(best, abs=1e-4)
    parse = astar.decode(scores, table, supertag_limit=None)
    assert parse.logp == pytest.approx(best, abs=1e-4) if parse.found else best == NONE


@pytest.mark.parametrize(("index", "n", "seed"), CASES)
def test_fixed_tree_has_its_best_labelling_in_order(index: int, n: int, seed: int) -> None:
    table = system(index, order=seed)
    scores = random_scores(table, n, seed)
    heads = fixed_tree.unlabelled_tree(scores, table, supertag_limit=None)
    parse = fixed_tree.decode(scores, table, supertag_limit=None)
    if heads is None:
        assert not parse.found
        return
    best = best_labelling(tuple(heads), scores, table)
    assert parse.logp == pytest.approx(best, abs=1e-4) if parse.found else best == NONE


@pytest.mark.parametrize(("index", "n", "seed"), CASES)
def test_search_with_a_gap_finds_no_less(index: int, n: int, seed: int) -> None:
    table = system(index, order=seed)
    scores = random_scores(table, n, seed)
    with_gap = astar_gap.decode(scores, table, supertag_limit=None)
    assert (with_gap.logp if with_gap.found else NONE) >= best_projective(scores, table) - 1e-4
