"""Constants, their supertags and their closed ports."""

import pytest
from hypothesis import given, strategies as st
from well_typed_trees import well_typed_trees

from amparser.algebra.fragment import (
    LEX,
    SLOT,
    Fragment,
    Port,
    fragment_from_penman,
    supertag_from_str,
    supertag_to_str,
)
from amparser.algebra.types import EMPTY, type_from_str, type_of
from amparser.errors import AlgebraError, GraphError, InputError
from amparser.graph.sgraph import edge_at


@given(well_typed_trees)
def test_supertags_come_back(tree) -> None:
    for entry in tree.entries:
        if entry.supertag is not None:
            constant = entry.supertag
            assert constant.problems == ()
            assert constant.supertag() == constant
            assert fragment_from_penman(constant.penman, constant.type) == constant
            assert supertag_from_str(supertag_to_str(constant)) == constant


@st.composite
def tree_fragments(draw: st.DrawFn) -> Fragment:
    """Draw a tree in which some leaves are ports."""
    labels: list[str | None] = [draw(st.sampled_from(["f", "g", SLOT]))]
    edges, ports = [], []
    for node in range(1, draw(st.integers(1, 6))):
        above = draw(st.sampled_from([i for i, label in enumerate(labels) if label is not None]))
        edges.append(edge_at(above, draw(st.sampled_from(["arg0", "arg1", "<-agent"])), node))
        if draw(st.booleans()):
            default = draw(st.sampled_from([None, "all", "_"]))
            ports.append(Port(f"H{len(ports)}", node, default))
            labels.append(None)
        else:
            labels.append(draw(st.sampled_from(["f", "g"])))
    type_ = type_of(port.name for port in ports)
    return Fragment(tuple(labels), tuple(edges), 0, tuple(ports), type_)


@given(tree_fragments(), st.data())
def test_closed_ports_are_leaves(fragment, data) -> None:
    assert fragment.problems == ()
    optional = sorted(fragment.optional)
    closed = data.draw(st.sets(st.sampled_from(optional))) if optional else set()
    supertag = fragment.closing(tuple(closed)).supertag()
    open_ports = {port.name for port in fragment.ports} - closed
    assert supertag.type.sources == open_ports
    assert supertag.problems == ()
    assert len(supertag.labels) == len(fragment.labels)
    assert supertag.labels.count(None) == len(open_ports)


def test_closing_leaves_ports_that_must_be_filled() -> None:
    edges = ((0, "a", 1), (0, "b", 2), (0, "c", 3))
    ports = (Port("H0", 1, "all"), Port("H1", 2, "_"), Port("H2", 3))
    fragment = Fragment(("f", None, None, None), edges, 0, ports, type_of(["H0", "H1", "H2"]))
    constant = fragment.closing(("H1",))
    assert constant.labels == ("f", None, "_", None)
    assert [(port.name, port.default) for port in constant.ports] == [("H0", None), ("H2", None)]
    assert str(constant.type) == "(H0(), H2())"
    with pytest.raises(InputError, match="ports without defaults: H2"):
        fragment.closing(("H2",))


MARKER = Fragment((None,), ports=(Port("C", 0),), type=type_from_str("(C())"))


def test_the_port_of_a_marker_is_its_root() -> None:
    assert MARKER.supertag() == fragment_from_penman("(i1<root,C>)", type_from_str("(C())"))


@pytest.mark.parametrize(
    ("constant", "reason"),
    [
        (Fragment((SLOT, SLOT), ((0, "x", 1),)), "2 slots, expected at most one"),
        (
            Fragment(("f", None), ((0, "a", 1),), ports=(Port("H0", 1, "_"),)),
            "optional ports are left open: H0",
        ),
        (Fragment(("dog",), unboxed=frozenset({0})), "in no box"),
    ],
)
def test_constants_that_are_not_supertags_are_refused(constant, reason) -> None:
    with pytest.raises(InputError, match=reason):
        constant.supertag()


@pytest.mark.parametrize(
    ("constant", "problem"),
    [
        (Fragment(("a",), root=1), "there are 1 nodes, but its root, edges or ports name [1]"),
        (
            Fragment((None,), ports=(Port("C", 0), Port("C", 0)), type=type_from_str("(C())")),
            "two ports have one name: ['C', 'C']",
        ),
        (
            Fragment(("a",), ports=(Port("C", 0, "all"),), type=type_from_str("(C())")),
            "the port C has a default and a label",
        ),
        (Fragment((None,), ports=(Port("C", 0),)), "sources ['C'] are missing from type ()"),
        (Fragment(("a",), type=type_from_str("(C())")), "sources ['C'] of type (C()) mark no node"),
    ],
)
def test_problems_of_constants(constant, problem) -> None:
    assert constant.problems == (problem,)


def test_broken_supertags_say_what_is_wrong() -> None:
    with pytest.raises(AlgebraError, match=f"{LEX} labels more than one node"):
        supertag_from_str(f"(a<root> / {LEX} :x (b / {LEX})) ()")
    with pytest.raises(GraphError, match="column 13: unexpected end of input"):
        fragment_from_penman("(a<root> / b", EMPTY)
    sources = ", ".join(f"S{i}()" for i in range(11))
    with pytest.raises(AlgebraError, match="a type of 11 sources, expected at most 10"):
        supertag_from_str(f"(a<root> / {LEX}) ({sources})")
    with pytest.raises(AlgebraError, match="mark no node"):
        Fragment(("a",), type=type_from_str("(C())")).supertag()
