"""Evaluation: from an AM dependency tree to the graph it denotes.

`APP_s(head, arg)` merges the argument's root with the head's s-node, after the
argument's open sources took the names that the head's type gives them;
`MOD_s(head, mod)` merges the modifier's s-node with the head's root. In both,
sources of one name merge and s is forgotten (Groschwitz et al. 2018, section
3). Since a well-typed tree denotes the same graph in every order of its
operations, the merges are collected in a union-find structure over all nodes
of all constants, in time linear in the size of the tree.
"""

from __future__ import annotations

from functools import lru_cache

from amparser.algebra.operations import APP, IGNORE, MOD, ROOT, source_of
from amparser.algebra.supertag import LEX, Supertag
from amparser.algebra.types import EMPTY, AMType, type_to_str
from amparser.amtree.tree import AMTree, node_type
from amparser.errors import AMTreeError
from amparser.graph.sgraph import Edge, Node, SGraph


def problems(tree: AMTree) -> list[str]:
    """What keeps a tree from denoting a graph; empty when nothing does."""
    found = _shape_problems(tree)
    if found:
        return found
    types = _term_types(tree, found)
    root = tree.root
    if not found and root is not None and (term_type := types[root]) not in (EMPTY, None):
        assert term_type is not None
        found.append(f"token {root}: the root has type {type_to_str(term_type)}, expected ()")
    return found


def term_types(tree: AMTree) -> list[AMType | None]:
    """The term type below each position 0..n; None for position 0 and for ignored tokens.

    Raises:
        AMTreeError: when the tree is malformed or an operation is undefined.
    """
    found = _shape_problems(tree)
    types = [] if found else _term_types(tree, found)
    if found:
        raise AMTreeError("; ".join(found))
    return types


def bottom_up(tree: AMTree) -> list[int]:
    """The tokens that take part, dependents before heads; a cycle leaves tokens out."""
    children = tree.children()
    order = [token for token in children[0] if token]
    for token in order:
        order.extend(children[token])
    order.reverse()
    return order


def _shape_problems(tree: AMTree) -> list[str]:
    found = []
    for token, entry in enumerate(tree.entries, 1):
        if entry.operation in (IGNORE, ROOT) and entry.head != 0:
            found.append(f"token {token}: {entry.operation} with head {entry.head}, expected 0")
        if entry.operation == IGNORE:
            if entry.supertag is not None:
                found.append(f"token {token}: IGNORE with a supertag")
            continue
        if entry.supertag is None:
            found.append(f"token {token}: {entry.operation} without a supertag")
        if entry.operation != ROOT:
            if not entry.operation.startswith((APP, MOD)):
                found.append(f"token {token}: unknown operation {entry.operation!r}")
            if not 1 <= entry.head <= len(tree) or entry.head == token:
                found.append(f"token {token}: head {entry.head} is not another token")
            elif tree.entries[entry.head - 1].operation == IGNORE:
                found.append(f"token {token}: its head {entry.head} is ignored")
    roots = sum(entry.operation == ROOT for entry in tree.entries)
    if roots != 1:
        found.append(f"{roots} tokens with ROOT, expected 1")
    if not found:
        taking_part = sum(entry.operation != IGNORE for entry in tree.entries)
        if len(bottom_up(tree)) != taking_part:
            found.append("the heads form a cycle")
    return found


def _term_types(tree: AMTree, found: list[str]) -> list[AMType | None]:
    types: list[AMType | None] = [None] * (len(tree) + 1)
    children = tree.children()
    for token in bottom_up(tree):
        supertag = tree.entries[token - 1].supertag
        assert supertag is not None
        dependents = []
        for child in children[token]:
            child_type = types[child]
            if child_type is None:
                break
            dependents.append((tree.entries[child - 1].operation, child_type))
        else:
            types[token] = node_type(supertag.lexical_type, dependents)
            if types[token] is None:
                shown = ", ".join(f"{o} {type_to_str(t)}" for o, t in dependents)
                found.append(
                    f"token {token}: type {type_to_str(supertag.lexical_type)} "
                    f"does not combine with {shown}"
                )
    return types


@lru_cache(maxsize=4096)
def _parts(
    supertag: Supertag,
) -> tuple[int, tuple[str | None, ...], tuple[tuple[int, str, int], ...], dict[str, int]]:
    """A constant with nodes 0..m-1: root, labels, edges and source nodes."""
    graph = supertag.graph
    index = {node: i for i, node in enumerate(graph.nodes)}
    return (
        index[graph.root],
        tuple(node.label for node in graph.nodes.values()),
        tuple((index[e.parent], e.label, index[e.child]) for e in graph.edges),
        {source: index[node] for source, node in graph.sources.items()},
    )


def evaluate(tree: AMTree, *, open_root: bool = False) -> SGraph:
    """The graph that a well-typed tree denotes.

    Nodes keep the token of the constant whose lexical label they carry; edges
    stand in the order of the tokens whose constants hold them, and within one
    constant in its order.

    Args:
        open_root: allow a tree of a single constant (a bare lexical item) whose
            sources stay open as sources of the graph.

    Raises:
        AMTreeError: when the tree is ill typed, or two labels meet at a node.
    """
    found = _shape_problems(tree)
    types = [] if found else _term_types(tree, found)
    root = tree.root or 0
    bare = open_root and sum(entry.operation != IGNORE for entry in tree.entries) == 1
    if not found and types[root] != EMPTY and not bare:
        found = problems(tree)
    if found:
        raise AMTreeError("; ".join(found))

    parent: list[int] = []
    labels: list[tuple[str, int] | None] = []
    edges: list[tuple[int, str, int]] = []
    roots = [0] * (len(tree) + 1)
    # For each token the graph node of every source that is still open below it.
    nodes_of: list[dict[str, int]] = [{} for _ in range(len(tree) + 1)]
    for token, entry in enumerate(tree.entries, 1):
        if entry.supertag is None:
            continue
        first = len(parent)
        at, node_labels, constant_edges, sources = _parts(entry.supertag)
        roots[token] = first + at
        for label in node_labels:
            parent.append(len(parent))
            shown = entry.label if label == LEX else label
            labels.append(None if shown is None else (shown, token))
        edges.extend((first + a, label, first + b) for a, label, b in constant_edges)
        nodes_of[token] = {source: first + node for source, node in sources.items()}

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def merge(left: int, right: int) -> None:
        left, right = find(left), find(right)
        if left == right:
            return
        if labels[left] is not None and labels[right] is not None:
            raise AMTreeError(f"labels {labels[left]} and {labels[right]} meet at one node")
        parent[right] = left
        labels[left] = labels[left] or labels[right]

    children = tree.children()
    for token in bottom_up(tree):
        supertag = tree.entries[token - 1].supertag
        assert supertag is not None
        here = nodes_of[token]
        # A source may reach the head from below (raising) and be filled beside
        # it: first pass all open sources up, then fill.
        fillers: list[tuple[str, int]] = []
        for child in children[token]:
            operation = tree.entries[child - 1].operation
            source = source_of(operation)
            below = nodes_of[child]
            names: dict[str, str] = {}
            if operation.startswith(APP):
                names = supertag.lexical_type.renamed(source)
                fillers.append((source, roots[child]))
            else:
                merge(roots[token], below.pop(source))
            for name, node in below.items():
                target = names.get(name, name)
                if target in here:
                    merge(here[target], node)
                else:
                    here[target] = node
        for source, node in fillers:
            if source not in here:
                raise AMTreeError(f"token {token}: its constant has no node for source {source}")
            merge(here.pop(source), node)

    kept = {node for node in range(len(parent)) if find(node) == node}
    number = {node: i for i, node in enumerate(sorted(kept))}
    nodes = {}
    for node, i in number.items():
        value = labels[node]
        nodes[i] = Node() if value is None else Node(*value)
    drawn = tuple(Edge(number[find(a)], label, number[find(b)]) for a, label, b in edges)
    open_sources = {s: number[find(n)] for s, n in nodes_of[root].items()} if bare else {}
    return SGraph(nodes, drawn, number[find(roots[root])], open_sources)
