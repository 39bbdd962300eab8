"""Other ways to match clauses: every mapping, and hill climbing as the published Counter does."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from amparser.logic.clf import Clause


def names(clauses: Sequence[Clause]) -> tuple[list[str], list[str]]:
    """The boxes and the referents, whose names start with b and x."""
    found = sorted({name for c in clauses for name in (c[0], *c[2:])})
    return [n for n in found if n[0] == "b"], [n for n in found if n[0] == "x"]


def matches(predicted: Sequence[Clause], gold: Sequence[Clause], mapping: Mapping[str, str]) -> int:
    """How many different clauses become gold ones, by the definition."""
    image = {
        (mapping.get(c[0], "?"), c[1], *(mapping.get(name, "?") for name in c[2:]))
        for c in predicted
    }
    return len(image & set(gold))


def _injections(left: list[str], right: list[str]) -> Iterator[dict[str, str]]:
    spare = [f"none {number}" for number in range(len(left))]
    for image in set(itertools.permutations(right + spare, len(left))):
        yield dict(zip(left, image, strict=True))


def best_by_trying(predicted: Sequence[Clause], gold: Sequence[Clause]) -> int:
    """The definition: the most that any injective mapping matches."""
    (boxes, referents), (gold_boxes, gold_referents) = names(predicted), names(gold)
    return max(
        matches(predicted, gold, {**one, **other})
        for one in _injections(boxes, gold_boxes)
        for other in _injections(referents, gold_referents)
    )


def best_by_climbing(
    predicted: Sequence[Clause], gold: Sequence[Clause], random: Random, *, restarts: int = 5
) -> int:
    """The most that hill climbing finds: moves and swaps from random mappings (Counter)."""
    best = 0
    sides = list(zip(names(predicted), names(gold), strict=True))
    for _ in range(restarts):
        current: dict[str, str] = {}
        for left, right in sides:
            shuffled = random.sample(right, len(right))
            current |= dict(zip(left, shuffled, strict=False))
        score = matches(predicted, gold, current)
        while True:
            neighbours = []
            for left, right in sides:
                free = [name for name in right if name not in current.values()]
                neighbours += [{**current, a: b} for a in left for b in free]
                neighbours += [
                    {**current, a: current[b], b: current[a]}
                    for a, b in itertools.combinations([n for n in left if n in current], 2)
                ]
            scored = [
                (matches(predicted, gold, new), number) for number, new in enumerate(neighbours)
            ]
            if not scored or max(scored)[0] <= score:
                break
            score, number = max(scored)
            current = neighbours[number]
        best = max(best, score)
    return best
