import pytest
from hypothesis import example, given, strategies as st

from amparser.graph.sgraph import SGraph
from amparser.logic.term import STYLES, Term, term_from_str, term_to_str
from amparser.notations.term import TERM

SYMBOLS = ["f", "big_1", "_", "'two words'", "'it''s'", "3", "-2.5", "'a, (b)'", '"x \\" = y"']
symbols = st.sampled_from([*SYMBOLS, "now()", ">=", "==", "= ".strip(), "\\+", "' a  b '"])
keys = st.sampled_from(["", "", "key", "arg0", "arg1=", "x-y", ">"])


@st.composite
def applied(draw: st.DrawFn, inner: st.SearchStrategy[Term]) -> Term:
    arguments = tuple(draw(st.lists(inner, min_size=1, max_size=3)))
    found = tuple(draw(keys).strip("=") for _ in arguments)
    head = draw(st.sampled_from(["f", "g_2", "'quoted'"]))
    return Term(head, arguments, found if any(found) else ())


terms = st.recursive(symbols.map(Term), applied, max_leaves=12)


@given(terms)
@example(term_from_str("f(key = a, b, key = c)"))
def test_text_and_graph_round_trip(term) -> None:
    text = term_to_str(term)
    assert term_from_str(text) == term
    assert TERM.write(TERM.graph((), text)) == text


@pytest.mark.parametrize("name", STYLES)
@given(terms)
def test_each_layout_round_trips(name, term) -> None:
    layout = STYLES[name]
    text = term_to_str(term, layout)
    assert term_from_str(text) == term
    assert term_to_str(term, STYLES[TERM.style_of([text])]) == text
    notation = TERM.styled(name)
    assert notation.join(notation.split(text)) == text


def test_any_layout_is_read() -> None:
    assert term_to_str(term_from_str(" f( a,b ) ")) == "f(a, b)"


def test_deep_terms_need_no_recursion() -> None:
    text = "f(" * 5000 + "a" + ")" * 5000
    assert TERM.write(TERM.graph((), text)) == text


def test_nodes_are_numbered_in_text_order() -> None:
    graph = TERM.graph((), "f(g('a', _), h)")
    assert [graph.nodes[i].label for i in range(5)] == ["f", "g", "'a'", "_", "h"]


def test_keys_are_edge_labels() -> None:
    graph = TERM.graph((), "f(a, role = b, c, arg0 = d)")
    assert [edge.label for edge in graph.edges] == ["arg0", "role", "arg1", "\\arg0"]


def test_the_order_of_edges_does_not_matter() -> None:
    graph = TERM.graph((), "f(a, role = b, c)")
    turned = SGraph(graph.nodes, tuple(reversed(graph.edges)), 0)
    assert TERM.write(turned) == "f(a, c, role = b)"
