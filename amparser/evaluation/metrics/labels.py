"""Figures of labels: how many there are, how many are right, how many are missing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many pairs there are, and of how many the label is right; without one, it is wrong."""

    count: int = 0
    right: int = 0
    unanswered: int = 0

    def __add__(self, other: LabelCounts) -> LabelCounts:
        return LabelCounts(
            self.count + other.count,
            self.right + other.right,
            self.unanswered + other.unanswered,
        )

    def to_json(self) -> dict[str, float]:
        """The counts, and the accuracy between 0 and 1 (0 where nothing was counted).

        >>> LabelCounts(4, 3).to_json()
        {'count': 4, 'right': 3, 'unanswered': 0, 'accuracy': 0.75}
        """
        return {
            "count": self.count,
            "right": self.right,
            "unanswered": self.unanswered,
            "accuracy": self.right / max(self.count, 1),
        }


def label_counts(gold: str, answer: str | None) -> LabelCounts:
    """Compare one answer with the gold label; None is no answer."""
    return LabelCounts(1, int(answer == gold), int(answer is None))
