"""S-graphs: directed, edge-labelled graphs with one root and named sources.

Definition: Courcelle & Engelfriet 2012; as used by the AM algebra
(Groschwitz et al. 2017, section 3). An `SGraph` is a value: no operation
changes one in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx

from amparser.errors import GraphError
from amparser.logic.hypergraph import Edge as HyperEdge
from amparser.logic.hypergraph import same_up_to_names

Span = tuple[int, int]
"""From and to, in characters of the sentence that are no spaces."""


class Node(NamedTuple):
    """A node's label (`None`: unlabelled) and where it stands in the sentence.

    Attributes:
        label: its label.
        token: the token that it is aligned to, from 1.
        span: what it stands for, which may be more or less than its token.
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
"""Stands before the label of an edge that is followed from its child to its parent."""


def edge_at(above: int, place: str, below: int) -> Edge:
    """The edge of a graph that leads in its tree from one node to another.

    >>> edge_at(0, "<-agent", 1)
    Edge(parent=1, label='agent', child=0)
    """
    if place.startswith(INVERSE):
        return Edge(below, place.removeprefix(INVERSE), above)
    return Edge(above, place, below)


@dataclass(frozen=True)
class SGraph:
    """A rooted graph with sources.

    `edges` keeps an order: the order in which a constant lists its edges is
    the order in which a logical form writes them. Equality of meaning is
    `isomorphic`, which ignores order, node identifiers and alignment.
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
        """The edges that leave a node, in order."""
        return (edge for edge in self.edges if edge.parent == node)

    def marks(self) -> dict[int, tuple[str, ...]]:
        """The sources of each node that has some, sorted."""
        names: dict[int, list[str]] = {}
        for source, node in sorted(self.sources.items()):
            names.setdefault(node, []).append(source)
        return {node: tuple(sources) for node, sources in names.items()}

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """The same graph with `label`, `token`, `root` and `sources` as node attributes."""
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


def aligned_alike(left: SGraph, right: SGraph) -> bool:
    """Whether two graphs are equal with their alignments; cheap, and rarely wrong to say no."""
    described = []
    for graph in (left, right):
        tokens = {node: value.token for node, value in graph.nodes.items()}
        if None in tokens.values() or len(set(tokens.values())) < len(tokens):
            return False
        edges = Counter((tokens[e.parent], e.label, tokens[e.child]) for e in graph.edges)
        labels = {value.token: value.label for value in graph.nodes.values()}
        sources = {source: tokens[node] for source, node in graph.sources.items()}
        described.append((tokens[graph.root], labels, edges, sources))
    return described[0] == described[1]


def _written_alike(left: SGraph, right: SGraph) -> bool:
    """Whether two graphs are equal if nodes are numbered along the edges in their order."""
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
    """Whether two s-graphs are equal up to node identifiers, order and alignment."""
    if aligned_alike(left, right) or _written_alike(left, right):
        return True
    return same_up_to_names(_hypergraph(left), _hypergraph(right))


def _hypergraph(graph: SGraph) -> list[HyperEdge]:
    """The edges of a graph, and one for each node with what is known of it."""
    marks = graph.marks()
    nodes = (
        ((value.label, n == graph.root, marks.get(n)), (n,)) for n, value in graph.nodes.items()
    )
    return [*nodes, *((edge.label, (edge.parent, edge.child)) for edge in graph.edges)]
