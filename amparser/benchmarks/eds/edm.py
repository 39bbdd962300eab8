"""Elementary dependency match (EDM): precision, recall and F of triples that refer to text spans.

A graph is a multiset of triples (Dridan & Oepen 2011): the name of each node with its span, each
argument with the spans of both nodes, each string with the span of its node, and the span of the
top. PyDelphin (`delphin.edm`) gives all triples the same weight and ignores node properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric, Overlap, found_graph, gold_graph
from amparser.graph.sgraph import SGraph
from amparser.notations.eds import CARG, Anchor, anchors_of
from amparser.notations.notation import Notation
from amparser.resources import library
from amparser.results import Result

PARTS = ("name", "argument", "constant", "top")


def structure_of(
    graph: SGraph | None, notation: Notation | None, anchors: Mapping[int, Anchor]
) -> Any:
    """Return a graph as a PyDelphin structure; empty if the graph is None."""
    eds, lnk = (library(f"delphin.{name}", "edm", "eds") for name in ("eds", "lnk"))
    if graph is None:
        return eds.EDS()
    strings = {
        edge.child: edge.parent
        for edge in graph.edges
        if edge.label == CARG
        and notation is not None
        and notation.is_constant(graph.nodes[edge.child].label)
    }
    cargs = {parent: graph.nodes[string].label for string, parent in strings.items()}
    edges: dict[int, dict[str, str]] = {n: {} for n in graph.nodes}
    for edge in graph.edges:
        if edge.child not in strings:
            edges[edge.parent][edge.label.upper()] = str(edge.child)
    nodes = [
        eds.Node(
            str(n),
            (node.label or "").lower(),
            edges=edges[n],
            carg=cargs.get(n),
            lnk=lnk.Lnk.charspan(*anchors[n]) if n in anchors else None,
        )
        for n, node in graph.nodes.items()
        if n not in strings
    ]
    return eds.EDS(top=str(graph.root), nodes=nodes)


def overlaps(gold: Any, predicted: Any) -> dict[str, Overlap]:
    """Return the overlap of two PyDelphin structures for each kind of triple in `PARTS`."""
    compute = library("delphin.edm", "edm", "eds").compute
    nothing = {f"{part}_weight": 0.0 for part in (*PARTS, "property")}
    sizes = [_sizes(structure) for structure in (predicted, gold)]
    by_part = {}
    for part in PARTS:
        score = compute([gold], [predicted], **{**nothing, f"{part}_weight": 1.0})
        matched = round(score.precision * sizes[0][part])
        by_part[part] = Overlap(sizes[0][part], sizes[1][part], matched)
    return by_part


def _sizes(structure: Any) -> dict[str, int]:
    return {
        "name": len(structure.nodes),
        "argument": sum(len(edges) for edges in structure.arguments().values()),
        "constant": sum(bool(node.carg) for node in structure.nodes),
        "top": int(structure.top in structure),
    }


class EdmMetric(GraphMetric):
    """F score, precision and recall of elementary dependencies."""

    name = "edm"
    measures = ("edm_f", "edm_precision", "edm_recall", "edm_name_f", "edm_argument_f")

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of one answer; empty if gold has no spans."""
        wanted = gold_graph(notation, gold)
        if wanted is None:
            return {}
        if gold.graph is not None and any(node.span for node in gold.graph.nodes.values()):
            wanted = gold.graph
        anchors = anchors_of(wanted, gold.tokens)
        if not anchors:
            return {}
        predicted = found_graph(notation, gold, result)
        known = anchors_of(predicted, gold.tokens) if predicted is not None else {}
        if not known and result.graph is not None:
            predicted = result.graph
            known = anchors_of(predicted, gold.tokens)
        parts = overlaps(
            structure_of(wanted, notation, anchors), structure_of(predicted, notation, known)
        )
        total = sum(parts.values(), Overlap())
        counts = *total.counts(), parts["name"].counts()[0], parts["argument"].counts()[0]
        return dict(zip(self.measures, counts, strict=True))


EDM = EdmMetric()
