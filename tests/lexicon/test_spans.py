"""Spans: what a rule gives is induced again, whatever the rule, the graphs and the signs."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings, strategies as st
from toy_graphs import GRAPHS, some_derivation

from amparser.algebra.expand import layered
from amparser.induction.fragments import contract
from amparser.lexicon.spans import (
    ALL,
    BELOW,
    TREE,
    TREES,
    WORD,
    WORDS,
    Bound,
    Rule,
    Shown,
    SpanRules,
    span_rules_of,
)
from amparser.lexicon.units import Splitter

PLACES = (WORD, TREE, BELOW, WORDS, TREES, ALL, "word Time", "tree Agent", "below Theme")
FURTHER = st.sampled_from(["", "signs", "silent"])


def sentences(seed: int) -> list[Shown]:
    """Graphs at random words, some of which are signs that touch the word before them."""
    random = Random(seed)
    found = []
    for number, graph in enumerate(GRAPHS):
        derivation = some_derivation(graph, seed + number)
        expanded = layered(derivation)
        words = [random.choice(["a", "bc", ",", "("]) for _ in derivation.tokens]
        tokens = [token - 1 for token in expanded.tokens]
        found.append(Shown(expanded, tokens, derivation, Splitter().units(words)))
    return found


def spans(rules: SpanRules, rows: list[Shown]) -> list[tuple]:
    return [rules.of(row) for row in rows]


@given(st.sampled_from(PLACES), FURTHER, FURTHER, st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_what_a_rule_gives_is_induced_again(place, before, behind, seed) -> None:
    rows = sentences(seed)
    labels = {label for row in rows for label in row.graph.labels}
    rule = Rule(Bound(place, before), Bound(place, behind))
    gold = spans(SpanRules(dict.fromkeys(labels, (rule,))), rows)
    shown = [
        row._replace(graph=replace(row.graph, spans=given))
        for row, given in zip(rows, gold, strict=True)
    ]
    induced = span_rules_of(shown)
    often = {label for label in labels if sum(row.graph.labels.count(label) for row in rows) >= 10}
    pairs = [
        (found, right)
        for row, one, other in zip(rows, spans(induced, rows), gold, strict=True)
        for label, found, right in zip(row.graph.labels, one, other, strict=True)
        if label in often and right is not None
    ]
    assert pairs
    assert sum(found == right for found, right in pairs) >= 0.99 * len(pairs)


def test_words_need_no_rule() -> None:
    rows = sentences(1)
    gold = spans(SpanRules(), rows)
    shown = [
        row._replace(graph=replace(row.graph, spans=given))
        for row, given in zip(rows, gold, strict=True)
    ]
    assert span_rules_of(shown) == span_rules_of(rows) == SpanRules()


def test_an_exception_holds_where_its_node_is_beside() -> None:
    graph = replace(
        GRAPHS[0],
        labels=("dog", "the", "poss"),
        constant=(False,) * 3,
        edges=((1, "BV", 0), (2, "ARG1", 0)),
        box=(0,) * 3,
    )
    beside = Bound("beside BV ARG1 poss")
    rules = SpanRules({"the": (Rule(beside, beside), Rule(Bound(ALL), Bound(ALL)))})
    units = Splitter().units(["his", "dog"])
    words = ["his", "dog"]
    derivation = contract(graph, [1, 1, 0], [0] * len(graph.boxes), words, [False] * 3)
    assert rules.of(Shown(graph, [1, 1, 0], derivation, units)) == ((3, 6), (0, 3), (0, 3))
    alone = replace(graph, edges=graph.edges[:1])
    assert rules.of(Shown(alone, [1, 1, 0], derivation, units))[1] == (0, 6)
