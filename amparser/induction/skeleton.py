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

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from amparser.errors import DecomposeError
from amparser.graph.sgraph import Edge, SGraph
from amparser.induction.spanning import spanning_edges


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
        edge_words: the unaligned tokens directly before each node's constituent. This begins at
            the leftmost token below the node with no other constituent's token in
            between (so a constituent displaced to the left does not count).
        nesting: how many arguments and clauses further out begin at the same token.
    """

    tokens: tuple[str, ...]
    graph: SGraph
    order: tuple[int, ...]
    parent: dict[int, int]
    attachment: dict[int, Attachment]
    owned: dict[int, tuple[Edge, ...]]
    clause_edges: dict[int, tuple[Edge, ...]]
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
    placeholders = set(graph.sources.values()) - {graph.root}
    taken = _aligned_tokens(graph, placeholders)
    edges = spanning_edges(graph, placeholders)
    nodes, order = graph.nodes, tuple(edges)
    if len(order) + len(placeholders) != len(nodes):
        lost = [nodes[n].label for n in nodes if n not in edges]
        raise DecomposeError(f"nodes {lost} are not connected to the root")
    parent = {
        node: edge.parent if edge.child == node else edge.child
        for node, edge in edges.items()
        if edge is not None
    }
    outgoing: dict[int, list[Edge]] = {node: [] for node in nodes}
    for edge in graph.edges:
        outgoing[edge.parent].append(edge)
    attachment = {graph.root: Attachment.ROOT}
    for node, above in parent.items():
        attachment[node] = _attachment(node, above, edges[node], parent, outgoing)
    clauses = {node for node in order if attachment[node] is Attachment.CLAUSE}
    start = _starts(graph, order, parent, taken)
    edge_words: dict[int, tuple[int, ...]] = {}
    nesting: dict[int, int] = {}
    seen_at: Counter[int] = Counter()
    for node in order:
        first = before = start[node]
        while before > 1 and before - 1 not in taken:
            before -= 1
        edge_words[node] = tuple(range(before, first))
        if attachment[node] in (Attachment.ARGUMENT, Attachment.CLAUSE):
            nesting[node] = seen_at[first]
            seen_at[first] += 1
    return Skeleton(
        tuple(tokens),
        graph,
        order,
        parent,
        attachment,
        {
            node: tuple(
                edge
                for edge in outgoing[node]
                if edge.child not in clauses or parent[edge.child] != node
            )
            for node in order
        },
        {node: tuple(e for e in outgoing[parent[node]] if e.child == node) for node in clauses},
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


def _attachment(
    node: int,
    above: int,
    edge: Edge | None,
    parent: Mapping[int, int],
    outgoing: Mapping[int, Sequence[Edge]],
) -> Attachment:
    """How a node hangs from the one above, a CLAUSE if edges lead back beside its ancestors."""
    if edge is not None and edge.parent == node:
        return Attachment.MODIFIER
    seen, ancestor = {node}, above
    while ancestor in parent:
        ancestor = parent[ancestor]
        seen.add(ancestor)
    stack = [node]
    while stack:
        for step in outgoing[stack.pop()]:
            if step.child == above:
                return Attachment.CLAUSE
            if step.child not in seen:
                seen.add(step.child)
                stack.append(step.child)
    return Attachment.ARGUMENT


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
