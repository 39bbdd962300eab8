"""Protocol of metrics: counts of single answers that can be summed over all answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from amparser.corpora.example import Example
from amparser.notations.notation import Notation
from amparser.results import Result

OVERALL = ""
"""Tag of all examples."""


class Count(NamedTuple):
    """A share as numerator and denominator, which are summed over examples.

    For an accuracy, a count is 0 or 1 over 1. For an F score, it is twice the number of matches
    over the number of predicted plus gold items.

    >>> Count(1, 1) + Count(0, 1)
    Count(numerator=1, denominator=2)
    """

    numerator: float = 0
    denominator: float = 0

    def __add__(self, other: object) -> Count:
        """Return the sum of numerators and the sum of denominators."""
        if not isinstance(other, Count):
            return NotImplemented
        return Count(self.numerator + other.numerator, self.denominator + other.denominator)

    @property
    def share(self) -> float | None:
        """The numerator divided by the denominator, or None if the denominator is 0."""
        return self.numerator / self.denominator if self.denominator else None


class Metric(Protocol):
    """A comparison of answers with gold.

    Attributes:
        name: name on the command line.
        measures: names of the metric's figures, the most informative first. Names are unique over
            all metrics.
    """

    name: str
    measures: tuple[str, ...]

    def problem(self, notation: Notation | None) -> str | None:
        """Return why the metric cannot judge answers in a notation, or None if it can.

        `notation` is None for labels. A missing optional library is a problem too.
        """

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of one answer by measure; measures that do not apply are left out.

        Raises LogicError or TranslateError if the gold meaning is malformed.
        """
