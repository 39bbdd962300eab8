"""The skeleton of an analysis: how a graph hangs together over its sentence.

Before sources have names, an aligned graph already determines which token depends
on which and in what way. From the root, edges are followed forward first. The
other nodes are attached by an edge against its direction. For a node v below u:

    ARGUMENT   the edge u -> v belongs to u, which asks for v
    MODIFIER   the edge v -> u belongs to v, which attaches itself to u
    CLAUSE     the edge u -> v closes a cycle: v asks, somewhere below, for u.
               Such a v modifies u, and the edge belongs to v's side

An edge to a node that is neither child nor parent leaves a place open (a gap,
or an argument shared with a controller), which is filled further up.

Nothing here knows a word, a role or a benchmark.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from amparser.errors import DecomposeError
from amparser.graph.sgraph import Edge, SGraph


class Attachment(Enum):
    """How a node hangs from its parent in the skeleton."""

    ROOT = "root"
    ARGUMENT = "argument"
    MODIFIER = "modifier"
    CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A sentence's graph as a tree over its aligned nodes.

    Attributes:
        tokens: the sentence.
        graph: the graph; every labelled node is aligned to a token of its own.
        order: the nodes, parents before children.
        parent: the parent of each node but the root.
        attachment: how each node hangs from its parent.
        owned: for each node the edges that leave it, without CLAUSE edges.
        clause_edges: for each CLAUSE node the edges from its parent to it.
        start: the token (1-based) at which each node's constituent begins: the
            leftmost token below it with no other constituent's token in
            between (so a constituent displaced to the left does not count).
        edge_words: the unaligned tokens directly before `start`.
        nesting: how many arguments and clauses further out begin at the same token.
    """

    tokens: tuple[str, ...]
    graph: SGraph
    order: tuple[int, ...]
    parent: dict[int, int]
    attachment: dict[int, Attachment]
    owned: dict[int, tuple[Edge, ...]]
    clause_edges: dict[int, tuple[Edge, ...]]
    start: dict[int, int]
    edge_words: dict[int, tuple[int, ...]]
    nesting: dict[int, int]

    def token(self, node: int) -> int:
        """The token (1-based) a node is aligned to."""
        token = self.graph.nodes[node].token
        assert token is not None
        return token


def skeleton_of(tokens: Sequence[str], graph: SGraph) -> Skeleton:
    """The skeleton of an aligned graph.

    Raises:
        DecomposeError: a labelled node has no token of its own or an edge to itself, or some
            node cannot be reached from the root in either direction.
    """
    for edge in graph.edges:
        if edge.parent == edge.child:
            label = graph.nodes[edge.parent].label
            raise DecomposeError(f"{label!r} has an edge to itself, {edge.label!r}")
    hanging = _Hanging(graph)
    taken = _aligned_tokens(graph, hanging.placeholders)
    hanging.hang()
    order, parent, attachment = hanging.order, hanging.parent, hanging.attachment
    start = _starts(graph, order, parent, taken)
    edge_words: dict[int, tuple[int, ...]] = {}
    nesting: dict[int, int] = {}
    seen_at: dict[int, int] = {}
    for node in order:
        first = before = start[node]
        while before > 1 and before - 1 not in taken:
            before -= 1
        edge_words[node] = tuple(range(before, first))
        if attachment[node] in (Attachment.ARGUMENT, Attachment.CLAUSE):
            nesting[node] = seen_at.get(first, 0)
            seen_at[first] = nesting[node] + 1
    return Skeleton(
        tuple(tokens),
        graph,
        tuple(order),
        parent,
        attachment,
        {node: hanging.owned(node) for node in order},
        {
            node: tuple(e for e in hanging.outgoing[parent[node]] if e.child == node)
            for node in order
            if attachment[node] is Attachment.CLAUSE
        },
        start,
        edge_words,
        nesting,
    )


def _aligned_tokens(graph: SGraph, placeholders: set[int]) -> dict[int, int]:
    """The node of each token that has one."""
    taken: dict[int, int] = {}
    for node, value in graph.nodes.items():
        if node in placeholders and value.label is None:
            continue
        if value.token is None or value.label is None:
            raise DecomposeError(f"node {value.label or node!r} is not aligned to a token")
        if value.token in taken:
            raise DecomposeError(f"token {value.token} is aligned to two nodes")
        taken[value.token] = node
    return taken


class _Hanging:
    """A graph on its way to a tree over its nodes: breadth first, edges forward first."""

    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        self.outgoing: dict[int, list[Edge]] = {node: [] for node in graph.nodes}
        self.incoming: dict[int, list[Edge]] = {node: [] for node in graph.nodes}
        for edge in graph.edges:
            self.outgoing[edge.parent].append(edge)
            self.incoming[edge.child].append(edge)
        self.placeholders = set(graph.sources.values()) - {graph.root}
        self.parent: dict[int, int] = {}
        self.attachment = {graph.root: Attachment.ROOT}
        self.order = [graph.root]

    def hang(self) -> None:
        """Attach every node; raises DecomposeError if some cannot be reached."""
        queue = deque(self.order)
        while queue:
            while queue:
                node = queue.popleft()
                for edge in self.outgoing[node]:
                    child = edge.child
                    if child in self.attachment or child in self.placeholders:
                        continue
                    cyclic = bool(self.incoming[node]) and self._leads_back(child, node)
                    how = Attachment.CLAUSE if cyclic else Attachment.ARGUMENT
                    queue.append(self._attach(child, node, how))
            for node in self.order:
                edges = self.incoming[node]
                above = next((e.parent for e in edges if e.parent not in self.attachment), None)
                if above is not None:
                    queue.append(self._attach(above, node, Attachment.MODIFIER))
                    break
        nodes = self.graph.nodes
        if len(self.order) + len(self.placeholders) != len(nodes):
            lost = [nodes[n].label for n in nodes if n not in self.attachment]
            raise DecomposeError(f"nodes {lost} are not connected to the root")

    def owned(self, node: int) -> tuple[Edge, ...]:
        """The edges that leave a node, without those to its CLAUSE children."""
        return tuple(
            edge
            for edge in self.outgoing[node]
            if self.parent.get(edge.child) != node
            or self.attachment[edge.child] is not Attachment.CLAUSE
        )

    def _attach(self, node: int, to: int, how: Attachment) -> int:
        self.parent[node] = to
        self.attachment[node] = how
        self.order.append(node)
        return node

    def _ancestors(self, node: int) -> set[int]:
        above = set()
        while node in self.parent:
            node = self.parent[node]
            above.add(node)
        return above

    def _leads_back(self, start: int, goal: int) -> bool:
        """Whether edges lead from a node to another one, other than through its ancestors."""
        seen = self._ancestors(goal) | {start}
        stack = [start]
        while stack:
            for edge in self.outgoing[stack.pop()]:
                if edge.child == goal:
                    return True
                if edge.child not in seen:
                    seen.add(edge.child)
                    stack.append(edge.child)
        return False


def _starts(
    graph: SGraph, order: Sequence[int], parent: dict[int, int], taken: dict[int, int]
) -> dict[int, int]:
    aligned = sorted(taken)
    place = {token: i for i, token in enumerate(aligned)}
    below: dict[int, set[int]] = {}
    start = {}
    for node in reversed(order):
        here = place[graph.nodes[node].token or 0]
        covered = below.setdefault(node, set())
        covered.add(here)
        while here - 1 in covered:
            here -= 1
        start[node] = aligned[here]
        if node in parent:
            below.setdefault(parent[node], set()).update(covered)
    return start
