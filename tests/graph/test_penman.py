"""PENMAN notation: every graph has one text, every text one graph."""

import pytest
from hypothesis import given, strategies as st

from amparser.errors import GraphError
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic

LABELS = ["boy", '"Emma"', "?", "--LEX--", "the", "~~v_of:e-i-i", "a b", 'say "x"', '"a b"', ""]
LABELS += ["#c", "\\", '"', '""', "New\nYork", "\u2028", "(", "é", "_and+then_c"]


@st.composite
def connected_graphs(draw: st.DrawFn) -> SGraph:
    size = draw(st.integers(1, 6))
    label = st.one_of(st.none(), st.sampled_from(LABELS), st.text(max_size=4))
    nodes = {node: Node(draw(label)) for node in range(size)}
    edge_label = st.sampled_from(["agent", "nmod.op1", "_and+then_c", "of"])
    edges = []
    for node in range(1, size):  # a spanning tree, in either direction
        other = draw(st.integers(0, node - 1))
        ends = draw(st.permutations([node, other]))
        edges.append(Edge(ends[0], draw(edge_label), ends[1]))
    some_node = st.integers(0, size - 1)
    edges += draw(st.lists(st.builds(Edge, some_node, edge_label, some_node), max_size=4))
    sources = draw(st.dictionaries(st.sampled_from(["S", "L1", "art-snt1"]), some_node))
    return SGraph(nodes, tuple(draw(st.permutations(edges))), draw(some_node), sources)


@given(connected_graphs())
def test_reading_what_was_written_gives_an_isomorphic_graph(graph) -> None:
    assert isomorphic(sgraph_from_penman(sgraph_to_penman(graph)), graph)


@given(connected_graphs())
def test_writing_is_canonical(graph) -> None:
    text = sgraph_to_penman(graph)
    assert sgraph_to_penman(sgraph_from_penman(text)) == text


@given(connected_graphs())
def test_node_identifiers_do_not_show(graph) -> None:
    names = {node: 100 - 7 * node for node in graph.nodes}
    renamed = SGraph(
        {names[n]: graph.nodes[n] for n in reversed(list(graph.nodes))},
        tuple(Edge(names[e.parent], e.label, names[e.child]) for e in graph.edges),
        names[graph.root],
        {s: names[n] for s, n in reversed(graph.sources.items())},
    )
    assert sgraph_to_penman(renamed) == sgraph_to_penman(graph)


def test_outgoing_edges_keep_their_order() -> None:
    text = "(i1<root> / give :theme (i2) :agent (i3 / ?) :recipient i2)"
    graph = sgraph_from_penman(text)
    assert [edge.label for edge in graph.outgoing(graph.root)] == ["theme", "agent", "recipient"]
    assert sgraph_to_penman(graph) == text


@pytest.mark.parametrize("label", ["", "a b", "x-of", "a(b", "a:b"])
def test_an_edge_label_without_notation_is_an_error(label) -> None:
    graph = SGraph({1: Node("a"), 2: Node("b")}, (Edge(1, label, 2),), 1)
    with pytest.raises(GraphError, match="has no PENMAN notation"):
        sgraph_to_penman(graph)


@pytest.mark.parametrize("source", ["", "root", "a,b", "a>b"])
def test_a_source_without_notation_is_an_error(source) -> None:
    with pytest.raises(GraphError, match="has no PENMAN notation"):
        sgraph_to_penman(SGraph({1: Node("a")}, (), 1, {source: 1}))


def test_a_disconnected_graph_is_an_error() -> None:
    with pytest.raises(GraphError, match=r"not connected to the root: nodes \[2, 3\]"):
        sgraph_to_penman(SGraph({1: Node("a"), 2: Node(), 3: Node()}, (Edge(2, "x", 3),), 1))


def test_deep_graphs_are_written_or_refused() -> None:
    def chain(size: int) -> SGraph:
        edges = tuple(Edge(n, "x", n + 1) for n in range(size))
        return SGraph({n: Node() for n in range(size + 1)}, edges, 0)

    assert isomorphic(sgraph_from_penman(sgraph_to_penman(chain(100))), chain(100))
    with pytest.raises(GraphError, match="too deep"):
        sgraph_to_penman(chain(5000))
