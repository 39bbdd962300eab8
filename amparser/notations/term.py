"""Terms as graphs, with a node for each symbol and an edge for each argument.

    f(g('a'), 3, key = _)     f -arg0-> g, f -arg1-> 3, f -key-> _, g -arg0-> 'a'

The edge to an argument with a key is labelled with the key (with a backslash before reserved keys
such as `arg0` or `is`). Edges to other arguments are labelled `arg0`, `arg1`, ... The label of a
node is its symbol, including quotes; a call without arguments keeps its parentheses, `now()`.

The graph of a term is a tree. Nodes are numbered from 0 in the order of the term's symbols;
alignments in files use these numbers.

Texts in any style of `amparser.logic.term` can be read; answers are in the corpus's style.

If the terms of a corpus have keys or lists, `value_trees` defines their trees, with optional keys
and lists of any length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.term import (
    LIST,
    STYLES,
    WORD,
    Term,
    is_literal,
    is_symbol,
    term_from_str,
    term_to_str,
)
from amparser.notations.notation import Equality
from amparser.notations.ordered_trees import ARGUMENT, PLACE, Tree
from amparser.notations.styled import StyledNotation
from amparser.notations.value_shapes import shapes_of
from amparser.notations.value_trees import (
    Call,
    Shapes,
    Written,
    edge_of_key,
    is_of_values,
    key_of_edge,
    tree_of_value,
    value_of_tree,
)


def _edge_labels(term: Term) -> list[str]:
    numbers = count()
    keys = [term.key(place) for place in range(len(term.arguments))]
    return [edge_of_key(key) if key else f"{ARGUMENT}{next(numbers)}" for key in keys]


def _term_from(label: str, below: Sequence[tuple[str, Term]] | None) -> Term:
    if not is_symbol(label) or (label.endswith("()") and not is_literal(label) and below):
        raise TranslateError(f"{label!r} is not a symbol of a term")
    if below is None:
        return Term(label)
    keys = tuple("" if PLACE.fullmatch(edge) else key_of_edge(edge) for edge, _ in below)
    for key in keys:
        if key and (not is_symbol(key) or is_literal(key)):
            raise TranslateError(f"{key!r} is not a key of a term")
    if {f"{ARGUMENT}{i}" for i in range(keys.count(""))} - {edge for edge, _ in below}:
        raise TranslateError(f"{label!r} lacks an argument")
    if not below:
        raise TranslateError(f"{label!r} has no arguments")
    return Term(label, tuple(term for _, term in below), keys if any(keys) else ())


class TermNotation(StyledNotation):
    """Terms in the styles of `amparser.logic.term`."""

    name = "term"
    sample = 'select(name, city="Rome")'
    family = "term"
    styles: ClassVar[Mapping[str, Any]] = STYLES
    word = WORD

    def read(self, text: str) -> Term:
        """Return the term of a text. Raises LogicError if the text is malformed."""
        return term_from_str(text)

    def tree(self, tokens: Sequence[str], value: Term) -> Tree:
        """Return the tree of a term."""
        if self.shapes is None:
            return _tree_of(value)
        return tree_of_value(_value_of(value), tokens, self.shapes)

    def value_of(self, tree: Tree) -> Term:
        """Return the term of a tree. Raises TranslateError if no term has this tree."""
        term: Term = value_of_tree(tree, _term_from, lambda items: Term(LIST, tuple(items)))
        return term

    def text_of(self, value: Term, style: str) -> str:
        """Return the text of a term."""
        return term_to_str(value, STYLES[style])

    def shapes_of(self, rows: Sequence[tuple[Sequence[str], Term]]) -> Shapes | None:
        """Return the keys and types of a corpus's calls; None if it has neither keys nor lists."""
        if not any(
            subterm.keys or subterm.symbol == LIST for _, term in rows for subterm in _inside(term)
        ):
            return None
        return shapes_of([(tokens, _value_of(term)) for tokens, term in rows])

    def as_read(self, graph: SGraph) -> SGraph | None:
        """Implement `Notation.as_read`: return None if `value_trees` defines the tree."""
        plain = self.plain(graph)
        return None if is_of_values(plain) else plain

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare terms; `Equality.reformatted` ignores style, `Equality.graph` also key order."""
        # Texts are compared, because comparing deep terms exceeds Python's recursion limit.
        if term_to_str(wanted) == term_to_str(found):
            return Equality(True, True)
        return Equality(False, _sorted_text(wanted) == _sorted_text(found))


def _inside(term: Term) -> Iterator[Term]:
    todo = [term]
    for subterm in todo:
        yield subterm
        todo += subterm.arguments


def _tree_of(term: Term) -> Tree:
    order = [*_inside(term)]
    trees = {id(subterm): Tree(subterm.symbol) for subterm in order}
    for subterm in order:
        labels = _edge_labels(subterm)
        below = (trees[id(argument)] for argument in subterm.arguments)
        trees[id(subterm)].below = [*zip(labels, below, strict=True)]
    return trees[id(term)]


def _value_of(term: Term) -> Any:
    def value(term: Term) -> Any:
        if term.symbol == LIST:
            return [value(argument) for argument in term.arguments]
        if not term.arguments:
            return Written(term.symbol)
        inside = map(value, term.arguments)
        return Call(term.symbol, zip(_edge_labels(term), inside, strict=True))

    with nesting(LogicError):
        return value(term)


def _sorted_text(term: Term) -> str:
    texts: dict[int, str] = {}
    for subterm in reversed([*_inside(term)]):
        parts = [(subterm.key(i), texts[id(a)]) for i, a in enumerate(subterm.arguments)]
        positional = [text for key, text in parts if not key]
        keyed = sorted(f"{key}={text}" for key, text in parts if key)
        inside = f"({','.join([*positional, *keyed])})" if parts else ""
        texts[id(subterm)] = subterm.symbol + inside
    return texts[id(term)]


TERM = TermNotation()
