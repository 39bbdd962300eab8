"""Base class of notations that represent meanings as trees.

Answers are written in the corpus's most frequent style of spaces and brackets.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from amparser.errors import AMParserError, LogicError, nesting
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import (
    Equality,
    LaidOutGraph,
    Notation,
    Order,
    Unordered,
    layout_of_graph,
)
from amparser.notations.ordered_trees import Tree, graph_of_tree, tree_of_graph
from amparser.notations.repeated import Chains, chained, chains_of, flattened, order_of
from amparser.notations.unordered import Sets, as_set, in_order_of_words, sets_of
from amparser.notations.value_shapes import in_order_of_keys, order_of_keys, without_pairs
from amparser.notations.value_trees import Shapes


@dataclass(eq=False)
class StyledNotation(Notation):
    """Notation that reads texts in all its styles and writes texts in one style.

    Attributes:
        styles: description of each style, by name; the first is the default style `""`.
        style: name of the style in which texts are written.
        chains: functions of variable arity in the corpus (see `repeated`), or None.
        sets: functions with unordered arguments (see `unordered`).
    """

    needs_alignment = False
    generic = True
    styles: ClassVar[Mapping[str, Any]]
    style: str = ""
    shapes: Any = None
    chains: Chains | None = None
    order: Order = field(default_factory=dict)
    sets: Sets = field(default_factory=Sets)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Messages that list the functions of variable arity and those with unordered arguments."""
        functions = {
            "any number of arguments": self.chains.fixed if self.chains is not None else (),
            "the order of arguments has no meaning": self.sets.unordered,
        }
        return tuple(f"{what}: {', '.join(names)}" for what, names in functions.items() if names)

    @abstractmethod
    def tree(self, tokens: Sequence[str], value: Any) -> Tree:
        """Return the tree of a value."""

    @abstractmethod
    def value_of(self, tree: Tree) -> Any:
        """Return the value of a tree. Raises TranslateError if no value has this tree."""

    def canonical(self, text: str) -> Any:
        """Return the value of a text, with variables renamed in a standard way."""
        return self.read(text)

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the value that `equal` compares."""
        return self.canonical(text)

    @abstractmethod
    def text_of(self, value: Any, style: str) -> str:
        """Return the text of a value in a style."""

    @abstractmethod
    def shapes_of(self, rows: Sequence[tuple[Sequence[str], Any]]) -> Any:
        """Return statistics of a corpus that determine its trees; None if none are needed."""

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the tree of a text as a graph that stores the style of the text."""
        value = self.read(text)
        with nesting(LogicError):
            tree = self.tree(tokens, value)
            if self.sets.announced:
                in_order_of_words(tree, tokens, self.sets)
            if self.chains is not None:
                tree = chained(tree, tokens, self.chains)
            fitting = (name for name in self.styles if self.text_of(value, name) == text)
            style = next(fitting, None)
        graph = graph_of_tree(tree)
        return LaidOutGraph(graph.nodes, graph.edges, graph.root, {}, self.name, style)

    def write(self, graph: SGraph) -> str:
        """Return the text of a graph, in the style in which it was read or else in `style`."""
        style = layout_of_graph(graph, self.name)
        value = self.value_of(self._plain(graph))
        return self.text_of(value, style if isinstance(style, str) else self.style)

    def as_read(self, graph: SGraph) -> SGraph | None:
        """Implement `Notation.as_read`: return the graph without chains of items."""
        return self.plain(graph)

    def plain(self, graph: SGraph) -> SGraph:
        """Implement `Notation.plain`: convert chains to arguments and keys in their usual order."""
        return graph_of_tree(self._plain(graph))

    def _plain(self, graph: SGraph) -> Tree:
        tree = without_pairs(flattened(tree_of_graph(graph), self.order), self.order)
        return in_order_of_keys(tree, self.order)

    def styled(self, style: str, order: Order | None = None) -> Self:
        """Implement `Notation.styled`; an unknown style is replaced by the default style."""
        style = style if style in self.styles else ""
        return replace(self, style=style, order=order or self.order)

    def comparing(
        self,
        rows: Iterable[tuple[Sequence[str], str]],
        names: Sequence[str] = (),
        known: Unordered | None = None,
    ) -> Self:
        """Implement `Notation.comparing`."""
        sets = Sets({**self.unordered_of(rows, names), **(known or {})})
        return replace(self, sets=sets)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Implement `Notation.equal`."""
        return Equality(wanted == found, wanted == found)

    def unordered_of(
        self, rows: Iterable[tuple[Sequence[str], str]], names: Sequence[str] = ()
    ) -> Unordered:
        """Implement `Notation.unordered_of`."""
        return sets_of(type(self)()._trees(rows), names).unordered

    def same_sets(self, gold: str, predicted: str | None) -> bool | None:
        """Implement `Notation.same_sets`."""
        if not self.sets.unordered:
            return None
        plain = type(self)()

        def text(meaning: str) -> str:
            with nesting(LogicError):
                return as_set(plain.tree((), plain.canonical(meaning)), self.sets.unordered)

        with suppress(AMParserError):
            return predicted is not None and text(gold) == text(predicted)
        return False

    def order_of(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Order:
        """Implement `Notation.order_of`, for the items of functions and the keys of objects."""
        rows = list(rows)
        known = self.for_corpus(rows, unordered)
        keys = order_of_keys(known.shapes) if isinstance(known.shapes, Shapes) else {}
        return {**keys, **order_of(self._trees(rows), known.chains)}

    def _trees(self, rows: Iterable[tuple[Sequence[str], str]]) -> list[tuple[Sequence[str], Tree]]:
        trees = []
        for tokens, text in rows:
            with suppress(LogicError), nesting(LogicError):
                trees.append((tokens, self.tree(tokens, self.read(text))))
        return trees

    def style_of(self, texts: Iterable[str]) -> str:
        """Return the most frequent style of the texts; of equally frequent styles, the first."""
        counts = Counter(dict.fromkeys(self.styles, 0))
        for text in texts:
            with suppress(LogicError), nesting(LogicError):
                value = self.read(text)
                counts.update(s for s in self.styles if self.text_of(value, s) == text)
        return max(counts, key=lambda style: counts[style])

    def for_corpus(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> Self:
        """Implement `Notation.for_corpus`: collect objects, chains and unordered arguments."""
        rows = list(rows)
        values = []
        for tokens, text in rows:
            with suppress(LogicError):
                values.append((tokens, self.read(text)))
        known = type(self)(self.style, self.shapes_of(values))
        sets = sets_of(type(self)()._trees(rows), unordered)
        chains = chains_of(known._trees(rows), unordered)
        return type(self)(self.style, known.shapes, chains, sets=sets)

    def join(self, words: Sequence[str]) -> str:
        """Join words in the notation's style, or by single spaces if the text is malformed."""
        text = " ".join(words)
        with suppress(LogicError), nesting(LogicError):
            return self.text_of(self.read(text), self.style)
        return text
