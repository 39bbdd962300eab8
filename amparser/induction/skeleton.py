"""Skeleton: an aligned graph as a tree over the tokens of its sentence.

Even before sources have names, an aligned graph determines the head of each token and how the token
is attached to it. Edges are followed forward from the root. Nodes that cannot be reached in this
way are attached by edges that are followed backward. For a node v below u:

    ARGUMENT   the edge u -> v belongs to u, which asks for v
    MODIFIER   the edge v -> u belongs to v, which attaches itself to u
    CLAUSE     the edge u -> v closes a cycle, because a node below v has an edge to u (a relative
               clause); v modifies u, and the edge belongs to v

If a node owns an edge to a node that is neither its child nor its parent, the edge is an *open
place* of the node: a gap, or an argument shared with a controller. A constituent further up fills
it.

The construction knows no words, roles or benchmarks in advance.
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
    """Attachment of a node to its parent in the skeleton; see the module's docstring."""

    ROOT = "root"
    ARGUMENT = "argument"
    MODIFIER = "modifier"
    CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Graph of a sentence as a tree over its aligned nodes.

    Attributes:
        order: the nodes, parents before children.
        attachment: attachment of each node to its parent.
        owned: outgoing edges of each node, except edges to CLAUSE children.
        clause_edges: edges from the parent to each CLAUSE node.
        edge_words: unaligned tokens (from 1) directly before each node's constituent. The
            constituent is the contiguous part of the subtree around the node's own token (unaligned
            tokens do not interrupt it).
        nesting: for each node, the number of enclosing arguments and clauses that begin at the same
            token.
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
        """Return the token (from 1) that a node is aligned to."""
        token = self.graph.nodes[node].token
        assert token is not None
        return token


def skeleton_of(tokens: Sequence[str], graph: SGraph) -> Skeleton:
    """Return the skeleton of an aligned graph.

    Raises DecomposeError if the graph is not connected to its root, has an edge from a node to
    itself, or is not aligned one-to-one.
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
    """Return how a node is attached to the node `above` it.

    A node is a CLAUSE if a path from it to `above` avoids the ancestors of `above`.
    """
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
