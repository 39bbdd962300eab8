"""Evaluation of edges between constants, closed ports and boxes, and of invalid derivations."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st
from toy_graphs import BOXED, GRAPHS, some_derivation
from well_typed_trees import well_typed_trees

from amparser.algebra.derivation import ARC, Arc, Derivation, Link, Scope
from amparser.algebra.expand import expand
from amparser.algebra.fragment import SLOT, Fragment, Port
from amparser.algebra.tree import AMTree
from amparser.algebra.types import APP, IGNORE, ROOT, type_of
from amparser.errors import AMTreeError, InputError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic

LEAF = Fragment((SLOT,))


def heads_of(seed: int, size: int) -> tuple[int, ...]:
    """Return a random tree over tokens in random order; -1 for the root."""
    random = Random(seed)
    order = list(range(size))
    random.shuffle(order)
    heads = [-1] * size
    for i, token in enumerate(order[1:], 1):
        heads[token] = random.choice(order[:i])
    return tuple(heads)


def test_nodes_are_aligned_to_the_tokens_of_their_constants() -> None:
    tail = Fragment((SLOT, "of", None), ((0, "a", 1), (1, "b", 2)), 0, (Port("s", 2),))
    derivation = Derivation(
        ("oh", "tail", "the", "cat", "."),
        (None, replace(tail, type=type_of("s")), None, LEAF, None),
        ((), ("tail",), (), ("cat",), ()),
        (-1, -1, -1, 1, -1),
        (IGNORE, ROOT, IGNORE, f"{APP}s", IGNORE),
    )
    graph = expand(derivation, align_all=True)
    assert {(node.label, node.token) for node in graph.nodes.values()} == {
        ("tail", 2),
        ("of", 2),
        ("cat", 4),
    }


def words(size: int) -> tuple[str, ...]:
    return tuple(f"w{i}" for i in range(size))


def by_arcs(heads: tuple[int, ...], down: tuple[bool, ...]) -> Derivation:
    size = len(heads)
    return Derivation(
        words(size),
        (LEAF,) * size,
        tuple((word,) for word in words(size)),
        heads,
        tuple(ROOT if head < 0 else ARC for head in heads),
        links=tuple(
            () if head < 0 else (Link(f"r{t}", d, 0, 0),)
            for t, (head, d) in enumerate(zip(heads, down, strict=True))
        ),
    )


def by_ports(heads: tuple[int, ...], down: tuple[bool, ...]) -> Derivation:
    size = len(heads)
    constants = []
    for token in range(size):
        below = [t for t in range(size) if heads[t] == token]
        edges = [(0, f"r{t}", i) if down[t] else (i, f"r{t}", 0) for i, t in enumerate(below, 1)]
        ports = tuple(Port(f"s{t}", i) for i, t in enumerate(below, 1))
        labels = (SLOT, *(None for _ in below))
        constants.append(Fragment(labels, tuple(edges), 0, ports, type_of(p.name for p in ports)))
    return Derivation(
        words(size),
        tuple(constants),
        tuple((word,) for word in words(size)),
        heads,
        tuple(ROOT if head < 0 else f"{APP}s{t}" for t, head in enumerate(heads)),
    )


trees = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.integers(0, 10**6).map(lambda seed: heads_of(seed, n)),
        st.lists(st.booleans(), min_size=n, max_size=n).map(tuple),
    )
)


@given(trees)
def test_an_arc_equals_a_port_with_an_edge(tree) -> None:
    arcs, ports = by_arcs(*tree), by_ports(*tree)
    assert arcs.problems() == ports.problems() == []
    assert isomorphic(expand(arcs), expand(ports))


@given(trees, st.data())
def test_reentrant_arcs_add_edges(tree, data) -> None:
    for whole in (by_arcs(*tree), by_ports(*tree)):
        size = len(whole.tokens)
        upper, lower = (data.draw(st.integers(0, size - 1)) for _ in range(2))
        more = replace(whole, reentrant=(Arc(upper, lower, (Link("more", True, 0, 0),)),))
        plain, graph = expand(whole), expand(more)
        assert graph.nodes == plain.nodes
        token = {n: v.token for n, v in graph.nodes.items()}
        [edge] = [edge for edge in graph.edges if edge not in plain.edges]
        assert (token[edge.parent], edge.label, token[edge.child]) == (upper + 1, "more", lower + 1)
        # A duplicate edge has no effect.
        twice = replace(more, reentrant=more.reentrant * 2)
        assert expand(twice) == graph


def test_wrappers_are_above_the_root() -> None:
    whole = by_arcs((-1, 0), (True, True))
    wrapper = Fragment(("ask", "the", None), ((0, "arg0", 1), (2, "of", 1)), 0, (Port("H0", 2),))
    graph = expand(whole, wrapper=wrapper)
    expected = SGraph(
        {0: Node("ask"), 1: Node("the"), 2: Node("w0"), 3: Node("w1")},
        (Edge(0, "arg0", 1), Edge(2, "of", 1), Edge(2, "r1", 3)),
        0,
    )
    assert isomorphic(graph, expected)
    assert [v.token for v in graph.nodes.values()].count(None) == 2


@given(st.sampled_from(GRAPHS), st.integers(0, 10_000))
def test_derivations_of_boxed_graphs_round_trip(graph, seed) -> None:
    derivation = some_derivation(graph, seed)
    assert derivation.problems() == []
    boxes = sum(map(len, derivation.boxes.introduced))
    nodes = expand(derivation, BOXED).nodes.values()
    assert [node.label for node in nodes].count(BOXED.label) == boxes + 1


OPERATIONS = [ROOT, IGNORE, ARC, "CONTINUE", "APP_s0", "APP_e0.0", "MOD_m0", "X_e0.0", ""]


@given(
    st.one_of(
        trees.map(lambda tree: by_arcs(*tree)),
        trees.map(lambda tree: by_ports(*tree)),
        well_typed_trees.map(AMTree.derivation),
    ),
    st.data(),
)
def test_derivations_have_problems_iff_they_denote_no_graph(broken, data) -> None:
    size = len(broken.tokens)
    for _ in range(data.draw(st.integers(1, 2))):
        field, value = data.draw(
            st.sampled_from(
                [
                    ("heads", st.integers(-2, size)),
                    ("operations", st.sampled_from(OPERATIONS)),
                    ("fragments", st.sampled_from([None, LEAF, *broken.fragments])),
                    ("lexical_labels", st.sampled_from([(), ("a",), ("a", "b")])),
                ]
            )
        )
        row = list(getattr(broken, field))
        row[data.draw(st.integers(0, size - 1))] = data.draw(value)
        broken = replace(broken, **{field: tuple(row)})
    found = broken.problems()
    if not found:
        try:
            expand(broken)
        except AMTreeError as error:
            assert "two labels" in str(error)  # noqa: PT017 - only sometimes raised
        return
    with pytest.raises(AMTreeError) as caught:
        expand(broken)
    assert str(caught.value) == "; ".join(found)


PAIR = by_arcs((-1, 0), (True, True))
OPTIONAL = Fragment(("f", None), ((0, "a", 1),), 0, (Port("H0", 1, "all"),), type_of(["H0"]))
NO_BOXES: Scope = Scope(((), ()), ((-1, 0), (-1, 0)), ((-1, 0), (-1, 0)))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"links": ((), (Link("x", True, 0, 3),))}, "token 2: its edge 'x' ends at node 3 of 1"),
        ({"reentrant": (Arc(0, 2, ()),)}, "token 3: a re-entrant edge without a supertag"),
        ({"reentrant": (Arc(1, 0, (Link("x", True, 1, 0),)),)},
         "token 1: its edge 'x' ends at node 1 of 1"),
        ({"scope": NO_BOXES._replace(within=((-1, 0), (0, 0)))},
         "token 2: its box 0 of token 1 does not exist"),
        ({"fragments": (LEAF, OPTIONAL), "lexical_labels": (("w0",), ())},
         "token 2: ARC of type (H0()), expected ()"),
        ({"closed": ((), ("H0",))}, "token 2: ports without defaults: H0"),
        ({"lexical_labels": (("a",), ("a", "b"))}, "token 2: 2 fillers for 1 slots"),
    ],
)  # fmt: skip
def test_problems_name_tokens(changes, problem) -> None:
    derivation = replace(PAIR, **changes)
    assert derivation.problems() == [problem]
    with pytest.raises(AMTreeError, match=problem.split("(")[0]):
        expand(derivation)


def test_rows_have_one_length() -> None:
    with pytest.raises(InputError, match="2 tokens has fields of other lengths"):
        replace(PAIR, heads=(-1,))
    with pytest.raises(InputError, match="2 tokens has fields of other lengths"):
        replace(PAIR, scope=Scope((), (), ()))
