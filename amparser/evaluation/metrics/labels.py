"""Labels: how many are right, and how many are missing."""

from __future__ import annotations

from collections.abc import Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.notations.notation import Notation
from amparser.results import Result


class LabelMetric:
    """Whether an answer is the gold label; a missing answer is wrong, and counted as missing."""

    name = "label"
    measures = ("label", "unanswered")

    def problem(self, notation: Notation | None) -> str | None:
        """Why the metric cannot judge meanings."""
        if notation is None:
            return None
        return f"{notation.name} meanings are not labels"

    def compare(
        self,
        notation: Notation | None,
        gold: Example,
        result: Result,
    ) -> Mapping[str, Count]:
        """The counts, each 0 or 1 of 1."""
        return {
            "label": Count(int(result.meaning == gold.meaning), 1),
            "unanswered": Count(int(result.meaning is None), 1),
        }


LABEL = LabelMetric()
