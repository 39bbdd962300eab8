"""Trees after the best one compared with enumeration of all trees, and their use in answers."""

import itertools
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    is_projective,
    random_scores,
    score_of,
    system,
    trees as all_trees,
    well_typed,
)
from hypothesis import given, settings, strategies as st

from amparser.algebra.type_table import TypeTable
from amparser.decode.astar import ASTAR
from amparser.decode.decoders import DECODERS, DecodersOf
from amparser.decode.next_best import SLACK, next_best
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.errors import GraphError
from amparser.graph.sgraph import SGraph
from amparser.parser import Parser

seeds = st.integers(0, 2**32 - 1)
systems = st.integers(0, len(TYPE_SYSTEMS) - 1)


def every_score(scores: Scores, table: TypeTable) -> list[float]:
    n = len(scores)
    found = []
    for heads in filter(is_projective, all_trees(n)):
        places = [max(head, 0) for head in heads]
        tags = [
            [k for k in np.flatnonzero(row > NONE) if (k == 0) == (head < 0)]
            for row, head in zip(scores.supertag_logp, heads, strict=True)
        ]
        operations = [
            [o for o in np.flatnonzero(row[head] > NONE) if (o == 0) == (heads[i] < 0)]
            for i, (row, head) in enumerate(zip(scores.edge_logp, places, strict=True))
        ]
        for supertags in itertools.product(*tags):
            for labels in itertools.product(*operations):
                if well_typed(table, supertags, tuple(places), labels):
                    found.append(score_of(scores, supertags, tuple(places), labels))
    return sorted(found, reverse=True)


def every_parse(scores: Scores, table: TypeTable, **options: float) -> list[Parse]:
    [best] = ASTAR.search([scores], table, supertag_limit=None)
    rest = next_best(ASTAR, scores, table, best, supertag_limit=None, **options)
    return [best, *rest] if best.found else list(rest)


@settings(max_examples=60, deadline=None)
@given(index=systems, n=st.integers(1, 3), seed=seeds, forbidden=st.sampled_from([0.5, 0.7]))
def test_each_tree_comes_once_and_in_order(index, n, seed, forbidden) -> None:
    table = system(index)
    scores = random_scores(table, n, seed, forbidden=forbidden)
    before = scores.supertag_logp.copy(), scores.edge_logp.copy()
    parses = every_parse(scores, table, work=inf, slack=inf)
    assert [p.logp for p in parses] == pytest.approx(every_score(scores, table), abs=1e-4)
    assert len({(p.supertags, p.heads, p.operations) for p in parses}) == len(parses)
    for parse in parses:
        assert parse.logp == pytest.approx(
            score_of(scores, parse.supertags, parse.heads, parse.operations), abs=1e-4
        )
    assert np.array_equal(before[0], scores.supertag_logp)
    assert np.array_equal(before[1], scores.edge_logp)


def test_the_work_is_bounded() -> None:
    table = system(0)
    scores = random_scores(table, 4, seed=1)
    assert len(every_parse(scores, table, work=0)) == 1
    few = every_parse(scores, table, work=2_000)
    assert 1 < len(few) < 100
    more = every_parse(scores, table, work=20_000)
    assert len(few) < len(more)
    for found in ([p.logp for p in few], [p.logp for p in more]):
        assert found == sorted(found, reverse=True)
        assert found[-1] >= found[0] - SLACK


SENTENCE = ("Emma", "saw", "a", "dog", "in", "the", "house", ".")


@pytest.mark.parametrize("name", list(DecodersOf("node")))
def test_next_tree_answers_if_the_best_has_no_meaning(name, parser, monkeypatch) -> None:
    [usual] = parser.answers([SENTENCE], [name])[name]
    assert usual.fallback is None
    written = Parser._written

    def not_that(self: Parser, tokens: tuple[str, ...], graph: SGraph) -> str:
        if (meaning := written(self, tokens, graph)) == usual.meaning:
            raise GraphError("it cannot be written")
        return meaning

    monkeypatch.setattr(Parser, "_written", not_that)
    [other] = parser.answers([SENTENCE], [name])[name]
    assert other.meaning not in (None, usual.meaning)
    assert other.fallback.startswith("tree ")
    assert other.logp <= usual.logp
    assert other.tree != usual.tree


def test_without_any_meaning_the_best_tree_gives_the_failure(parser, monkeypatch) -> None:
    seen = []

    def never(self: Parser, tokens: tuple[str, ...], graph: SGraph) -> str:
        seen.append(graph)
        raise GraphError(f"graph {len(seen)} cannot be written")

    monkeypatch.setattr(Parser, "_written", never)
    [result] = parser.answers([SENTENCE])["astar-gap"]
    assert result.meaning is None
    assert result.fallback is None
    assert result.failure == "graph 1 cannot be written"
    assert 1 < len(seen) <= 10


def test_a_smaller_search_has_no_next_tree(parser, monkeypatch) -> None:
    search = type(DECODERS["astar-gap"]).search

    def smaller(*given: object, **options: object) -> list[Parse]:
        return [replace(one, fallback="fixed-tree") for one in search(*given, **options)]

    def never(*_: object) -> str:
        raise GraphError("it cannot be written")

    monkeypatch.setattr(type(DECODERS["astar-gap"]), "search", smaller)
    monkeypatch.setattr(Parser, "_written", never)
    [result] = parser.answers([SENTENCE])["astar-gap"]
    assert (result.failure, result.fallback) == ("it cannot be written", "fixed-tree")
