"""Trees of `lisp_variables` as s-expressions again, and s-expressions up to names of variables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import Edge, SGraph
from amparser.logic.sexpr import Sexpr
from amparser.notations.lisp_variables import (
    CHAIN,
    END,
    INSIDE,
    LINK,
    LITERAL_NODE,
    NOTHING,
    PATTERN,
    RANKED,
    head_of,
    is_variable,
)


def is_of_variables(graph: SGraph) -> bool:
    """Whether a graph has labels that only `graph_of_variables` makes."""
    labels = (node.label or "" for node in graph.nodes.values())
    return any(
        label[:1] not in '"|' and bool(PATTERN.fullmatch(label) or LITERAL_NODE.fullmatch(label))
        for label in labels
    ) or any(edge.label.startswith(CHAIN) for edge in graph.edges)


_LINKED = re.compile(rf"(\S+: .+) {LINK}(\d+)/(\d+) (\S+: .+)")
_Link = tuple[str, int, Mapping[str, int]]
"""A conjunct in the label of a binder: its own label, its place in the order, and its edges."""


class Writer:
    """Writes a tree again: variables are `$0`, `$1`, ... in the order in which they are bound."""

    def __init__(self, graph: SGraph) -> None:
        if graph.sources:
            raise TranslateError(f"open sources {', '.join(sorted(graph.sources))}")
        self._labels = {number: node.label or "" for number, node in graph.nodes.items()}
        self._below: dict[int, list[Edge]] = defaultdict(list)
        for edge in graph.edges:
            self._below[edge.parent].append(edge)
        self._root = graph.root
        self._numbers = count()
        self._seen: set[int] = set()

    def sexpr(self) -> Sexpr:
        """The s-expression.

        Raises:
            TranslateError: the graph is no tree, or a label or edge stands for nothing.
        """
        with nesting(TranslateError, "the meaning is nested too deeply"):
            found = self._whole(self._root, ())
        if len(self._seen) < len(self._labels):
            raise TranslateError("the graph is not a tree")
        return found

    def _whole(self, node: int, scope: tuple[str, ...], link: _Link | None = None) -> Sexpr:
        """What a node stands for, with the chain that begins at it, and a conjunct beside it."""
        chain, joint = [node], ""
        while True:
            links = [edge for edge in self._below[chain[-1]] if edge.label.startswith(CHAIN)]
            if not links or len(chain) > len(self._labels):
                break
            if len(links) > 1 or joint not in ("", links[0].label[1:]):
                raise TranslateError(f"two chains at {self._labels[chain[-1]]!r}")
            joint, following = links[0].label[1:], links[0].child
            if self._labels[following] == END and not self._below[following]:
                self._seen.add(following)
                break
            chain.append(following)
        split = [(node, *_without_rank(self._labels[node])) for node in chain]
        if link is not None:
            if not joint:
                raise TranslateError(f"no chain for {link[0]!r}")
            split.append((-1, link[0], link[1]))
        parts = [
            self._one(node, label, scope)
            if node >= 0 or link is None
            else self._list(label, link[2], scope)
            for node, label, _ in sorted(split, key=lambda s: s[2])
        ]
        return parts[0] if len(parts) == 1 else Sexpr("", (Sexpr(joint), *parts))

    def _one(self, node: int, label: str, scope: tuple[str, ...]) -> Sexpr:
        if node in self._seen:
            raise TranslateError("the graph is not a tree")
        self._seen.add(node)
        links = {e.label: e.child for e in self._below[node] if not e.label.startswith(CHAIN)}
        if len(links) < sum(not e.label.startswith(CHAIN) for e in self._below[node]):
            raise TranslateError(f"two edges of one label at {label!r}")
        if (typed := LITERAL_NODE.fullmatch(label)) and list(links) == ["arg0"]:
            self._seen.add(links["arg0"])
            space, kind = typed.groups()
            return _typed(self._labels[links["arg0"]], space, kind)
        if (linked := _LINKED.fullmatch(label)) is None:
            return self._list(label, links, scope)
        own = {edge: child for edge, child in links.items() if not edge.startswith(INSIDE)}
        others = {
            edge.removeprefix(INSIDE): child
            for edge, child in links.items()
            if edge.startswith(INSIDE)
        }
        return self._list(
            linked[1], own, scope, (int(linked[2]), (linked[4], int(linked[3]), others))
        )

    def _list(
        self,
        label: str,
        links: Mapping[str, int],
        scope: tuple[str, ...],
        linked: tuple[int, _Link | None] = (-1, None),
    ) -> Sexpr:
        """What a label stands for with what its edges lead to.

        Args:
            label, links: of a node.
            scope: the variables, the one that was bound last first.
            linked: the place of the scope that has a conjunct beside its chain, and this conjunct.
        """
        pattern = None if label[:1] in '"|' else PATTERN.fullmatch(label)
        head, told = (pattern[1], pattern[2]) if pattern else (label, " ".join("*" * len(links)))
        own, _, inner = told.partition(" ; ")
        marks = own.split()
        asked = {f"arg{i}" for i, mark in enumerate(marks) if mark[0] == "*"}
        if asked != (set() if inner else links.keys()):
            raise TranslateError(f"{label!r} lacks an argument, or has one that it should not have")
        items = []
        for i, mark in enumerate(marks):
            if mark.startswith("!"):
                number = next(self._numbers)
                scope = (mark[1:] or f"${number}", *scope)
                items.append(Sexpr(scope[0]))
            elif mark[0] in "$^":
                depth = 0 if mark == "$" else len(mark)
                if depth >= len(scope):
                    raise TranslateError(f"nothing binds a variable of {label!r}")
                items.append(Sexpr(scope[depth]))
            elif mark[0] == "*":
                below = self._whole(links[f"arg{i}"], scope, linked[1] if i == linked[0] else None)
                space, kind = (" ", mark[3:]) if mark[:3] == "*::" else ("", mark[2:])
                items.append(_typed(below.atom, space, kind) if kind else below)
            else:
                items.append(Sexpr(mark))
        if inner:
            items.append(self._list(inner, links, scope, linked))
        return _list_of(head, tuple(items))


def _typed(literal: str, space: str, kind: str) -> Sexpr:
    """A constant with its type."""
    name = literal.strip('"')
    return Sexpr(f"{name}{space}:{space}{kind}")


def _without_rank(label: str) -> tuple[str, int]:
    """A label without its place in an order, and this place."""
    found = None if label[:1] in '"|' else RANKED.fullmatch(label)
    return (found[1].removesuffix(":"), int(found[2])) if found else (label, 0)


def _list_of(head: str, items: tuple[Sexpr, ...]) -> Sexpr:
    """A list, something quoted or an atom."""
    if not head:
        raise TranslateError("a node has no label")
    if head.endswith(NOTHING):
        mark = head.removesuffix(NOTHING)
        if mark and len(items) != 1:
            raise TranslateError(f"{head!r} with {len(items)} arguments is no s-expression")
        return Sexpr(mark, items, quoted=True) if mark else Sexpr("", items)
    if not items:
        alone = head[:1] == "(" and head[-1:] == ")"
        return Sexpr("", (Sexpr(head[1:-1]),)) if alone else Sexpr(head)
    return Sexpr("", (Sexpr(head), *items))


def renamed(sexpr: Sexpr) -> Sexpr:
    """The s-expression with its bound variables as `$0`, `$1`, ... in the order of binding.

    Raises:
        LogicError: nested too deeply.
    """
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
