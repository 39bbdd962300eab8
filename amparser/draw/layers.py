"""The layout of directed graphs in layers, by the library fast-sugiyama (extra `draw`).

The library ends the process if a graph has a cycle, so edges that close one are turned around
first. It is deterministic for connected graphs, so each connected part is laid out by itself;
the parts are placed side by side.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

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
