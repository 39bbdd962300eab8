"""How many outputs no notation can read: networks that write word by word may write anything."""

from __future__ import annotations

from collections.abc import Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.notations.notation import Notation
from amparser.results import Result

MEASURE = "malformed"


class MalformedMetric:
    """The share of malformed outputs; nothing of an answer that was not written as text."""

    name = MEASURE
    measures = (MEASURE,)

    def problem(self, notation: Notation | None) -> str | None:
        """Labels follow no notation."""
        return "labels follow no notation" if notation is None else None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The count, 0 or 1 of 1."""
        if result.output is None:
            return {}
        return {MEASURE: Count(int(result.meaning is None), 1)}


MALFORMED = MalformedMetric()
