"""Elementary dependency match: precision, recall and F of what a graph says, by span.

A graph is a multiset of triples (Dridan and Oepen 2011): the name of each node with its span, each
argument with the spans of both ends, strings with the span of their node, and the span of the
top. All weigh the same, as in `delphin.edm`; properties are left out. Without spans, a node is
known by its name instead, so that no tokens are needed and one wrong name costs all its edges.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric, found_graph, gold_graph
from amparser.evaluation.metrics.overlap import Overlap, overlap
from amparser.graph.sgraph import SGraph
from amparser.notations.eds import CARG, Anchor, anchors_of
from amparser.notations.notation import Notation
from amparser.results import Result


class Dependencies(NamedTuple):
    """The triples of a graph."""

    names: list[Hashable]
    arguments: list[Hashable]
    strings: list[Hashable]
    top: list[Hashable]


def dependencies(
    graph: SGraph, notation: Notation | None, anchors: Mapping[int, Anchor] | None
) -> Dependencies:
    """The triples of a graph; without anchors, nodes are known by their names.

    >>> from amparser.notations.eds import EDS
    >>> graph = EDS.read('{e1: e1:_bark_v_1<4:9>[ARG1 x2] x2:named<0:3>("Rex")[]}')
    >>> dependencies(graph, EDS, None).arguments
    [('_bark_v_1', 'ARG1', 'named')]
    >>> dependencies(graph, EDS, anchors_of(graph)).arguments
    [((4, 9), 'ARG1', (0, 3))]
    """
    names = {n: (node.label or "").lower() for n, node in graph.nodes.items()}
    strings = {
        edge.child: edge.parent
        for edge in graph.edges
        if edge.label == CARG
        and notation is not None
        and notation.is_constant(graph.nodes[edge.child].label)
    }
    key: dict[int, Hashable] = {
        n: name if anchors is None else anchors.get(n, (-1, -1)) for n, name in names.items()
    }
    return Dependencies(
        [(key[n], name) for n, name in names.items() if n not in strings],
        [
            (key[edge.parent], edge.label.upper(), key[edge.child])
            for edge in graph.edges
            if edge.child not in strings
        ],
        [(key[parent], graph.nodes[string].label) for string, parent in strings.items()],
        [key[graph.root]],
    )


class EdmMetric(GraphMetric):
    """F score, precision and recall of elementary dependencies.

    Args:
        name: of the metric, before those of its measures.
        anchored: whether nodes are known by their spans.
    """

    def __init__(self, name: str, *, anchored: bool) -> None:
        self.name = name
        self.anchored = anchored
        short = name.replace("-", "_")
        parts = "f", "precision", "recall", "name_f", "argument_f"
        self.measures = tuple(f"{short}_{part}" for part in parts)

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts of one answer; none where gold has no spans that are asked for."""
        wanted = gold_graph(notation, gold)
        if wanted is None:
            return {}
        if gold.graph is not None and any(node.span for node in gold.graph.nodes.values()):
            wanted = gold.graph
        anchors = anchors_of(wanted, gold.tokens) if self.anchored else None
        if self.anchored and not anchors:
            return {}
        found = found_graph(notation, gold, result)
        known = anchors_of(found, gold.tokens) if found is not None else {}
        if self.anchored and not known and result.graph is not None:
            found = result.graph
            known = anchors_of(found, gold.tokens)
        right = dependencies(wanted, notation, anchors)
        none = Dependencies([], [], [], [])
        given = (
            none
            if found is None
            else dependencies(found, notation, known if self.anchored else None)
        )
        parts = [overlap(*pair) for pair in zip(right, given, strict=True)]
        total = sum(parts, Overlap())
        counts = *total.counts(), parts[0].counts()[0], parts[1].counts()[0]
        return dict(zip(self.measures, counts, strict=True))


EDM = EdmMetric("edm", anchored=True)
EDM_SPANLESS = EdmMetric("edm-spanless", anchored=False)
