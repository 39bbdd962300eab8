"""The protocol of a notation: how a meaning is read, becomes a graph, and is written again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from amparser.errors import AMParserError, LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph, isomorphic

Order = Mapping[str, Sequence[str]]
"""For functions the keys of their arguments, in the order in which they are written."""
Unordered = Mapping[str, int]
"""Functions whose arguments have no order (`amparser.notations.unordered`)."""


@dataclass(frozen=True)
class LaidOutGraph(SGraph):
    """An s-graph with what its text had beside the meaning, such as spaces.

    The notation that read the text writes the graph in this layout, so that the text comes back
    as it was. Any other notation, and a graph without a layout, has the notation's own layout.
    The layout is no part of the meaning: `isomorphic` ignores it.

    Attributes:
        notation: the name of the notation that read the text.
        layout: a value of this notation.
    """

    notation: str = ""
    layout: object = None


def layout_of_graph(graph: SGraph, notation: str) -> object:
    """The layout that a notation gave to a graph when it read it, or None."""
    if isinstance(graph, LaidOutGraph) and graph.notation == notation:
        return graph.layout
    return None


def without_layout(graph: SGraph) -> SGraph:
    """The graph alone, as a parser makes it."""
    return SGraph(graph.nodes, graph.edges, graph.root, graph.sources)


class Equality(NamedTuple):
    """How two meanings are equal, if not as strings.

    Attributes:
        reformatted: equal up to names of variables, and up to the order of conjuncts if the
            notation's paper ignores it.
        graph: equal up to isomorphism. Meanings equal when reformatted are equal as graphs.
    """

    reformatted: bool = False
    graph: bool = False


class Notation(ABC):
    """A way of writing meanings.

    To add one, write a subclass with `read`, `graph` and `write`, and register an instance
    (see `amparser.notations.registry`). The other methods have defaults.

    Attributes:
        name: the name in settings and on the command line.
        family: notations of one family write the same graphs, so a parser trained on one of
            them can print any of them.
        style: the name of the style of writing, if there are several.
        also: further families whose graphs the notation writes.
        metrics: names of the metrics that `evaluate` prints by default.
        sample: a meaning in the notation, for messages; empty if nobody writes it by hand.
        needs_alignment: whether `write` needs graphs whose nodes are aligned to tokens.
        generic: whether texts of many languages follow the notation, such as nested terms. A
            text that another notation reads as well is more likely meant in that one.
    """

    name: str
    family: str
    style: str = ""
    also: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("match",)
    sample: str = ""
    needs_alignment: bool = True
    generic: bool = False

    @property
    def remarks(self) -> tuple[str, ...]:
        """What `for_corpus` found that a user may want to know, a line each."""
        return ()

    @property
    def families(self) -> tuple[str, ...]:
        """The families whose graphs the notation writes."""
        return (self.family, *self.also)

    @abstractmethod
    def read(self, text: str) -> object:
        """The meaning of a text.

        Raises:
            LogicError: the text does not follow the notation; the message names the column.
        """

    @abstractmethod
    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The graph of a sentence's meaning, its nodes aligned to tokens (from 1).

        Raises:
            LogicError: the text does not follow the notation.
            TranslateError: the text does not fit the sentence.
        """

    @abstractmethod
    def write(self, graph: SGraph) -> str:
        """The text of a graph's meaning.

        Raises:
            TranslateError: the graph has no meaning in this notation.
        """

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """The text of a graph as an answer: `write`, if the text has the whole meaning.

        The text is read again with the sentence. The graph that is read must be isomorphic, or at
        least have the same `content` and the same text: a notation need not distinguish all
        graphs, but nothing may get lost.

        Raises:
            TranslateError: the graph has no meaning in this notation, or its text is read as
                another one.
        """
        with nesting(TranslateError, "the meaning is nested too deeply"):
            text = self.write(graph)
        wanted = self.as_read(graph)
        if wanted is None:
            if self.is_readable(text):
                return text
            raise TranslateError(f"{text!r} is no meaning of the sentence")
        try:
            again = self.graph(tokens, text)
        except RecursionError:
            raise TranslateError("the meaning is nested too deeply") from None
        except AMParserError as error:
            raise TranslateError(f"{text!r} is no meaning of the sentence: {error}") from None
        if isomorphic(wanted, again):
            return text
        if self.content(wanted) != self.content(again) or self.write(without_layout(again)) != text:
            raise TranslateError(f"{text!r} does not say the whole meaning of the sentence")
        return text

    def as_read(self, graph: SGraph) -> SGraph | None:
        """The graph as which the text of a graph is read again.

        It differs from the graph if that is of a family in `also`. None if the notation reads no
        graph of that kind: then it is enough that the text can be read.
        """
        return graph

    def content(self, graph: SGraph) -> Counter[str | None]:
        """The labels of a graph, by which `written` finds that something got lost."""
        return Counter(node.label for node in graph.nodes.values())

    def equality(self, tokens: Sequence[str], gold: str, predicted: str | None) -> Equality:
        """Compare a predicted text with a gold one; an unreadable text equals nothing.

        Args:
            tokens: the sentence.
            gold: a well-formed meaning.
            predicted: any text, or None if there is no answer.

        Raises:
            LogicError, TranslateError: the gold meaning had to be read and is malformed.
        """
        if predicted == gold:
            return Equality(True, True)
        wanted = self.value(tokens, gold)
        try:
            return self.equal(tokens, wanted, self.value(tokens, predicted or ""))
        except (AMParserError, RecursionError):
            return Equality()

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """What `equal` compares of a text, by default its graph; raises as `graph` does."""
        return self.graph(tokens, text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """How equal two values are.

        Raises:
            AMParserError, RecursionError: they cannot be compared, or are nested too deeply.
        """
        equal = isomorphic(wanted, found)
        return Equality(equal, equal)

    def for_corpus(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Notation:
        """The notation as it aligns the words of one corpus; by default itself.

        Args:
            rows: sentences and their meanings, malformed ones among them; they can be gone
                through several times.
            unordered: functions whose arguments have no order.
        """
        return self

    def style_of(self, texts: Iterable[str]) -> str:
        """Return the style in which most texts are written; empty by default."""
        return ""

    def comparing(
        self,
        rows: Iterable[tuple[Sequence[str], str]],
        names: Sequence[str] = (),
        known: Unordered | None = None,
    ) -> Notation:
        """Return the notation that compares arguments without order as sets; by default itself.

        Args:
            rows: sentences and meanings, which show the functions whose arguments have no order.
            names: further such functions.
            known: what other rows have shown.
        """
        return self

    def same_sets(self, gold: str, predicted: str | None) -> bool | None:
        """Return whether meanings are equal up to the order of arguments without order.

        None if each order has a meaning (`comparing`).
        """
        return None

    def unordered_of(
        self, rows: Iterable[tuple[Sequence[str], str]], names: Sequence[str] = ()
    ) -> Unordered:
        """Return the functions whose arguments have no order; see `comparing`."""
        return {}

    def order_of(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Order:
        """Return the order in which functions of any number of arguments have them; see `Order`.

        Args:
            rows: sentences and their meanings.
            unordered: functions that have any number of arguments, in any order.
        """
        return {}

    def styled(self, style: str, order: Order | None = None) -> Notation:
        """Return the notation that writes a style and an order; by default itself."""
        return self

    def plain(self, graph: SGraph) -> SGraph:
        """Return a graph without what `for_corpus` adds to graphs; by default itself."""
        return graph

    def is_constant(self, label: str | None) -> bool:
        """Whether a label stands for a constant, such as a number, and not for a concept."""
        return False

    def penman_text(self, graph: SGraph) -> tuple[str, list[int | None]] | None:
        """The block of a graph in a PENMAN file, and the token of each of its nodes, in order.

        By default None: such a file has the graph as an s-graph (`amparser.graph.penman_codec`).

        Raises:
            TranslateError: the graph has no meaning in this notation.
        """
        return None

    def groups(self, tokens: Sequence[str], text: str) -> tuple[str, ...]:
        """Names of the groups of meanings whose figures are shown apart; by default none.

        A name is a word, or words before and behind a number: groups are shown by number.

        Raises:
            LogicError: the text does not follow the notation.
        """
        return ()

    def is_readable(self, text: str) -> bool:
        """Whether a text follows the notation."""
        try:
            self.read(text)
        except LogicError:
            return False
        return True

    def split(self, text: str) -> Sequence[str]:
        """The words of a text, as a sequence-to-sequence model writes them."""
        return text.split()

    def join(self, words: Sequence[str]) -> str:
        """The text of the words; the inverse of `split` for every well-formed text."""
        return " ".join(words)

    def convert(self, tokens: Sequence[str], text: str, source: Notation) -> str:
        """A meaning in this notation, given one in another notation of the family.

        Raises:
            LogicError, TranslateError: the text is malformed or has no form in this notation.
        """
        return text if source.name == self.name else self.write(source.graph(tokens, text))
