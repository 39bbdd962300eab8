"""The mildly non-projective decoder against enumeration of its class of trees."""

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from decode_oracles import (
    NONE,
    TYPE_SYSTEMS,
    best_labelling,
    is_projective,
    random_scores,
    score_of,
    system,
    trees,
    well_typed,
)

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode import astar, astar_gap
from amparser.decode.agenda import CREATED, POPPED, PRIORITY, TURN, Agenda
from amparser.decode.parse import BUDGET
from amparser.scores import Scores

Heads = tuple[int, ...]


def ancestors(heads: Heads, token: int) -> list[int]:
    """The head of a token, its head and so on, without the artificial root."""
    found = []
    while heads[token - 1] > 0:
        token = heads[token - 1]
        found.append(token)
    return found


def one_gap_at_a_time(heads: Heads, hosts: Heads) -> bool:
    """Whether each token can take its dependents, nearest first, with one open gap at most."""

    def pending(token: int) -> int | bool | None:
        """The displaced token the subtree still waits for, None, or False where impossible."""
        below = [i for i, host in enumerate(hosts, 1) if host == token]
        waits = {}
        for child in below:
            gap = pending(child)
            if gap is False:
                return False
            waits[child] = gap
        left = sorted((c for c in below if c < token), reverse=True)
        right = sorted(c for c in below if c > token)

        def take(i: int, j: int, gap: int | None) -> set[int | None]:
            if i == len(left) and j == len(right):
                return {gap}
            ends: set[int | None] = set()
            nearest = []
            if i < len(left):
                nearest.append((left[i], i + 1, j))
            if j < len(right):
                nearest.append((right[j], i, j + 1))
            for child, further, along in nearest:
                moved = heads[child - 1] != token
                if moved and gap == child and waits[child] is None:
                    ends |= take(further, along, None)
                elif not moved and (gap is None or waits[child] is None):
                    ends |= take(further, along, waits[child] if gap is None else gap)
            return ends

        mine = next(
            (
                f
                for f, host in enumerate(hosts, 1)
                if host > 0 and heads[f - 1] == token and host != token
            ),
            None,
        )
        ends = take(0, 0, None)
        if not ends:
            return False
        (gap,) = ends
        if mine is not None and gap is not None:
            return False
        return mine if mine is not None else gap

    counts = [sum(h == t and g != h for h, g in zip(heads, hosts, strict=True)) for t in set(heads)]
    return max(counts) <= 1 and pending(hosts.index(0) + 1) is None


@lru_cache(maxsize=8)
def class_of_trees(n: int) -> tuple[tuple[Heads, frozenset[int]], ...]:
    """The trees of the class over n tokens, with the tokens that have to hang by APP."""

    def hosted(heads: Heads) -> Iterator[Heads]:
        choices = [[head] if head < 1 else [head, *ancestors(heads, head)] for head in heads]
        return itertools.product(*choices)

    found = set()
    for heads in trees(n):
        for hosts in hosted(heads):
            if not is_projective(hosts) or not one_gap_at_a_time(heads, hosts):
                continue
            by_app = set()
            for token, (head, host) in enumerate(zip(heads, hosts, strict=True), 1):
                if head != host:
                    by_app.add(token)
                    by_app |= {
                        t for t in [head, *ancestors(heads, head)] if host in ancestors(heads, t)
                    }
            found.add((heads, frozenset(by_app)))
    # Of one tree the analyses with fewest constraints are enough.
    return tuple(
        (heads, by_app)
        for heads, by_app in found
        if not any(h == heads and other < by_app for h, other in found)
    )


def best_of_class(scores: Scores, table: TypeTable, is_mod: np.ndarray) -> float:
    best = NONE
    for heads, by_app in class_of_trees(len(scores)):
        edges = scores.edge_logp.copy()
        for token in by_app:
            edges[token - 1][:, is_mod] = NONE
        best = max(best, best_labelling(heads, Scores(scores.supertag_logp, edges), table))
    return best


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_score_is_that_of_the_best_tree_of_the_class(index: int) -> None:
    table = system(index)
    is_mod = np.array(
        [False, False, *(o.startswith("MOD") for o in TYPE_SYSTEMS[index][1])], dtype=np.bool_
    )
    for seed in range(10):
        n = 2 + seed % 3
        scores = random_scores(table, n, seed, forbidden=0.1 if seed % 2 else 0.0)
        expected = best_of_class(scores, table, is_mod)
        parse = astar_gap.decode(scores, table, supertag_limit=None)
        if expected == NONE:
            assert not parse.found
        else:
            assert parse.logp == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
@pytest.mark.parametrize("n", [3, 5, 8])
def test_never_worse_than_the_projective_decoder_and_well_typed(index: int, n: int) -> None:
    table = system(index)
    for seed in range(8):
        scores = random_scores(table, n, seed, forbidden=0.1 if seed % 2 else 0.0)
        projective = astar.decode(scores, table, supertag_limit=None)
        parse = astar_gap.decode(scores, table, supertag_limit=None)
        assert parse.logp >= projective.logp - 1e-4
        if parse.found:
            found = (parse.supertags, parse.heads, parse.operations)
            assert score_of(scores, *found) == pytest.approx(parse.logp, abs=1e-3)
            if n < 8:
                assert well_typed(table, *found)


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_popped_priorities_never_rise(index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    agendas: list[Agenda] = []
    search = astar_gap._search

    def spy(*arguments: Any) -> tuple[int, float, Agenda]:
        goal, logp, agenda = search(*arguments)
        agendas.append(agenda)
        return goal, logp, agenda

    monkeypatch.setattr(astar_gap, "_search", spy)
    table = system(index)
    for seed in range(12):
        scores = restricted(random_scores(table, 6, seed, forbidden=0.1), seed)
        parse = astar_gap.decode(scores, table, supertag_limit=None)
        for each in agendas:
            order = np.argsort(each.item[: each.counts[CREATED], TURN])[-each.counts[POPPED] :]
            priorities = each.score[order, PRIORITY]
            assert (np.diff(priorities) <= 1e-9).all()
            assert (priorities >= parse.logp - 1e-9).all()
        agendas.clear()


def restricted(scores: Scores, seed: int) -> Scores:
    """The same scores, with random words that may be displaced and places where each may stand."""
    rng = np.random.default_rng(seed)
    n, _, operation_count = scores.edge_logp.shape
    in_place = rng.random((n, 2, operation_count)) < 0.8
    return Scores(scores.supertag_logp, scores.edge_logp, in_place, rng.random(n) < 0.5)


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


@pytest.fixture(scope="module")
def question() -> tuple[TypeTable, Scores]:
    """'what A said that B saw': the object of the lower verb stands before the upper one."""
    types = ["()", "(S(), T())", "(S(), O())"]
    table = type_table(
        [None, *map(type_from_str, types)], ["IGNORE", "ROOT", "APP_S", "APP_O", "APP_T"]
    )
    # what, A, said, B, saw
    return table, sentence(table, [(1, 5, 3), (1, 3, 2), (2, 0, 1), (1, 5, 2), (3, 3, 4)])


def test_filler_before_the_upper_clause_is_found(question: tuple[TypeTable, Scores]) -> None:
    table, scores = question
    parse = astar_gap.decode(scores, table)
    assert parse.heads == (5, 3, 0, 5, 3)
    assert parse.logp == pytest.approx(0.0)
    assert astar.decode(scores, table).logp < parse.logp


def test_only_mobile_words_fill_a_gap(question: tuple[TypeTable, Scores]) -> None:
    table, scores = question
    still = Scores(scores.supertag_logp, scores.edge_logp, None, np.zeros(5, np.bool_))
    assert astar_gap.decode(still, table).heads != (5, 3, 0, 5, 3)


def test_a_gap_knows_no_sides_but_what_is_in_place_does(
    question: tuple[TypeTable, Scores],
) -> None:
    table, scores = question
    in_place = np.ones((5, 2, 5), np.bool_)
    in_place[:, 0, 3] = False  # no object to the left of its verb ...
    held = Scores(scores.supertag_logp, scores.edge_logp, in_place, None)
    assert astar_gap.decode(held, table).heads == (5, 3, 0, 5, 3), "... unless it is displaced"
    in_place = in_place.copy()
    in_place[:, 0, 2] = False
    subjects = Scores(scores.supertag_logp, scores.edge_logp, in_place, None)
    assert astar_gap.decode(subjects, table).logp < 0.0
    assert np.isneginf(held.held_in_place().edge_logp[0, 5, 3])
    assert held.held_in_place().edge_logp[3, 5, 2] == 0.0


def test_polymorphic_request_binds_the_gap() -> None:
    """'rel A gave to': the relativiser takes the clause whose `to` lacks its content."""
    types = ["(C(*_UNIFY_M), M())", "()", "(S(), T())", "(C())", "(C(S_UNIFY_M), M())"]
    table = type_table(
        [None, *map(type_from_str, types)],
        ["IGNORE", "ROOT", "APP_S", "APP_T", "APP_C", "MOD_M"],
    )
    # noun, rel, A, gave, to
    scores = sentence(table, [(2, 0, 1), (1, 1, 5), (2, 4, 2), (3, 2, 4), (4, 4, 3)])
    parse = astar_gap.decode(scores, table)
    assert parse.heads == (0, 1, 4, 2, 4)
    assert parse.logp == pytest.approx(0.0)


def test_budget_counts_items() -> None:
    table = system(2)
    scores = random_scores(table, 8, 1)
    full = astar_gap.decode(scores, table)
    assert full.found
    short = astar_gap.decode(scores, table, max_items=full.popped_count // 2)
    assert short.failure == BUDGET
    assert short.popped_count <= full.popped_count // 2


def test_equal_scores_are_decided_by_a_fixed_rule() -> None:
    table = system(0)
    scores = random_scores(table, 6, 5, grid=2.0)
    first = astar_gap.decode(scores, table)
    assert all(astar_gap.decode(scores, table) == first for _ in range(3))
