"""Evaluation of a derivation to the graph that it denotes.

The graph consists of the nodes and edges of all constants. `APP` and `MOD` merge nodes (see
`amparser.algebra.joining`), `ARC` and re-entrant edges add edges between constants, and the scope
assigns the nodes of each token to a box.
"""

from __future__ import annotations

from amparser.algebra.derivation import FIRST_BOX, Derivation, Place, Scope, joins_of
from amparser.algebra.fragment import Fragment
from amparser.algebra.joining import join, numbered
from amparser.algebra.types import ROOT
from amparser.errors import AMTreeError
from amparser.graph.boxes import Box, BoxScheme, Layered, join as join_boxes, with_settled_constants
from amparser.graph.sgraph import Edge, Node, SGraph


def expand(
    derivation: Derivation,
    scheme: BoxScheme | None = None,
    wrapper: Fragment | None = None,
    *,
    open_root: bool = False,
    align_all: bool = False,
    polymorphic: bool = False,
) -> SGraph:
    """Return the graph that a derivation denotes.

    Nodes count from 0. A node with a lexical label is aligned to its token (from 1); if there are
    boxes, all nodes are aligned. Edges are ordered by the tokens of their constants, and edges
    between constants come last.

    Args:
        derivation: the derivation.
        scheme: how graphs of the corpus represent boxes; None if the corpus has no boxes.
        wrapper: fragment with one port, which the root of the graph fills.
        open_root: whether the ports of a derivation with a single token may stay open; they become
            sources of the graph.
        align_all: whether all labelled nodes of a constant are aligned to its token.
        polymorphic: whether to adapt the requests of constants to their arguments (see
            `joining.meeting`).

    Raises:
        AMTreeError: the derivation has `problems`, or nodes with different labels are merged.
    """
    building = _Building(derivation, open_root, polymorphic, align_all)
    if scheme is not None or building.in_boxes:
        graph = join_boxes(building.layered(), scheme)
    else:
        graph = building.graph()
    return graph if wrapper is None else _wrapped(graph, wrapper)


def layered(derivation: Derivation) -> Layered:
    """Return the graph of a derivation as `Layered`, in which boxes are not nodes.

    Raises AMTreeError as `expand` does.
    """
    return _Building(derivation).layered()


class _Building:
    """Nodes and edges of all constants of a derivation, with a union-find of the merged nodes."""

    def __init__(
        self,
        derivation: Derivation,
        open_root: bool = False,
        polymorphic: bool = False,
        align_all: bool = False,
    ) -> None:
        joins, problems = joins_of(derivation, open_root=open_root, polymorphic=polymorphic)
        if problems:
            raise AMTreeError("; ".join(problems))
        self.derivation = derivation
        self.in_boxes = derivation.scope is not None
        self.values: list[Node] = []
        self.edges: list[tuple[int, str, int]] = []
        self.first: dict[int, int] = {}
        self.roots: dict[int, int] = {}
        # For each token, the graph node of each open port of its constituent.
        self.open_nodes: dict[int, dict[str, int]] = {}
        for token, fillers in enumerate(derivation.lexical_labels):
            constant = derivation.constant(token)
            if constant is None:
                continue
            first = self.first[token] = len(self.values)
            self.roots[token] = first + constant.root
            self.open_nodes[token] = {port.name: first + port.node for port in constant.ports}
            self.edges += [(first + a, name, first + b) for a, name, b in constant.edges]
            for node, label in enumerate(constant.filled(fillers)):
                is_aligned = label is not None if align_all else node in constant.slots
                self.values.append(Node(label, token + 1 if is_aligned else None))
            self.in_boxes |= bool(constant.unboxed)
        self.parent = list(range(len(self.values)))
        for head, dependents, steps in joins:
            join(head, dependents, steps, self.open_nodes, self.roots, self.parent)
        self.root = derivation.operations.index(ROOT)

    def graph(self) -> SGraph:
        nodes, number = numbered(self.values, self.parent)
        return SGraph(
            dict(enumerate(nodes)),
            tuple(Edge(number[a], label, number[b]) for a, label, b in self._all_edges()),
            number[self.roots[self.root]],
            {source: number[node] for source, node in self.open_nodes[self.root].items()},
        )

    def layered(self) -> Layered:
        derivation = self.derivation
        nodes, number = numbered(self.values, self.parent)
        boxes, box_number = boxes_of(derivation.scope)
        box: list[int | None] = [None] * len(nodes)
        tokens = [0] * len(nodes)
        for token, constant in enumerate(derivation.fragments):
            if constant is None:
                continue
            place = derivation.scope.within[token] if derivation.scope else FIRST_BOX
            for i, label in enumerate(constant.labels):
                at = number[self.first[token] + i]
                if label is not None or box[at] is None:
                    tokens[at] = token + 1
                    box[at] = -1 if i in constant.unboxed else box_number[place]
        known = [b or 0 for b in box]
        edges = [(number[a], label, number[b]) for a, label, b in self._all_edges()]
        return with_settled_constants(
            Layered(
                tuple(node.label or "" for node in nodes),
                tuple(b < 0 for b in known),
                tuple(edges),
                tuple(known),
                boxes,
                number[self.roots[self.root]],
                tuple(tokens),
            )
        )

    def _all_edges(self) -> list[tuple[int, str, int]]:
        arcs = [*self.derivation.arcs()]
        if not arcs:
            return self.edges
        known = dict.fromkeys(self.edges)
        for upper, lower, links in arcs:
            for label, down, above, below in links:
                ends = self.first[upper] + above, self.first[lower] + below
                known[(ends[0], label, ends[1]) if down else (ends[1], label, ends[0])] = None
        return list(known)


def boxes_of(scope: Scope | None) -> tuple[tuple[Box, ...], dict[Place, int]]:
    """Return the tree of boxes, parents first, and the index of each box.

    Box 0 is the first box. Boxes that would be their own ancestors become its children.
    """
    boxes = [Box(-1, "")]
    number: dict[Place, int] = {FIRST_BOX: 0}
    if scope is None:
        return tuple(boxes), number
    left = [t for t, introduced in enumerate(scope.introduced) if introduced]
    while left:
        ready = next((t for t in left if scope.above[t] in number), None)
        token = left[0] if ready is None else ready
        left.remove(token)
        parent = 0 if ready is None else number[scope.above[token]]
        for i, (up, label) in enumerate(scope.introduced[token]):
            boxes.append(Box(parent if up < 0 else number[token, up], label))
            number[token, i] = len(boxes) - 1
    return tuple(boxes), number


def _wrapped(graph: SGraph, wrapper: Fragment) -> SGraph:
    [port] = wrapper.ports
    nodes = dict(graph.nodes)
    number = {port.node: graph.root}
    for node, label in enumerate(wrapper.labels):
        if node != port.node:
            number[node] = len(nodes)
            nodes[len(nodes)] = Node(label)
    edges = (Edge(number[above], place, number[below]) for above, place, below in wrapper.edges)
    return SGraph(nodes, (*graph.edges, *edges), number[wrapper.root], graph.sources)
