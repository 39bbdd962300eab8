"""Supertags: graph constants whose lexical label is left out."""

import pytest

from amparser.algebra.fragment import LEX, Fragment, fragment_from_graph, fragment_from_penman
from amparser.algebra.types import type_from_str
from amparser.errors import AlgebraError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic

TRANSITIVE = "(i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))"


def supertag(penman: str, lexical_type: str) -> Fragment:
    return fragment_from_penman(penman, type_from_str(lexical_type))


def test_supertags_are_equal_when_graph_and_type_are() -> None:
    verb = supertag(TRANSITIVE, "(L1(), R1())")
    assert verb == supertag(TRANSITIVE, "(R1(), L1())")
    assert len({verb, supertag(TRANSITIVE, "(R1(), L1())")}) == 1
    assert verb != supertag(TRANSITIVE, "(R1(L1()), L1())")
    assert verb != supertag(TRANSITIVE.replace("agent", "theme"), "(L1(), R1())")
    assert verb == supertag(TRANSITIVE.replace("i1", "i9"), "(L1(), R1())")


def test_text_from_a_graph_is_canonical() -> None:
    graphs = [
        SGraph(
            {a: Node(LEX), b: Node(), c: Node()},
            (Edge(a, "agent", b), Edge(a, "theme", c)),
            a,
            {"R1": c, "L1": b},
        )
        for a, b, c in [(0, 1, 2), (7, 3, 5)]
    ]
    made = [fragment_from_graph(graph, type_from_str("(L1(), R1())")) for graph in graphs]
    assert made[0] == made[1] == supertag(TRANSITIVE, "(L1(), R1())")
    assert isomorphic(made[0].graph, graphs[0])


@pytest.mark.parametrize(
    ("penman", "lexical_type", "message"),
    [
        (f"(i1<root> / {LEX} :a (i2 / {LEX}))", "()", "more than one node"),
        (TRANSITIVE, "(L1())", r"sources \['R1'\] are missing from type \(L1\(\)\)"),
    ],
)
def test_what_is_no_constant_is_refused(penman: str, lexical_type: str, message: str) -> None:
    value = supertag(penman, lexical_type)
    with pytest.raises(AlgebraError, match=message):
        fragment_from_graph(value.graph, value.type)
