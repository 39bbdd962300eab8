"""Protocol of metrics. A metric returns counts for each answer, which are then summed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from amparser.corpora.example import Example
from amparser.notations.notation import Notation
from amparser.results import Result

OVERALL = ""
"""Tag that stands for all examples."""


class Count(NamedTuple):
    """Share that can be summed over examples: numerator and denominator are added separately.

    For an accuracy, the count of an example is 0/1 or 1/1. For an F score, it is twice the number
    of matching items, over the number of predicted and gold items.

    >>> Count(1, 1) + Count(0, 1)
    Count(numerator=1, denominator=2)
    """

    numerator: float = 0
    denominator: float = 0

    def __add__(self, other: object) -> Count:
        """Add numerators and denominators."""
        if not isinstance(other, Count):
            return NotImplemented
        return Count(self.numerator + other.numerator, self.denominator + other.denominator)

    @property
    def share(self) -> float | None:
        """The numerator divided by the denominator, or None if the denominator is 0."""
        return self.numerator / self.denominator if self.denominator else None


class Metric(Protocol):
    """Comparison of answers with gold.

    Attributes:
        name: name on the command line.
        measures: names of the metric's figures, most informative first; no other metric has a
            figure with the same name.
    """

    name: str
    measures: tuple[str, ...]

    def problem(self, notation: Notation | None) -> str | None:
        """Return why the metric cannot be used for answers in a notation, or None.

        `notation` is None if answers are labels. The reason may be a missing library.
        """

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of one answer by measure; measures that do not apply are left out.

        Raises LogicError or TranslateError if the gold meaning is malformed.
        """
