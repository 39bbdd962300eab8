"""Types of the AM algebra: acyclic graphs over sources, with renaming edges.

A type has the open sources of a graph and, for each source, its *request*: the type of the argument
that must fill it (Groschwitz 2019, chapter 5; Groschwitz et al. 2018, section 3). It is written as
a list of its sources, each with its request. In a request, `O2_UNIFY_S` means that the argument's
source O2 becomes the head's source S:

    ()                      no open source
    (S(), O())              two sources that take complete arguments
    (S(), O(O2_UNIFY_S))    O takes an argument in which O2 is open; this
                            O2 becomes the head's source S (control)
    (O(S()))                O takes an argument in which S is open; S then
                            is an open source of the head (raising)

    (C(*_UNIFY_M), M())     C takes an argument in which one source of any
                            name is open; it becomes M (polymorphic)

A source in the request of another source is also a source of the head, so the type `(O(S()))` has
two sources and equals `(O(S()), S())`. `type_to_str` writes all sources at the top level, sorted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from amparser.errors import AlgebraError, nesting
from amparser.logic.token_reader import TokenReader

ROOT = "ROOT"
IGNORE = "IGNORE"
APP = "APP_"
MOD = "MOD_"


def source_of(operation: str) -> str:
    """Return the source that an `APP_s` or `MOD_s` operation names.

    >>> source_of("APP_L1")
    'L1'
    """
    return operation.split("_", 1)[1]


ANY = "*"
"""Name in a polymorphic request that stands for one source of any name."""

_UNIFY = "_UNIFY_"


class Renaming(NamedTuple):
    """Renaming edge: the open source `name` of the argument at `source` becomes `target`."""

    source: str
    name: str
    target: str


@dataclass(frozen=True)
class AMType:
    """Type: its sources and its renaming edges (transitively closed, acyclic).

    Raises AlgebraError if an edge refers to an unknown source, or if the edges are ambiguous,
    cyclic or not transitively closed.
    """

    sources: frozenset[str] = frozenset()
    renamings: frozenset[Renaming] = frozenset()

    def __hash__(self) -> int:
        # Few types have the same sources, and a frozenset caches its hash.
        return hash(self.sources)

    def __post_init__(self) -> None:
        below: dict[str, set[str]] = {}
        asked: set[tuple[str, str]] = set()
        for edge in self.renamings:
            if edge.source not in self.sources or edge.target not in self.sources:
                raise AlgebraError(f"{edge} refers to a source outside {sorted(self.sources)}")
            targets = below.setdefault(edge.source, set())
            if edge.target in targets:
                raise AlgebraError(f"{edge.source!r} requests two sources for {edge.target!r}")
            if (edge.source, edge.name) in asked:
                raise AlgebraError(f"{edge.source!r} requests the source {edge.name!r} twice")
            targets.add(edge.target)
            asked.add((edge.source, edge.name))
        for source, targets in below.items():
            if source in targets or not all(below.get(t, targets) <= targets for t in targets):
                raise AlgebraError(
                    f"the type over {sorted(self.sources)} is cyclic or not closed at {source!r}"
                )

    @cached_property
    def origins(self) -> frozenset[str]:
        """Sources that can be filled first, because no other source must be filled before them."""
        return self.sources - {edge.target for edge in self.renamings}

    @lru_cache(maxsize=4096)  # noqa: B019 - types are few and live as long as the lexicon
    def request(self, source: str) -> AMType:
        """Return the type that an argument must have to fill a source.

        Raises AlgebraError if the type has no such source.
        """
        if source not in self.sources:
            raise AlgebraError(f"type {self} has no source {source!r}")
        name_of = {edge.target: edge.name for edge in self.renamings if edge.source == source}
        return AMType(
            frozenset(name_of.values()),
            frozenset(
                Renaming(name_of[edge.source], edge.name, name_of[edge.target])
                for edge in self.renamings
                if edge.source in name_of
            ),
        )

    def renamed(self, source: str) -> dict[str, str]:
        """Map the open sources of the argument that fills `source` to the head's names for them."""
        return {edge.name: edge.target for edge in self.renamings if edge.source == source}

    def without(self, source: str) -> AMType:
        """Return the type that remains after a source has been filled."""
        return AMType(
            self.sources - {source},
            frozenset(e for e in self.renamings if source not in (e.source, e.target)),
        )

    def includes(self, other: AMType) -> bool:
        """Return whether this type has all sources of another, with the same requests."""
        return other.sources <= self.sources and other.renamings == frozenset(
            edge for edge in self.renamings if edge.source in other.sources
        )

    def __str__(self) -> str:
        return type_to_str(self)


EMPTY = AMType()


def apply_type(head: AMType, source: str, argument: AMType) -> AMType | None:
    """Return the type of `APP_source(head, argument)`, or None if it is undefined.

    It is defined if and only if `source` is an origin of the head's type and the head's request at
    `source` accepts the argument's type (Groschwitz et al. 2018, definition of APP).
    """
    if source not in head.origins or not accepts(head.request(source), argument):
        return None
    return head.without(source)


def accepts(request: AMType, argument: AMType) -> bool:
    """Return whether an argument's type is equal to a request, or fits a polymorphic request."""
    if request == argument:
        return True
    return request.sources == {ANY} and len(argument.sources) == 1


def modify_type(head: AMType, source: str, modifier: AMType) -> AMType | None:
    """Return the type of `MOD_source(head, modifier)`, or None if it is undefined.

    It is defined if and only if `source` is an origin of the modifier's type with the empty
    request, and the head's type has all other sources of the modifier with the same requests.
    """
    if source not in modifier.origins or modifier.request(source) != EMPTY:
        return None
    return head if head.includes(modifier.without(source)) else None


def type_of(sources: Iterable[str], renamings: Iterable[tuple[str, str, str]] = ()) -> AMType:
    """Return the type with these sources and renaming edges `(source, name, target)`.

    Edges that follow by transitivity are added. Raises AlgebraError as `AMType` does.
    """
    edges = {Renaming(*edge) for edge in renamings}
    names = set(sources)
    below: dict[str, set[str]] = {}
    for source, _, target in edges:
        names |= {source, target}
        below.setdefault(source, set()).add(target)
    drawn = {(source, target) for source, _, target in edges}
    for middle in list(below):
        for targets in below.values():
            if middle in targets:
                targets |= below[middle]
    edges.update(
        Renaming(source, target, target)
        for source, targets in below.items()
        for target in targets
        if (source, target) not in drawn
    )
    return AMType(frozenset(names), frozenset(edges))


@lru_cache(maxsize=4096)
def type_from_str(text: str) -> AMType:
    """Read a type that is written as in this module's docstring.

    >>> str(type_from_str("(S(), O(O2_UNIFY_S))"))
    '(O(O2_UNIFY_S), S())'
    >>> type_from_str("(O(S()))") == type_from_str("(O(S()), S())")
    True

    Raises:
        AlgebraError: the text is not a type; the message gives the position.
    """
    reader = _TypeReader(text)
    with nesting(AlgebraError, "type nested too deeply"):
        reader.sources(None)
    reader.end()
    return type_of(reader.names, reader.edges)


class _TypeReader(TokenReader):
    pattern = re.compile(r"[(),]|[^(),\s]+")
    reserved = "(),"
    error = AlgebraError
    kind = "type"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.names: set[str] = set()
        self.edges: set[tuple[str, str, str]] = set()

    def sources(self, above: str | None) -> None:
        self._expect("(")
        if not self._accept(")"):
            self._enclosed(lambda: self._source(above), wanted="')'")

    def end(self) -> None:
        self._expect("")

    def _source(self, above: str | None) -> None:
        at, word = self.at, self._word("a source")
        name, unify, target = word.partition(_UNIFY) if _UNIFY in word else (word, "", word)
        if not name or not target or _UNIFY in target:
            self._fail("NAME_UNIFY_SOURCE", at)
        if above is not None:
            self.edges.add((above, name, target))
        elif unify:
            self._fail("a source (renamings belong inside a request)", at)
        self.names.add(target)
        if self.tokens[self.at] == "(":
            self.sources(target)


def type_to_str(value: AMType) -> str:
    """Return the text of a type: all its sources, sorted, each with its request."""

    def request(source: str) -> str:
        edges = sorted(edge for edge in value.renamings if edge.source == source)
        return ", ".join(
            f"{e.name}()" if e.name == e.target else f"{e.name}{_UNIFY}{e.target}" for e in edges
        )

    return "(" + ", ".join(f"{s}({request(s)})" for s in sorted(value.sources)) + ")"
