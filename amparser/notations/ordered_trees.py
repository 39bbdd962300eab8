"""Ordered trees, and their conversion to and from graphs.

Nodes are numbered from 0 in the order of the text. An edge to an argument without a key is labelled
`arg0`, `arg1`, ..., and an edge to an argument with a key is labelled with the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph, Span

Item = TypeVar("Item")

ARGUMENT = "arg"
ABSENT = "()"
"""Label of a leaf that stands for an absent value."""
NEXT = "&"
"""Label of the edge from an item of a chain to the next item, or to `ABSENT` at the end."""
PLACE = re.compile(rf"{ARGUMENT}(\d{{1,9}})")


@dataclass(eq=False)
class Tree:
    """Tree: label and alignment of its root, and an ordered list of (edge label, subtree).

    Attributes:
        token, span: see `amparser.graph.sgraph.Node`.
    """

    label: str
    below: list[tuple[str, Tree]] = field(default_factory=list)
    token: int | None = None
    span: Span | None = None

    def subtrees(self) -> Iterator[Tree]:
        """Yield the tree and all its subtrees, in the order of the text."""
        stack = [self]
        while stack:
            tree = stack.pop()
            yield tree
            stack += [below for _, below in reversed(tree.below)]

    def arguments(self) -> list[Tree]:
        """Return the arguments without a key, whose edges are `arg0`, `arg1`, ..."""
        return [below for edge, below in self.below if PLACE.fullmatch(edge)]

    def child(self, edge: str) -> Tree | None:
        """Return the subtree below an edge. Raises TranslateError if two edges have this label."""
        found = [below for label, below in self.below if label == edge]
        if len(found) > 1:
            raise TranslateError(f"two edges {edge!r} below {self.label!r}")
        return found[0] if found else None

    def folded(self, made: Callable[[Tree, Sequence[Item]], Item]) -> Item:
        """Compute a value bottom up: call `made` with each subtree and its children's values."""
        built: dict[Tree, Item] = {}
        for tree in reversed([*self.subtrees()]):
            built[tree] = made(tree, [built.pop(below) for _, below in tree.below])
        return built[self]

    def changed(self, change: Callable[[Tree], Tree]) -> Tree:
        """Return the tree with `change` applied to each subtree, bottom up."""

        def made(tree: Tree, inside: Sequence[Tree]) -> Tree:
            below = [(edge, new) for (edge, _), new in zip(tree.below, inside, strict=True)]
            return change(Tree(tree.label, below, tree.token, tree.span))

        return self.folded(made)


def arguments(trees: Sequence[Tree]) -> list[tuple[str, Tree]]:
    """Pair each tree with its edge label `arg0`, `arg1`, ..."""
    return [(f"{ARGUMENT}{place}", tree) for place, tree in enumerate(trees)]


def is_end(label: str) -> bool:
    """Return True if a label stands for an absent value, such as the end of a chain."""
    return label == ABSENT


def chain_of(items: Sequence[Tree]) -> Tree:
    """Return the first of the items after chaining them: `a -&-> b -&-> ()`."""
    following = Tree(ABSENT)
    for item in reversed(items):
        following = replace(item, below=[*item.below, (NEXT, following)])
    return following


def items_of(first: Tree) -> list[Tree]:
    """Return the items of a chain without the edges between them. Raises as `Tree.child` does."""
    items: list[Tree] = []
    following: Tree | None = first
    while following is not None and (following.label != ABSENT or following.below):
        below = [pair for pair in following.below if pair[0] != NEXT]
        items.append(replace(following, below=below))
        following = following.child(NEXT)
    return items


def graph_of_tree(tree: Tree) -> SGraph:
    """Return the graph of a tree."""
    number = {subtree: at for at, subtree in enumerate(tree.subtrees())}
    nodes = {at: Node(subtree.label, subtree.token, subtree.span) for subtree, at in number.items()}
    edges = [Edge(at, label, number[below]) for t, at in number.items() for label, below in t.below]
    return SGraph(nodes, tuple(sorted(edges, key=lambda edge: edge.child)), 0)


def tree_of_graph(graph: SGraph) -> Tree:
    """Return the tree of a graph.

    Children are in the order of the edges. If the arguments `arg0`, `arg1`, ... of a node are not
    in this order, they are sorted and placed before the children with keys. Raises TranslateError
    if the graph is not a tree, has open sources or a node without a label, or if a node lacks or
    repeats one of its arguments.
    """
    if graph.sources:
        raise TranslateError(f"the graph has open sources {', '.join(sorted(graph.sources))}")
    trees: dict[int, Tree] = {}
    for number, (label, token, span) in graph.nodes.items():
        if label is None:
            raise TranslateError(f"node {number} has no label")
        trees[number] = Tree(label, [], token, span)
    for edge in graph.edges:
        trees[edge.parent].below.append((edge.label, trees[edge.child]))
    reached: set[Tree] = set()
    for tree in trees[graph.root].subtrees():
        if tree in reached:
            raise TranslateError("the graph is not a tree")
        reached.add(tree)
        tree.below = _in_order(tree)
    if len(reached) < len(trees):
        raise TranslateError("the graph is not connected")
    return trees[graph.root]


def _in_order(tree: Tree) -> list[tuple[str, Tree]]:
    numbers = [int(m[1]) for edge, _ in tree.below if (m := PLACE.fullmatch(edge))]
    if len(set(numbers)) < len(numbers):
        raise TranslateError(f"two edges for one argument of {tree.label!r}")
    if sorted(numbers) != list(range(len(numbers))):
        raise TranslateError(f"{tree.label!r} lacks an argument")
    if numbers == sorted(numbers):
        return tree.below
    positional = sorted(zip(numbers, tree.arguments(), strict=True), key=lambda pair: pair[0])
    keyed = [pair for pair in tree.below if not PLACE.fullmatch(pair[0])]
    return [*arguments([argument for _, argument in positional]), *keyed]
