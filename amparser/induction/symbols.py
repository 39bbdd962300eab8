"""Labels of merged trees, and the fragments that they stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from amparser.algebra.fragment import Fragment
from amparser.graph.sgraph import edge_at

STEP = "\x1e"
"""Separator of the places of a path, and of the nodes of a symbol."""

Path = tuple[str, ...]
"""Places from the topmost node of a fragment down to a place."""
Shape = tuple[tuple[Path, str], ...]
"""Path and label of each node of a fragment."""


@dataclass(frozen=True)
class Symbols:
    """Meaning of the labels of merged trees.

    Attributes:
        shapes: nodes of each label that stands for several nodes, topmost first.
    """

    shapes: dict[str, Shape]

    def expanded(self, fragment: Fragment) -> Fragment:
        """Return a fragment of merged trees with each label expanded to its nodes."""
        labels, edges = list(fragment.labels), []
        inner: dict[int, dict[Path, int]] = {}
        for node, label in enumerate(fragment.labels):
            shape = self.shapes.get(label or "", (((), label or ""),))
            labels[node] = label if label is None else shape[0][1]
            inner[node] = {(): node}
            for path, text in shape[1:]:
                inner[node][path] = len(labels)
                edges.append(edge_at(inner[node][path[:-1]], path[-1], len(labels)))
                labels.append(text)
        for parent, place, child in fragment.edges:
            path = tuple(place.split(STEP))
            edges.append(edge_at(inner[parent][path[:-1]], path[-1], child))
        if len(labels) > len(fragment.labels):
            edges.sort()
        return replace(fragment, labels=tuple(labels), edges=tuple(edges))
