"""Right or wrong: is an answer the gold meaning?

Three measures, each weaker than the one before: equality as strings; equality as the notation's
paper reformats meanings; equality up to isomorphism (`amparser.notations.notation.Equality`). An
answer that is right by a stronger measure is right by the weaker ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import gold_graph
from amparser.graph.sgraph import isomorphic
from amparser.notations.notation import Notation
from amparser.results import Result


class MatchMetric:
    """Exact match, reformatted exact match and graph match."""

    name = "match"
    measures = ("exact", "reformatted", "graph")

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
        if notation is None or exact:
            return {measure: Count(int(exact), 1) for measure in self.measures}
        equality = notation.equality(gold.tokens, gold.meaning, result.meaning)
        return {
            "exact": Count(0, 1),
            "reformatted": Count(int(equality.reformatted), 1),
            "graph": Count(int(equality.graph), 1),
        }


MATCH = MatchMetric()
