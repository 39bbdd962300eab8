"""Constants of tokens: what is contracted comes back, wherever the nodes are aligned."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_graphs import BOXED, GRAPHS, some_analysis

from amparser.errors import DecomposeError
from amparser.graph.boxes import Layered, join, with_settled_constants
from amparser.graph.sgraph import isomorphic
from amparser.induction.fragments import contract, expand
from amparser.induction.spanning_trees import Habits
from amparser.lexicon.analysis import (
    JOINED,
    arc_label,
    edges_of_arc,
)


@given(st.sampled_from(GRAPHS), st.integers(0, 10_000))
@settings(max_examples=100, deadline=None)
def test_expand_is_the_inverse_of_contract(graph: Layered, seed: int) -> None:
    analysis = some_analysis(graph, seed)
    assert isomorphic(join(expand(analysis), BOXED), join(graph, BOXED))
    other = some_analysis(graph, seed, Habits([analysis]))
    assert isomorphic(join(expand(other), BOXED), join(graph, BOXED))


edges = st.tuples(
    st.from_regex(r"[A-Za-z][A-Za-z-]{0,8}", fullmatch=True),
    st.booleans(),
    st.integers(0, 12),
    st.integers(0, 12),
)


@given(st.lists(edges, max_size=3))
def test_labels_of_arcs_come_back(rows: list[tuple[str, bool, int, int]]) -> None:
    assert edges_of_arc(arc_label(rows)) == tuple(sorted(rows))


def test_joined_words_have_no_nodes() -> None:
    graph = Layered(('"New York"',), (False,), (), (0,), GRAPHS[0].boxes[:1], -1)
    analysis = contract(graph, [1], [0], 2, [True], [0])
    assert analysis.tags[0] == JOINED
    assert expand(analysis).labels == graph.labels


def test_a_graph_without_nodes_has_no_analysis() -> None:
    empty = Layered((), (), (), (), GRAPHS[0].boxes[:1], -1)
    with pytest.raises(DecomposeError, match="no nodes"):
        contract(empty, [], [0], 2, [])


def test_each_constant_has_one_edge_to_a_node() -> None:
    graph = Layered(
        ("dog", "3", '"Tom"', "cat", "7", "8"),
        (False, True, True, False, True, True),
        ((0, "quant", 1), (3, "quant", 1), (4, "x", 5)),
        (0, -1, -1, 0, -1, -1),
        GRAPHS[0].boxes[:1],
        -1,
    )
    found = with_settled_constants(graph)
    assert found.labels == ("dog", "3", "cat", "3")
    assert found.edges == ((0, "quant", 1), (2, "quant", 3))
    assert with_settled_constants(found) == found
