"""Right or wrong: is an answer the gold meaning?

Measures, each weaker than the one before: equality as strings; equality as the notation's paper
reformats meanings; equality up to isomorphism; and, where arguments have no order, equality as sets
(`amparser.notations.notation.Equality`). An answer that is right by a stronger measure is right by
the weaker ones.
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
    """Exact match, reformatted exact match and graph match."""

    name = "match"
    measures = ("exact", "reformatted", "graph", "sets")

    def problem(self, notation: Notation | None) -> str | None:
        """It judges every answer: without a notation, graphs are compared."""
        return None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts, each 0 or 1 of 1; only `graph` if gold is a graph or tree without a text."""
        if gold.meaning is None:
            wanted, found = gold_graph(None, gold), result.graph
            equal = wanted is not None and found is not None and isomorphic(wanted, found)
            return {"graph": Count(int(equal), 1)}
        exact = result.meaning == gold.meaning
        equality, sets = Equality(exact, exact), None
        if notation is not None:
            equality = notation.equality(gold.tokens, gold.meaning, result.meaning)
            sets = notation.same_sets(gold.meaning, result.meaning)
        right = {"exact": exact, **equality._asdict()}
        if sets is not None:
            right["sets"] = sets or equality.graph
        return {name: Count(int(one), 1) for name, one in right.items()}


MATCH = MatchMetric()
