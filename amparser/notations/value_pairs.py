"""Convert chains of pairs (`value_trees`) back to objects with keys."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.notation import Order
from amparser.notations.ordered_trees import ABSENT
from amparser.notations.value_trees import (
    IS,
    NEXT,
    PAIRS,
    STEP,
    Shapes,
    edge_of_key,
    label_of_shape,
)


@dataclass
class Links:
    """The children of each node by edge label, and the edges that belong to chains.

    Attributes:
        graph: a tree.
        below: children of each node by edge label.
        used: edges of chains, as parent and label.
        ends: nodes that end a chain.
    """

    graph: SGraph
    below: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    used: set[tuple[int, str]] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for edge in self.graph.edges:
            self.below[edge.parent][edge.label] = edge.child

    def label(self, node: int) -> str:
        """Return the label of a node; empty if it has none."""
        return self.graph.nodes[node].label or ""

    def tops(self, first: str) -> list[int]:
        """Return the nodes with a chain whose first item is reached by the edge `first`."""
        return [node for node in self.graph.nodes if first in self.below[node]]

    def chain(self, top: int, first: str) -> list[int]:
        """Return the items of a chain, and record its edges and its end."""
        above, place = top, first
        items: list[int] = []
        while (item := self.below[above].get(place)) is not None:
            if (above, place) in self.used:
                raise TranslateError("the graph is not a tree")
            self.used.add((above, place))
            if self.label(item) == ABSENT and not self.below[item]:
                self.ends.add(item)
                break
            items.append(item)
            above, place = item, NEXT
        return items

    def kept(self) -> tuple[Edge, ...]:
        """Return the edges that do not belong to chains."""
        return tuple(e for e in self.graph.edges if (e.parent, e.label) not in self.used)


def order_of_keys(shapes: Shapes) -> Order:
    """Return the paths of chained objects in train's order, by label of the object."""
    orders = {label_of_shape(shape, shapes): list(shapes.keys[shape]) for shape in shapes.chained}
    return dict(sorted(orders.items()))


def without_pairs(graph: SGraph, order: Order) -> SGraph:
    """Return a graph with each chain of pairs as an object with keys.

    Args:
        graph: a tree.
        order: see `order_of_keys`; other paths follow in the order of the chain.

    Raises:
        TranslateError: a key occurs twice, or a pair has no value.
    """
    links = Links(graph)
    nodes = dict(graph.nodes)
    made: list[Edge] = []
    for top in links.tops(PAIRS):
        known = {path: place for place, path in enumerate(order.get(links.label(top), ()))}
        pairs = links.chain(top, PAIRS)
        labels = {pair: links.label(pair) for pair in pairs}
        for path, count in Counter(labels.values()).items():
            if count > 1:
                raise TranslateError(f"the key {path!r} occurs twice in one object")
        groups: dict[Sequence[str], int] = {(): top}
        for pair in sorted(pairs, key=lambda pair: known.get(labels[pair], len(known))):
            if IS not in links.below[pair]:
                raise TranslateError(f"{labels[pair]!r} has no value")
            steps = tuple(labels[pair].split(STEP))
            for depth in range(1, len(steps)):
                if steps[:depth] not in groups:
                    group = groups[steps[:depth]] = max(nodes) + 1
                    nodes[group] = Node(f"{{{steps[depth - 1]}}}")
                    key = edge_of_key(steps[depth - 1])
                    made.append(Edge(groups[steps[: depth - 1]], key, group))
            nodes[pair] = nodes[pair]._replace(label=steps[-1])
            made.append(Edge(groups[steps[:-1]], edge_of_key(steps[-1]), pair))
        if not pairs and links.label(top)[:1] == "{" and links.label(top)[:2] != '{"':
            nodes[top] = nodes[top]._replace(label="{}")
    kept = {number: node for number, node in nodes.items() if number not in links.ends}
    return SGraph(kept, (*links.kept(), *made), graph.root) if links.used else graph
