"""Copies of constants: what fills a constant may depend on the place that it fills itself.

An item of a chart knows its constant, but not what is above it. So a constant has a copy for
each group of places that ask the same of its fillers, and a place takes its own copy alone
(parent annotation; Johnson 1998).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from amparser.induction.cooccurrence import CooccurrenceCounts, Place

Costs = dict[tuple[int, int], float]
"""For a port and the tag of its filler what this costs, in nats; nothing where it is left out."""


class Copies(NamedTuple):
    """The copies of some tags.

    Attributes:
        costs: for each tag the fillers that its copies pay for; copy 0 pays for none.
        taken: the copy that a place takes of a tag; 0 where it is left out, and at the root.
    """

    costs: dict[int, list[Costs]]
    taken: dict[tuple[Place, int], int]

    @classmethod
    def single(cls, tags: Sequence[int]) -> Copies:
        """One copy of each tag."""
        return cls({tag: [{}] for tag in tags}, {})

    def cost(self, place: Place, copy: int, filler: int, filler_copy: int) -> float:
        """What a copy of a filler is worth in a port of a copy; -inf if it takes another one."""
        if filler_copy != self.taken.get((place, filler), 0):
            return float("-inf")
        tag, port = place
        return self.costs[tag][copy].get((port, filler), 0.0)


class ParentAnnotator:
    """Finds the copies that sentences need.

    Args:
        cooccurrence: how often train has what.
        weight: of the log probability that a filler is new where it stands; at 0 there is one
            copy of everything.
        chained: the places that take anything, wherever their constants stand.
    """

    def __init__(
        self, cooccurrence: CooccurrenceCounts, weight: float, chained: Collection[Place] = ()
    ) -> None:
        self._cooccurrence = cooccurrence
        self._weight = weight
        self._pairs: dict[tuple[int, int], list[tuple[Place, Place]]] = {}
        for over, place in cooccurrence.below if weight else ():
            if over in chained or place in chained:
                continue
            self._pairs.setdefault((over[0], place[0]), []).append((over, place))

    def copies(self, tags: Sequence[int]) -> Copies:
        """The copies of tags that may stand in one tree."""
        costs, taken = Copies.single(tags)
        for above in tags:
            for tag in tags:
                asked: dict[Place, Costs] = {}
                for over, place in self._pairs.get((above, tag), ()):
                    for filler in tags:
                        cost = self._weight * self._cooccurrence.unheard(over, place, filler)
                        if cost:
                            asked.setdefault(over, {})[place[1], filler] = cost
                for over, found in asked.items():
                    if found not in costs[tag]:
                        costs[tag].append(found)
                    taken[over, tag] = costs[tag].index(found)
        return Copies(costs, taken)
