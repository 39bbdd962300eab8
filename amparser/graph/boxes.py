"""Graphs with boxes, separated into two parts: nodes with their edges, and the tree of boxes.

    graph --split--> Layered --join--> graph

In a *boxed* corpus, each node that is not a constant is a member of one box. Edges with a certain
label lead from boxes to their members; other edges lead from box to box and form a tree.
`box_scheme` finds this label in the data. In all other corpora, a graph has a single box, which is
not a node.

An edge may lead from a member of a box to another box, for example from a verb of saying to the box
of what is said. In the layered form (`Layered`), this edge leads to the top node of the other box,
and its label ends with `INTO_BOX`. In the tree of boxes, the other box is then a child of the
verb's box, at an edge without a label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence, Set
from dataclasses import dataclass

from amparser.errors import GraphError
from amparser.graph.sgraph import Edge, Node, SGraph, Span

INTO_BOX = "[]"
"""Suffix of an edge label; in the original graph, the edge leads to the box of its child."""
_SHARE = 0.98
"""Minimum share of a corpus's graphs that must follow a box scheme."""

IsConstant = Callable[[str | None], bool]


@dataclass(frozen=True)
class BoxScheme:
    """Label of all boxes in a corpus, and label of all edges from boxes to their members."""

    label: str
    member: str


@dataclass(frozen=True)
class Box:
    """Box: index of its parent (-1 for the root), and label of the edge from the parent."""

    parent: int
    label: str


@dataclass(frozen=True)
class Layered:
    """Graph whose boxes are separated from its other nodes.

    Attributes:
        labels: node labels, in the order in which the graph introduces the nodes.
        constant: whether each node is a constant; constants are in no box.
        edges: (parent, label, child) of each edge between nodes that are not boxes.
        box: index of each node's box; -1 for constants.
        boxes: the tree of boxes, parents first; the first is the root.
        root: index of the root node; -1 if the root is the first box.
        tokens: token of each node (from 1); empty if unknown.
        spans: span of each node (see `Node`); empty if unknown.
    """

    labels: tuple[str, ...]
    constant: tuple[bool, ...]
    edges: tuple[tuple[int, str, int], ...]
    box: tuple[int, ...]
    boxes: tuple[Box, ...]
    root: int
    tokens: tuple[int, ...] = ()
    spans: tuple[Span | None, ...] = ()


def box_scheme(graphs: Sequence[SGraph], is_constant: IsConstant) -> BoxScheme | None:
    """Return the box scheme of a corpus, or None if it has no boxes.

    All roots must have the same label, the label of boxes. Each node that is neither a box nor a
    constant must have exactly one edge from a box. All these edges must have the same label.
    """
    roots = Counter(graph.nodes[graph.root].label for graph in graphs)
    if not roots:
        return None
    [(label, count)] = roots.most_common(1)
    if label is None or count < _SHARE * len(graphs):
        return None
    edge_labels = Counter(edge.label for graph in graphs for edge in graph.outgoing(graph.root))
    for member, _ in edge_labels.most_common(3):
        scheme = BoxScheme(label, member)
        boxed = sum(_fault(graph, scheme, is_constant) is None for graph in graphs)
        if boxed >= _SHARE * len(graphs):
            return scheme
    return None


def _fault(graph: SGraph, scheme: BoxScheme, is_constant: IsConstant) -> str | None:
    boxes = {n for n, node in graph.nodes.items() if node.label == scheme.label}
    above: Counter[int] = Counter()
    for edge in graph.edges:
        if edge.parent in boxes:
            if (edge.label == scheme.member) == (edge.child in boxes):
                return f"the edge {edge.label!r} of a box has a wrong end"
            above[edge.child] += 1
        elif edge.child in boxes:
            above[edge.child] += 1
    if graph.root not in boxes:
        return "the root is not a box"
    for number, node in graph.nodes.items():
        expected = int(number != graph.root and (number in boxes or not is_constant(node.label)))
        if above[number] != expected:
            return f"the node {node.label!r} has {above[number]} boxes above, expected {expected}"
    return None


def split(graph: SGraph, scheme: BoxScheme | None, is_constant: IsConstant) -> Layered:
    """Split a graph into its nodes and its boxes.

    Members are in the order of the edges from boxes, and each is followed by its constants. Raises
    GraphError if the boxes do not follow the scheme or do not form a tree.
    """
    outgoing: dict[int, list[Edge]] = defaultdict(list)
    for edge in graph.edges:
        outgoing[edge.parent].append(edge)
    if scheme is None:
        boxes, order = [Box(-1, "")], list(graph.nodes)
        box_of = {n: 0 for n in order if n == graph.root or not is_constant(graph.nodes[n].label)}
    else:
        boxes, order, box_of = _boxes_in_order(graph, scheme, is_constant, outgoing)
    number_of = {n: i for i, n in enumerate(order)}
    spans = tuple(graph.nodes[n].span for n in order)
    return Layered(
        tuple(graph.nodes[n].label or "" for n in order),
        tuple(n not in box_of for n in order),
        tuple(
            (number_of[e.parent], label, number_of[child])
            for e in graph.edges
            if e.parent in number_of
            for label, child in [_apart_from_boxes(e, outgoing, number_of)]
        ),
        tuple(box_of.get(n, -1) for n in order),
        tuple(boxes),
        number_of.get(graph.root, -1),
        spans=spans if any(spans) else (),
    )


def _boxes_in_order(
    graph: SGraph,
    scheme: BoxScheme,
    is_constant: IsConstant,
    outgoing: Mapping[int, Sequence[Edge]],
) -> tuple[list[Box], list[int], dict[int, int]]:
    """Return the boxes, the other nodes in order, and the box of each node except constants."""
    if reason := _fault(graph, scheme, is_constant):
        raise GraphError(reason)
    beside = _constants_beside(graph, is_constant)
    boxes: list[Box] = []
    order: list[int] = []
    box_of: dict[int, int] = {}

    def visit(box: int, parent: int, label: str) -> None:
        number = len(boxes)
        boxes.append(Box(parent, label))
        inside: list[int] = []
        for edge in outgoing[box]:
            if edge.label == scheme.member:
                order.append(edge.child)
                box_of[edge.child] = number
                order.extend(beside[edge.child])
                below = (e.child for e in outgoing[edge.child])
                inside += [n for n in below if graph.nodes[n].label == scheme.label]
            else:
                visit(edge.child, number, edge.label)
        for other in inside:
            visit(other, number, "")

    visit(graph.root, -1, "")
    if len({*order}) != len(order) or len(order) + len(boxes) != len(graph.nodes):
        raise GraphError("a constant is shared, a node is in no box, or boxes form a cycle")
    return boxes, order, box_of


def _apart_from_boxes(
    edge: Edge, outgoing: Mapping[int, Sequence[Edge]], known: Container[int]
) -> tuple[str, int]:
    """Return the label and child that an edge has in `Layered`; `known` contains no boxes."""
    if edge.child in known:
        return edge.label, edge.child
    members = [e.child for e in outgoing[edge.child] if e.child in known]
    if not members:
        raise GraphError(f"the edge {edge.label!r} leads into an empty box")
    reached = {e.child for member in members for e in outgoing[member]}
    tops = [member for member in members if member not in reached] or members
    return edge.label + INTO_BOX, max(tops, key=lambda node: len(outgoing[node]))


def _constants_beside(graph: SGraph, is_constant: IsConstant) -> dict[int, list[int]]:
    beside: dict[int, list[int]] = defaultdict(list)
    for edge in graph.edges:
        for node, other in ((edge.parent, edge.child), (edge.child, edge.parent)):
            if is_constant(graph.nodes[other].label):
                beside[node].append(other)
    return beside


def join(layered: Layered, scheme: BoxScheme | None) -> SGraph:
    """Return the graph in which boxes are nodes; this inverts `split`.

    Node identifiers may differ from the original. Nodes are aligned if their tokens are known.
    """
    unknown = (None,) * len(layered.labels)
    rows = zip(layered.labels, layered.tokens or unknown, layered.spans or unknown, strict=True)
    if scheme is None:
        nodes = {i: Node(*row) for i, row in enumerate(rows)}
        return SGraph(nodes, tuple(Edge(*edge) for edge in layered.edges), layered.root)
    entries = _entries(layered)
    written = _written_boxes(layered.boxes, set(entries.values()))
    nodes = {}
    edges: list[Edge] = []
    shift = len(layered.boxes)
    outgoing: dict[int, list[Edge]] = defaultdict(list)
    for number, (parent, role, child) in enumerate(layered.edges):
        role = role.removesuffix(INTO_BOX)
        outgoing[parent].append(Edge(shift + parent, role, entries.get(number, shift + child)))
    for number, box in enumerate(layered.boxes):
        if written[number] != number:
            continue
        nodes[number] = Node(scheme.label)
        if box.label:
            edges.append(Edge(written[box.parent], box.label, number))
        edges += [
            Edge(number, scheme.member, shift + i)
            for i, within in enumerate(layered.box)
            if within >= 0 and written[within] == number
        ]
    for i, row in enumerate(rows):
        nodes[shift + i] = Node(*row)
        edges += outgoing[i]
    return SGraph(nodes, tuple(edges), 0)


def _entries(layered: Layered) -> dict[int, int]:
    """Map the index of each edge that enters a box to this box (at most one edge per box)."""
    found: dict[int, int] = {}
    for number, (parent, role, child) in enumerate(layered.edges):
        box, at = layered.box[child], layered.box[parent]
        if not role.endswith(INTO_BOX) or at < 0 or box <= 0 or layered.boxes[box].label:
            continue
        while at >= 0 and at != box:
            at = layered.boxes[at].parent
        if at < 0 and box not in found.values():
            found[number] = box
    return found


def _written_boxes(boxes: Sequence[Box], entered: Set[int]) -> list[int]:
    """Map each box to itself or, if no edge leads to it, to the box to which its parent maps."""
    written: list[int] = []
    for number, box in enumerate(boxes):
        there = box.parent < 0 or bool(box.label) or number in entered
        written.append(number if there else written[box.parent])
    return written


def with_settled_constants(graph: Layered) -> Layered:
    """Return a graph in which each constant has one edge, whose other end is not a constant.

    A constant with several edges is copied for each further edge. A constant without an edge is
    removed unless it is the root.
    """
    constant = graph.constant
    edges_left = [edge for edge in graph.edges if not (constant[edge[0]] and constant[edge[2]])]
    ends = {node for parent, _, child in edges_left for node in (parent, child)}
    kept = [n for n, is_c in enumerate(constant) if not is_c or n in ends or n == graph.root]
    number = {node: i for i, node in enumerate(kept)}
    edges: list[tuple[int, str, int]] = []
    seen: set[int] = set()

    def end(node: int) -> int:
        if constant[node] and node in seen and node != graph.root:
            kept.append(node)
            return len(kept) - 1
        seen.add(node)
        return number[node]

    for parent, label, child in edges_left:
        edges.append((end(parent), label, end(child)))
    return Layered(
        tuple(graph.labels[node] for node in kept),
        tuple(constant[node] for node in kept),
        tuple(edges),
        tuple(graph.box[node] for node in kept),
        graph.boxes,
        number.get(graph.root, -1),
        tuple(graph.tokens[node] for node in kept) if graph.tokens else (),
    )
