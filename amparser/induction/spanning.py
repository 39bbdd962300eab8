"""Spanning tree of a graph, and the edges outside the tree.

The preset `tree` splits trees into constants, so each graph is replaced by a spanning tree. Each
node keeps the first edge by which it is reached from the root: outgoing edges are followed first,
in order, then incoming edges, which are reversed (`<-label`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from amparser.graph.sgraph import INVERSE, Edge, SGraph
from amparser.logic.term import is_literal

MINUS = "-"

Place = tuple[str, str]
"""Position in trees: label of a node, and label of an edge to one of its children."""


@dataclass(frozen=True)
class Tree:
    """Rooted, ordered tree; nodes are numbered from 0 in preorder.

    Attributes:
        labels: label of each node; empty if the node is unlabelled.
        parents: parent of each node; -1 for node 0.
        places: label of the edge to each node from its parent; empty for node 0.
        nodes: graph node of each tree node.
        names: unquoted labels of leaves that are literals (see `contraction.with_values`).
        negated: negative numbers that the sentence writes without their minus sign.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    places: tuple[str, ...]
    nodes: tuple[int, ...]
    names: frozenset[str] = frozenset()
    negated: frozenset[str] = frozenset()

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node, in order."""
        below: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                below[parent].append(node)
        return tuple(map(tuple, below))

    def place(self, node: int) -> Place:
        """Return the label of a node's parent and the label of the edge between them.

        The node must not be the root.
        """
        return self.labels[self.parents[node]], self.places[node]

    def is_literal(self, node: int) -> bool:
        """Return whether a node is a leaf that is a quoted string, a number or a name."""
        label = self.labels[node]
        return not self.children[node] and (is_literal(label) or label in self.names)

    def literal(self, node: int) -> str:
        """Return the label of a literal as the sentence spells it, possibly without its minus."""
        label = self.labels[node]
        return label.removeprefix(MINUS) if label in self.negated else label

    @cached_property
    def literals(self) -> tuple[int, ...]:
        """The nodes that are literals."""
        return tuple(node for node in range(len(self.labels)) if self.is_literal(node))


def spanning_edges(graph: SGraph, left_out: Collection[int] = ()) -> dict[int, Edge | None]:
    """Return the edge by which each node is reached from the root (None for the root).

    Edges are followed forward, breadth first. When no more nodes can be reached, one edge into a
    reached node is followed backward, and so on. The keys are in the order of the search.

    Args:
        left_out: nodes to leave out.
    """
    outgoing: dict[int, list[Edge]] = {node: [] for node in graph.nodes}
    incoming: dict[int, list[Edge]] = {node: [] for node in graph.nodes}
    for edge in graph.edges:
        outgoing[edge.parent].append(edge)
        incoming[edge.child].append(edge)
    reached: dict[int, Edge | None] = {graph.root: None}
    agenda = [graph.root]
    while agenda:
        for node in agenda:  # `agenda` grows during the loop
            for edge in outgoing[node]:
                if edge.child not in reached and edge.child not in left_out:
                    reached[edge.child] = edge
                    agenda.append(edge.child)
        upward = (e for node in reached for e in incoming[node] if e.parent not in reached)
        agenda = []
        if (edge_up := next(upward, None)) is not None:
            reached[edge_up.parent] = edge_up
            agenda = [edge_up.parent]
    return reached


def spanning_tree(graph: SGraph) -> tuple[Tree, tuple[Edge, ...]]:
    """Return a spanning tree of the nodes connected to the root, and the edges not in the tree."""
    edges = spanning_edges(graph)
    below: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for node, edge in edges.items():
        if edge is not None and edge.child == node:
            below[edge.parent].append((edge.label, node))
        elif edge is not None:
            below[edge.child].append((INVERSE + edge.label, node))
    labels: list[str] = []
    parents: list[int] = []
    places: list[str] = []
    nodes: list[int] = []
    stack = [(graph.root, -1, "")]
    while stack:
        node, parent, place = stack.pop()
        stack += [(child, len(nodes), label) for label, child in reversed(below[node])]
        nodes.append(node)
        labels.append(graph.nodes[node].label or "")
        parents.append(parent)
        places.append(place)
    used = {id(edge) for edge in edges.values()}
    cut = tuple(edge for edge in graph.edges if id(edge) not in used)
    return Tree(tuple(labels), tuple(parents), tuple(places), tuple(nodes)), cut
