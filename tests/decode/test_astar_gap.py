"""The mildly non-projective decoder against enumeration of its class of trees."""

from functools import cache

import numpy as np
import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    is_projective,
    random_scores,
    restricted,
    score_of,
    system,
    well_typed,
)
from gap_trees import Heads, analyses, best_of_class, whole_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode import astar, astar_gap
from amparser.decode.scores import Scores

ARGUMENTS = 5
"""The most arguments of a token of `permissive`, by APP_A1, APP_A2 and so on."""


@cache
def permissive() -> TypeTable:
    names = [f"A{i}" for i in range(1, ARGUMENTS + 1)]
    types = [f"({', '.join(f'{name}()' for name in names[:i])})" for i in range(ARGUMENTS + 1)]
    operations = ["IGNORE", "ROOT", *(f"APP_{name}" for name in names)]
    return type_table([None, *map(type_from_str, types)], operations)


def only(heads: Heads, rng: np.random.Generator) -> tuple[Scores, tuple[int, ...]]:
    """Scores that allow one tree alone, and its operations."""
    n, table = len(heads), permissive()
    tags = np.full((n, len(table.lexical_type)), NONE, np.float32)
    edges = np.full((n, n + 1, table.combine.shape[2]), NONE, np.float32)
    operations = [1] * n
    for token in range(1, n + 1):
        arguments = [child for child, head in enumerate(heads, 1) if head == token]
        tags[token - 1, 1 + len(arguments)] = 0.0
        for child, source in zip(arguments, rng.permutation(len(arguments)), strict=True):
            operations[child - 1] = 2 + int(source)
    edges[range(n), heads, operations] = 0.0
    return Scores(tags, edges), tuple(operations)


def finds(scores: Scores, heads: Heads, operations: tuple[int, ...]) -> bool:
    """Whether the decoder finds the one tree that there is."""
    parse = astar_gap.decode(scores, permissive(), supertag_limit=None)
    assert not parse.found or (parse.heads, parse.operations) == (heads, operations)
    return parse.found


@pytest.mark.parametrize(
    ("n", "projective", "in_class", "all_trees"),
    [
        (1, 1, 1, 1),
        (2, 2, 2, 2),
        (3, 7, 9, 9),
        (4, 30, 56, 64),
        (5, 143, 399, 625),
        (6, 728, 3058, 7776),
    ],
)
def test_finds_the_trees_of_the_class_and_no_others(
    n: int, projective: int, in_class: int, all_trees: int
) -> None:
    rng = np.random.default_rng(n)
    found = 0
    for heads in whole_trees(n):
        scores, operations = only(heads, rng)
        expected = bool(analyses(heads))
        assert finds(scores, heads, operations) == expected, heads
        assert expected or not is_projective(heads)
        found += expected
    trees = whole_trees(n)
    assert (sum(map(is_projective, trees)), found, len(trees)) == (projective, in_class, all_trees)


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
def test_score_is_that_of_the_best_tree_of_the_class(
    index: int,
    n: int,
    seed: int,
    forbidden: float,
    grid: float | None,
    places: bool,
    order: int | None,
) -> None:
    scores = random_scores(system(index, order), n, seed, forbidden=forbidden, grid=grid)
    assert_best_of_class(index, restricted(scores, seed) if places else scores, order)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_score_of_six_tokens_is_that_of_the_best_tree_of_the_class(index: int) -> None:
    order = 0 if index % 3 == 0 else None
    scores = random_scores(system(index, order), 6, index)
    assert_best_of_class(index, restricted(scores, index) if index % 2 else scores, order)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
@pytest.mark.parametrize("n", [3, 5, 8])
def test_never_worse_than_the_projective_decoder_and_well_typed(index: int, n: int) -> None:
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
    """Scores that are 0 for the tree of (supertag, head, operation) and -5 for all else."""
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
