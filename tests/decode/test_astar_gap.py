"""The mildly non-projective decoder compared with enumeration of its class of trees."""

import numpy as np
import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    random_scores,
    restricted,
    score_of,
    system,
    well_typed,
)
from gap_trees import analyses, best_of_class, whole_trees
from hypothesis import given, settings, strategies as st

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode import astar, astar_gap
from amparser.decode.scores import Scores


@pytest.mark.parametrize(("n", "count"), [*enumerate([1, 2, 9, 56, 399, 3058], 1)])
def test_the_class_has_the_documented_number_of_trees(n, count) -> None:
    assert sum(bool(analyses(heads)) for heads in whole_trees(n)) == count


def assert_best_of_class(index: int, scores: Scores, order: int | None) -> None:
    table = system(index, order)
    is_mod = np.array([False, False, *(o.startswith("MOD") for o in TYPE_SYSTEMS[index][1])])
    binding = bool((table.bound >= 0).any())
    best = best_of_class(scores, table, is_mod, binding=binding)
    parse = astar_gap.decode(scores, table, supertag_limit=None)
    assert parse.logp == pytest.approx(best, abs=1e-4) if parse.found else best == NONE


@settings(max_examples=80, deadline=None)
@given(
    index=st.integers(0, len(TYPE_SYSTEMS) - 1),
    n=st.integers(1, 5),
    seed=st.integers(0, 2**32 - 1),
    forbidden=st.sampled_from([0.0, 0.1, 0.4]),
    grid=st.sampled_from([None, None, 1.0]),
    places=st.booleans(),
    order=st.sampled_from([None, 0, 1, 2]),
)
def test_score_equals_the_best_tree_of_the_class(
    index, n, seed, forbidden, grid, places, order
) -> None:
    scores = random_scores(system(index, order), n, seed, forbidden=forbidden, grid=grid)
    assert_best_of_class(index, restricted(scores, seed) if places else scores, order)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_score_of_six_tokens_equals_the_best_tree_of_the_class(index) -> None:
    order = 0 if index % 3 == 0 else None
    scores = random_scores(system(index, order), 6, index)
    assert_best_of_class(index, restricted(scores, index) if index % 2 else scores, order)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
@pytest.mark.parametrize("n", [3, 5, 8])
def test_never_worse_than_the_projective_decoder_and_well_typed(index, n) -> None:
    table = system(index)
    for seed in range(4):
        scores = random_scores(table, n, seed, forbidden=0.1 if seed % 2 else 0.0)
        projective = astar.decode(scores, table, supertag_limit=None)
        parse = astar_gap.decode(scores, table, supertag_limit=None)
        assert parse.logp >= projective.logp - 1e-4
        if parse.found:
            found = (parse.supertags, parse.heads, parse.operations)
            assert score_of(scores, *found) == pytest.approx(parse.logp, abs=1e-3)
            if n < 8:
                assert well_typed(table, *found)


def sentence(table: TypeTable, arcs: list[tuple[int, int, int]]) -> Scores:
    """Return scores of 0 for the tree given as (supertag, head, operation), and -5 otherwise."""
    n = len(arcs)
    tags = np.full((n, len(table.lexical_type)), -5.0, np.float32)
    edges = np.full((n, n + 1, table.combine.shape[2]), -5.0, np.float32)
    edges[:, 0, 2:] = edges[:, 1:, :2] = NONE
    for i, (k, head, operation) in enumerate(arcs):
        tags[i, k] = 0.0
        edges[i, head, operation] = 0.0
    return Scores(tags, edges)


def test_polymorphic_request_binds_the_gap() -> None:
    """'rel A gave to': the relativiser takes the clause whose `to` lacks its content."""
    types = ["(C(*_UNIFY_M), M())", "()", "(S(), T())", "(C())", "(C(S_UNIFY_M), M())"]
    table = type_table(
        [None, *map(type_from_str, types)], ["IGNORE", "ROOT", "APP_S", "APP_T", "APP_C", "MOD_M"]
    )
    # noun, rel, A, gave, to
    scores = sentence(table, [(2, 0, 1), (1, 1, 5), (2, 4, 2), (3, 2, 4), (4, 4, 3)])
    parse = astar_gap.decode(scores, table)
    assert parse.heads == (0, 1, 4, 2, 4)
    assert parse.logp == pytest.approx(0.0)
