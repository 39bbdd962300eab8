"""Selectional classes: groups of fragments that fill the same ports.

The arguments in training may be too few: in short questions, only names fill the port of "in",
although phrases such as "the largest state" are possible, too. Two fragments are in one class if
they fill many ports in common, even if each also fills others. Counts are damped, so that many
different ports weigh more than a frequent one.

Fragments that fill few ports, or occur only at the root, cannot be classified in this way. They
join the class of the fragment with the most similar arguments.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.lexicon.encoded import Encoded

Array = NDArray[np.float64]

_LIKE = 0.12
"""Minimum cosine of two groups (of their damped port counts) for merging them."""


class TagNode(NamedTuple):
    """Tree of tags: a tag, and a pair (port, subtree) for each filled port."""

    tag: int
    below: tuple[tuple[int, TagNode], ...]


def tag_tree(derivation: Encoded, top: int | None = None) -> TagNode:
    """Return the tag tree of a derivation, or of the constituent with head `top`."""
    below: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for token, head in enumerate(derivation.heads):
        if head >= 0:
            below[head].append((derivation.ports[token], token))

    def node(token: int) -> TagNode:
        inside = sorted(below.get(token, ()))
        return TagNode(derivation.tags[token], tuple((port, node(t)) for port, t in inside))

    return node(derivation.root if top is None else top)


class _Uses(NamedTuple):
    """Co-occurrences of T fragments; damped counts are log(1 + count).

    Attributes:
        filled: damped count of each fragment at each port that it fills, `[T, P]`.
        taken: damped count of each fragment with each of its arguments (port, fragment), `[T, F]`.
        seen: count of each fragment, `[T]`.
        rooted: count of each fragment as root, `[T]`.
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
        """Return the share of a group's occurrences that are roots."""
        return float(self.rooted[group].sum() / max(self.seen[group].sum(), 1.0))


def induce_classes(trees: Sequence[TagNode], tag_count: int) -> list[int]:
    """Return the selectional class of each tag, from 0; the largest class comes first.

    Args:
        trees: tag trees of a corpus.
        tag_count: tags are 0 .. tag_count - 1. Each tag that never occurs is a separate class.
    """
    uses = _Uses.of(trees, tag_count)
    placed = uses.filled.any(axis=1)
    groups = _joined([[tag] for tag in np.flatnonzero(placed).tolist()], uses.filled)
    groups.sort(key=lambda group: -float(uses.filled[group].sum()))
    settled: list[list[int]] = []
    rest: list[list[int]] = []
    for group in groups:
        places = int(uses.filled[group].any(axis=0).sum())
        # A group that fills at least three ports is a class; other groups may join one.
        (settled if places >= 3 else rest).append(group)
    rest += [[tag] for tag in np.flatnonzero(~placed).tolist()]
    kinds = [list(group) for group in settled]
    for group, joined in zip(rest, _followed(rest, settled, uses), strict=True):
        if joined is None:
            kinds.append(group)
        else:
            kinds[joined].extend(group)
    class_of = [0] * tag_count
    for number, group in enumerate(kinds):
        for tag in group:
            class_of[tag] = number
    return class_of


def _joined(groups: list[list[int]], features: Array) -> list[list[int]]:
    """Merge the two most similar groups until their cosine is below `_LIKE`.

    Complexity: O(T^3) for T groups.
    """
    if not groups:
        return []
    sums = np.array([features[group].sum(axis=0) for group in groups])
    unit = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    likeness = np.triu(unit @ unit.T, 1)
    while True:
        a, b = divmod(int(likeness.argmax()), len(groups))
        if likeness[a, b] < _LIKE:
            return [group for group in groups if group]
        groups[a] = groups[a] + groups[b]
        groups[b] = []
        sums[a] += sums[b]
        unit[a] = sums[a] / np.linalg.norm(sums[a])
        unit[b] = 0.0
        cosines = unit @ unit[a]
        likeness[a, a + 1 :] = cosines[a + 1 :]
        likeness[:a, a] = cosines[:a]
        likeness[b, :] = likeness[:, b] = 0.0


def _followed(
    groups: Sequence[Sequence[int]], settled: Sequence[Sequence[int]], uses: _Uses
) -> list[int | None]:
    tags = [tag for settled_group in settled for tag in settled_group]
    numbers = [number for number, settled_group in enumerate(settled) for _ in settled_group]
    rooted = [uses.at_root(settled_group) for settled_group in settled]
    taken = uses.taken[tags]
    norms = np.linalg.norm(taken, axis=1)

    def followed(group: Sequence[int]) -> int | None:
        if not settled or not uses.seen[group].any():
            return None
        own = uses.taken[group].sum(axis=0)
        cosines = taken @ own / np.maximum(norms * np.linalg.norm(own), 1e-12)
        nearest = int(cosines.argmax())
        # Only groups with similar arguments are joined.
        if cosines[nearest] < 0.5:
            return None if uses.filled[group].any() else 0
        klass = numbers[nearest]
        # A group that is the root over five times as often as a class does not join this class.
        return klass if uses.at_root(group) <= 5.0 * rooted[klass] else None

    return [followed(group) for group in groups]
