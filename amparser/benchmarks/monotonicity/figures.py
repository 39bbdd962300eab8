"""Counts of labelled pairs, by depth, direction, replacement and quantifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.benchmarks.monotonicity.pairs import NO_QUANTIFIER, Quantifiers, pair_of, sides
from amparser.corpora.example import Example
from amparser.results import Result

JOINT = " > "
"""The separator of the outermost and the innermost quantifier of a premise."""
DEPTH, DIRECTION, BOTH, FUNCTION, QUANTIFIERS = (
    "depth",
    "direction",
    "depth and direction",
    "function",
    "quantifiers",
)


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """The numbers of pairs, of right answers and of missing answers (which are wrong)."""

    count: int = 0
    right: int = 0
    unanswered: int = 0

    def __add__(self, other: LabelCounts) -> LabelCounts:
        """The sums."""
        return LabelCounts(
            self.count + other.count,
            self.right + other.right,
            self.unanswered + other.unanswered,
        )

    def to_json(self) -> dict[str, float]:
        """The counts, and the accuracy between 0 and 1 (0 if nothing was counted).

        >>> LabelCounts(4, 3).to_json()
        {'count': 4, 'right': 3, 'unanswered': 0, 'accuracy': 0.75}
        """
        return {
            "count": self.count,
            "right": self.right,
            "unanswered": self.unanswered,
            "accuracy": self.right / max(self.count, 1),
        }


@dataclass
class PairFigures:
    """Counts of pairs.

    Attributes:
        overall: the counts of all pairs.
        groups: for each division of the pairs the counts of its parts, in order. The divisions
            are depth, direction, both, replacement function, and the outermost and innermost
            quantifier of the premise (`few > no`, or `few` if there is one).
    """

    overall: LabelCounts = field(default_factory=LabelCounts)
    groups: dict[str, dict[str, LabelCounts]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All counts as JSON values."""
        parts = {
            name: {key: counts.to_json() for key, counts in group.items()}
            for name, group in self.groups.items()
        }
        return {"overall": self.overall.to_json(), **parts}


def figures_of(examples: Sequence[Example], results: Sequence[Result]) -> PairFigures:
    """The counts of answers.

    Raises:
        InputError: an example is not a labelled pair.
    """
    quantifiers = Quantifiers()
    figures = PairFigures()
    names = (DEPTH, DIRECTION, BOTH, FUNCTION, QUANTIFIERS)
    groups: dict[str, dict[str, LabelCounts]] = {name: {} for name in names}
    for example, result in zip(examples, results, strict=True):
        pair = pair_of(example)
        answer = result.meaning
        counts = LabelCounts(1, int(answer == pair.label), int(answer is None))
        figures.overall += counts
        depth = f"D{pair.depth}"
        keys = (
            depth,
            pair.direction,
            f"{depth} {pair.direction}",
            pair.function,
            JOINT.join(quantifiers.ends(sides(example.tokens)[0])) or NO_QUANTIFIER,
        )
        for name, key in zip(names, keys, strict=True):
            groups[name][key] = groups[name].get(key, LabelCounts()) + counts
    figures.groups = {name: dict(sorted(group.items())) for name, group in groups.items()}
    return figures
