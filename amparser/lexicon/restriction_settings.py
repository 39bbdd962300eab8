"""The settings of what a lexicon rules out (`amparser.lexicon.restrictions`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from amparser.conditions import Count, SomeOf

RESTRICTIONS = {
    "words": "a word has a supertag that words of its class had, or one with the same roles; "
    "a rare one seldom has another",
    "followers": "what follows an ignored word is what followed it in training",
    "markers": "an operation that only markers used takes nothing else, and a marker hangs only "
    "by operations by which it was seen",
    "bare_forms": "a marker that only had uninflected words below it has no inflected one",
    "sides": "the dependents of an operation are on the side where they were seen",
    "displaced": "only what was seen on the other side may be displaced",
    "orders": "the dependents on one side of a head keep the order seen there",
    "modified": "nothing modifies what would often have been modified, but never was",
}
"""Restrictions by name: what train never shows is ruled out."""


@dataclass(frozen=True, slots=True)
class RestrictionSettings:
    """Restrictions of a lexicon to what train shows.

    Attributes:
        word_count: occurrences in training that make a word frequent; 0 to read it off train
            (`amparser.lexicon.thresholds`), after which the model's settings have the number.
        supertag_count: occurrences that make a supertag or operation frequent; 0 likewise.
        unrestricted: the restrictions that do not hold, separated by spaces; empty if all hold.
    """

    word_count: Count = 0
    supertag_count: Count = 0
    unrestricted: Annotated[str, SomeOf(tuple(RESTRICTIONS))] = ""

    def restricts(self, name: str) -> bool:
        """Whether one of `RESTRICTIONS` holds."""
        return name not in self.unrestricted.split()
