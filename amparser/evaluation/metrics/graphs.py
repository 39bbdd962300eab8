"""The graphs of gold and of an answer, for metrics that compare graphs."""

from __future__ import annotations

from amparser.algebra.expand import expand
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.results import Result

LABELS = "labels have no graph"
"""Why a metric of graphs cannot judge answers that are labels."""


class GraphMetric:
    """A metric that judges answers by their graphs, whatever their notation."""

    def problem(self, notation: Notation | None) -> str | None:
        """There are only labels."""
        return LABELS if notation is None else None


def gold_graph(notation: Notation | None, gold: Example) -> SGraph | None:
    """The graph of a gold example; None if it has neither a meaning, a graph nor a tree.

    Raises:
        LogicError, TranslateError: the gold meaning is malformed.
    """
    if gold.meaning is not None and notation is not None:
        return notation.graph(gold.tokens, gold.meaning)
    if gold.graph is not None or gold.tree is None:
        return gold.graph
    return expand(gold.tree)


def found_graph(notation: Notation | None, gold: Example, result: Result) -> SGraph | None:
    """The graph of an answer; None if there is no answer or its text is malformed."""
    if result.meaning is not None and notation is not None:
        try:
            return notation.graph(gold.tokens, result.meaning)
        except AMParserError:
            return None
    return result.graph
