"""Graphs and multiword expressions of the monotonicity benchmark."""

from random import Random

import pytest
from monotonicity_data import DEPTHS, read_pairs

from amparser.algebra.expand import expand
from amparser.benchmarks import fragments
from amparser.benchmarks.monotonicity import reading
from amparser.benchmarks.monotonicity.reading import (
    derivation_of,
    form_of,
    fragment,
    joined,
    placed,
)
from amparser.corpora.tokens import tokenize
from amparser.induction.analysis import analyse
from amparser.logic.vf import vf_from_str
from amparser.notations.quantified_graph import form_from_graph, graph_from_quantified, ordered
from amparser.notations.registry import NOTATIONS


@pytest.mark.parametrize("depth", DEPTHS)
def test_published_sentences_round_trip(data_dir, depth) -> None:
    quantified = NOTATIONS["quantified"]
    for pair in read_pairs(data_dir, depth, step=10):
        tokens = tokenize(pair.hypothesis)
        form = form_of(derivation_of(tokens))
        term = ordered(form.term)
        words, places = joined(tokens)
        graph = graph_from_quantified(words, term)
        assert form_from_graph(graph).term == term
        assert quantified.write(quantified.graph(words, str(term))) == str(term)
        found = placed(form_from_graph(graph), places)
        # The grammar aligns no junction, and aligns a short clause to its pronoun.
        steering = {i for i, token in enumerate(tokens) if token in ("and", "or", "that", "which")}
        assert set(found.positions()) - steering == set(form.positions()) - steering


@pytest.mark.parametrize("kind", ["D1", "D2", "D3", "D4", "D5"])
def test_sampled_sentences_round_trip_through_graphs_and_am_trees(kind) -> None:
    drawn, random = fragment().plan().type_of(kind), Random(2)
    terms, graphs, sentences = [], [], []
    for _ in range(100):
        derivation = drawn.sample(random)
        tokens = fragment().tokens(derivation)
        words, places = joined(tokens)
        term = fragments.vf(derivation)
        terms.append(ordered(term))
        graphs.append(graph_from_quantified(words, term))
        sentences.append(words)
        assert graph_from_quantified(words, ordered(term)) == graphs[-1]
        found = placed(form_from_graph(graphs[-1]), places)
        assert found.term == terms[-1]
        steering = {i for i, token in enumerate(tokens) if token in ("and", "or", "that", "which")}
        gold = set(form_of(derivation).positions())
        assert set(found.positions()) - steering == gold - steering
    assert any("," in words for words in sentences)
    analysis = analyse(list(zip(sentences, graphs, strict=True)))
    assert analysis.failures == ()
    for tree, term in zip(analysis.trees, terms, strict=True):
        assert form_from_graph(expand(tree)).term == term
        assert tree.projective


def test_conjuncts_are_sorted() -> None:
    term = vf_from_str("NOT EXIST AND AND AND DOG WILD EXIST CAT HIT SMALL RUN")
    assert str(ordered(term)) == "NOT EXIST AND AND AND DOG SMALL WILD EXIST CAT HIT RUN"


def test_the_longest_expression_is_joined(monkeypatch) -> None:
    units = reading._expressions()
    assert all(same == sorted(same, key=len, reverse=True) for same in units.values())
    units = {"a": [("a", "b", "c"), ("a", "b")], "b": [("b", "c")]}
    monkeypatch.setattr(reading, "_expressions", lambda: units)
    assert joined(["A", "b", "c", "a", "b", "x", "b", "."])[0] == ("a_b_c", "a_b", "x", "b")
    assert joined([]) == ((), ())
