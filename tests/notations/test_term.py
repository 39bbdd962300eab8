"""Terms and s-expressions as notations: strings come back, and equality ignores layout."""

import pytest

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.registry import NOTATIONS


def test_a_malformed_gold_meaning_is_an_error() -> None:
    for name in ("term", "sexpr"):
        with pytest.raises(LogicError, match="column 1"):
            NOTATIONS[name].equality((), ")", "f")


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
