"""Nodes of trees that stay apart from the nodes above them: optional leaves, and others' tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from amparser.induction.spanning import Tree
from amparser.notations.ordered_trees import is_end

Alignment = Sequence[Collection[int]] | None
"""For each token the nodes of the graph that it is aligned to; None without one."""


def optional_leaves(trees: Sequence[Tree]) -> frozenset[str]:
    """The leaves that stand below several labels more often than any other leaf.

    They are there if nothing else is, and so are the ends of chains.
    """
    leaves: dict[tuple[str, str], Counter[str]] = {}
    others: set[tuple[str, str]] = set()
    for tree in trees:
        for node in range(1, len(tree.labels)):
            port = tree.labels[tree.parents[node]], tree.places[node]
            if tree.children[node]:
                others.add(port)
            elif not tree.is_literal(node):
                leaves.setdefault(port, Counter())[tree.labels[node]] += 1
    shared: Counter[tuple[str, str]] = Counter()
    for port in others & leaves.keys():
        [(label, count)] = leaves[port].most_common(1)
        if 2 * count > leaves[port].total():
            shared[port[1], label] += 1
    ends = {label for counter in leaves.values() for label in counter if is_end(label)}
    return frozenset(ends.union(label for (_, label), count in shared.items() if count > 1))


def kept_apart(tree: Tree, alignment: Alignment, optional: Collection[str]) -> set[int]:
    """The nodes of a tree that are never part of a larger fragment.

    They are optional leaves, and nodes that a given alignment has for other tokens than the node
    above; one that it does not have goes with the first node below it.
    """
    groups = groups_of(tree, alignment)
    for node in reversed(range(len(tree.labels))) if groups else ():
        below = (groups[child] for child in tree.children[node] if child in groups)
        groups.setdefault(node, next(below, frozenset()))
    return {
        node
        for node, label in enumerate(tree.labels)
        if (label in optional and not tree.children[node])
        or (groups.get(node) and groups[node] != groups.get(tree.parents[node]))
    }


def groups_of(tree: Tree, alignment: Alignment) -> dict[int, frozenset[int]]:
    """The tokens of each node that a given alignment has."""
    number = {node: i for i, node in enumerate(tree.nodes)}
    found: dict[int, set[int]] = {}
    for token, nodes in enumerate(alignment or ()):
        for node in nodes:
            if node in number:
                found.setdefault(number[node], set()).add(token)
    return {node: frozenset(tokens) for node, tokens in found.items()}
