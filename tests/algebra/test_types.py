"""Types: their notation, their parts, and the conditions on APP and MOD."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from amparser.algebra.types import (
    EMPTY,
    AMType,
    Renaming,
    apply_type,
    modify_type,
    type_from_str,
    type_of,
    type_to_str,
)
from amparser.errors import AlgebraError

SOURCES = "abcd"


@st.composite
def types(draw: st.DrawFn) -> AMType:
    """Draw a type over at most four sources; edges only lead from earlier to later ones."""
    sources = draw(st.permutations(SOURCES))[: draw(st.integers(0, 4))]
    pairs = [(s, t) for i, s in enumerate(sources) for t in sources[i + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    edges = [(s, draw(st.sampled_from([t, t, "a", "b", "x"])), t) for s, t in chosen]
    try:
        return type_of(sources, edges)
    except AlgebraError:  # two targets under one name
        return type_of(sources, [(s, t, t) for s, t in chosen])


class Literal:
    """The literal definitions: a type as a graph of sources with paths (Groschwitz 2019)."""

    def __init__(self, nodes: set[str], edges: set[tuple[str, str, str]]) -> None:
        self.nodes = nodes
        self.edges = edges

    @classmethod
    def of(cls, value: AMType) -> Literal:
        return cls(set(value.sources), {tuple(edge) for edge in value.renamings})

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Literal)
        return self.nodes == other.nodes and self.edges == other.edges

    def reachable(self, start: str) -> set[str]:
        found: set[str] = set()
        for source, _, target in self.edges:
            if source == start:
                found |= {target} | self.reachable(target)
        return found

    def is_origin(self, node: str) -> bool:
        return node in self.nodes and not any(node in self.reachable(n) for n in self.nodes)

    def induced(self, nodes: set[str]) -> Literal:
        return Literal(
            self.nodes & nodes, {e for e in self.edges if e[0] in nodes and e[2] in nodes}
        )

    def edges_from(self, node: str) -> set[tuple[str, str, str]]:
        return {edge for edge in self.edges if edge[0] == node}

    def request(self, source: str) -> Literal:
        below = self.induced(self.reachable(source))
        name = {t: n for s, n, t in self.edges if s == source}
        return Literal(
            {name[node] for node in below.nodes}, {(name[s], n, name[t]) for s, n, t in below.edges}
        )

    def applied(self, source: str, argument: Literal) -> Literal | None:
        if not self.is_origin(source) or self.request(source) != argument:
            return None
        return self.induced(self.nodes - {source})

    def modified(self, source: str, modifier: Literal) -> Literal | None:
        if not modifier.is_origin(source) or modifier.request(source) != Literal(set(), set()):
            return None
        rest = modifier.induced(modifier.nodes - {source})
        same = all(
            node in self.nodes and rest.edges_from(node) == self.edges_from(node)
            for node in rest.nodes
        )
        return self if same else None


def literal(value: AMType | None) -> Literal | None:
    return None if value is None else Literal.of(value)


@given(types())
def test_notation_round_trips(value) -> None:
    assert type_from_str(type_to_str(value)) == value
    assert type_from_str(f" {str(value).replace(', ', ' ,  ')} ") == value


def test_a_type_is_closed_and_within_its_sources() -> None:
    with pytest.raises(AlgebraError, match="refers to a source outside"):
        AMType(frozenset("a"), frozenset({Renaming("a", "b", "b")}))
    with pytest.raises(AlgebraError, match="not closed at 'a'"):
        AMType(frozenset("abc"), frozenset({Renaming("a", "b", "b"), Renaming("b", "c", "c")}))


@given(types())
def test_parts_follow_the_definitions(value) -> None:
    slow = Literal.of(value)
    assert value.origins == {s for s in value.sources if slow.is_origin(s)}
    for source in value.sources:
        request = value.request(source)
        assert Literal.of(request) == slow.request(source)
        assert set(value.renamed(source)) == request.sources
        assert set(value.renamed(source).values()) == slow.reachable(source)
        rest = value.without(source)
        assert Literal.of(rest) == slow.induced(set(value.sources) - {source})
        assert value.includes(rest) == (source in value.origins)
        assert not rest.includes(value)
    assert value.includes(value)
    assert value.includes(EMPTY)
    with pytest.raises(AlgebraError, match="no source 'z'"):
        value.request("z")


@given(types(), types(), types())
def test_inclusion_is_an_order(left, middle, right) -> None:
    if left.includes(middle) and middle.includes(left):
        assert left == middle
    if left.includes(middle) and middle.includes(right):
        assert left.includes(right)


@given(types(), types(), st.data())
def test_apply_follows_the_definition(head, other, data) -> None:
    source = data.draw(st.sampled_from(SOURCES))
    # A random argument hardly ever fits, so the request itself is tried too.
    fitting = [head.request(source)] if source in head.sources else []
    for argument in [other, *fitting]:
        result = apply_type(head, source, argument)
        assert literal(result) == Literal.of(head).applied(source, Literal.of(argument))
        if result is not None:
            assert result == head.without(source)


@given(types(), types(), st.data())
def test_modify_follows_the_definition(head, other, data) -> None:
    part = head
    while part.origins and data.draw(st.booleans()):
        part = part.without(data.draw(st.sampled_from(sorted(part.origins))))
    fitting = type_of({*part.sources, "m"}, part.renamings)
    assert modify_type(head, "m", fitting) == head
    for source in [*SOURCES, "m"]:
        for modifier in (other, fitting):
            result = modify_type(head, source, modifier)
            assert literal(result) == Literal.of(head).modified(source, Literal.of(modifier))
