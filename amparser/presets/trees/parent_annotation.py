"""Parent annotation of constants: their arguments may depend on the place that they fill.

A chart item knows its constant but not its parent. Each constant therefore has one copy for each
group of places with the same costs of arguments, and a place only accepts its own copy (parent
annotation; Johnson 1998).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from amparser.induction.cooccurrence import CooccurrenceCounts, Place

Costs = dict[tuple[int, int], float]
"""Cost in nats by port and tag of the argument; absent means 0."""


class Copies(NamedTuple):
    """Copies of some tags.

    Attributes:
        costs: costs of arguments for each copy of each tag; copy 0 has none.
        taken: copy of a tag that a place accepts; absent means 0, as at the root.
    """

    costs: dict[int, list[Costs]]
    taken: dict[tuple[Place, int], int]

    @classmethod
    def single(cls, tags: Sequence[int]) -> Copies:
        """Make one copy of each tag."""
        return cls({tag: [{}] for tag in tags}, {})

    def cost(self, place: Place, copy: int, filler: int, filler_copy: int) -> float:
        """Return the score of a copy as argument of another; -inf if the place rejects it."""
        if filler_copy != self.taken.get((place, filler), 0):
            return float("-inf")
        tag, port = place
        return self.costs[tag][copy].get((port, filler), 0.0)


class ParentAnnotator:
    """Finder of the copies that a sentence needs.

    Args:
        weight: weight of log P(the argument is new in its context); 0 means one copy of each tag.
        chained: places that accept any argument in any context.
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
        """Return the copies of tags that occur in one sentence."""
        costs, taken = Copies.single(tags)
        for above in tags:
            for tag in tags:
                asked: dict[Place, Costs] = {}
                for over, place in self._pairs.get((above, tag), ()):
                    for filler in tags:
                        cost = self._weight * self._cooccurrence.unheard(over, place, filler)
                        if cost:
                            asked.setdefault(over, {})[place[1], filler] = cost
                for over, penalties in asked.items():
                    if penalties not in costs[tag]:
                        costs[tag].append(penalties)
                    taken[over, tag] = costs[tag].index(penalties)
        return Copies(costs, taken)
