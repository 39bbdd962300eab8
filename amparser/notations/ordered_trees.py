"""Convert ordered trees to and from graphs; shared by terms and s-expressions.

Nodes are numbered from 0 in the order of the text. Edges to arguments without a key are `arg0`,
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
"""Label of a leaf that stands for an absent value."""
PLACE = re.compile(rf"{ARGUMENT}(\d{{1,9}})")


def is_end(label: str) -> bool:
    """Return True if a label stands for an absent value."""
    return label == ABSENT


def graph_of_tree(
    root: Item, parts: Callable[[Item], tuple[str, Iterable[tuple[str, Item]]]]
) -> SGraph:
    """Return the graph of a tree.

    Args:
        parts: returns the label of an item and its children, each with its edge label.
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
    """Build a tree from a graph, bottom up.

    Children are in the order of the edges, except that `arg0` precedes `arg1` and so on. If the
    edges have these in another order, they are moved before the children with keys. Raises
    TranslateError if the graph is not a tree, has open sources or a node without a label, or the
    edges of a node do not have `arg0`, `arg1`, ... exactly once each.
    """
    if graph.sources:
        raise TranslateError(f"the graph has open sources {', '.join(sorted(graph.sources))}")
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
    built: dict[int, Item] = {}
    for node in reversed(order):
        label = graph.nodes[node].label
        if label is None:
            raise TranslateError(f"node {node} has no label")
        built[node] = made(label, [(edge.label, built[edge.child]) for edge in below[node]])
    return built[graph.root]


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
