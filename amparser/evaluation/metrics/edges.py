"""Labelled edges: precision, recall and F, without a search for the best mapping of nodes.

If all nodes of both graphs are aligned (unlabelled ones apart), a node is known by its token,
and by its label too where several nodes of its graph share the token. Otherwise it is known by
its label alone. Edges are compared as multisets. A wrong label of a node costs nothing
where tokens identify the nodes; a wrong alignment costs all edges of the node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric, found_graph, gold_graph
from amparser.evaluation.metrics.overlap import Overlap, overlap
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.results import Result


def edge_overlap(gold: SGraph, predicted: SGraph | None) -> Overlap:
    """How many labelled edges two graphs have in common; None stands for a graph without edges.

    >>> from amparser.graph.penman_codec import sgraph_from_penman
    >>> gold = sgraph_from_penman("(a / see :agent (b / boy) :theme (c / dog))")
    >>> edge_overlap(gold, sgraph_from_penman("(a / see :agent (b / boy) :agent (c / dog))"))
    Overlap(predicted=2, gold=2, matched=1)
    """
    if predicted is None:
        return Overlap(0, len(gold.edges), 0)
    aligned = _is_aligned(gold) and _is_aligned(predicted)
    return overlap(_triples(gold, aligned=aligned), _triples(predicted, aligned=aligned))


def _is_aligned(graph: SGraph) -> bool:
    return all(node.token is not None for node in graph.nodes.values() if node.label is not None)


def _triples(graph: SGraph, *, aligned: bool) -> list[tuple[Hashable, str, Hashable]]:
    shared = Counter(node.token for node in graph.nodes.values())
    keys: dict[int, Hashable] = {}
    for identifier, node in graph.nodes.items():
        if aligned and node.token is not None:
            keys[identifier] = node if shared[node.token] > 1 else node.token
        else:
            keys[identifier] = node.label
    return [(keys[edge.parent], edge.label, keys[edge.child]) for edge in graph.edges]


class EdgeMetric(GraphMetric):
    """F score, precision and recall of labelled edges."""

    name = "edges"
    measures = ("edge_f", "edge_precision", "edge_recall")

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts of one answer, as `edge_overlap`."""
        wanted = gold_graph(notation, gold)
        if wanted is None:
            return {}
        counts = edge_overlap(wanted, found_graph(notation, gold, result)).counts()
        return dict(zip(self.measures, counts, strict=True))


EDGES = EdgeMetric()
