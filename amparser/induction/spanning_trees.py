"""The spanning trees of graphs over tokens, and what those of a corpus have in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from amparser.graph.boxes import Layered
from amparser.lexicon.analysis import (
    ROOT,
    UNLINKED,
    Analysis,
    Tag,
    arc_label,
    edges_of_arc,
)


class Habits:
    """What trees of a corpus are like: which tags are at the top, and which arcs are weak.

    An arc is weak if arcs with its label often stand in cycles: a tree does better without it.
    """

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self._top: Counter[Tag] = Counter()
        self._all: Counter[Tag] = Counter()
        arcs: Counter[str] = Counter()
        cyclic: Counter[str] = Counter()
        for analysis in analyses:
            heads, labels = analysis.heads, analysis.labels
            for tag, head, label in zip(analysis.tags, heads, labels, strict=True):
                self._all[tag] += 1
                self._top[tag] += head == ROOT and label != UNLINKED
            inside: set[int] = set()
            for parent, child, label in analysis.extra:
                inside |= _path(heads, parent) ^ _path(heads, child)
                arcs[_undirected(label)] += 1
                cyclic[_undirected(label)] += 1
            for token, head in enumerate(heads):
                if head != ROOT:
                    arcs[_undirected(labels[token])] += 1
                    cyclic[_undirected(labels[token])] += token in inside
        # Labels of which a larger share of arcs stands in cycles are weak.
        self._weak = {label for label, count in cyclic.items() if count > 0.25 * arcs[label]}

    def rate(self, tag: Tag) -> float:
        """The share of a tag's tokens that are at the top, smoothed."""
        return (self._top[tag] + 0.5) / (self._all[tag] + 1.5)

    def is_weak(self, label: str) -> bool:
        """Whether arcs with a label, in either direction, mostly stand in cycles."""
        return _undirected(label) in self._weak


def _path(heads: Sequence[int], token: int) -> set[int]:
    """The tokens from a token up to the top, without the top itself."""
    found = set()
    while heads[token] != ROOT and token not in found:
        found.add(token)
        token = heads[token]
    return found


def _undirected(label: str) -> str:
    return " ".join(sorted(edge[0] for edge in edges_of_arc(label)))


def tree_of(
    layered: Layered,
    tokens: Sequence[int],
    place: Mapping[int, int],
    rates: Mapping[int, float],
    habits: Habits | None,
) -> tuple[dict[int, int], dict[int, str], list[tuple[int, int, str]]]:
    """Heads and labels of a spanning tree of the tokens, and the arcs that it leaves out."""
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

    def label_of(head: int, token: int) -> str:
        return arc_label(
            [
                (label, True, at_upper, at_lower)
                if upper == head
                else (label, False, at_lower, at_upper)
                for label, upper, at_upper, at_lower in between[min(head, token), max(head, token)]
            ]
        )

    def top_of(left: Sequence[int]) -> int:
        # A token with an edge above is so much less likely to be the top.
        return min(left, key=lambda t: (-rates[t] * (0.3 if t in below else 1.0), t))

    heads: dict[int, int] = {}
    labels: dict[int, str] = {}
    left = sorted(rates)
    while left:
        given = not heads and layered.root >= 0
        top = tokens[layered.root] if given else top_of(left)
        place_of_root = place[layered.root] if layered.root >= 0 else 0
        labels[top] = str(place_of_root) if not heads else UNLINKED
        heads[top] = ROOT if not heads else next(iter(heads))
        _grow(top, heads, labels, beside, label_of, habits)
        left = [token for token in left if token not in heads]
    extra = []
    for first, second in sorted(between):
        if heads[first] != second and heads[second] != first:
            source = between[first, second][0][1]
            target = second if source == first else first
            extra.append((source, target, label_of(source, target)))
    return heads, labels, extra


def _grow(
    top: int,
    heads: dict[int, int],
    labels: dict[int, str],
    beside: Mapping[int, set[int]],
    label_of: Callable[[int, int], str],
    habits: Habits | None,
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
            label = label_of(head, token)
            if not forced and habits is not None and habits.is_weak(label):
                weak.append((head, token))
                continue
            heads[token], labels[token] = head, label
            queue.append(token)
