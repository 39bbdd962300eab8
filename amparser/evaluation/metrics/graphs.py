"""Gold and predicted graphs, for metrics that compare graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from amparser.algebra.expand import expand
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.evaluation.metric import Count
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.results import Result

LABELS = "labels have no graph"
"""Reason why metrics that compare graphs cannot judge labels."""


class GraphMetric:
    """Base class of metrics that compare graphs, in any notation."""

    def problem(self, notation: Notation | None) -> str | None:
        """Return a problem for labels, which have no graph."""
        return LABELS if notation is None else None


def gold_graph(notation: Notation | None, gold: Example) -> SGraph | None:
    """Return the graph of a gold example, or None if the example has no meaning, graph or tree.

    Raises LogicError or TranslateError if the gold meaning is malformed.
    """
    if gold.meaning is not None and notation is not None:
        return notation.graph(gold.tokens, gold.meaning)
    if gold.graph is not None or gold.tree is None:
        return gold.graph
    return expand(gold.tree)


def found_graph(notation: Notation | None, gold: Example, result: Result) -> SGraph | None:
    """Return the graph of an answer, or None if the answer is missing or malformed."""
    if result.meaning is not None and notation is not None:
        try:
            return notation.graph(gold.tokens, result.meaning)
        except AMParserError:
            return None
    return result.graph


@dataclass(frozen=True, slots=True)
class Overlap:
    """Numbers of predicted items, of gold items, and of items in both (multisets)."""

    predicted: int = 0
    gold: int = 0
    matched: int = 0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(
            self.predicted + other.predicted, self.gold + other.gold, self.matched + other.matched
        )

    def counts(self) -> tuple[Count, Count, Count]:
        """Return F score, precision and recall as counts that can be summed over answers.

        >>> f_score, precision, recall = Overlap(predicted=4, gold=6, matched=3).counts()
        >>> f_score.share, precision.share, recall.share
        (0.6, 0.75, 0.5)
        """
        return (
            Count(2 * self.matched, self.predicted + self.gold),
            Count(self.matched, self.predicted),
            Count(self.matched, self.gold),
        )


def overlap(gold: Iterable[Hashable], predicted: Iterable[Hashable]) -> Overlap:
    """Compare two collections as multisets."""
    wanted, found = Counter(gold), Counter(predicted)
    return Overlap(found.total(), wanted.total(), (wanted & found).total())
