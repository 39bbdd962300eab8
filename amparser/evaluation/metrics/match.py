"""Exact match and its weaker forms.

    exact         equal texts
    reformatted   equal except for formatting that the notation's paper ignores
    graph         isomorphic graphs
    sets          equal except for the order of unordered arguments

An answer that is correct by one measure is also correct by all measures below it.
"""

from __future__ import annotations

from collections.abc import Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import gold_graph
from amparser.graph.sgraph import isomorphic
from amparser.notations.notation import Equality, Notation
from amparser.results import Result


class MatchMetric:
    """Exact match, reformatted exact match, graph match and set match."""

    name = "match"
    measures = ("exact", "reformatted", "graph", "sets")

    def problem(self, notation: Notation | None) -> str | None:
        """Return None: this metric can be used for all answers."""
        return None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return 0/1 or 1/1 for each measure, or only for `graph` if gold has no meaning text."""
        if gold.meaning is None:
            wanted, predicted = gold_graph(None, gold), result.graph
            equal = wanted is not None and predicted is not None and isomorphic(wanted, predicted)
            return {"graph": Count(int(equal), 1)}
        exact = result.meaning == gold.meaning
        equality, sets = Equality(exact, exact), None
        if notation is not None:
            equality = notation.equality(gold.tokens, gold.meaning, result.meaning)
            sets = notation.same_sets(gold.meaning, result.meaning)
        right = {"exact": exact, **equality._asdict()}
        if sets is not None:
            right["sets"] = sets or equality.graph
        return {name: Count(int(is_right), 1) for name, is_right in right.items()}


MATCH = MatchMetric()


MEASURE = "malformed"


class MalformedMetric:
    """Share of malformed texts among the texts that a model generated."""

    name = MEASURE
    measures = (MEASURE,)

    def problem(self, notation: Notation | None) -> str | None:
        """Return a problem for labels, which have no notation."""
        return "labels follow no notation" if notation is None else None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the count, 0/1 or 1/1; empty if the answer has no generated text."""
        if result.output is None:
            return {}
        return {MEASURE: Count(int(result.meaning is None), 1)}


MALFORMED = MalformedMetric()
