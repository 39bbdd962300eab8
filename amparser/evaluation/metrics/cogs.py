"""Figures of COGS logical forms: counts of right answers, and accuracies made of them.

Three measures of a predicted COGS logical form, each weaker than the one
before: the very string; SLOG's reformatted string (Li et al. 2023, section 4),
with conjuncts sorted and variables renumbered; equality of meaning, that is,
up to isomorphism. What is right by a stronger measure is right by the weaker
ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from amparser.errors import LogicError
from amparser.logic.cogs import logical_form_from_str, reformatted
from amparser.logic.equivalence import equivalent


@dataclass(frozen=True, slots=True)
class Counts:
    """How many answers there are and how many of them are right by each measure."""

    count: int = 0
    exact: int = 0
    reformatted: int = 0
    graph: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.count + other.count,
            self.exact + other.exact,
            self.reformatted + other.reformatted,
            self.graph + other.graph,
        )

    def to_json(self) -> dict[str, float]:
        """The count, and accuracies between 0 and 1 (0 where nothing was counted).

        >>> Counts(4, 2, 3, 4).to_json()["reformatted_exact_match"]
        0.75
        """
        total = max(self.count, 1)
        return {
            "count": self.count,
            "exact_match": self.exact / total,
            "reformatted_exact_match": self.reformatted / total,
            "graph_match": self.graph / total,
        }


def compare(gold: str, predicted: str | None) -> Counts:
    """Compare one predicted COGS logical form with the gold one.

    Args:
        gold: a well-formed logical form.
        predicted: any text, or None where there is no answer; what does not
            follow the notation is wrong.

    Raises:
        LogicError: the gold form is malformed, and had to be read.
    """
    if predicted == gold:
        return Counts(1, 1, 1, 1)
    wanted = logical_form_from_str(gold)
    try:
        found = logical_form_from_str(predicted or "")
    except LogicError:
        return Counts(1)
    if reformatted(str(found)) == reformatted(gold):
        return Counts(1, 0, 1, 1)
    return Counts(1, 0, 0, int(equivalent(wanted, found)))


def by_type(compared: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    """Add up the counts of each type; types keep the order in which they first occur."""
    table: dict[str, Counts] = {}
    for kind, counts in compared:
        table[kind] = table.get(kind, Counts()) + counts
    return table


def overall(table: Mapping[str, Counts]) -> Counts:
    """The sum over all types."""
    return sum(table.values(), Counts())


def table_to_json(table: Mapping[str, Counts]) -> dict[str, object]:
    """The figures as `{"overall": {...}, "types": {TYPE: {...}, ...}}`."""
    return {
        "overall": overall(table).to_json(),
        "types": {kind: counts.to_json() for kind, counts in table.items()},
    }
