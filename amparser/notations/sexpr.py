"""S-expressions as graphs: one node a list or atom, one edge to each item.

    (answer (city "a" _))     answer -arg0-> city, city -arg0-> "a", city -arg1-> _

A list whose first item is an atom is a node with this label, and its other items are `arg0`,
`arg1`, ...; all other lists have a marker as label:

    ((f a) b)    `()` with `arg0`, `arg1`: the first item is itself a list
    ()           `()`
    (f)          `(f)`, since `f` is an atom alone
    'x           `'()` with `arg0`; so do the other marks of quotes

Lists with variables have other labels (`lisp_variables`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from amparser.errors import TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.sexpr import (
    QUOTES,
    Sexpr,
    is_atom,
    sexpr_from_str,
    sexpr_to_str,
    words_of,
)
from amparser.notations.lisp_variables import (
    Shapes,
    graph_of_variables,
    has_variables,
    shapes_of,
)
from amparser.notations.lisp_writing import Writer, is_of_variables, renamed
from amparser.notations.notation import Equality
from amparser.notations.ordered_trees import ARGUMENT, PLACE, graph_of_tree, tree_of_graph
from amparser.notations.styled import StyledNotation

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


class SexprNotation(StyledNotation):
    """S-expressions; in the style `spaced` parentheses have spaces inside."""

    name = "sexpr"
    family = "sexpr"
    styles: ClassVar[Mapping[str, bool]] = {"": False, "spaced": True}

    def read(self, text: str) -> Sexpr:
        """Return the s-expression; raise LogicError."""
        return sexpr_from_str(text)

    def tree(self, tokens: Sequence[str], value: Sexpr) -> SGraph:
        """Return the graph of an s-expression."""
        if self.shapes is not None or has_variables(value):
            return graph_of_variables(value, tokens, self.shapes)
        return graph_from_sexpr(value)

    def value_of(self, graph: SGraph) -> Sexpr:
        """Return the s-expression of a graph; raise TranslateError if it has none."""
        return Writer(graph).sexpr() if is_of_variables(graph) else sexpr_from_graph(graph)

    def text_of(self, value: Sexpr, style: str) -> str:
        """Return the text of an s-expression."""
        return sexpr_to_str(value, spaced=self.styles[style])

    def shapes_of(self, rows: Sequence[tuple[Sequence[str], Sexpr]]) -> Shapes | None:
        """Return what a corpus shows of its variables."""
        return shapes_of(rows)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """As elsewhere; with variables, the order of conjuncts is that of the text alone."""
        if not is_of_variables(graph):
            return super().written(tokens, graph)
        text = self.write(graph)
        if not self.is_readable(text):
            raise TranslateError(f"{text!r} is no s-expression")
        return text

    def value(self, tokens: Sequence[str], text: str) -> str:
        """See `Notation`: all but spaces and the names of variables is compared."""
        return sexpr_to_str(renamed(sexpr_from_str(text)))

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """See `Notation`."""
        return Equality(wanted == found, wanted == found)

    def split(self, text: str) -> Sequence[str]:
        """Parentheses, marks of quotes and atoms; a string is cut at its spaces."""
        return words_of(text)


SEXPR = SexprNotation()
