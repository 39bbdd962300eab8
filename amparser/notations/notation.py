"""The base class of notations: how a meaning is read, becomes a graph, and is written."""

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
"""For each function, the keys of its arguments in the order in which they are written."""
Unordered = Mapping[str, int]
"""Number of ordered arguments before the unordered ones, by function (see `unordered.Sets`)."""


@dataclass(frozen=True)
class LaidOutGraph(SGraph):
    """An s-graph with the layout of the text that it was read from, such as its spaces.

    The notation that read the text writes the graph in this layout and thus reproduces the exact
    text. Other notations use their default layout, as for graphs without a layout. The layout is
    not part of the meaning: `isomorphic` ignores it.

    Attributes:
        notation: name of the notation that read the text.
        layout: a value specific to this notation.
    """

    notation: str = ""
    layout: object = None


def layout_of_graph(graph: SGraph, notation: str) -> object:
    """Return the layout that a notation gave to a graph when reading it, or None."""
    if isinstance(graph, LaidOutGraph) and graph.notation == notation:
        return graph.layout
    return None


@dataclass(frozen=True)
class TextLayout:
    """Layout of a graph that is its text, with the labels and edges of the text."""

    text: str
    labels: tuple[str | None, ...]
    edges: tuple[Edge, ...]


def laid_out_text(graph: SGraph, notation: str) -> str | None:
    """Return the text that a notation read a graph from, unless the graph has changed."""
    layout = layout_of_graph(graph, notation)
    labels = tuple(node.label for node in graph.nodes.values())
    if isinstance(layout, TextLayout) and (layout.labels, layout.edges) == (labels, graph.edges):
        return layout.text
    return None


def without_layout(graph: SGraph) -> SGraph:
    """Return the graph without its layout."""
    return SGraph(graph.nodes, graph.edges, graph.root, graph.sources)


class Equality(NamedTuple):
    """Equality of two meanings beyond string equality.

    Attributes:
        reformatted: equal up to names of variables, and up to the order of conjuncts if the
            notation's paper ignores it.
        graph: equal up to isomorphism. Meanings that are equal when reformatted are equal as
            graphs.
    """

    reformatted: bool = False
    graph: bool = False


class Notation(ABC):
    """A way of writing meanings.

    To add one, write a subclass with `read`, `graph` and `write`, and register an instance (see
    `amparser.notations.registry`). The other methods have defaults.

    Attributes:
        name: name in settings and on the command line.
        family: notations of one family write the same graphs, so a parser trained on one of them
            can print any of them.
        style: name of the writing style, if there are several.
        metrics: names of the metrics that `evaluate` prints by default.
        sample: a meaning in the notation, for messages; empty if people do not write it by hand.
        needs_alignment: True if `write` needs graphs whose nodes are aligned to tokens.
        word: pattern of the words that `split` returns.
        generic: True if many meaning representations follow the notation, such as nested terms. A
            text that another notation can also read is more likely in the other notation.
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
        """One-line messages that tell the user what `for_corpus` decided."""
        return ()

    @abstractmethod
    def read(self, text: str) -> object:
        """Return the meaning of a text. Raises LogicError."""

    @abstractmethod
    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of a sentence's meaning, with nodes aligned to tokens (from 1).

        Raises:
            LogicError: the text does not follow the notation.
            TranslateError: the text does not fit the sentence.
        """

    @abstractmethod
    def write(self, graph: SGraph) -> str:
        """Return the text of a graph's meaning. Raises TranslateError."""

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Return the result of `write` after checking that the text has the whole meaning.

        The text is read again with the sentence. The graph that is read must be isomorphic to the
        given graph, or at least have the same `content` and text. A notation may write different
        graphs as the same text, but no label may get lost. Raises TranslateError if the graph has
        no meaning in this notation, or if its text is read as another graph.
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
        """Return the graph that is expected if the text of `graph` is read again.

        Return None if no text of this notation is read as such a graph. In this case `written` only
        checks that the text is readable.
        """
        return graph

    def content(self, graph: SGraph) -> Counter[str | None]:
        """Count the labels of a graph; `written` compares these counts to detect lost labels."""
        return Counter(node.label for node in graph.nodes.values())

    def equality(self, tokens: Sequence[str], gold: str, predicted: str | None) -> Equality:
        """Compare a predicted text with a gold one; an unreadable text equals nothing.

        Raises LogicError or TranslateError if the gold meaning had to be read and is malformed.
        """
        if predicted == gold:
            return Equality(True, True)
        wanted = self.value(tokens, gold)
        try:
            return self.equal(tokens, wanted, self.value(tokens, predicted or ""))
        except (AMParserError, RecursionError):
            return Equality()

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the value of a text for `equal` (default: its graph). Raises as `graph` does."""
        return self.graph(tokens, text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Return the equality of two values. Raises AMParserError or RecursionError."""
        equal = isomorphic(wanted, found)
        return Equality(equal, equal)

    def for_corpus(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Notation:
        """Return the notation adapted to a corpus (default: itself); alignments may change.

        Args:
            rows: sentences and meanings, possibly malformed; iterated several times.
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
        """Return the notation that compares unordered arguments as sets (default: itself)."""
        return self

    def same_sets(self, gold: str, predicted: str | None) -> bool | None:
        """Return True if meanings are equal up to the order of unordered arguments.

        Return None if the notation compares all arguments in order (see `comparing`).
        """
        return None

    def unordered_of(
        self, rows: Iterable[tuple[Sequence[str], str]], names: Sequence[str] = ()
    ) -> Unordered:
        """Return the functions whose arguments are unordered; see `comparing`."""
        return {}

    def order_of(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Order:
        """Return the order in which functions of variable arity write their arguments."""
        return {}

    def styled(self, style: str, order: Order | None = None) -> Notation:
        """Return the notation that writes in the given style and order (default: itself)."""
        return self

    def plain(self, graph: SGraph) -> SGraph:
        """Return a graph without the structure that `for_corpus` adds (default: unchanged)."""
        return graph

    def is_constant(self, label: str | None) -> bool:
        """Return True if a label is a constant, such as a number, rather than a concept."""
        return False

    def is_readable(self, text: str) -> bool:
        """Return True if a text follows the notation."""
        try:
            self.read(text)
        except LogicError:
            return False
        return True

    def split(self, text: str) -> Sequence[str]:
        """Split a text into the words that a sequence-to-sequence model writes.

        Words match the pattern `word`; strings are cut at their spaces.
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
