"""The share of text outputs of a system that follow no notation, by kind.

The kinds are those of `amparser.baselines.malformed`; a system writes the kind of an output
into `Result.failure`.
"""

from __future__ import annotations

from collections.abc import Mapping

from amparser.baselines.malformed import KINDS
from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.notations.notation import Notation
from amparser.results import Result

MEASURE = "malformed"


class MalformedMetric:
    """How many outputs follow no notation, and what is wrong with them.

    An answer that was not written as text, such as a tree, is never malformed.
    """

    name = "malformed"
    measures = (MEASURE, *(f"{MEASURE}:{kind}" for kind in KINDS))

    def problem(self, notation: Notation | None) -> str | None:
        """Labels follow no notation."""
        return "labels follow no notation" if notation is None else None

    def compare(
        self,
        notation: Notation | None,
        gold: Example,
        result: Result,
    ) -> Mapping[str, Count]:
        """The counts, each 0 or 1 of 1."""
        found = kind_of(result)
        counts = {f"{MEASURE}:{kind}": Count(int(kind == found), 1) for kind in KINDS}
        return {MEASURE: Count(int(found is not None), 1), **counts}


def kind_of(result: Result) -> str | None:
    """What is wrong with a malformed answer that was written as text, or None."""
    return result.failure if result.output is not None and result.failure in KINDS else None


MALFORMED = MalformedMetric()
