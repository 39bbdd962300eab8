"""Gold and predicted graphs, for metrics that compare graphs."""

from __future__ import annotations

from amparser.algebra.expand import expand
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.results import Result

LABELS = "labels have no graph"
"""Reason why metrics of graphs cannot judge labels."""


class GraphMetric:
    """Base of metrics that compare graphs, in any notation."""

    def problem(self, notation: Notation | None) -> str | None:
        """Return a problem for labels, which have no graph."""
        return LABELS if notation is None else None


def gold_graph(notation: Notation | None, gold: Example) -> SGraph | None:
    """Return the graph of a gold example, or None if it has no meaning, graph or tree.

    Raises:
        LogicError, TranslateError: the gold meaning is malformed.
    """
    if gold.meaning is not None and notation is not None:
        return notation.graph(gold.tokens, gold.meaning)
    if gold.graph is not None or gold.tree is None:
        return gold.graph
    return expand(gold.tree)


def found_graph(notation: Notation | None, gold: Example, result: Result) -> SGraph | None:
    """Return the graph of an answer, or None if it is missing or malformed."""
    if result.meaning is not None and notation is not None:
        try:
            return notation.graph(gold.tokens, result.meaning)
        except AMParserError:
            return None
    return result.graph
