"""S-graphs: nodes in layers, and the labels of edges in the middle of their lines.

The root has a double outline. A node's open sources are written below its label.
"""

from __future__ import annotations

import itertools
import statistics
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

Point = tuple[float, float]

_STEEP = 7.0
"""How much further than down a line may run before its layer gets more room."""
_MOST = 3.0
"""How many times as high as asked for a layer gets at most."""
_SWEEPS = 12
"""Passes over the layers, down and up in turn."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Nodes and edges in their places; y grows downwards, from 0 at the top.

    Attributes:
        edges: for each edge the points of its line, from the middle of its parent to the middle
            of its child.
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

    The layers are those of Sugiyama, Tagawa & Toda 1981. An edge that closes a cycle is turned
    around. A node is one layer below the lowest of its parents, and a line has a point of no width
    in each layer that it passes. Equal input gives equal places.

    Args:
        widths: of the nodes, by their numbers.
        edges: from parents to children, without edges from a node to itself and without two
            edges between the same nodes.
        gap: minimum distance of two nodes of a layer.
        layer: minimum distance of two layers.
    """
    turned = _closing(list(widths), edges)
    downward = [(b, a) if i in turned else (a, b) for i, (a, b) in enumerate(edges)]
    depth = _depths(_graph(widths, downward))
    sizes = dict(widths)
    lines = []
    for a, b in downward:
        bends = range(first := max(sizes) + 1, first + depth[b] - depth[a] - 1)
        for at, bend in enumerate(bends, depth[a] + 1):
            sizes[bend], depth[bend] = 0.0, at
        lines.append([a, *bends, b])
    steps = _graph(sizes, (pair for line in lines for pair in itertools.pairwise(line)))
    rows: list[list[int]] = [[] for _ in range(max(depth.values()) + 1)]
    roots = [node for node in steps if not steps.in_degree(node)]
    for node in dict.fromkeys(n for root in roots for n in nx.dfs_preorder_nodes(steps, root)):
        rows[depth[node]].append(node)
    rows = _ordered(rows, steps)
    x = _across(rows, steps, sizes, gap)
    heights = [0.0]
    for row in rows[:-1]:
        far = max(abs(x[child] - x[node]) for node in row for child in (*steps[node], node))
        heights.append(heights[-1] + min(max(layer, far / _STEEP), _MOST * layer))
    left = min(x[n] - size / 2 for n, size in sizes.items())
    right = max(x[n] + size / 2 for n, size in sizes.items())
    points = {node: (x[node] - left, heights[depth[node]]) for node in sizes}
    ways = [[points[n] for n in line] for line in lines]
    drawn = (tuple(reversed(way)) if i in turned else tuple(way) for i, way in enumerate(ways))
    return Layers({n: points[n] for n in widths}, tuple(drawn), right - left, heights[-1])


def _depths(graph: nx.DiGraph[int]) -> dict[int, int]:
    """Return the layer of each node, from 0, below all of its parents.

    A node with no more parents than children is as low as its children allow, so that few lines
    pass layers.
    """
    depth: dict[int, int] = {}
    for at, generation in enumerate(nx.topological_generations(graph)):
        depth |= dict.fromkeys(generation, at)
    for node in sorted(depth, key=lambda n: -depth[n]):
        if graph.out_degree(node) >= max(1, graph.in_degree(node)):
            depth[node] = min(depth[child] for child in graph[node]) - 1
    top = min(depth.values())
    return {node: at - top for node, at in depth.items()}


def _ordered(rows: list[list[int]], steps: nx.DiGraph[int]) -> list[list[int]]:
    """Return layers with few crossing lines: nodes by the mean place of their neighbours."""
    found = [rows]
    for sweep in range(_SWEEPS):
        neighbours = steps.succ if sweep % 2 else steps.pred
        place = {node: float(i) for row in found[-1] for i, node in enumerate(row)}
        done = []
        for row in reversed(found[-1]) if sweep % 2 else found[-1]:
            place |= {
                n: statistics.fmean(map(place.__getitem__, neighbours[n] or [n])) for n in row
            }
            done.append(sorted(row, key=place.__getitem__))
            place |= {node: float(i) for i, node in enumerate(done[-1])}
        found.append(done[::-1] if sweep % 2 else done)
    return min(found, key=lambda rows: _crossings(rows, steps))


def _crossings(rows: Sequence[Sequence[int]], steps: nx.DiGraph[int]) -> int:
    place = {node: i for row in rows for i, node in enumerate(row)}
    count = 0
    for row in rows:
        ends = [end for node in row for end in sorted(place[child] for child in steps[node])]
        count += sum(one > other for one, other in itertools.combinations(ends, 2))
    return count


def _across(
    rows: Sequence[Sequence[int]], steps: nx.DiGraph[int], sizes: Mapping[int, float], gap: float
) -> dict[int, float]:
    """Return the x of each node, near to its parents and children."""
    x = dict.fromkeys(sizes, 0.0)
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            near = ([x[n] for n in (*steps.pred[node], *steps.succ[node])] for node in row)
            wanted = [statistics.fmean(some) if some else 0.0 for some in near]
            places = _spread(wanted, [sizes[node] + gap for node in row])
            x |= dict(zip(row, places, strict=True))
    return x


def _spread(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Return places side by side, by least squares near to the wanted ones."""
    from scipy.optimize import isotonic_regression  # late: it takes long to import

    starts = itertools.accumulate(widths[:-1], initial=0.0)
    offsets = [start + width / 2 for start, width in zip(starts, widths, strict=True)]
    fitted = isotonic_regression([w - o for w, o in zip(wanted, offsets, strict=True)]).x
    return [float(place) + offset for place, offset in zip(fitted, offsets, strict=True)]


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
    """A graph; its root is at the top if no edge leads to it."""
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
    """A graph as SVG."""
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
