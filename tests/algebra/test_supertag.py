"""Supertags: graph constants whose lexical label is left out."""

import pytest

from amparser.algebra.fragment import LEX, Fragment, fragment_from_graph, fragment_from_penman
from amparser.algebra.types import EMPTY, type_from_str
from amparser.errors import AlgebraError, GraphError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic

TRANSITIVE = "(i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))"


def supertag(penman: str, lexical_type: str) -> Fragment:
    return fragment_from_penman(penman, type_from_str(lexical_type))


def test_the_graph_is_read_from_the_text() -> None:
    text = "(i_4<root> / --LEX--  :ARG1 (i_2<s>)  :ARG2 (i_6<o>))"
    verb = supertag(text, "(o(), s())")
    assert verb.penman == "(i1<root> / --LEX-- :ARG1 (i2<s>) :ARG2 (i3<o>))"
    root, s, o = verb.graph.nodes
    expected = SGraph(
        {root: Node(LEX), s: Node(), o: Node()},
        (Edge(root, "ARG1", s), Edge(root, "ARG2", o)),
        root,
        {"s": s, "o": o},
    )
    assert isomorphic(verb.graph, expected)
    assert verb.graph.edges == expected.edges
    assert verb.slots == (0,)
    assert verb.problems == ()


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


def test_the_identity_is_root_and_source_at_once() -> None:
    identity = supertag("(i1<root,C>)", "(C())")
    assert identity.problems == ()
    assert identity.slots == ()
    assert identity.graph.sources == {"C": identity.graph.root}
    assert fragment_from_graph(identity.graph, identity.type) == identity


@pytest.mark.parametrize(
    ("penman", "lexical_type", "message"),
    [
        (f"(i1<root> / {LEX} :a (i2 / {LEX}))", "()", "more than one node"),
        (TRANSITIVE, "(L1())", r"sources \['R1'\] are missing from type \(L1\(\)\)"),
        (f"(i1<root> / {LEX})", "(S())", r"sources \['S'\] of type \(S\(\)\) mark no node"),
    ],
)
def test_what_is_no_constant_is_refused(penman: str, lexical_type: str, message: str) -> None:
    value = supertag(penman, lexical_type)
    assert len(value.problems) + len(value.slots) == 2
    with pytest.raises(AlgebraError, match=message):
        fragment_from_graph(value.graph, value.type)


def test_a_source_that_comes_with_an_argument_needs_no_node() -> None:
    assert supertag(f"(i1<root> / {LEX} :a (i2<O>))", "(O(S()))").problems == ()


def test_broken_text_is_an_error_of_the_graph() -> None:
    with pytest.raises(GraphError):
        _ = fragment_from_penman("(i1<root> / --LEX--", EMPTY).graph
