"""Evaluate a derivation to the graph that it denotes.

The nodes of all constants form one graph. `APP` and `MOD` merge nodes (see
`amparser.algebra.joining`), `ARC` and re-entrant edges add edges between constants, and the scope
assigns the nodes of each token to a box.
"""

from __future__ import annotations

from amparser.algebra.derivation import (
    ARC,
    FIRST_BOX,
    WITHOUT_CONSTANT,
    Derivation,
    Place,
    Scope,
    bottom_up,
)
from amparser.algebra.fragment import SLOT, Fragment, filled
from amparser.algebra.joining import join, merged, numbered, steps_of
from amparser.algebra.types import EMPTY, ROOT, AMType
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

    A node that carries a lexical label is aligned to its token (from 1); in boxes, all nodes are.
    Nodes count from 0. Edges follow the order of the tokens whose constants contain them, then
    the order within the constant; edges between constants come last.

    Args:
        scheme: how the corpus writes boxes; None if it writes none.
        wrapper: a fragment with one port, into which the root of the graph is put.
        open_root: allow the ports of a single token (a bare lexical item) to stay open as sources.
        align_all: align all labelled nodes of a constant to its token.
        polymorphic: adapt the requests of each constant to its arguments (see `joining.meeting`).

    Raises:
        AMTreeError: the derivation has `problems`, or two labels meet at a node.
    """
    building = _Building(derivation, align_all)
    if not building.join(open_root, polymorphic):
        reasons = derivation.problems(open_root=open_root) or ["its requests are not met"]
        raise AMTreeError("; ".join(reasons))
    if scheme is not None or building.in_boxes:
        graph = join_boxes(building.layered(), scheme)
    else:
        graph = building.graph()
    return graph if wrapper is None else _wrapped(graph, wrapper)


def layered(derivation: Derivation) -> Layered:
    """Return the graph that a derivation denotes, with its boxes kept apart. Raises AMTreeError."""
    building = _Building(derivation, False)
    if not building.join(False):
        raise AMTreeError("; ".join(derivation.problems()))
    return building.layered()


class _Building:
    """Nodes and edges of all constants of a derivation, with a union-find of the merged nodes."""

    def __init__(self, derivation: Derivation, align_all: bool) -> None:
        size = len(derivation.tokens)
        self.derivation = derivation
        self.in_boxes = derivation.scope is not None
        self.children: list[list[int]] = [[] for _ in range(size + 1)]
        self.values: list[Node] = []
        self.edges: list[tuple[int, str, int]] = []
        self.first = [0] * size
        self.roots = [0] * size
        self.types: list[AMType] = [EMPTY] * size
        # For each token, the graph node of every port that is still open below it.
        self.open_nodes: list[dict[str, int]] = [{}] * size
        self.taking_part = self._add_all()
        if align_all:
            self._align_all()
        self.parent = list(range(len(self.values)))

    def _add_all(self) -> int:
        """Add the constants of all tokens; return their number, or -1 if one is not well formed."""
        derivation = self.derivation
        size, values, all_closed = len(self.roots), self.values, derivation.closed
        rows = zip(
            derivation.fragments,
            derivation.lexical_labels,
            derivation.heads,
            derivation.operations,
            strict=True,
        )
        count = 0
        for token, (constant, fillers, head, operation) in enumerate(rows):
            if constant is None:
                if head != -1 or operation not in WITHOUT_CONSTANT:
                    return -1
                continue
            if all_closed and (closed := all_closed[token]):
                if not constant.optional.issuperset(closed):
                    return -1
                constant = constant.closing(closed)
            nodes, root, slots, edges, sources, self.types[token], sound = constant.parts
            if not sound or len(slots) != len(fillers):
                return -1
            # If a head is ignored or part of a cycle, `join` does not reach its dependents.
            if head == -1:
                if operation != ROOT:
                    return -1
            elif operation == ROOT or operation in WITHOUT_CONSTANT or not 0 <= head < size:
                return -1
            self.children[head].append(token)
            count += 1
            first = self.first[token] = len(values)
            values += nodes
            if slots:
                for (slot, label), filler in zip(slots, fillers, strict=True):
                    text = filler if label == SLOT else filled(label, filler)
                    values[first + slot] = Node(text, token + 1)
            self.roots[token] = first + root
            if edges:
                self.edges += [(first + a, name, first + b) for a, name, b in edges]
            if sources:
                self.open_nodes[token] = {source: first + node for source, node in sources}
            else:
                self.open_nodes[token] = {}
            if constant.unboxed:
                self.in_boxes = True
        return count

    def _align_all(self) -> None:
        fragments = self.derivation.fragments
        tokens = [token for token, constant in enumerate(fragments) if constant is not None]
        ends = [*(self.first[token] for token in tokens[1:]), len(self.values)]
        for token, end in zip(tokens, ends, strict=True):
            for node in range(self.first[token], end):
                if (label := self.values[node].label) is not None:
                    self.values[node] = Node(label, token + 1)

    def join(self, open_root: bool, polymorphic: bool = False) -> bool:
        """Join all tokens with their dependents; return False if they form no well-typed tree."""
        derivation, children, types = self.derivation, self.children, self.types
        operations, roots = derivation.operations, children[-1]
        if self.taking_part < 0 or len(roots) != 1:
            return False
        arcs = ARC in operations
        layers = arcs or derivation.reentrant or derivation.scope is not None
        if layers and derivation.problems(open_root=open_root):
            return False
        order = bottom_up(children, roots)
        if len(order) != self.taking_part:
            return False
        for token in order:
            dependents = children[token]
            if arcs:
                dependents = [d for d in dependents if operations[d] != ARC]
            if dependents:
                key = tuple([(operations[d], types[d]) for d in dependents])
                joined = steps_of(types[token], key, polymorphic)
                if joined is None:
                    return False
                types[token], steps = joined
                join(token, dependents, steps, self.open_nodes, self.roots, self.parent)
        return types[roots[0]] == EMPTY or (open_root and len(types) == 1)

    def graph(self) -> SGraph:
        root = self.children[-1][0]
        edges = self._all_edges()
        return merged(self.values, edges, self.parent, self.roots[root], self.open_nodes[root])

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
                number[self.roots[self.children[-1][0]]],
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
    """Return the tree of boxes, parents first, and the index of each box; cycles go below box 0."""
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
    """Put a graph into the port of a fragment; the fragment's other nodes come last."""
    [port] = wrapper.ports
    nodes = dict(graph.nodes)
    number = {port.node: graph.root}
    for node, label in enumerate(wrapper.labels):
        if node != port.node:
            number[node] = len(nodes)
            nodes[len(nodes)] = Node(label)
    edges = (Edge(number[above], place, number[below]) for above, place, below in wrapper.edges)
    return SGraph(nodes, (*graph.edges, *edges), number[wrapper.root], graph.sources)
