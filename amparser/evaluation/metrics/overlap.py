"""Precision, recall and F of whatever can be counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many things were predicted, how many there are, and how many are both."""

    predicted: int = 0
    gold: int = 0
    matched: int = 0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(
            self.predicted + other.predicted,
            self.gold + other.gold,
            self.matched + other.matched,
        )

    @property
    def precision(self) -> float:
        """The share of the predicted that is gold; 1 where nothing is predicted or gold."""
        return self.matched / self.predicted if self.predicted else float(not self.gold)

    @property
    def recall(self) -> float:
        """The share of the gold that is predicted; 1 where nothing is predicted or gold."""
        return self.matched / self.gold if self.gold else float(not self.predicted)

    @property
    def f_score(self) -> float:
        """The harmonic mean of precision and recall.

        >>> Overlap(predicted=4, gold=6, matched=3).f_score
        0.6
        """
        total = self.predicted + self.gold
        return 2 * self.matched / total if total else 1.0

    def to_json(self) -> dict[str, float]:
        """The counts, and figures between 0 and 1."""
        return {
            "predicted": self.predicted,
            "gold": self.gold,
            "matched": self.matched,
            "precision": self.precision,
            "recall": self.recall,
            "f_score": self.f_score,
        }


def overlap(gold: Iterable[Hashable], predicted: Iterable[Hashable]) -> Overlap:
    """Compare two collections as multisets."""
    wanted, found = Counter(gold), Counter(predicted)
    return Overlap(found.total(), wanted.total(), (wanted & found).total())
