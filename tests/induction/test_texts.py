"""Texts of several sentences: found, made of sentences, and parsed whole."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from toml_tables import tables
from toy_bank import examples
from toy_graphs import BOXED, GRAPHS, SMALL, corpus, right, some_derivation

from amparser.algebra.derivation import FIRST_BOX, PRECEDE, WITHOUT_CONSTANT, Derivation, Scope
from amparser.algebra.expand import expand
from amparser.algebra.types import IGNORE
from amparser.corpora.example import Example
from amparser.graph.boxes import Box, Layered, join, split
from amparser.graph.sgraph import isomorphic
from amparser.induction.texts import Joint, ends_inside, final_words, joined, of_sentences, openers
from amparser.learn.settings import with_overrides
from amparser.notations.penman import PENMAN
from amparser.parser_system import AMPARSER
from amparser.presets.graphs.training import training_set

TABLES = tables(__file__)

FINAL = frozenset(".?")


def with_end(graph: Layered, seed: int) -> Derivation:
    """A derivation with a further token that says nothing; tokens without nodes join the next."""
    found = some_derivation(graph, seed)
    introduced, within, above = found.boxes
    return Derivation(
        (*found.tokens, "."),
        (*found.fragments, None),
        (*found.lexical_labels, ()),
        (*found.heads, -1),
        (*(PRECEDE if one == IGNORE else one for one in found.operations), IGNORE),
        links=(*found.links, ()),
        reentrant=found.reentrant,
        scope=Scope((*introduced, ()), (*within, FIRST_BOX), (*above, FIRST_BOX)),
    )


def beside(first: Layered, second: Layered, joint: Joint) -> Layered:
    nodes, boxes = len(first.labels), len(first.boxes)
    above = boxes - 1 if joint.last else 0
    moved = [
        Box(box.parent + boxes, box.label) if box.parent >= 0 else Box(above, joint.label)
        for box in second.boxes
    ]
    return Layered(
        first.labels + second.labels,
        first.constant + second.constant,
        (*first.edges, *((p + nodes, label, c + nodes) for p, label, c in second.edges)),
        (*first.box, *(box + boxes if box >= 0 else -1 for box in second.box)),
        (*first.boxes, *moved),
        -1,
    )


@given(st.sampled_from(GRAPHS), st.sampled_from(GRAPHS), st.integers(0, 10_000), st.booleans())
@settings(max_examples=100, deadline=None)
def test_a_text_has_the_graphs_of_its_sentences(first, second, seed, last) -> None:
    joint = Joint("THEN", last)
    found = joined(with_end(first, seed), with_end(second, seed + 1), joint)
    heads = {head for head in found.heads if head != -1}
    assert not {found.operations[head] for head in heads} & WITHOUT_CONSTANT
    expected = beside(first, second, joint)
    assert isomorphic(expand(found, BOXED), join(expected, BOXED))


@given(st.lists(st.sampled_from(GRAPHS), min_size=2, max_size=4), st.booleans())
@settings(max_examples=50, deadline=None)
def test_a_text_is_joined_from_its_sentences_as_it_says(graphs, last) -> None:
    parts = [with_end(graph, seed) for seed, graph in enumerate(graphs)]
    text = parts[0]
    for part in parts[1:]:
        text = joined(text, part, Joint("THEN", last))
    ends = openers(text)
    assert ends == [i for i, word in enumerate(text.tokens) if word == "."][:-1]
    found = of_sentences(text, ends, parts)
    assert isomorphic(expand(found, BOXED), expand(text, BOXED))
    without_end = replace(parts[0], operations=(*parts[0].operations[:-1], PRECEDE))
    assert of_sentences(text, ends, [without_end, *parts[1:]]) is None


def test_words_that_end_sentences() -> None:
    rows = [["Tom", "came", "."]] * 30 + [["Mr", ".", "X", "?"]] * 20 + [["a", "guitar"]] * 5
    assert final_words(rows) == FINAL
    assert final_words(rows[:19]) == frozenset()


@pytest.mark.parametrize(("text", "expected"), TABLES["ends"])
def test_final_words_that_others_follow(text, expected) -> None:
    assert ends_inside(text.split(), FINAL) == expected


def text_of(first: Example, second: Example) -> Example:
    parts = [split(e.graph, BOXED, PENMAN.is_constant) for e in (first, second) if e.graph]
    graph = join(beside(parts[0], parts[1], Joint("THEN", last=True)), BOXED)
    layers = zip(first.layers, second.layers, strict=True)
    return Example(
        (*first.tokens, *second.tokens),
        PENMAN.on_one_line(graph),
        graph,
        notation="penman",
        layers=tuple((name, items + more) for (name, items), (_, more) in layers),
    )


def texts(rows: Sequence[Example], count: int, seed: int) -> list[Example]:
    shuffled = list(rows)
    Random(seed).shuffle(shuffled)
    return [text_of(a, b) for a, b in list(pairwise(shuffled))[:count]]


def test_texts_are_parsed_whole_after_few_have_been_seen(tmp_path) -> None:
    rows = examples(150)
    train = [*rows[:120], *texts(rows[:120], 12, seed=1)]
    unseen = texts(rows[120:], 20, seed=2)
    chosen = with_overrides(SMALL, ["data.texts=0.5"])
    gold = training_set(corpus(train=train), chosen)
    assert len(gold.train) == 132 + 66
    assert gold.report.train_count == 132
    assert gold.report.remarks[-1] == "66 texts combined from sentences of train"
    parser = AMPARSER.train(corpus(train=train), chosen, tmp_path / "model")
    assert right(parser, unseen) >= 16


def test_no_texts_are_made_where_train_has_few(tmp_path) -> None:
    rows = examples(100)
    few = [*rows, *texts(rows, 5, seed=1)]
    assert len(training_set(corpus(train=few), SMALL).train) == 105
    many = [*rows, *texts(rows, 12, seed=1)]
    off = with_overrides(SMALL, ["data.texts=0"])
    assert len(training_set(corpus(train=many), off).train) == 112
