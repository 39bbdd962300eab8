"""S-graphs: nodes in layers, and the labels of edges in the middle of their lines.

The root has a double outline. A node's open sources are written below its label.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from amparser.draw.svg import (
    MARGIN,
    SMALL,
    Picture,
    arrow_head,
    group,
    path,
    rectangle,
    text,
    text_width,
)
from amparser.graph.sgraph import SGraph
from amparser.resources import library

Point = tuple[float, float]

_STEEP = 7.0
"""How much further than down a line may run before its layer gets more room."""
_MOST = 3.0
"""How many times as high as asked for a layer gets at most."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Nodes and edges in their places; y grows downwards, from 0 at the top.

    Attributes:
        edges: for each edge the points of its line, from the middle of its parent to that of
            its child.
        width, height: of the whole; the widths of nodes count, their heights do not.
    """

    nodes: Mapping[int, Point]
    edges: tuple[tuple[Point, ...], ...]
    width: float
    height: float


def layout_of(
    widths: Mapping[int, float], edges: Sequence[tuple[int, int]], *, gap: float, layer: float
) -> Layers:
    """Place the nodes of a graph in layers, parents above children where no cycle forbids it.

    The library fast-sugiyama (extra `draw`) ends the process if a graph has a cycle, so edges that
    close one are turned around first. It is deterministic for connected graphs, so each connected
    part is laid out by itself; the parts are placed side by side.

    Args:
        widths: of the nodes, by their numbers.
        edges: from parents to children, without edges from a node to itself and without two
            edges between the same nodes.
        gap: the least distance of two nodes of a layer.
        layer: the distance of two layers.

    Raises:
        ConfigError: fast-sugiyama is not installed.
    """
    nodes: dict[int, Point] = {}
    lines: dict[int, tuple[Point, ...]] = {}
    right, bottom = 0.0, 0.0
    for part in nx.connected_components(_graph(widths, edges).to_undirected()):
        inside = [i for i, (parent, _) in enumerate(edges) if parent in part]
        placed = _connected({n: widths[n] for n in part}, [edges[i] for i in inside], gap, layer)
        shift = right + (gap if nodes else 0.0)
        nodes |= {node: (x + shift, y) for node, (x, y) in placed.nodes.items()}
        for i, line in zip(inside, placed.edges, strict=True):
            lines[i] = tuple((x + shift, y) for x, y in line)
        right, bottom = shift + placed.width, max(bottom, placed.height)
    return Layers(nodes, tuple(lines[i] for i in range(len(edges))), right, bottom)


def _connected(
    widths: Mapping[int, float], edges: Sequence[tuple[int, int]], gap: float, layer: float
) -> Layers:
    """The layout of a connected graph."""
    if not edges:
        [(node, width)] = widths.items()
        return Layers({node: (width / 2, 0.0)}, (), width, 0.0)
    turned = _closing(list(widths), edges)
    downward = [(b, a) if i in turned else (a, b) for i, (a, b) in enumerate(edges)]
    number = {node: i for i, node in enumerate(widths)}
    pairs = list(dict.fromkeys((number[a], number[b]) for a, b in downward))
    positions, segments = _placed(pairs)
    scale = _scale(positions, [*widths.values()], gap)
    if _is_mirrored(positions, pairs):
        scale = -scale
    rows = _heights(positions, segments, abs(scale), layer)
    points = {n: (x * scale, rows[y]) for n, (x, y) in positions.items()}
    half = [width / 2 for width in widths.values()] + [0.0] * len(points)
    left = min(x - half[n] for n, (x, _) in points.items())
    right = max(x + half[n] for n, (x, _) in points.items())
    points = {n: (x - left, y) for n, (x, y) in points.items()}
    lines = []
    for i, (a, b) in enumerate(downward):
        line = [points[n] for n in _route(number[a], number[b], segments, len(widths))]
        lines.append(tuple(reversed(line)) if i in turned else tuple(line))
    found = {node: points[n] for node, n in number.items()}
    return Layers(found, tuple(lines), right - left, max(rows.values()))


def _placed(
    pairs: Sequence[tuple[int, int]],
) -> tuple[dict[int, Point], Mapping[int, Sequence[int]]]:
    """The library's positions, and for each point those that lines lead to from it."""
    sugiyama = library("fast_sugiyama", "a picture of a graph", "draw")
    [(placed, _, _, segments)] = sugiyama.from_edges(pairs, dummy_vertices=True)
    after: dict[int, list[int]] = defaultdict(list)
    for a, b in segments or ():
        after[int(a)].append(int(b))
    return {int(point): (float(x), float(y)) for point, (x, y) in placed}, after


def _route(start: int, end: int, after: Mapping[int, Sequence[int]], count: int) -> list[int]:
    """The points from a node to another by bends alone (numbers from `count` on)."""
    if end in after[start]:
        return [start, end]
    for first in after[start]:
        route = [start, first]
        while route[-1] >= count:
            [following] = after[route[-1]]
            route.append(following)
        if route[-1] == end:
            return route
    raise AssertionError("an edge has no line")


def _scale(positions: Mapping[int, Point], widths: Sequence[float], gap: float) -> float:
    """The least factor by which no two nodes of a layer come closer than the gap."""
    layers: dict[float, list[tuple[float, float]]] = defaultdict(list)
    for node, (x, y) in positions.items():
        layers[y].append((x, widths[node] if node < len(widths) else 0.0))
    scale = 0.05
    for nodes in layers.values():
        nodes.sort()
        for (x, width), (other_x, other_width) in itertools.pairwise(nodes):
            scale = max(scale, ((width + other_width) / 2 + gap) / max(other_x - x, 1e-6))
    return scale


def _is_mirrored(positions: Mapping[int, Point], pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether the children of a node are more often from right to left than in their order."""
    last: dict[int, float] = {}
    balance = 0
    for parent, child in pairs:
        x = positions[child][0]
        if parent in last:
            balance += (x > last[parent]) - (x < last[parent])
        last[parent] = x
    return balance < 0


def _heights(
    positions: Mapping[int, Point], after: Mapping[int, Sequence[int]], scale: float, layer: float
) -> dict[float, float]:
    """The height of each layer below the first; more room is left for lines that run far."""
    far: dict[float, float] = defaultdict(float)
    for node, others in after.items():
        x, y = positions[node]
        for other in others:
            far[y] = max(far[y], abs(positions[other][0] - x) * scale)
    heights: dict[float, float] = {}
    height = 0.0
    for y in sorted({y for _, y in positions.values()}, reverse=True):
        heights[y] = height
        height += min(max(layer, far[y] / _STEEP), _MOST * layer)
    return heights


def _closing(nodes: Sequence[int], edges: Sequence[tuple[int, int]]) -> set[int]:
    """The edges that close a cycle in a depth-first walk from the first node on."""
    number = {edge: i for i, edge in enumerate(edges)}
    above: set[int] = set()
    closing: set[int] = set()
    for parent, child, step in nx.dfs_labeled_edges(_graph(nodes, edges)):
        if step == "forward":
            above.add(child)
        elif step == "reverse":
            above.discard(child)
        elif child in above:
            closing.add(number[parent, child])
    return closing


def _graph(nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graph


LAYER = 36.0
GAP = 18.0
_HALF = 13.0
_EDGE = _HALF + 4
_PADDING = 10.0
_UNLABELLED = "·"


def draw_graph(graph: SGraph, title: str = "") -> Picture:
    """A graph; its root is at the top if no edge leads to it.

    Raises:
        ConfigError: fast-sugiyama is not installed, and the graph has edges.
    """
    labels = _labels(graph)
    numbers = {node: i for i, node in enumerate(sorted(graph.nodes, key=lambda n: n != graph.root))}
    widths = {i: text_width(labels[n]) + 2 * _PADDING for n, i in numbers.items()}
    halves, loops = [], []
    # An edge's label is a node of the layout, so that nothing else is there.
    for edge in graph.edges:
        if edge.parent == edge.child:
            loops.append(edge)
            continue
        middle = len(widths)
        widths[middle] = text_width(edge.label, SMALL) + 6
        halves += [(numbers[edge.parent], middle), (middle, numbers[edge.child])]
    layout = layout_of(widths, halves, gap=GAP, layer=LAYER)
    elements, tips = [], []
    drawn = [edge for edge in graph.edges if edge.parent != edge.child]
    top = MARGIN + _HALF + 4
    for i, edge in enumerate(drawn):
        bends = [*layout.edges[2 * i], *layout.edges[2 * i + 1][1:]]
        points = [(x + MARGIN, y + top) for x, y in bends]
        x, y = layout.nodes[len(numbers) + i]
        line, tip = _edge(points, edge.label, (x + MARGIN, y + top))
        elements.append(line)
        tips.append(tip)
    elements += tips
    width = layout.width
    for node, i in numbers.items():
        x, y = layout.nodes[i][0] + MARGIN, layout.nodes[i][1] + top
        below = [edge.label for edge in loops if edge.parent == node]
        elements.append(_node(labels[node], x, y, widths[i], root=node == graph.root))
        if below:
            loop, reach = _loop(x + widths[i] / 2, y, ", ".join(below))
            elements.append(loop)
            width = max(width, reach - MARGIN)
    description = "; ".join(
        f"{labels[edge.parent]} {edge.label} {labels[edge.child]}" for edge in graph.edges
    )
    return Picture(
        width + 2 * MARGIN,
        layout.height + 2 * top,
        "".join(elements),
        title or f"graph of {labels[graph.root]}",
        description or labels[graph.root],
    )


def graph_to_svg(graph: SGraph) -> str:
    """A graph as SVG.

    Raises:
        ConfigError: fast-sugiyama is not installed, and the graph has edges.
    """
    return draw_graph(graph).to_svg()


def _labels(graph: SGraph) -> dict[int, str]:
    marks = graph.marks()
    return {
        node: " ".join([value.label or _UNLABELLED, *(f"<{name}>" for name in marks.get(node, ()))])
        for node, value in graph.nodes.items()
    }


def _node(label: str, x: float, y: float, width: float, *, root: bool) -> str:
    left, height = x - width / 2, 2 * _HALF
    elements = []
    if root:
        elements.append(
            rectangle(left - 3, y - _HALF - 3, width + 6, height + 6, "am-path am-s-ink", 10)
        )
    elements.append(rectangle(left, y - _HALF, width, height, "am-fill am-s-ink", 8))
    elements.append(text(x, y + 5, label, "am-ink"))
    return group(elements, f"{label}, the root" if root else label)


def _edge(points: list[Point], label: str, middle: Point) -> tuple[str, str]:
    """The line of an edge; its tip and label, which no other line may cover."""
    start, end = points[0], points[-1]
    # Lines leave and reach nodes at top and bottom, so that they pass no neighbour.
    start = (start[0], start[1] + (_EDGE if points[1][1] > start[1] else -_EDGE))
    end = (end[0], end[1] + (_EDGE if points[-2][1] > end[1] else -_EDGE))
    dx, dy = end[0] - points[-2][0], end[1] - points[-2][1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-9)
    dx, dy = dx / length, dy / length
    commands: list[object] = ["M", *start]
    for x, y in (*points[1:-1], (end[0] - dx * 4, end[1] - dy * 4)):
        commands += ["L", x, y]
    width = text_width(label, SMALL)
    box = rectangle(middle[0] - width / 2 - 2, middle[1] - 8, width + 4, 16, "am-ground")
    shown = text(middle[0], middle[1] + 4, label, "am-apply", SMALL)
    line = path(commands, "am-halo") + path(commands, "am-path am-s-apply")
    return line, group([arrow_head(*end, dx, dy, "am-apply"), box, shown], label)


def _loop(x: float, y: float, label: str) -> tuple[str, float]:
    """An edge from a node to itself, on its right side, and how far it reaches."""
    points = ("M", x, y - 6, "C", x + 22, y - 16, x + 22, y + 16, x + 4, y + 6)
    elements = [
        path(points, "am-path am-s-apply"),
        arrow_head(x, y + 5, -0.9, -0.4, "am-apply"),
        text(x + 20, y + 4, label, "am-apply", SMALL, "start"),
    ]
    return group(elements, label), x + 24 + text_width(label, SMALL)
