"""Write any graph as PENMAN text, in which the first mention of a node introduces it.

A node's roles follow its label. `steps_along_edges` and `steps_in_text_order` choose the end at
which each edge is written.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import TypeVar

from amparser.graph.sgraph import Edge, SGraph

Key = TypeVar("Key", bound=Hashable)
Step = tuple[Edge, bool]
"""An edge that is written at a node; true if it is written inversely."""


def write_graph(
    graph: SGraph,
    introduce: Callable[[int], str],
    mention: Callable[[int], str],
    role: Callable[[Edge, bool], str],
    below: Callable[[int], Iterable[Step]],
    constants: Container[int] = (),
) -> tuple[str, list[int]]:
    """Return the text of a graph on one line, and its nodes in text order.

    Args:
        graph: the graph.
        introduce: text of a node after its opening parenthesis, up to the roles.
        mention: text of a constant, or of a node that was introduced before.
        role: text of an edge, written inversely or not.
        below: edges that are written at a node.
        constants: nodes that are never introduced.
    """

    def written(node: int) -> Iterator[tuple[str, int]]:
        for edge, inverse in below(node):
            yield role(edge, inverse), edge.parent if inverse else edge.child

    return write_out(graph.root, written, introduce, mention, constants)


def steps_along_edges(
    graph: SGraph, *, outgoing_first: bool = False
) -> Callable[[int], Iterator[Step]]:
    """Return a function that yields the edges to write at a node; call it depth first.

    An edge is written inversely only if its parent cannot be reached along edges.

    Args:
        graph: the graph.
        outgoing_first: yield edges that leave a node before edges that enter it.
    """
    # By index, since two edges may be equal.
    incident: dict[int, list[int]] = {node: [] for node in graph.nodes}
    for index, edge in enumerate(graph.edges):
        for node in {edge.parent, edge.child}:
            incident[node].append(index)
    reachable: set[int] = set()
    inverse: set[int] = set()

    def reach(node: int) -> None:
        agenda = [node]
        while agenda:
            current = agenda.pop()
            if current not in reachable:
                reachable.add(current)
                edges = (graph.edges[index] for index in incident[current])
                agenda += [edge.child for edge in edges if edge.parent == current]

    def steps(node: int) -> Iterator[Step]:
        indices = incident[node]
        if outgoing_first:
            indices = sorted(indices, key=lambda index: graph.edges[index].parent != node)
        for index in indices:
            edge = graph.edges[index]
            if edge.parent == node:
                if index not in inverse:
                    yield edge, False
            elif edge.parent not in reachable:
                reach(edge.parent)
                inverse.add(index)
                yield edge, True

    reach(graph.root)
    return steps


def steps_in_text_order(
    graph: SGraph, constants: Container[int]
) -> Callable[[int], Iterable[Step]] | None:
    """Return a function from a node to the edges to write there; None if no text has this order.

    Nodes and edges of the graph must be in text order. The nodes between the root and the node
    introduced last are open: an edge is written at its parent if that is open, else at its child.
    """
    waiting = iter(graph.nodes)
    path = [next(waiting)]
    introduced = set(path)
    steps: dict[int, list[Step]] = {}
    for edge in graph.edges:
        inverse = edge.parent not in path
        here, other = (edge.child, edge.parent) if inverse else (edge.parent, edge.child)
        if here not in path:
            return None
        del path[path.index(here) + 1 :]
        if other not in introduced:
            if next(waiting) != other:
                return None
            introduced.add(other)
            path += [] if other in constants else [other]
        steps.setdefault(here, []).append((edge, inverse))
    is_text = graph.root == next(iter(graph.nodes)) and len(introduced) == len(graph.nodes)
    return (lambda node: steps.get(node, ())) if is_text else None


def write_out(
    top: Key,
    below: Callable[[Key], Iterable[tuple[str, Key]]],
    introduce: Callable[[Key], str],
    mention: Callable[[Key], str],
    constants: Container[Key] = (),
    *,
    lines: bool = False,
) -> tuple[str, list[Key]]:
    """Write each node in full at its first mention; see `write_graph`.

    Args:
        top: the root.
        below: roles of a node, each with its target.
        introduce, mention, constants: see `write_graph`.
        lines: write each role on a line of its own, indented by tabs.

    Returns:
        The text, and the nodes in text order.
    """
    written = ["(" + introduce(top)]
    order = {top: None}
    stack = [iter(below(top))]
    while stack:
        role, node = next(stack[-1], ("", None))
        if node is None:
            stack.pop()
            written.append(")")
            continue
        written.append("\n" + "\t" * len(stack) if lines else " ")
        if node in order or node in constants:
            written.append(f"{role} {mention(node)}")
        else:
            written.append(f"{role} ({introduce(node)}")
            stack.append(iter(below(node)))
        order[node] = None
    return "".join(written), list(order)
