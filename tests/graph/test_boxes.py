"""Graphs apart from their boxes: splitting and joining lose nothing."""

from __future__ import annotations

import pytest
from toy_bank import examples

from amparser.errors import GraphError
from amparser.graph.boxes import BoxScheme, box_scheme, join, split
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.penman import PENMAN

BOXED = BoxScheme('/"box"', "member")


def graph(text: str) -> SGraph:
    return PENMAN.graph((), text)


def graphs() -> list[SGraph]:
    return [example.graph for example in examples(100) if example.graph is not None]


def test_the_boxes_of_a_corpus_are_found() -> None:
    assert box_scheme(graphs(), PENMAN.is_constant) == BOXED


def test_amr_has_no_boxes() -> None:
    texts = ("(w / want-01 :ARG0 (b / boy))", "(s / sleep-01 :ARG0 (g / girl :quant 3))")
    assert box_scheme([graph(text) for text in texts], PENMAN.is_constant) is None
    assert box_scheme([], PENMAN.is_constant) is None


def test_join_is_the_inverse_of_split() -> None:
    for one in graphs():
        layered = split(one, BOXED, PENMAN.is_constant)
        assert isomorphic(join(layered, BOXED), one)
        whole = split(one, None, PENMAN.is_constant)
        assert isomorphic(join(whole, None), one)


def test_a_node_stands_in_the_box_that_has_it_as_member() -> None:
    one = graph('(b / "box" :member (s / "x.n.01") :NOT (c / "box" :member (t / "y.v.01" :A s)))')
    layered = split(one, BOXED, PENMAN.is_constant)
    assert dict(zip(layered.labels, layered.box, strict=True)) == {'/"x.n.01"': 0, '/"y.v.01"': 1}
    assert [(box.parent, box.label) for box in layered.boxes] == [(-1, ""), (0, "NOT")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('(b / "box" :member (s / "x" :A (t / "y")))', "0 boxes above"),
        ('(b / "box" :member (s / "x") :NOT (c / "box" :member s))', "2 boxes above"),
        ('(b / "box" :member (c / "box"))', "wrong end"),
        ('(x / "x" :A (b / "box"))', "into a box"),
    ],
)
def test_faulty_boxes_are_named(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        split(graph(text), BOXED, PENMAN.is_constant)
