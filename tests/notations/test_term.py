"""Terms and s-expressions as notations: strings come back, and equality ignores layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.sexpr import QUOTES, Sexpr, sexpr_to_str
from amparser.notations.registry import NOTATIONS, family_of
from amparser.notations.sexpr import graph_from_sexpr, sexpr_from_graph

TERMS = {
    "term": "answer(city(loc_2(stateid('new york', _))), size = 3)",
    "term-tight": "answer(city(loc_2(stateid('new york',_))),size=3)",
    "term-keyword": "answer(city(loc_2(stateid('new york', _))), size=3)",
    "term-spaced": "answer ( city ( loc_2 ( stateid ( 'new york' , _ ) ) ) , size = 3 )",
    "sexpr": '(answer (city (loc_2 (stateid "new york" _))) \'x ((f)))',
    "sexpr-spaced": '( answer ( city ( loc_2 ( stateid "new york" _ ) ) ) \'x ( ( f ) ) )',
}


def plain(graph: SGraph) -> SGraph:
    """The graph without the layout of its text, as a parser makes it."""
    return SGraph(graph.nodes, graph.edges, graph.root)


@pytest.mark.parametrize("name", TERMS)
def test_a_text_comes_back_from_a_graph_of_any_origin(name: str) -> None:
    notation, text = NOTATIONS[name], TERMS[name]
    graph = notation.graph((), text)
    assert notation.write(graph) == text
    assert notation.write(plain(graph)) == text
    assert notation.join(notation.split(text)) == text
    assert not notation.needs_alignment


@pytest.mark.parametrize("name", TERMS)
def test_each_notation_of_a_family_reads_every_layout(name: str) -> None:
    notation = NOTATIONS[name]
    for other in family_of(name)[1:]:
        assert notation.write(notation.graph((), TERMS[other])) == TERMS[other]
        assert notation.convert((), TERMS[other], NOTATIONS[other]) == TERMS[name]
        assert notation.write(NOTATIONS[other].graph((), TERMS[other])) == TERMS[name]
        assert notation.equality((), TERMS[name], TERMS[other]) == (True, True)


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("f(a, k = b, l = c)", "f(a,l=c,k=b)", (False, True)),
        ("f(a, k = b)", "f(k = b, a)", (False, True)),
        ("f(a, b)", "f(b, a)", (False, False)),
        ("f(a)", "f('a')", (False, False)),
        ("f(a)", "f(a", (False, False)),
        ("f(a)", None, (False, False)),
        ("f()", "f", (False, False)),
    ],
)
def test_equality_of_terms(gold: str, predicted: str | None, expected: tuple[bool, bool]) -> None:
    assert NOTATIONS["term"].equality((), gold, predicted) == expected


def test_a_malformed_gold_meaning_is_an_error() -> None:
    for name in ("term", "sexpr"):
        with pytest.raises(LogicError, match="column 1"):
            NOTATIONS[name].equality((), ")", "f")


atoms = st.sampled_from(["f", "3", '"two words"', '"(f)"', ",", "'", "john's"]).map(Sexpr)
sexprs = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: Sexpr("", tuple(items))),
        st.builds(
            lambda mark, item: Sexpr(mark, (item,), quoted=True), st.sampled_from(QUOTES), inner
        ).filter(lambda s: s.items[0].atom not in QUOTES or s.items[0].quoted),
    ),
    max_leaves=12,
)


@given(sexprs)
def test_lists_and_their_trees(sexpr: Sexpr) -> None:
    assert sexpr_from_graph(graph_from_sexpr(sexpr)) == sexpr
    text = sexpr_to_str(sexpr)
    notation = NOTATIONS["sexpr"]
    assert notation.write(plain(notation.graph((), text))) == text


def test_labels_of_lists() -> None:
    graph = NOTATIONS["sexpr"].graph((), "((f a) (g) () 'x)")
    labels = [graph.nodes[n].label for n in graph.nodes]
    assert labels == ["()", "f", "a", "(g)", "()", "'()", "x"]


@pytest.mark.parametrize(
    "graph",
    [
        SGraph({0: Node("f"), 1: Node("a")}, (Edge(0, "arg1", 1),), 0),
        SGraph({0: Node("f"), 1: Node("a")}, (Edge(0, "role", 1),), 0),
        SGraph({0: Node("f"), 1: Node("a")}, (), 0),
        SGraph({0: Node("f"), 1: Node("a")}, (Edge(0, "arg0", 1), Edge(1, "arg0", 0)), 0),
        SGraph({0: Node("()"), 1: Node("a")}, (Edge(0, "arg0", 1),), 0),
        SGraph({0: Node("(f)"), 1: Node("a")}, (Edge(0, "arg0", 1),), 0),
        SGraph({0: Node(None)}, (), 0),
        SGraph({0: Node("two words")}, (), 0),
        SGraph({0: Node("f")}, (), 0, {"s": 0}),
    ],
)
def test_what_is_no_s_expression_has_no_text(graph: SGraph) -> None:
    with pytest.raises(TranslateError):
        NOTATIONS["sexpr"].write(graph)
