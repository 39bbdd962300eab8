"""S-graphs: nodes in layers, and the labels of edges in the middle of their lines.

The root has a double outline. A node's open sources are written below its label.
"""

from __future__ import annotations

from amparser.draw.layers import Point, layout_of
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
