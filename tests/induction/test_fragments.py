"""Constants of tokens: what is contracted comes back, wherever the nodes are aligned."""

import pytest
from hypothesis import given, settings, strategies as st
from toy_graphs import BOXED, GRAPHS, some_derivation

from amparser.algebra.derivation import PRECEDE
from amparser.algebra.expand import expand, layered
from amparser.errors import DecomposeError
from amparser.graph.boxes import Layered, join, with_settled_constants
from amparser.graph.sgraph import isomorphic
from amparser.induction.fragments import OrientationCounts, contract


@given(st.sampled_from(GRAPHS), st.integers(0, 10_000))
@settings(max_examples=100, deadline=None)
def test_expand_is_the_inverse_of_contract(graph, seed) -> None:
    derivation = some_derivation(graph, seed)
    assert isomorphic(expand(derivation, BOXED), join(graph, BOXED))
    other = some_derivation(graph, seed, OrientationCounts([derivation]))
    assert isomorphic(expand(other, BOXED), join(graph, BOXED))


def test_joined_words_have_no_nodes() -> None:
    graph = Layered(('"New York"',), (False,), (), (0,), GRAPHS[0].boxes[:1], -1)
    derivation = contract(graph, [1], [0], ["New", "York"], [True], [0])
    assert derivation.operations[0] == PRECEDE
    assert layered(derivation).labels == graph.labels


def test_a_graph_without_nodes_has_no_derivation() -> None:
    empty = Layered((), (), (), (), GRAPHS[0].boxes[:1], -1)
    with pytest.raises(DecomposeError, match="no nodes"):
        contract(empty, [], [0], ["a", "b"], [])


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
