"""S-expressions as graphs: one node a list or atom, one edge to each item.

    (answer (city "a" _))     answer -arg0-> city, city -arg0-> "a", city -arg1-> _

A list whose first item is an atom is a node with this label, and its other items are `arg0`,
`arg1`, ...; all other lists have a marker as label:

    ((f a) b)    `()` with `arg0`, `arg1`: the first item is itself a list
    ()           `()`
    (f)          `(f)`, since `f` is an atom alone
    'x           `'()` with `arg0`; so do the other marks of quotes

Lists with variables have other labels (`lisp_variables`). The two notations of the family differ in
their spaces. Each of them reads every layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from amparser.errors import TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.sexpr import (
    QUOTES,
    Sexpr,
    is_atom,
    sexpr_from_str,
    sexpr_to_str,
    text_of_words,
    words_of,
)
from amparser.notations.layout import LaidOutGraph, layout_of_graph
from amparser.notations.lisp_variables import (
    Shapes,
    graph_of_variables,
    has_variables,
    shapes_of,
)
from amparser.notations.lisp_writing import Writer, is_of_variables, renamed
from amparser.notations.notation import Equality, Notation
from amparser.notations.ordered_trees import ARGUMENT, PLACE, graph_of_tree, tree_of_graph

EMPTY_HEAD = "()"
_QUOTE_LABELS = {f"{mark}{EMPTY_HEAD}": mark for mark in QUOTES}


def _label_and_items(sexpr: Sexpr) -> tuple[str, tuple[Sexpr, ...]]:
    """The label of the node of an s-expression, and what its edges lead to."""
    if sexpr.quoted:
        return f"{sexpr.atom}{EMPTY_HEAD}", sexpr.items
    if not sexpr.is_list:
        return sexpr.atom, ()
    if not sexpr.items or sexpr.items[0].items or sexpr.items[0].is_list:
        return EMPTY_HEAD, sexpr.items
    head = sexpr.items[0].atom
    return (f"({head})", ()) if len(sexpr.items) == 1 else (head, sexpr.items[1:])


def graph_from_sexpr(sexpr: Sexpr) -> SGraph:
    """The tree of an s-expression; nodes are numbered from 0 in the order of the text."""

    def parts(one: Sexpr) -> tuple[str, list[tuple[str, Sexpr]]]:
        label, items = _label_and_items(one)
        return label, [(f"{ARGUMENT}{place}", item) for place, item in enumerate(items)]

    return graph_of_tree(sexpr, parts)


def sexpr_from_graph(graph: SGraph) -> Sexpr:
    """The s-expression that a tree stands for.

    Raises:
        TranslateError: see `tree_of_graph`; or an edge is none of `arg0`, `arg1`, ..., or a label
            stands for no s-expression.
    """
    for edge in graph.edges:
        if not PLACE.fullmatch(edge.label):
            raise TranslateError(f"edge {edge.label!r}, expected {ARGUMENT}0, {ARGUMENT}1, ...")
    return tree_of_graph(graph, _from_label)


def _from_label(label: str, below: Sequence[tuple[str, Sexpr]]) -> Sexpr:
    items = tuple(item for _, item in below)
    if label in _QUOTE_LABELS and len(items) == 1:
        return Sexpr(_QUOTE_LABELS[label], items, quoted=True)
    if label == EMPTY_HEAD:
        if items and not items[0].items and not items[0].is_list:
            raise TranslateError(f"{label!r} before {items[0].atom!r}, expected a list")
        return Sexpr("", items)
    alone = label[1:-1] if label[:1] == "(" and label[-1:] == ")" and not items else label
    if not is_atom(alone):
        raise TranslateError(f"{label!r} with {len(items)} arguments is no s-expression")
    return Sexpr("", (Sexpr(alone), *items)) if items or alone != label else Sexpr(label)


class SexprNotation(Notation):
    """S-expressions in one layout."""

    family = "sexpr"
    needs_alignment = False
    generic = True

    def __init__(self, name: str, *, spaced: bool, shapes: Shapes | None = None) -> None:
        self.name = name
        self.spaced = spaced
        self._shapes = shapes

    def read(self, text: str) -> Sexpr:
        """The s-expression; raises LogicError."""
        return sexpr_from_str(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The tree of the s-expression; it remembers whether parentheses have spaces inside."""
        sexpr = sexpr_from_str(text)
        if self._shapes is not None or has_variables(sexpr):
            graph = graph_of_variables(sexpr, tokens, self._shapes)
        else:
            graph = graph_from_sexpr(sexpr)
        fits = (one for one in (False, True) if sexpr_to_str(sexpr, spaced=one) == text)
        layout = next(fits, None)
        return LaidOutGraph(graph.nodes, graph.edges, graph.root, {}, self.name, layout)

    def write(self, graph: SGraph) -> str:
        """The s-expression of a tree, in the layout of the text that was read here, or its own."""
        layout = layout_of_graph(graph, self.name)
        spaced = layout if isinstance(layout, bool) else self.spaced
        sexpr = Writer(graph).sexpr() if is_of_variables(graph) else sexpr_from_graph(graph)
        return sexpr_to_str(sexpr, spaced=spaced)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """As elsewhere; with variables, the order of conjuncts is that of the text alone."""
        if not is_of_variables(graph):
            return super().written(tokens, graph)
        text = self.write(graph)
        if not self.is_readable(text):
            raise TranslateError(f"{text!r} is no s-expression")
        return text

    def for_corpus(self, rows: Iterable[tuple[Sequence[str], str]]) -> SexprNotation:
        """The notation with what a corpus shows of its variables."""
        return SexprNotation(self.name, spaced=self.spaced, shapes=shapes_of(rows))

    def convert(self, tokens: Sequence[str], text: str, source: Notation) -> str:
        """The text in the layout of this notation."""
        if source.name == self.name:
            return text
        return sexpr_to_str(sexpr_from_str(text), spaced=self.spaced)

    def value(self, tokens: Sequence[str], text: str) -> str:
        """See `Notation`: all but spaces and the names of variables is compared."""
        return sexpr_to_str(renamed(sexpr_from_str(text)))

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """See `Notation`."""
        return Equality(wanted == found, wanted == found)

    def split(self, text: str) -> Sequence[str]:
        """Parentheses, marks of quotes and atoms; a string is cut at its spaces."""
        return words_of(text)

    def join(self, words: Sequence[str]) -> str:
        """The text in the layout of this notation."""
        return text_of_words(words, spaced=self.spaced)


SEXPR = SexprNotation("sexpr", spaced=False)
SEXPR_SPACED = SexprNotation("sexpr-spaced", spaced=True)
