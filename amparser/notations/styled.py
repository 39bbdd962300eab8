"""Notations of trees whose texts differ in their spaces; the style is found in a corpus."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Self

from amparser.errors import LogicError, nesting
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import LaidOutGraph, Notation, layout_of_graph


class StyledNotation(Notation):
    """A notation that reads texts of every style and writes one.

    Attributes:
        styles: what a style is, by its name; the first one, called `""`, is the default.
        style: the name of the style that is written.
        shapes: what a corpus shows of the values, or None.
    """

    needs_alignment = False
    generic = True
    styles: ClassVar[Mapping[str, Any]]

    def __init__(self, style: str = "", shapes: Any = None) -> None:
        self.style = style
        self.shapes = shapes

    @abstractmethod
    def tree(self, tokens: Sequence[str], value: Any) -> SGraph:
        """Return the graph of a value that was read."""

    @abstractmethod
    def value_of(self, graph: SGraph) -> Any:
        """Return the value of a graph; raise TranslateError if it has none."""

    @abstractmethod
    def text_of(self, value: Any, style: str) -> str:
        """Return the text of a value in a style."""

    @abstractmethod
    def shapes_of(self, rows: Sequence[tuple[Sequence[str], Any]]) -> Any:
        """Return what sentences and their values show; None if that is nothing."""

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the tree of the text; it remembers the style."""
        value = self.read(text)
        with nesting(LogicError):
            graph = self.tree(tokens, value)
            fitting = (one for one in self.styles if self.text_of(value, one) == text)
            style = next(fitting, None)
        return LaidOutGraph(graph.nodes, graph.edges, graph.root, {}, self.name, style)

    def write(self, graph: SGraph) -> str:
        """Return the text of a tree in the style in which it was read, or the notation's."""
        style = layout_of_graph(graph, self.name)
        return self.text_of(self.value_of(graph), style if isinstance(style, str) else self.style)

    def styled(self, style: str) -> Self:
        """Return the notation that writes a style; any unknown one is the default."""
        return type(self)(style if style in self.styles else "", self.shapes)

    def style_of(self, texts: Iterable[str]) -> str:
        """Return the style of most texts; the first one if several fit equally many."""
        counts = Counter(dict.fromkeys(self.styles, 0))
        for text in texts:
            with suppress(LogicError), nesting(LogicError):
                value = self.read(text)
                counts.update(s for s in self.styles if self.text_of(value, s) == text)
        return max(counts, key=lambda style: counts[style])

    def for_corpus(self, rows: Iterable[tuple[Sequence[str], str]]) -> Self:
        """Return the notation with the shapes of a corpus."""
        values = []
        for tokens, text in rows:
            with suppress(LogicError):
                values.append((tokens, self.read(text)))
        return type(self)(self.style, self.shapes_of(values))

    def join(self, words: Sequence[str]) -> str:
        """Return the text of words in the notation's style; malformed words with one space each."""
        text = " ".join(words)
        with suppress(LogicError), nesting(LogicError):
            return self.text_of(self.read(text), self.style)
        return text
