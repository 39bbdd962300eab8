"""Notation of s-expressions, which are read as trees; see `lisp_variables`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from operator import itemgetter
from typing import ClassVar

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.sexpr import QUOTES, WORD, Sexpr, is_atom, sexpr_from_str, sexpr_to_str
from amparser.notations.lisp_variables import (
    CHAIN,
    END,
    HOLE,
    LITERAL_NODE,
    NOTHING,
    RANKED,
    TYPED,
    Shapes,
    head_of,
    is_pattern,
    is_variable,
    shapes_of,
    tree_of_sexpr,
)
from amparser.notations.ordered_trees import Tree, arguments
from amparser.notations.styled import StyledNotation


class SexprNotation(StyledNotation):
    """S-expressions; the style `spaced` writes spaces inside parentheses."""

    name = "sexpr"
    sample = '(select name (city "Rome"))'
    family = "sexpr"
    styles: ClassVar[Mapping[str, bool]] = {"": False, "spaced": True}
    word = WORD

    def read(self, text: str) -> Sexpr:
        """Return the s-expression of a text. Raises LogicError if the text is malformed."""
        return sexpr_from_str(text)

    def tree(self, tokens: Sequence[str], value: Sexpr) -> Tree:
        """Return the tree of an s-expression."""
        return tree_of_sexpr(value, tokens, self.shapes)

    def value_of(self, tree: Tree) -> Sexpr:
        """Return the s-expression of a tree. Raises TranslateError if none has this tree."""
        with nesting(TranslateError, "the meaning is nested too deeply"):
            return _Writer().whole(tree, ())

    def text_of(self, value: Sexpr, style: str) -> str:
        """Return the text of an s-expression."""
        return sexpr_to_str(value, spaced=self.styles[style])

    def shapes_of(self, rows: Sequence[tuple[Sequence[str], Sexpr]]) -> Shapes | None:
        """Return statistics of a corpus with variables; None if it has no variables."""
        return shapes_of(rows)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Implement `Notation.written`.

        If the graph has variables, check only that the text can be read, because reading may
        change the order of conjuncts.
        """
        if not is_of_variables(graph):
            return super().written(tokens, graph)
        text = self.write(graph)
        if not self.is_readable(text):
            raise TranslateError(f"{text!r} is not an s-expression")
        return text

    def canonical(self, text: str) -> Sexpr:
        """Return the s-expression of a text, with variables renamed to `$0`, `$1`, ..."""
        return renamed(self.read(text))

    def value(self, tokens: Sequence[str], text: str) -> str:
        """Return the text that `equal` compares; its spaces and variables are normalized."""
        return sexpr_to_str(self.canonical(text))


SEXPR = SexprNotation()


_QUOTES = {f"{mark}{NOTHING}": mark for mark in QUOTES}


def is_of_variables(graph: SGraph) -> bool:
    """Return True if a graph has labels or edges specific to s-expressions with variables."""
    labels = (node.label or "" for node in graph.nodes.values())
    return any(is_pattern(label) or LITERAL_NODE.fullmatch(label) for label in labels) or any(
        edge.label.startswith(CHAIN) for edge in graph.edges
    )


Scope = tuple[str, ...]
"""The bound variables, innermost first."""
_Conjunct = tuple[int, str, Tree]
"""The rank of a conjunct, its label without the rank, and its tree."""


class _Writer:
    """Converter of trees to s-expressions; variables are `$0`, `$1`, ... in order of binding."""

    def __init__(self) -> None:
        self._numbers = count()

    def whole(self, tree: Tree, scope: Scope, beside: Sequence[_Conjunct] = ()) -> Sexpr:
        """Write the chain from `tree` on, together with the conjuncts in its binder's label."""
        chain, joint = [tree], ""
        while links := [link for link in chain[-1].below if link[0].startswith(CHAIN)]:
            [(edge, following), *others] = links
            if others or joint not in ("", edge[1:]):
                raise TranslateError(f"two chains at {chain[-1].label!r}")
            joint = edge[1:]
            if following.label == END and not following.below:
                break
            chain.append(following)
        conjuncts: list[_Conjunct] = []
        for part in chain:
            ranked = RANKED.fullmatch(part.label) if joint and part.label[:1] not in '"|' else None
            conjuncts.append((int(ranked[2]), ranked[1], part) if ranked else (0, part.label, part))
        conjuncts += beside
        if not joint and len(conjuncts) > 1:
            raise TranslateError(f"no chain below {tree.label!r}")
        conjuncts.sort(key=itemgetter(0))
        parts = [self._one(part, label, scope) for _, label, part in conjuncts]
        return parts[0] if len(parts) == 1 else Sexpr("", (Sexpr(joint), *parts))

    def _one(self, tree: Tree, label: str, scope: Scope) -> Sexpr:
        children = tree.arguments()
        literal = LITERAL_NODE.fullmatch(label) if children else None
        pattern = f"({literal[0]})" if literal else label if is_pattern(label) else ""
        holes = 1 if literal else len(HOLE.findall(label)) if pattern else len(children)
        chained = sum(edge.startswith(CHAIN) for edge, _ in tree.below)
        if len(children) != holes or len(tree.below) - chained != holes:
            raise TranslateError(f"{label!r} has a missing or superfluous argument")
        if literal:
            return _typed(children[0], *literal.groups())
        if not pattern:
            return _list_of(label, tuple(self.whole(child, scope) for child in children))
        try:
            found = sexpr_from_str(label)
        except LogicError as error:
            raise TranslateError(f"{label!r} is not a list: {error}") from None
        return self._filled(found, iter(children), scope)

    def _filled(self, pattern: Sexpr, children: Iterator[Tree], scope: Scope) -> Sexpr:
        head, *marks = pattern.items
        items = []
        for place, mark in enumerate(marks):
            if mark.items:
                joins = any(one.atom.startswith("#") for one in mark.items[2:3])
                written = self._joined if joins else self._filled
                items.append(written(mark, children, scope))
            elif mark.atom.startswith("!"):
                usual = f"${next(self._numbers)}"
                scope = (mark.atom[1:] or usual, *scope)
                items.append(Sexpr(scope[0]))
            elif mark.atom == "$" or not mark.atom.strip("^"):
                depth = len(mark.atom) if mark.atom != "$" else 0
                if depth >= len(scope):
                    raise TranslateError(f"nothing binds a variable of {pattern}")
                items.append(Sexpr(scope[depth]))
            elif mark.atom.startswith("_:"):
                items.append(_typed(next(children), "", mark.atom[2:]))
            elif mark.atom == "_" and Sexpr(":") in marks[place + 1 : place + 2]:
                items.append(_typed(next(children)))
            else:
                items.append(self.whole(next(children), scope) if mark.atom == "_" else mark)
        return _list_of(sexpr_to_str(head), tuple(items))

    def _joined(self, pattern: Sexpr, children: Iterator[Tree], scope: Scope) -> Sexpr:
        _, conjunct, rank, _ = pattern.items
        label = sexpr_to_str(conjunct)
        own = Tree(label, arguments([*islice(children, len(HOLE.findall(label)))]))
        return self.whole(next(children), scope, [(int(rank.atom[1:]), label, own)])


def _typed(literal: Tree, space: str = "", kind: str = "") -> Sexpr:
    if literal.below:
        raise TranslateError(f"the literal {literal.label!r} has arguments")
    name = literal.label.strip('"')
    return Sexpr(f"{name}{space}:{space}{kind}" if kind else name)


def _list_of(head: str, items: tuple[Sexpr, ...]) -> Sexpr:
    if head in _QUOTES and len(items) == 1:
        return Sexpr(_QUOTES[head], items, quoted=True)
    if head == NOTHING:
        if head_of(Sexpr("", items)):
            raise TranslateError(f"{head!r} begins with {items[0].atom!r}, expected a list")
        return Sexpr("", items)
    alone = head[1:-1] if head[:1] == "(" and head[-1:] == ")" and not items else head
    if not (is_atom(alone) or TYPED.fullmatch(alone)):
        raise TranslateError(f"{head!r} with {len(items)} arguments is not an s-expression")
    return Sexpr("", (Sexpr(alone), *items)) if items or alone != head else Sexpr(head)


def renamed(sexpr: Sexpr) -> Sexpr:
    """Rename the bound variables to `$0`, `$1`, ... in the order of binding. Raises LogicError."""
    numbers = count()

    def rename(one: Sexpr, names: Mapping[str, str]) -> Sexpr:
        if is_variable(one):
            return Sexpr(names.get(one.atom, one.atom))
        second = one.items[1] if len(one.items) > 1 else one
        if head_of(one) and is_variable(second) and second.atom not in names:
            names = {**names, second.atom: f"${next(numbers)}"}
        return replace(one, items=tuple(rename(item, names) for item in one.items))

    with nesting(LogicError):
        return rename(sexpr, {})
