import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.term import Term, term_from_str, term_to_str
from amparser.notations.term import graph_from_text, text_from_graph

symbols = st.sampled_from(["f", "big_1", "_", "'two words'", "'it''s'", "3", "-2.5", "'a, (b)'"])
terms = st.recursive(
    symbols.map(Term),
    lambda inner: st.builds(
        Term, st.sampled_from(["f", "g_2"]), st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=12,
)


@given(terms)
def test_text_and_graph_round_trip(term: Term) -> None:
    text = term_to_str(term)
    assert term_from_str(text) == term
    assert text_from_graph(graph_from_text(text)) == text


def test_layout_is_free_when_read() -> None:
    assert term_to_str(term_from_str(" f( a,b ) ")) == "f(a, b)"


def test_deep_terms_need_no_stack() -> None:
    text = "f(" * 5000 + "a" + ")" * 5000
    assert text_from_graph(graph_from_text(text)) == text


@pytest.mark.parametrize("text", ["", "f(", "f()", "f(a", "f(a,)", "f(a))", "f a", "(a)", "f('a)"])
def test_what_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(LogicError, match="column"):
        term_from_str(text)


def test_nodes_are_numbered_as_written() -> None:
    graph = graph_from_text("f(g('a', _), h)", [[0], [1, 2], [], [4]])
    assert [graph.nodes[i].label for i in range(5)] == ["f", "g", "'a'", "_", "h"]
    assert [graph.nodes[i].token for i in range(5)] == [1, 2, 2, None, 4]


@pytest.mark.parametrize(
    "graph",
    [
        SGraph({0: Node("f"), 1: Node("a")}, (Edge(0, "arg1", 1),), 0),
        SGraph({0: Node("f"), 1: Node("a")}, (Edge(0, "role", 1),), 0),
        SGraph({0: Node("f"), 1: Node("a")}, (), 0),
        SGraph({0: Node("f"), 1: Node("a")}, (Edge(0, "arg0", 1), Edge(1, "arg0", 0)), 0),
        SGraph({0: Node(None)}, (), 0),
    ],
)
def test_what_is_no_term_has_no_text(graph: SGraph) -> None:
    with pytest.raises(TranslateError):
        text_from_graph(graph)
