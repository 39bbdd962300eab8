"""The protocol of a metric: figures of single answers that add up to those of all answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from amparser.corpora.example import Example
from amparser.notations.notation import Notation
from amparser.results import Result

OVERALL = ""
"""The tag that all examples have."""


class Count(NamedTuple):
    """A share as numerator and denominator; sums of both give the share over many examples.

    An accuracy has 0 or 1 over 1; an F score has twice the matches over predicted plus gold.

    >>> Count(1, 1) + Count(0, 1)
    Count(numerator=1, denominator=2)
    """

    numerator: float = 0
    denominator: float = 0

    def __add__(self, other: object) -> Count:
        """The sum of numerators over the sum of denominators."""
        if not isinstance(other, Count):
            return NotImplemented
        return Count(self.numerator + other.numerator, self.denominator + other.denominator)

    @property
    def share(self) -> float | None:
        """The quotient, or None if nothing was counted."""
        return self.numerator / self.denominator if self.denominator else None


class Metric(Protocol):
    """A comparison of answers with gold.

    Attributes:
        name: the name on the command line.
        measures: the names of its figures, the most informative first; unique over all metrics.
    """

    name: str
    measures: tuple[str, ...]

    def problem(self, notation: Notation | None) -> str | None:
        """Why the metric cannot judge answers in a notation (None: labels), or None if it can.

        An optional library that is not installed is such a reason.
        """

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts of one answer, by measure; a measure that does not apply is left out.

        Raises:
            LogicError, TranslateError: the gold meaning is malformed.
        """
