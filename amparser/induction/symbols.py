"""Symbols: labels of trees that stand for several nodes (see `merging`)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from amparser.algebra.fragment import Fragment
from amparser.graph.sgraph import edge_at

STEP = "\x1e"
"""Separator of the edge labels of a path, and of the node labels of a symbol."""

Path = tuple[str, ...]
"""Edge labels from the topmost node of a fragment down to another node."""
Shape = tuple[tuple[Path, str], ...]
"""Path and label of each node of a fragment."""


@dataclass(frozen=True)
class Symbols:
    """Fragment of each symbol.

    Attributes:
        shapes: nodes of each symbol, topmost first; symbols of a single node are left out.
    """

    shapes: dict[str, Shape]

    def expanded(self, fragment: Fragment) -> Fragment:
        """Return a fragment with each symbol expanded to the nodes that it stands for."""
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
