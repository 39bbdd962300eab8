"""The order of a head's dependents on a side, in every decoder, against enumeration."""

import itertools

import exhaustive_chart as chart
import numpy as np
import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    best_labelling,
    best_projective,
    random_scores,
    system,
)

from amparser.constants.type_table import type_table
from amparser.constants.types import type_from_str
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.scores import Scores

CASES = list(itertools.product(range(len(TYPE_SYSTEMS)), (2, 3, 4), range(4)))


@pytest.mark.parametrize(("index", "n", "seed"), CASES)
def test_projective_search_finds_the_best_tree_in_order(index: int, n: int, seed: int) -> None:
    table = system(index, order=seed)
    scores = random_scores(table, n, seed)
    best = best_projective(scores, table)
    for decoder in (astar, chart):
        parse = decoder.decode(scores, table, supertag_limit=None)
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


@pytest.mark.parametrize("decoder", [astar, astar_gap, chart, fixed_tree])
def test_second_object_cannot_come_first(decoder: object) -> None:
    operations = ["IGNORE", "ROOT", "APP_R1", "APP_R2"]
    types = [None, type_from_str("(R1(), R2())"), type_from_str("()")]
    tags = np.log(np.array([[1e-9, 1, 1e-9], [1e-9, 1e-9, 1], [1e-9, 1e-9, 1]], np.float32))
    edges = np.full((3, 4, 4), -9.0, np.float32)
    edges[0, 0, 1] = edges[1, 1, 2] = edges[2, 1, 3] = 0.0
    scores = Scores(tags, edges)
    free = decoder.decode(scores, type_table(types, operations))  # type: ignore[attr-defined]
    assert free.operations == (1, 2, 3)
    nearer = np.zeros((2, 4, 4), np.bool_)
    nearer[1, 3, 2] = True
    ordered = type_table(types, operations, nearer)
    assert decoder.decode(scores, ordered).operations == (1, 3, 2)  # type: ignore[attr-defined]
