"""PENMAN notation of s-graphs, through the `penman` library.

A node's variable carries, in angle brackets, `root` and the sources that mark
it; a node without a label stands as a bare variable:

    (i1<root> / --LEX-- :agent (i2<L1>) :iota-of (i3 / the))

Labels with characters that PENMAN reserves are written as strings.
"""

from __future__ import annotations

from amparser.graph.sgraph import SGraph


def sgraph_from_penman(text: str) -> SGraph:
    """Read one s-graph; raises GraphError naming line and column."""
    raise NotImplementedError(text)


def sgraph_to_penman(graph: SGraph) -> str:
    """Write one s-graph on one line, canonically: equal graphs with equal edge order give equal text."""
    raise NotImplementedError(graph)
