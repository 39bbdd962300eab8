"""A graph that knows how its text was laid out."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.graph.sgraph import SGraph


@dataclass(frozen=True)
class LaidOutGraph(SGraph):
    """An s-graph with what its text had beside the meaning, such as spaces.

    A notation that makes such graphs reads `layout` when it writes them, so that a text comes
    back as it was. The layout is no part of the meaning: a graph without one is written in the
    layout of the notation, and `isomorphic` ignores it.
    """

    layout: object = None


def without_layout(graph: SGraph) -> SGraph:
    """The graph alone, as a parser makes it."""
    return SGraph(graph.nodes, graph.edges, graph.root, graph.sources)
