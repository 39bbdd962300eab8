"""What recombination draws: donors in groups, and the case of the word that they begin with."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from random import Random
from typing import Generic, TypeVar

Group = TypeVar("Group", bound=Hashable)
Donor = TypeVar("Donor")


class Donors(Generic[Group, Donor]):
    """Constituents that may take others' places, in groups, each with a weight."""

    def __init__(self) -> None:
        self._groups: dict[Group, list[Donor]] = {}
        self._weights: dict[Group, list[float]] = {}

    def add(self, group: Group, donor: Donor, weight: float) -> None:
        """One more donor of a group."""
        self._groups.setdefault(group, []).append(donor)
        weights = self._weights.setdefault(group, [])
        weights.append(weight + (weights[-1] if weights else 0.0))

    def draw(self, group: Group, random: Random) -> Donor | None:
        """A donor of a group by its weight; None if it has none."""
        if group not in self._groups:
            return None
        return random.choices(self._groups[group], cum_weights=self._weights[group])[0]


def recased(word: str, old: int, new: int, lower: Collection[str]) -> str:
    """A word that stood at token `old` as it is written at token `new`; 0 begins a sentence.

    `lower` has the words that are written small inside of sentences.
    """
    if old == 0 < new and word.lower() in lower:
        return word.lower()
    return word[:1].upper() + word[1:] if new == 0 < old else word
