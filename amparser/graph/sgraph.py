"""S-graphs: directed, edge-labelled graphs with one root and named sources.

Definition: Courcelle & Engelfriet 2012; as used by the AM algebra (Groschwitz et al. 2017,
section 3). An `SGraph` is immutable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx

from amparser.errors import GraphError
from amparser.logic.hypergraph import Edge as HyperEdge, same_up_to_names

Span = tuple[int, int]
"""Range of characters in the sentence: start and end, not counting spaces."""


class Node(NamedTuple):
    """A node of an s-graph.

    Attributes:
        label: the label, or None if the node has no label.
        token: the token to which the node is aligned, from 1.
        span: the characters of the node, which may be more or fewer than those of its token.
    """

    label: str | None = None
    token: int | None = None
    span: Span | None = None


class Edge(NamedTuple):
    """A directed edge between two node identifiers."""

    parent: int
    label: str
    child: int


INVERSE = "<-"
"""Prefix of the label of an edge that is followed from child to parent."""


def edge_at(above: int, place: str, below: int) -> Edge:
    """Return the edge between two nodes of a tree; it leads upwards if `place` begins with `<-`.

    >>> edge_at(0, "<-agent", 1)
    Edge(parent=1, label='agent', child=0)
    """
    if place.startswith(INVERSE):
        return Edge(below, place.removeprefix(INVERSE), above)
    return Edge(above, place, below)


@dataclass(frozen=True)
class SGraph:
    """A rooted graph with sources.

    The order of `edges` is significant: logical forms write the edges of a constant in this order.
    `isomorphic` compares meanings; it ignores order, node identifiers and alignment. Raises
    GraphError if the root, an edge or a source refers to a node that does not exist.
    """

    nodes: Mapping[int, Node]
    edges: tuple[Edge, ...]
    root: int
    sources: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.root not in self.nodes:
            raise GraphError(f"the root {self.root} is not a node")
        for edge in self.edges:
            if edge.parent not in self.nodes or edge.child not in self.nodes:
                raise GraphError(f"edge {edge.label!r} joins a node that does not exist")
        for source, node in self.sources.items():
            if node not in self.nodes:
                raise GraphError(f"source {source!r} marks a node that does not exist")

    def outgoing(self, node: int) -> Iterator[Edge]:
        """Yield the edges that leave a node, in order."""
        return (edge for edge in self.edges if edge.parent == node)

    def marks(self) -> dict[int, tuple[str, ...]]:
        """Return the sorted sources of each node that has sources."""
        names: dict[int, list[str]] = {}
        for source, node in sorted(self.sources.items()):
            names.setdefault(node, []).append(source)
        return {node: tuple(sources) for node, sources in names.items()}

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """Return the graph with `label`, `token`, `root` and `sources` as node attributes."""
        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
        marks = self.marks()
        for identifier, node_value in self.nodes.items():
            graph.add_node(
                identifier,
                label=node_value.label,
                token=node_value.token,
                root=identifier == self.root,
                sources=marks.get(identifier, ()),
            )
        for edge in self.edges:
            graph.add_edge(edge.parent, edge.child, label=edge.label)
        return graph


def _written_alike(left: SGraph, right: SGraph) -> bool:
    """Return True if two graphs are equal once their nodes are numbered in edge order (fast)."""
    if len(left.nodes) != len(right.nodes) or len(left.edges) != len(right.edges):
        return False
    described = []
    for graph in (left, right):
        below: dict[int, list[Edge]] = {}
        for edge in graph.edges:
            below.setdefault(edge.parent, []).append(edge)
        numbers = {graph.root: 0}
        stack = [graph.root]
        edges = []
        while stack:
            node = stack.pop()
            for edge in below.get(node, ()):
                if edge.child not in numbers:
                    numbers[edge.child] = len(numbers)
                    stack.append(edge.child)
                edges.append((numbers[node], edge.label, numbers[edge.child]))
        if len(numbers) < len(graph.nodes):
            return False
        labels = [graph.nodes[node].label for node in numbers]
        described.append((labels, edges, {s: numbers[n] for s, n in graph.sources.items()}))
    return described[0] == described[1]


def isomorphic(left: SGraph, right: SGraph) -> bool:
    """Return True if two s-graphs are equal up to node identifiers, order and alignment."""
    return _written_alike(left, right) or same_up_to_names(_hypergraph(left), _hypergraph(right))


def _hypergraph(graph: SGraph) -> list[HyperEdge]:
    """Return the graph's edges, and a unary edge for each node.

    The label of a unary edge consists of the node's label, its sources, and whether it is the root.
    """
    marks = graph.marks()
    nodes = (
        ((value.label, n == graph.root, marks.get(n)), (n,)) for n, value in graph.nodes.items()
    )
    return [*nodes, *((edge.label, (edge.parent, edge.child)) for edge in graph.edges)]
