"""Brute-force matching of clauses: all mappings are tried."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from amparser.logic.clf import Clause


def names(clauses: Sequence[Clause]) -> tuple[list[str], list[str]]:
    """Return the boxes and the referents, whose names start with b and x."""
    found = sorted({name for c in clauses for name in (c[0], *c[2:])})
    return [n for n in found if n[0] == "b"], [n for n in found if n[0] == "x"]


def matches(predicted: Sequence[Clause], gold: Sequence[Clause], mapping: Mapping[str, str]) -> int:
    """Return the number of distinct clauses that a mapping turns into gold clauses."""
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
    """Return the maximum number of matches over all injective mappings."""
    (boxes, referents), (gold_boxes, gold_referents) = names(predicted), names(gold)
    return max(
        matches(predicted, gold, {**one, **other})
        for one in _injections(boxes, gold_boxes)
        for other in _injections(referents, gold_referents)
    )
