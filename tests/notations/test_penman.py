"""Round trips of AMR graphs in PENMAN notation."""

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic
from amparser.notations.notation import without_layout
from amparser.notations.penman import PENMAN
from amparser.notations.penman_labels import label_of_concept, label_of_constant

TABLES = tables(__file__)


@pytest.mark.parametrize("text", TABLES["layouts"])
def test_variables_and_indentation_are_kept(text) -> None:
    graph = PENMAN.graph((), text)
    assert PENMAN.write(graph) == text
    assert "\n" not in PENMAN.write(without_layout(graph))
    assert PENMAN.on_one_line(graph) == " ".join(text.split())


def test_labels_distinguish_constants_from_concepts() -> None:
    graph = PENMAN.graph(
        (), '(x / 3 :op1 3 :op2 "3" :op3 - :mode imperative :op4 (i / imperative))'
    )
    labels = ["/3", "3", '"3"', "-", "'imperative", "imperative"]
    assert [node.label for node in graph.nodes.values()] == labels
    assert [PENMAN.is_constant(label) for label in labels] == [False, True, True, True, True, False]


def test_surface_alignments_are_read() -> None:
    tokens = ("New", "York", "grew", "3", "%")
    text = '(g / grow-01~e.2 :ARG1~e.0 (c / city :name (n / name~e.0,1 :op1 "New"~e.0)) :ARG2 3~3)'
    graph = PENMAN.graph(tokens, text)
    assert [node.token for node in graph.nodes.values()] == [3, None, 1, 1, 4]
    assert "~" not in PENMAN.write(graph)
    with pytest.raises(LogicError, match=r"~e\.5: expected a token from 0 to 4"):
        PENMAN.graph(tokens, "(g / go~e.5)")


concepts = st.sampled_from(["boy", "go-02", "3", "'s", "Ångström", "i"]).map(label_of_concept)
constants = st.sampled_from(["3", "-", "+", '"a (b"', "imperative", "a"]).map(label_of_constant)
roles = st.sampled_from(["ARG0", "mod", "consist-of", "op1", "domain"])


@st.composite
def graphs(draw: st.DrawFn) -> SGraph:
    size = draw(st.integers(1, 6))
    nodes = {i: Node(draw(concepts)) for i in range(size)}
    pairs = [(draw(st.integers(0, i - 1)), i) for i in range(1, size)]
    pairs += draw(
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=4)
    )
    edges = []
    for left, right in pairs:
        ends = (left, right) if draw(st.booleans()) else (right, left)
        edges.append(Edge(ends[0], draw(roles), ends[1]))
    for i in range(draw(st.integers(0, 3))):
        nodes[size + i] = Node(draw(constants))
        edges.append(Edge(draw(st.integers(0, size - 1)), draw(roles), size + i))
    return SGraph(nodes, tuple(draw(st.permutations(edges))), draw(st.integers(0, size - 1)))


@given(graphs())
def test_graphs_round_trip(graph) -> None:
    text = PENMAN.write(graph)
    again = PENMAN.graph((), text)
    assert isomorphic(graph, again)
    assert isomorphic(again, PENMAN.graph((), PENMAN.write(without_layout(again))))
    assert PENMAN.join(PENMAN.split(text)) == text
    assert PENMAN.equality((), text, PENMAN.write(without_layout(again))) == (True, True)


odd = st.one_of(
    st.text(st.sampled_from("ab1\"\\'/:#~-. (\n\x85\u2028\xa0"), max_size=6),
    st.text(max_size=4),
    st.text(max_size=4).map('"{}"'.format),
)


@given(odd, odd, odd)
def test_a_graph_with_odd_labels_round_trips_or_is_refused(concept, constant, role) -> None:
    nodes = {0: Node(concept), 1: Node(constant), 2: Node("a")}
    graph = SGraph(nodes, (Edge(0, role, 1), Edge(2, "ARG0", 0)), 2)
    try:
        text = PENMAN.written((), graph)
    except TranslateError:
        return
    assert isomorphic(PENMAN.graph((), text), graph)
