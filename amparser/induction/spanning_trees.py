"""The spanning trees of graphs over tokens, and what those of a corpus have in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from amparser.algebra.derivation import Arc, Derivation, Link, Links
from amparser.algebra.fragment import Fragment
from amparser.algebra.types import ROOT
from amparser.graph.boxes import Layered

Roles = tuple[str, ...]
"""The labels of the links of an arc, in alphabetical order."""


class OrientationCounts:
    """Statistics of a corpus: which fragments are at the top, and which arcs are weak.

    An arc is weak if arcs with its roles often stand in cycles: a tree does better without it.
    """

    def __init__(self, derivations: Iterable[Derivation]) -> None:
        self._top: Counter[Fragment | None] = Counter()
        self._all: Counter[Fragment | None] = Counter()
        arcs: Counter[Roles] = Counter()
        cyclic: Counter[Roles] = Counter()
        for derivation in derivations:
            heads = derivation.heads
            for fragment, operation in zip(
                derivation.fragments, derivation.operations, strict=True
            ):
                known = fragment and fragment.rooted(0)
                self._all[known] += 1
                self._top[known] += operation == ROOT
            inside: set[int] = set()
            for parent, child, links in derivation.reentrant:
                inside |= _path(heads, parent) ^ _path(heads, child)
                arcs[_roles(links)] += 1
                cyclic[_roles(links)] += 1
            for token, head in enumerate(heads):
                if head >= 0:
                    roles = _roles(derivation.links[token])
                    arcs[roles] += 1
                    cyclic[roles] += token in inside
        # Roles of which a larger share of arcs stands in cycles are weak.
        self._weak = {roles for roles, count in cyclic.items() if count > 0.25 * arcs[roles]}

    def rate(self, fragment: Fragment | None) -> float:
        """The share of a fragment's tokens that are at the top, smoothed."""
        return (self._top[fragment] + 0.5) / (self._all[fragment] + 1.5)

    def is_weak(self, links: Links) -> bool:
        """Whether arcs with the roles of these, in either direction, mostly stand in cycles."""
        return _roles(links) in self._weak


def _path(heads: Sequence[int], token: int) -> set[int]:
    """The tokens from a token up to the top, without the top itself."""
    found = set()
    while heads[token] >= 0 and token not in found:
        found.add(token)
        token = heads[token]
    return found


def _roles(links: Links) -> Roles:
    return tuple(sorted(link.label for link in links))


def tree_of(
    layered: Layered,
    tokens: Sequence[int],
    place: Mapping[int, int],
    rates: Mapping[int, float],
    orientations: OrientationCounts | None,
) -> tuple[dict[int, int], dict[int, Links], list[Arc]]:
    """Return heads (-1 for the top) and links of a spanning tree, and the arcs beside it."""
    between: dict[tuple[int, int], list[tuple[str, int, int, int]]] = defaultdict(list)
    beside: dict[int, set[int]] = {token: set() for token in rates}
    below: set[int] = set()
    for parent, label, child in layered.edges:
        upper, lower = tokens[parent], tokens[child]
        if upper != lower:
            key = (min(upper, lower), max(upper, lower))
            between[key].append((label, upper, place[parent], place[child]))
            beside[upper].add(lower)
            beside[lower].add(upper)
            below.add(lower)

    def links_of(head: int, token: int) -> Links:
        found = (
            Link(label, True, at_upper, at_lower)
            if upper == head
            else Link(label, False, at_lower, at_upper)
            for label, upper, at_upper, at_lower in between[min(head, token), max(head, token)]
        )
        return tuple(sorted(found))

    def top_of(left: Sequence[int]) -> int:
        # A token with an edge above is so much less likely to be the top.
        return min(left, key=lambda t: (-rates[t] * (0.3 if t in below else 1.0), t))

    heads: dict[int, int] = {}
    links: dict[int, Links] = {}
    left = sorted(rates)
    while left:
        given = not heads and layered.root >= 0
        top = tokens[layered.root] if given else top_of(left)
        heads[top] = next(iter(heads), -1)
        _grow(top, heads, links, beside, links_of, orientations)
        left = [token for token in left if token not in heads]
    left_out = []
    for first, second in sorted(between):
        if heads[first] != second and heads[second] != first:
            source = between[first, second][0][1]
            target = second if source == first else first
            left_out.append(Arc(source, target, links_of(source, target)))
    return heads, links, left_out


def _grow(
    top: int,
    heads: dict[int, int],
    links: dict[int, Links],
    beside: Mapping[int, set[int]],
    links_of: Callable[[int, int], Links],
    orientations: OrientationCounts | None,
) -> None:
    """Reach all tokens from the top, breadth first; by weak arcs only where no others are left."""
    queue = [top]
    weak: list[tuple[int, int]] = []
    while queue or weak:
        forced = not queue
        if queue:
            head = queue.pop(0)
            rows = [(head, t) for t in sorted(beside[head], key=lambda t: (abs(t - head), t))]
        else:
            rows = [weak.pop(0)]
        for head, token in rows:
            if token in heads:
                continue
            found = links_of(head, token)
            if not forced and orientations is not None and orientations.is_weak(found):
                weak.append((head, token))
                continue
            heads[token], links[token] = head, found
            queue.append(token)
