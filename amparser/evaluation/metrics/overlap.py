"""Precision, recall and F score of multisets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from amparser.evaluation.metric import Count


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sizes of a predicted multiset, the gold multiset, and their intersection."""

    predicted: int = 0
    gold: int = 0
    matched: int = 0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(
            self.predicted + other.predicted, self.gold + other.gold, self.matched + other.matched
        )

    def counts(self) -> tuple[Count, Count, Count]:
        """Return F score, precision and recall as counts that can be summed over answers.

        >>> f_score, precision, recall = Overlap(predicted=4, gold=6, matched=3).counts()
        >>> f_score.share, precision.share, recall.share
        (0.6, 0.75, 0.5)
        """
        return (
            Count(2 * self.matched, self.predicted + self.gold),
            Count(self.matched, self.predicted),
            Count(self.matched, self.gold),
        )


def overlap(gold: Iterable[Hashable], predicted: Iterable[Hashable]) -> Overlap:
    """Compare two collections as multisets."""
    wanted, counted = Counter(gold), Counter(predicted)
    return Overlap(counted.total(), wanted.total(), (wanted & counted).total())
