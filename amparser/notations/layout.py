"""A graph that knows how its text was laid out."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.graph.sgraph import SGraph


@dataclass(frozen=True)
class LaidOutGraph(SGraph):
    """An s-graph with what its text had beside the meaning, such as spaces.

    The notation that read the text writes the graph in this layout, so that the text comes back
    as it was. Any other notation, and a graph without a layout, has the notation's own layout.
    The layout is no part of the meaning: `isomorphic` ignores it.

    Attributes:
        notation: the name of the notation that read the text.
        layout: a value of this notation.
    """

    notation: str = ""
    layout: object = None


def layout_of_graph(graph: SGraph, notation: str) -> object:
    """The layout that a notation gave to a graph when it read it, or None."""
    if isinstance(graph, LaidOutGraph) and graph.notation == notation:
        return graph.layout
    return None


def without_layout(graph: SGraph) -> SGraph:
    """The graph alone, as a parser makes it."""
    return SGraph(graph.nodes, graph.edges, graph.root, graph.sources)
