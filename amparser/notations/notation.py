"""Base class of notations, which read meanings, convert them to graphs, and write graphs."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from amparser.errors import AMParserError, LogicError, TranslateError, nesting
from amparser.graph.sgraph import Edge, SGraph, isomorphic
from amparser.logic.token_reader import cut_at_spaces

Order = Mapping[str, Sequence[str]]
"""Keys of each function's arguments, in the order in which the notation writes them."""
Unordered = Mapping[str, int]
"""For each function with unordered arguments, the number of ordered arguments before them."""


@dataclass(frozen=True)
class LaidOutGraph(SGraph):
    """S-graph with the layout (such as spaces) of the text from which it was read.

    The notation that read the text writes the graph in the same layout, and so reproduces the exact
    text. All other notations use their default layout. `isomorphic` ignores the layout, which is
    not part of the meaning.

    Attributes:
        notation: name of the notation that read the text.
        layout: the layout, as a value that only this notation interprets.
    """

    notation: str = ""
    layout: object = None


def layout_of_graph(graph: SGraph, notation: str) -> object:
    """Return the layout of a graph that the given notation has read, or None for other graphs."""
    if isinstance(graph, LaidOutGraph) and graph.notation == notation:
        return graph.layout
    return None


@dataclass(frozen=True)
class TextLayout:
    """Text of a graph, with the labels and edges that were read from it."""

    text: str
    labels: tuple[str | None, ...]
    edges: tuple[Edge, ...]


def laid_out_text(graph: SGraph, notation: str) -> str | None:
    """Return the text from which a notation read a graph; None if the graph has changed."""
    layout = layout_of_graph(graph, notation)
    labels = tuple(node.label for node in graph.nodes.values())
    if isinstance(layout, TextLayout) and (layout.labels, layout.edges) == (labels, graph.edges):
        return layout.text
    return None


def without_layout(graph: SGraph) -> SGraph:
    """Return the graph without its layout."""
    return SGraph(graph.nodes, graph.edges, graph.root, graph.sources)


class Equality(NamedTuple):
    """Equality of two meanings in two senses that are weaker than equality of their texts.

    Attributes:
        reformatted: whether they are equal up to the names of variables and, if the paper that
            defines the notation ignores it, the order of conjuncts.
        graph: whether their graphs are isomorphic; true if `reformatted` is true.
    """

    reformatted: bool = False
    graph: bool = False


class Notation(ABC):
    """Syntax of meanings, with its conversion to and from graphs.

    A new notation is a subclass with `read`, `graph` and `write`; an instance must be registered
    (see `amparser.notations.registry`). The other methods have defaults.

    Attributes:
        name: name in settings and on the command line.
        family: name shared by notations that write the same graphs; a parser trained on one of
            them can print any of them.
        style: name of the style in which the notation writes, if it has several.
        metrics: names of the metrics that `evaluate` prints by default.
        sample: example of a meaning, for messages; empty if nobody writes the notation by hand.
        needs_alignment: True if `write` needs graphs whose nodes are aligned to tokens.
        word: pattern of the words that `split` returns.
        generic: True for a general syntax, such as nested terms. If a more specific notation can
            also read a text, the text is probably in that notation.
    """

    name: str
    family: str
    style: str = ""
    metrics: tuple[str, ...] = ("match",)
    sample: str = ""
    needs_alignment: bool = True
    word: ClassVar[re.Pattern[str]] = re.compile(r"\S+")
    generic: bool = False

    @property
    def remarks(self) -> tuple[str, ...]:
        """One-line messages to the user about the decisions of `for_corpus`."""
        return ()

    @abstractmethod
    def read(self, text: str) -> object:
        """Return the meaning of a text. Raises LogicError if the text is malformed."""

    @abstractmethod
    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of a sentence's meaning, with nodes aligned to tokens (from 1).

        Raises:
            LogicError: the text does not follow the notation.
            TranslateError: the text does not fit the sentence.
        """

    @abstractmethod
    def write(self, graph: SGraph) -> str:
        """Return the text of a graph. Raises TranslateError if no text has this graph."""

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Write a graph, and check that the text expresses all of it.

        The text is read again with the sentence. The new graph must be isomorphic to the given
        one, or at least have the same labels (`content`) and be written as the same text. Raises
        TranslateError if no text has this graph, or if the check fails.
        """
        with nesting(TranslateError, "the meaning is nested too deeply"):
            text = self.write(graph)
        wanted = self.as_read(graph)
        if wanted is None:
            if self.is_readable(text):
                return text
            raise TranslateError(f"{text!r} is not a meaning of the sentence")
        try:
            again = self.graph(tokens, text)
        except RecursionError:
            raise TranslateError("the meaning is nested too deeply") from None
        except AMParserError as error:
            raise TranslateError(f"{text!r} is not a meaning of the sentence: {error}") from None
        if isomorphic(wanted, again):
            return text
        if self.content(wanted) != self.content(again) or self.write(without_layout(again)) != text:
            raise TranslateError(f"{text!r} does not express the whole meaning of the sentence")
        return text

    def as_read(self, graph: SGraph) -> SGraph | None:
        """Return the graph that `written` expects when it reads the text of `graph` again.

        If the result is None, `written` checks only that the text can be read.
        """
        return graph

    def content(self, graph: SGraph) -> Counter[str | None]:
        """Count the labels of a graph; `written` compares these counts to detect lost labels."""
        return Counter(node.label for node in graph.nodes.values())

    def equality(self, tokens: Sequence[str], gold: str, predicted: str | None) -> Equality:
        """Compare a predicted text with a gold one; a malformed prediction is unequal.

        Raises LogicError or TranslateError if the texts differ and the gold text is malformed.
        """
        if predicted == gold:
            return Equality(True, True)
        wanted = self.value(tokens, gold)
        try:
            return self.equal(tokens, wanted, self.value(tokens, predicted or ""))
        except (AMParserError, RecursionError):
            return Equality()

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the value that `equal` compares (default: the graph). Raises as `graph` does."""
        return self.graph(tokens, text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare two results of `value`. May raise AMParserError or RecursionError."""
        equal = isomorphic(wanted, found)
        return Equality(equal, equal)

    def for_corpus(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Notation:
        """Return the notation adapted to a corpus (default: unchanged); this may change its graphs.

        Args:
            rows: sentences and meanings, possibly malformed; iterated several times.
            unordered: functions whose arguments are unordered.
        """
        return self

    def style_of(self, texts: Iterable[str]) -> str:
        """Return the style in which most texts are written (default: empty)."""
        return ""

    def comparing(
        self,
        rows: Iterable[tuple[Sequence[str], str]],
        names: Sequence[str] = (),
        known: Unordered | None = None,
    ) -> Notation:
        """Return the notation that compares unordered arguments as sets (default: itself).

        Args:
            rows: corpus from which unordered arguments are induced.
            names: further functions whose arguments are unordered.
            known: result of `unordered_of`, if it has been computed.
        """
        return self

    def same_sets(self, gold: str, predicted: str | None) -> bool | None:
        """Return whether two meanings differ only in the order of unordered arguments.

        Return None if the notation has no unordered arguments (see `comparing`).
        """
        return None

    def unordered_of(
        self, rows: Iterable[tuple[Sequence[str], str]], names: Sequence[str] = ()
    ) -> Unordered:
        """Return the functions with unordered arguments in a corpus; see `comparing`."""
        return {}

    def order_of(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Order:
        """Return the order in which a corpus writes the arguments of each function."""
        return {}

    def styled(self, style: str, order: Order | None = None) -> Notation:
        """Return the notation that writes in the given style and order (default: itself)."""
        return self

    def plain(self, graph: SGraph) -> SGraph:
        """Return a graph without the structure that `for_corpus` adds (default: unchanged)."""
        return graph

    def is_constant(self, label: str | None) -> bool:
        """Return True if a label denotes a constant, such as a number, rather than a concept."""
        return False

    def is_readable(self, text: str) -> bool:
        """Return True if a text follows the notation."""
        try:
            self.read(text)
        except LogicError:
            return False
        return True

    def split(self, text: str) -> Sequence[str]:
        """Split a text into the words that a sequence-to-sequence model predicts.

        Words match the pattern `word`; quoted strings are split at their spaces.
        """
        return cut_at_spaces(self.word.findall(text))

    def join(self, words: Sequence[str]) -> str:
        """Join words into a text; the inverse of `split` for every well-formed text."""
        return " ".join(words)

    def convert(self, tokens: Sequence[str], text: str, source: Notation) -> str:
        """Convert a meaning from another notation of the family to this one.

        Raises LogicError or TranslateError if the text is malformed or cannot be converted.
        """
        return text if source.name == self.name else self.write(source.graph(tokens, text))
