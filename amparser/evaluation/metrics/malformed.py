"""Share of malformed outputs of networks that generate text token by token."""

from __future__ import annotations

from collections.abc import Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.notations.notation import Notation
from amparser.results import Result

MEASURE = "malformed"


class MalformedMetric:
    """Share of outputs that the notation cannot read; answers without an output do not count."""

    name = MEASURE
    measures = (MEASURE,)

    def problem(self, notation: Notation | None) -> str | None:
        """Return a problem for labels, which have no notation."""
        return "labels follow no notation" if notation is None else None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the count, 0 or 1 of 1; empty without an output."""
        if result.output is None:
            return {}
        return {MEASURE: Count(int(result.meaning is None), 1)}


MALFORMED = MalformedMetric()
