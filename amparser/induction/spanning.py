"""The tree that spans a graph, and the edges that it leaves out.

Constants are cut out of trees. A graph that is no tree keeps, for each node, the first
edge by which it is reached from the root: outgoing edges first, in their order, then
incoming ones turned round (`<-label`). The other edges are cut; the caller counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from amparser.graph.sgraph import INVERSE, Edge, SGraph
from amparser.logic.term import is_literal


@dataclass(frozen=True)
class Tree:
    """A rooted, ordered tree; nodes are numbered from 0, parents before children (preorder).

    Attributes:
        labels: of each node; the empty string where the graph has none.
        parents: of each node; -1 for node 0.
        places: the label of the edge from the parent; empty for node 0.
        nodes: the node of the graph that each node stands for.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    places: tuple[str, ...]
    nodes: tuple[int, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node, in order."""
        below: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                below[parent].append(node)
        return tuple(map(tuple, below))

    def is_literal(self, node: int) -> bool:
        """Whether a node is a leaf with a value (a quoted string or a number) as its label."""
        return not self.children[node] and is_literal(self.labels[node])


def spanning_tree(graph: SGraph) -> tuple[Tree, tuple[Edge, ...]]:
    """The tree that spans what is connected to the root, and the edges that were cut.

    Nodes that are not connected to the root are left out with their edges, which count as cut.
    """
    outgoing: dict[int, list[tuple[str, int, int]]] = {}
    incoming: dict[int, list[tuple[str, int, int]]] = {}
    for number, edge in enumerate(graph.edges):
        outgoing.setdefault(edge.parent, []).append((edge.label, edge.child, number))
        incoming.setdefault(edge.child, []).append((INVERSE + edge.label, edge.parent, number))
    # Breadth first decides which edge reaches a node; preorder then numbers the nodes.
    reached = {graph.root}
    below: dict[int, list[tuple[str, int]]] = {}
    used: set[int] = set()
    queue = [graph.root]
    forward = 0  # the nodes of the queue whose outgoing edges were followed

    def follow(edges: dict[int, list[tuple[str, int, int]]], node: int) -> bool:
        """Follow the edges of a node to new nodes; whether there was one."""
        before = len(queue)
        for label, other, number in edges.get(node, ()):
            if other not in reached:
                reached.add(other)
                used.add(number)
                below.setdefault(node, []).append((label, other))
                queue.append(other)
        return len(queue) > before

    while forward < len(queue):
        follow(outgoing, queue[forward])
        forward += 1
        if forward == len(queue):
            any(follow(incoming, node) for node in list(queue))
    labels: list[str] = []
    parents: list[int] = []
    places: list[str] = []
    nodes: list[int] = []
    stack = [(graph.root, -1, "")]
    while stack:
        node, parent, place = stack.pop()
        number = len(nodes)
        nodes.append(node)
        labels.append(graph.nodes[node].label or "")
        parents.append(parent)
        places.append(place)
        stack += [(child, number, label) for label, child in reversed(below.get(node, []))]
    cut = tuple(e for i, e in enumerate(graph.edges) if i not in used)
    return Tree(tuple(labels), tuple(parents), tuple(places), tuple(nodes)), cut
