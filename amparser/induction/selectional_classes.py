"""Kinds: constants whose constituents may stand for each other, coarser than sorts.

A sort says what is likely in a place. What train happens to have in it says too little of what
it may take: in short questions only names stand below "in", yet what describes a state may
stand there as well. Constants are of one kind that fill many places together, whatever else
each of them fills, and however often: places count, not occurrences.

Constants that fill few places, or none but the root, say little by the places they fill. They
are of the kind of the constant that takes the fillers most like theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.induction.forest import TagNode

Array = NDArray[np.float64]

_LIKE = 0.12
"""Groups of constants are joined down to this cosine of the places that they fill."""


class _Uses(NamedTuple):
    """Which constants stand where; counts are damped as log(1 + count).

    Attributes:
        filled: `[T, P]`, each constant in each place, a port of a constant.
        taken: `[T, F]`, each constant with each of its fillers, a constant in a numbered port.
        seen: `[T]`, how often each constant occurs, not damped.
        rooted: `[T]`, how often it is the root, not damped.
    """

    filled: Array
    taken: Array
    seen: Array
    rooted: Array

    @classmethod
    def of(cls, trees: Sequence[TagNode], tag_count: int) -> _Uses:
        edges: Counter[tuple[int, int, int]] = Counter()
        seen, rooted = np.zeros(tag_count), np.zeros(tag_count)
        for tree in trees:
            rooted[tree.tag] += 1
        agenda = list(trees)
        for tree in agenda:
            seen[tree.tag] += 1
            edges.update((tree.tag, port, below.tag) for port, below in tree.below)
            agenda.extend(below for _, below in tree.below)
        places = {key: i for i, key in enumerate(sorted({edge[:2] for edge in edges}))}
        fillers = {key: i for i, key in enumerate(sorted({edge[1:] for edge in edges}))}
        filled = np.zeros((tag_count, len(places)))
        taken = np.zeros((tag_count, len(fillers)))
        for (tag, port, filler), count in edges.items():
            filled[filler, places[tag, port]] = np.log1p(count)
            taken[tag, fillers[port, filler]] = np.log1p(count)
        return cls(filled, taken, seen, rooted)

    def at_root(self, group: Sequence[int]) -> float:
        """How often constants of a group are the root, of all times that they occur."""
        return float(self.rooted[group].sum() / max(self.seen[group].sum(), 1.0))


def induce_classes(trees: Sequence[TagNode], tag_count: int) -> list[int]:
    """The kind of each tag, numbered from 0; the kind that fills most places comes first.

    Args:
        trees: the trees of tags of a corpus.
        tag_count: tags are 0 .. tag_count - 1. One that occurs nowhere is a kind by itself.
    """
    uses = _Uses.of(trees, tag_count)
    placed = uses.filled.any(axis=1)
    groups = _joined([[tag] for tag in np.flatnonzero(placed).tolist()], uses.filled)
    groups.sort(key=lambda group: -float(uses.filled[group].sum()))
    settled: list[list[int]] = []
    rest: list[list[int]] = []
    for group in groups:
        places = int(uses.filled[group].any(axis=0).sum())
        # A group that fills so many places is a kind by itself.
        (settled if places >= 3 else rest).append(group)
    rest += [[tag] for tag in np.flatnonzero(~placed).tolist()]
    kinds = [list(group) for group in settled]
    for group, kind in zip(rest, _followed(rest, settled, uses), strict=True):
        if kind is None:
            kinds.append(group)
        else:
            kinds[kind].extend(group)
    found = [0] * tag_count
    for number, group in enumerate(kinds):
        for tag in group:
            found[tag] = number
    return found


def _joined(groups: list[list[int]], features: Array) -> list[list[int]]:
    """Join the two groups most alike, by the cosine of their sums, until none are alike.

    Complexity: O(T^2) for T groups if few rows lose their best at a time.
    """
    if not groups:
        return []
    groups = [list(group) for group in groups]
    sums = np.array([features[group].sum(axis=0) for group in groups])
    unit = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    likeness = np.triu(unit @ unit.T, 1)
    best = likeness.max(axis=1)
    while True:
        a = int(best.argmax())
        b = int(likeness[a].argmax())
        if best[a] < _LIKE:
            return [group for group in groups if group]
        # The rows that lose their best, and that have one worth looking at.
        changed = (best >= _LIKE) & (likeness[:, [a, b]] >= best[:, None]).any(axis=1)
        groups[a] += groups[b]
        groups[b] = []
        sums[a] += sums[b]
        unit[a] = sums[a] / np.linalg.norm(sums[a])
        unit[b] = 0.0
        cosines = unit @ unit[a]
        likeness[a, a + 1 :] = cosines[a + 1 :]
        likeness[:a, a] = cosines[:a]
        likeness[b, :] = 0.0
        likeness[:, b] = 0.0
        best = np.maximum(best, likeness[:, a])
        changed[[a, b]] = True
        best[changed] = likeness[changed].max(axis=1)


def _followed(
    groups: Sequence[Sequence[int]], settled: Sequence[Sequence[int]], uses: _Uses
) -> list[int | None]:
    """The numbers of the kinds that groups of few places join, None for none."""
    tags = [tag for kind in settled for tag in kind]
    numbers = [number for number, kind in enumerate(settled) for _ in kind]
    rooted = [uses.at_root(kind) for kind in settled]
    taken = uses.taken[tags]
    norms = np.linalg.norm(taken, axis=1)

    def followed(group: Sequence[int]) -> int | None:
        if not settled or not uses.seen[group].any():
            return None
        own = uses.taken[group].sum(axis=0)
        cosines = taken @ own / np.maximum(norms * np.linalg.norm(own), 1e-12)
        nearest = int(cosines.argmax())
        # A constant follows another whose fillers have this cosine with its own.
        if cosines[nearest] < 0.5:
            return None if uses.filled[group].any() else 0
        kind = numbers[nearest]
        # But not if it stands at the root so many times more often than what it would join.
        return kind if uses.at_root(group) <= 5.0 * rooted[kind] else None

    return [followed(group) for group in groups]
