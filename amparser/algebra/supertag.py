"""Supertags: delexicalised graph constants with their types.

A *graph constant* is an s-graph with one root and sources; a *supertag* is
the same with `--LEX--` where the lexical label goes, together with its
*lexical type*. In text it is PENMAN with root and sources in angle brackets:

    (i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))      (L1(), R1())
    (i1<root,C>)                                              (C())

The second one, a single unlabelled node that is root and source at once, is
the identity: it passes its argument on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from amparser.algebra.types import AMType, type_from_str, type_to_str
from amparser.conditions import AsText
from amparser.errors import AlgebraError
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import SGraph
from amparser.limits import MOST_SOURCES

LEX = "--LEX--"


@dataclass(frozen=True)
class Supertag:
    """A delexicalised graph constant and its lexical type; equal when both texts are."""

    penman: str
    lexical_type: Annotated[AMType, AsText(type_to_str, type_from_str)]

    def __hash__(self) -> int:
        # Few supertags share a text, and a text keeps its hash.
        return hash(self.penman)

    @cached_property
    def graph(self) -> SGraph:
        """The constant's s-graph; its slot for the lexical label is labelled `--LEX--`."""
        return sgraph_from_penman(self.penman)

    @cached_property
    def anchor(self) -> int | None:
        """The node that carries the lexical label, or None if no node does."""
        return next((n for n, node in self.graph.nodes.items() if node.label == LEX), None)

    def problems(self) -> list[str]:
        """What keeps this from being a graph constant; empty when nothing does."""
        found = []
        if sum(node.label == LEX for node in self.graph.nodes.values()) > 1:
            found.append(f"{LEX} labels more than one node")
        found += source_problems(self.graph.sources, self.lexical_type)
        return found

    def misfit(self) -> str | None:
        """Why this is nothing to compute with, or None; raises AMParserError likewise."""
        if problem := next((one for one in self.problems() if "more than one" in one), None):
            return f": {problem}"
        count = len(self.lexical_type.sources)
        if count > MOST_SOURCES:
            return f": a type of {count} sources, expected at most {MOST_SOURCES}"
        return None


def source_problems(marked: Iterable[str], lexical_type: AMType) -> list[str]:
    """How the sources that mark nodes disagree with a type; empty if they agree."""
    found = []
    marked = set(marked)
    if missing := sorted(marked - lexical_type.sources):
        found.append(f"sources {missing} are missing from type {type_to_str(lexical_type)}")
    # Other sources may come with an argument (raising); Groschwitz 2019, definition 5.3.
    if nowhere := sorted(lexical_type.origins - marked):
        found.append(f"sources {nowhere} of type {type_to_str(lexical_type)} mark no node")
    return found


def supertag_from_graph(graph: SGraph, lexical_type: AMType) -> Supertag:
    """The supertag of a delexicalised constant, its text in canonical form."""
    supertag = Supertag(sgraph_to_penman(graph), lexical_type)
    if problems := supertag.problems():
        raise AlgebraError(f"{supertag.penman}: {'; '.join(problems)}")
    return supertag
