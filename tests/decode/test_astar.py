"""A* and the exhaustive chart compared with enumeration, and laws of the search."""

from typing import Any

import numpy as np
import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    best_labelling,
    best_projective,
    is_projective,
    projective_trees,
    random_scores,
    restricted,
    score_of,
    system,
    well_typed,
)
from exhaustive_chart import best_logp
from hypothesis import given, settings, strategies as st
from search_trace import trace

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode import astar, astar_gap, fixed_tree, outside
from amparser.decode.decoder import OneByOne
from amparser.decode.parse import BUDGET, NO_TREE, Parse
from amparser.decode.rules import rules_of
from amparser.decode.scores import Scores

systems = st.integers(0, len(TYPE_SYSTEMS) - 1)
seeds = st.integers(0, 2**32 - 1)
shares = st.sampled_from([0.0, 0.0, 0.1, 0.4])
grids = st.sampled_from([None, None, 1.0])  # whole numbers make ties
EVERY: tuple[Any, ...] = (astar, astar_gap, fixed_tree)
orders = st.sampled_from([None, None, 0, 1, 2, 3])  # of a head's dependents


def assert_is_tree(parse: Parse, scores: Scores, table: TypeTable) -> None:
    found = (parse.supertags, parse.heads, parse.operations)
    assert well_typed(table, *found)
    assert is_projective(
        tuple(-1 if o == 0 else h for h, o in zip(parse.heads, parse.operations, strict=True))
    )
    assert score_of(scores, *found) == pytest.approx(parse.logp, abs=1e-3)


@settings(max_examples=100, deadline=None)
@given(index=systems, n=st.integers(1, 5), seed=seeds, forbidden=shares, grid=grids, order=orders)
def test_astar_and_chart_find_the_best_of_all_projective_trees(
    index, n, seed, forbidden, grid, order
) -> None:
    table = system(index, order)
    n = n if order is None else min(n, 4)
    scores = random_scores(table, n, seed, forbidden=forbidden, grid=grid)
    best = best_projective(scores, table)
    assert best_logp(scores, table, supertag_limit=None) == pytest.approx(best, abs=1e-4)
    parse = astar.decode(scores, table, supertag_limit=None)
    if best == NONE:
        assert parse.failure == NO_TREE
    else:
        assert parse.logp == pytest.approx(best, abs=1e-4)
        assert_is_tree(parse, scores, table)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_astar_finds_the_best_of_all_projective_trees_of_six_tokens(index) -> None:
    table = system(index)
    scores = random_scores(table, 6, index)
    best = best_projective(scores, table)
    assert astar.decode(scores, table, supertag_limit=None).logp == pytest.approx(best, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(index=systems, n=st.integers(10, 14), seed=seeds, forbidden=shares, grid=grids)
def test_astar_score_equals_exhaustive_chart(index, n, seed, forbidden, grid) -> None:
    table = system(index)
    scores = random_scores(table, n, seed, forbidden=forbidden, grid=grid)
    best = best_logp(scores, table)
    parse = astar.decode(scores, table)
    assert parse.failure == (NO_TREE if best == NONE else None)
    if parse.found:
        assert parse.logp == pytest.approx(best, abs=1e-6)
        assert_is_tree(parse, scores, table)


@settings(max_examples=60, deadline=None)
@given(index=systems, n=st.integers(1, 9), seed=seeds, forbidden=shares, grid=grids)
def test_popped_priorities_never_rise(index, n, seed, forbidden, grid) -> None:
    table = system(index)
    scores = random_scores(table, n, seed, forbidden=forbidden, grid=grid)
    traces = [trace(scores, table, projective=projective) for projective in (True, False)]
    if n < 7:
        held = restricted(scores, seed)
        traces += [trace(each, table, gaps=True, supertag_limit=None) for each in (scores, held)]
    assert traces[0][0] == pytest.approx(traces[1][0], abs=1e-6)
    for logp, popped in traces:
        assert (np.diff(popped.priority) <= 1e-9).all()
        assert (popped.priority >= logp - 1e-9).all()
        assert len(set(map(tuple, popped.items.tolist()))) == len(popped.items)


def best_completion(scores: Scores, table: TypeTable, item: list[int], run: int, k: int) -> float:
    """Return the best score that the rest of a tree can add to an item in supertag k's state.

    The item becomes one token. It takes no dependents on the right once it reaches beyond its head
    on the left, and the token before it is not ignored once it has dependents there.
    """
    first, stop, head, *_ = item
    keep = [*range(first), head, *range(stop, len(scores))]
    tags = scores.supertag_logp[keep].copy()
    tags[first] = NONE
    tags[first, k] = 0.0
    edges = scores.edge_logp[keep][:, [0, *(i + 1 for i in keep)]]
    reduced = Scores(tags, edges)
    best = NONE
    for heads in projective_trees(len(keep)):
        if first < head and any(h == first + 1 for h in heads[first + 1 :]):
            continue
        if run == 0 and first > 0 and heads[first - 1] == -1:
            continue
        best = max(best, best_labelling(heads, reduced, table))
    return best


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_priority_is_at_least_the_best_completion(projective, seed) -> None:
    # Here states are types. Each type is in the lexicon, (O()) only for `best_completion`.
    texts = ("()", "(S())", "(S(), O())", "(M())", "(O())")
    operations = ["IGNORE", "ROOT", "APP_S", "APP_O", "MOD_M"]
    table = type_table([None, *map(type_from_str, texts)], operations)
    lexical_state = rules_of(table).lexical_state.tolist()
    scores = random_scores(table, 4, seed)
    scores.supertag_logp[:, 5] = NONE
    _, popped = trace(scores, table, projective=projective)
    assert len(popped.items) > 5
    for item, run, inside, priority in zip(
        popped.items.tolist(),
        popped.runs.tolist(),
        popped.inside_logp.tolist(),
        popped.priority.tolist(),
        strict=True,
    ):
        k = lexical_state.index(item[3])
        assert priority >= inside + best_completion(scores, table, item, run, k) - 1e-4


def nested_clauses(depth: int, margin: float, noise: float, seed: int) -> tuple[Scores, Parse]:
    """Return scores and gold tree of `N V N V ... N V`; each verb's object is the next clause."""
    table = system(0)
    n = 2 * depth
    supertags = [1, 3] * (depth - 1) + [1, 2]
    heads = [i + 2 if i % 2 == 0 else i - 1 for i in range(n)]
    heads[1] = 0
    operations = [2, 3] * depth
    operations[1] = 1
    rng = np.random.default_rng(seed)
    tags = rng.normal(scale=noise, size=(n, len(table.lexical_type)))
    edges = rng.normal(scale=noise, size=(n, n + 1, table.combine.shape[2]))
    tags[range(n), supertags] += margin
    edges[range(n), heads, operations] += margin
    tags -= np.logaddexp.reduce(tags, axis=1, keepdims=True)
    edges -= np.logaddexp.reduce(np.logaddexp.reduce(edges, axis=2), axis=1)[:, None, None]
    scores = Scores(tags.astype(np.float32), edges.astype(np.float32))
    tree = (tuple(supertags), tuple(heads), tuple(operations))
    return scores, Parse(*tree, score_of(scores, *tree))


def test_sharp_scores_pop_one_item_a_token_and_one_an_edge() -> None:
    scores, meant = nested_clauses(100, margin=14.0, noise=0.5, seed=0)
    parse = astar.decode(scores, system(0))
    assert (parse.supertags, parse.heads, parse.operations) == (
        meant.supertags,
        meant.heads,
        meant.operations,
    )
    assert parse.popped_count == 2 * len(scores) - 1


def test_long_sentence_does_without_the_cubic_estimate() -> None:
    n = outside.PROJECTIVE_LIMIT + 20
    scores, meant = nested_clauses(n // 2, margin=16.0, noise=0.5, seed=0)
    parse = astar.decode(scores, system(0))
    assert parse.logp == pytest.approx(meant.logp, abs=1e-3)
    assert parse.heads == meant.heads


@pytest.mark.parametrize("decoder", EVERY)
def test_second_object_cannot_come_first(decoder) -> None:
    operations = ["IGNORE", "ROOT", "APP_R1", "APP_R2"]
    types = [None, type_from_str("(R1(), R2())"), type_from_str("()")]
    tags = np.log(np.array([[1e-9, 1, 1e-9], [1e-9, 1e-9, 1], [1e-9, 1e-9, 1]], np.float32))
    edges = np.full((3, 4, 4), -9.0, np.float32)
    edges[0, 0, 1] = edges[1, 1, 2] = edges[2, 1, 3] = 0.0
    scores = Scores(tags, edges)
    assert decoder.decode(scores, type_table(types, operations)).operations == (1, 2, 3)
    nearer = np.zeros((2, 4, 4), np.bool_)
    nearer[1, 3, 2] = True
    assert decoder.decode(scores, type_table(types, operations, nearer)).operations == (1, 3, 2)


@pytest.mark.parametrize("decoder", [astar, astar_gap])
def test_ties_are_broken_by_a_fixed_rule(decoder) -> None:
    table = system(2)
    n = 8
    flat = Scores(
        np.full((n, len(table.lexical_type)), -1.0, dtype=np.float32),
        np.full((n, n + 1, table.combine.shape[2]), -2.0, dtype=np.float32),
    )
    parse = decoder.decode(flat, table)
    assert parse.logp == -3.0 * n
    assert_is_tree(parse, flat, table)
    # Every type has two supertags: the lower one wins.
    assert max(parse.supertags) <= len(TYPE_SYSTEMS[2][0])
    threads = OneByOne("", "", decoder.decode, threads=3)
    assert threads.search([flat] * 6, table, supertag_limit=6) == [parse] * 6


def test_bare_word_may_keep_its_sources_open() -> None:
    table = system(4)  # no lexical type is ()
    one, two = random_scores(table, 1, 3), random_scores(table, 2, 3)
    for decoder in EVERY:
        assert (decoder.decode(one, table).failure or "").startswith(NO_TREE)
        parse = decoder.decode(one, table, open_root=True)
        assert (parse.heads, parse.operations) == ((0,), (1,))
        assert parse.logp == pytest.approx(best_projective(one, table, open_root=True))
        assert decoder.decode(two, table, open_root=True) == decoder.decode(two, table)


def test_supertag_limit_keeps_the_best_types() -> None:
    table = system(0)
    for seed in range(10):
        scores = random_scores(table, 6, seed)
        few = astar.decode(scores, table, supertag_limit=1)
        assert few.logp <= astar.decode(scores, table, supertag_limit=None).logp
        if few.found:
            best = 1 + scores.supertag_logp[:, 1:].argmax(axis=1)
            assert all(k in (0, b) for k, b in zip(few.supertags, best, strict=True))


@pytest.mark.parametrize("decoder", [astar, astar_gap])
def test_budget_counts_items(decoder) -> None:
    table = system(0)
    scores = random_scores(table, 10, 5)
    needed = decoder.decode(scores, table).popped_count
    assert needed > 20
    within = decoder.decode(scores, table, max_items=needed)
    assert within.popped_count == needed
    assert within.found
    short = decoder.decode(scores, table, max_items=needed - 1)
    assert short == Parse(popped_count=needed - 1, failure=BUDGET)


@pytest.mark.parametrize("decoder", EVERY)
def test_impossible_scores_are_a_failure_not_an_error(decoder) -> None:
    table = system(0)
    shapes = random_scores(table, 3, 1)
    nothing = Scores(np.full_like(shapes.supertag_logp, NONE), np.full_like(shapes.edge_logp, NONE))
    ignored = random_scores(table, 3, 1)
    ignored.supertag_logp[:, 1:] = NONE
    for scores in (nothing, random_scores(table, 0, 1), ignored):
        found = decoder.decode(scores, table)
        assert (found.failure or "").startswith(NO_TREE)
        assert found == Parse(popped_count=found.popped_count, failure=found.failure)
        assert not found.popped_count or scores is ignored


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("decoder", EVERY)
def test_scores_that_are_not_logarithms_are_refused(decoder, value) -> None:
    table = system(0)
    scores = random_scores(table, 3, 1)
    scores.edge_logp[1, 0, 1] = value
    with pytest.raises(
        ValueError, match=r"token 2: the score of head 0, operation ROOT is (nan|inf)"
    ):
        decoder.decode(scores, table)
    scores.supertag_logp[2, 0] = value
    scores.edge_logp[1, 0, 1] = -1.0
    with pytest.raises(ValueError, match="token 3: the score of supertag 0"):
        decoder.decode(scores, table)


def test_bad_options_are_refused() -> None:
    table = system(0)
    scores = random_scores(table, 3, 1)
    with pytest.raises(ValueError, match="supertag_limit is 0"):
        astar.decode(scores, table, supertag_limit=0)
    with pytest.raises(ValueError, match=r"supertag_logp has shape \(3, 9\), expected \(3, 7\)"):
        astar.decode(scores, system(1))
    wrong = Scores(scores.supertag_logp, scores.edge_logp[:, :3])
    with pytest.raises(ValueError, match=r"edge_logp has shape \(3, 3, 5\), expected \(3, 4, 5\)"):
        astar.decode(wrong, table)
    above = Scores(scores.supertag_logp + 9.0, scores.edge_logp)
    assert astar.decode(above, table).logp == pytest.approx(best_logp(above, table))
