"""Ordered trees as graphs and back: what terms and s-expressions share.

Nodes are numbered from 0 in the order of the text. The edges to arguments without a key are `arg0`,
`arg1`, ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph

Item = TypeVar("Item")

ARGUMENT = "arg"
ABSENT = "()"
"""The label of a leaf that stands for nothing."""
PLACE = re.compile(rf"{ARGUMENT}(\d{{1,9}})")


def is_end(label: str) -> bool:
    """Return whether a label stands for nothing."""
    return label == ABSENT


def graph_of_tree(
    root: Item, parts: Callable[[Item], tuple[str, Iterable[tuple[str, Item]]]]
) -> SGraph:
    """The graph of a tree.

    Args:
        root: of the tree.
        parts: the label of an item, and what is below it, each with the label of its edge.
    """
    nodes: dict[int, Node] = {}
    edges: list[Edge] = []
    stack: list[tuple[Item, int, str]] = [(root, -1, "")]
    while stack:
        item, parent, role = stack.pop()
        label, below = parts(item)
        number = len(nodes)
        nodes[number] = Node(label)
        if parent >= 0:
            edges.append(Edge(parent, role, number))
        stack += [(inner, number, place) for place, inner in reversed(list(below))]
    return SGraph(nodes, tuple(edges), 0)


def tree_of_graph(graph: SGraph, made: Callable[[str, Sequence[tuple[str, Item]]], Item]) -> Item:
    """What a graph stands for, made from its leaves to its root.

    Arguments stand in the order of the edges, but `arg0` before `arg1` and so on; where the
    edges have these in another order, they stand before the arguments with keys.

    Args:
        graph: a tree.
        made: what a label stands for with what is below it.

    Raises:
        TranslateError: the graph is not a tree, has open sources or a node without a label, or a
            node's edges lack one of `arg0`, `arg1`, ... or have one twice.
    """
    if graph.sources:
        raise TranslateError(f"open sources {', '.join(sorted(graph.sources))}")
    below: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        below.setdefault(edge.parent, []).append(edge)
    order = [graph.root]
    for node in order:
        below[node] = _in_order(node, below.get(node, []))
        order += [edge.child for edge in below[node]]
        if len(order) > len(graph.nodes):
            raise TranslateError("the graph is not a tree")
    if len(set(order)) != len(graph.nodes):
        raise TranslateError("the graph is not connected, or is not a tree")
    found: dict[int, Item] = {}
    for node in reversed(order):
        label = graph.nodes[node].label
        if label is None:
            raise TranslateError(f"node {node} has no label")
        found[node] = made(label, [(edge.label, found[edge.child]) for edge in below[node]])
    return found[graph.root]


def _in_order(node: int, edges: list[Edge]) -> list[Edge]:
    places = {edge: int(m[1]) for edge in edges if (m := PLACE.fullmatch(edge.label))}
    positional = [edge for edge in edges if edge in places]
    numbers = [places[edge] for edge in positional]
    if len(set(numbers)) < len(numbers):
        raise TranslateError(f"two edges for one argument at node {node}")
    if sorted(numbers) != list(range(len(numbers))):
        raise TranslateError(f"node {node} lacks an argument")
    if numbers == sorted(numbers):
        return edges
    return [*sorted(positional, key=lambda e: places[e]), *(e for e in edges if e not in places)]
