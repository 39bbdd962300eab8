"""Induction of sources and markers by minimum description length (MDL).

A source describes how an argument is realised in the sentence. If the word before the argument is a
*marker* ("to", "by"), the source is named after it. Otherwise the source is named after the
argument's side of the head (L, R) and its rank among the unmarked arguments of this side, counted
from the far end (L1, R1, R2). A *frame* assigns a source to each role of a predicate; it becomes a
supertag. A *place* is the realisation of one role.

The markers are a subset of the unaligned word types. The induction chooses the subset that
minimises

    bits(roles | lemma, set of sources)
      + bits(table of frames) + bits(which lemma has which frame) + bits(markers)

over the *complete* predicates, whose arguments are all realised next to them. In other predicates,
an argument is realised elsewhere (a gap, a shared argument): its place is *open*. An unmarked
argument at the far edge of its side may also be *displaced* (a fronted question word). A predicate
with such an argument gets a known frame that fits its other arguments, preferably one that is
frequent with its lemma. Finally, a frame is removed if all its occurrences also fit other frames
and the description becomes shorter.

The induction knows no words, roles or benchmarks in advance (a test renames them all).
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum, log2
from operator import itemgetter
from typing import ClassVar, NamedTuple

from amparser.conditions import Count
from amparser.induction.skeleton import Attachment, Skeleton

MODIFIED = "M"
"""Source by which a modifier attaches to its head."""

LEFT, RIGHT = "L", "R"

RoleKey = tuple[str, Count]
"""Role and an index (from 0) that distinguishes edges of a predicate with the same role."""

Frame = tuple[tuple[RoleKey, str], ...]
"""(role, source) pairs of a predicate, sorted by role."""

Sources = tuple[str | None, ...]
"""Source of each place of a predicate in one sentence; None if the place is open."""


class Place(NamedTuple):
    """Realisation of one role of a predicate in a sentence.

    Attributes:
        role: the role.
        kind: `argument` if a dependent of the predicate fills the role, `modified` if the head that
            the predicate modifies fills it, `open` if another constituent does.
        rank: for an argument, its position among all arguments on its side of the predicate, from 1
            for the nearest; negative to the left. (Names of sources count from the far end.)
        words: for an argument, the unaligned words before it, in lower case.
        nesting: for an argument, the number of enclosing constituents that begin at the same token,
            and so have the same words before them.
    """

    role: RoleKey
    kind: str
    rank: int = 0
    words: tuple[str, ...] = ()
    nesting: int = 0


class Occurrence(NamedTuple):
    """Occurrence of a predicate: its label, and its places in the order of the meaning."""

    lemma: str
    places: tuple[Place, ...]

    @property
    def complete(self) -> bool:
        """True if every role is realised at the predicate, at least one of them as an argument."""
        kinds = {place.kind for place in self.places}
        return "argument" in kinds and "open" not in kinds

    @property
    def written(self) -> tuple[RoleKey, ...]:
        """The roles in the order in which the meaning lists them."""
        return tuple(place.role for place in self.places)


def occurrence_of(skeleton: Skeleton, node: int) -> Occurrence:
    """Return the occurrence of the predicate at a node."""
    here = skeleton.token(node)
    arguments = sorted(
        {e.child for e in skeleton.owned[node] if skeleton.parent.get(e.child) == node},
        key=skeleton.token,
    )
    left = sum(skeleton.token(child) < here for child in arguments)
    rank = {child: i - left + (i >= left) for i, child in enumerate(arguments)}
    modified = skeleton.parent[node] if skeleton.attachment[node] is Attachment.MODIFIER else None
    places = []
    seen: Counter[str] = Counter()
    for edge in skeleton.owned[node]:
        role = (edge.label, seen[edge.label])
        seen[edge.label] += 1
        child = edge.child
        if child in rank:
            words = tuple(skeleton.tokens[t - 1].lower() for t in skeleton.edge_words[child])
            places.append(Place(role, "argument", rank[child], words, skeleton.nesting[child]))
        else:
            places.append(Place(role, "modified" if child == modified else "open"))
    return Occurrence(skeleton.graph.nodes[node].label or "", tuple(places))


def marker_index(words: Sequence[str], nesting: int, markers: frozenset[str]) -> int | None:
    """Return the index of a constituent's marker among the words before it, or None.

    Constituents that begin at the same token share the words before it. The outermost constituent
    takes the first marker, the next constituent takes the second marker, and so on.
    """
    indices = [i for i, word in enumerate(words) if word in markers]
    return indices[nesting] if nesting < len(indices) else None


def realise(
    places: Sequence[Place], markers: frozenset[str], displaced: int | None = None
) -> Sources:
    """Return the source of each place; the place with index `displaced` counts as open."""
    sources: list[str | None] = [None] * len(places)
    unmarked: list[int] = []
    seen: Counter[str] = Counter()
    for i, place in enumerate(places):
        if i == displaced or place.kind == "open":
            continue
        if place.kind == "modified":
            sources[i] = MODIFIED
            continue
        at = marker_index(place.words, place.nesting, markers)
        if at is None:
            unmarked.append(i)
            continue
        word = place.words[at]
        seen[word] += 1
        sources[i] = word if seen[word] == 1 else f"{word}{seen[word]}"
    for side, far_first in (
        (LEFT, sorted((places[i].rank, i) for i in unmarked if places[i].rank < 0)),
        (RIGHT, sorted((-places[i].rank, i) for i in unmarked if places[i].rank > 0)),
    ):
        for number, (_, i) in enumerate(far_first, 1):
            sources[i] = f"{side}{number}"
    return tuple(sources)


def is_rank(source: str | None) -> bool:
    """Return whether a source is named after a side and rank, such as L1."""
    return source is not None and source[0] in (LEFT, RIGHT) and source[1:].isdigit()


def frame_of(places: Sequence[Place], sources: Sources) -> Frame:
    """Return the frame that assigns each role its source; omit open places."""
    return tuple(sorted((p.role, s) for p, s in zip(places, sources, strict=True) if s is not None))


def _without(frame: Frame, roles: set[RoleKey]) -> Frame:
    """Return a frame without some roles; renumber the ranks of the other roles."""
    kept = [(role, source) for role, source in frame if role not in roles]
    renamed: dict[str, str] = {}
    for side in (LEFT, RIGHT):
        ranked = sorted(
            (int(source[1:]), source) for _, source in kept if source[0] == side and is_rank(source)
        )
        renamed |= {source: f"{side}{number}" for number, (_, source) in enumerate(ranked, 1)}
    return tuple((role, renamed.get(source, source)) for role, source in kept)


Data = Counter[tuple[str, frozenset[str | None], Frame]]
"""Counts of occurrences by lemma, set of observed sources, and frame."""


def description_length(data: Data) -> float:
    """Return the description length in bits (see the module's docstring), except bits(markers)."""
    groups: Counter[tuple[str, frozenset[str | None]]] = Counter()
    for (lemma, observed, _), count in data.items():
        groups[lemma, observed] += count
    # fsum makes the result independent of the order of iteration.
    bits = fsum(
        count * log2(groups[lemma, observed] / count)
        for (lemma, observed, _), count in data.items()
    )
    frames = {frame for _, _, frame in data}
    roles = {role for frame in frames for role, _ in frame}
    sources = {source for frame in frames for _, source in frame}
    cell = log2(max(len(roles), 1)) + log2(max(len(sources), 1)) + 1.0
    table = fsum(1.0 + cell * len(frame) for frame in frames)
    owners = {(lemma, frame) for lemma, _, frame in data}
    return bits + table + len(owners) * log2(max(len(frames), 2))


@dataclass
class SourceInventory:
    """Markers and frames induced from a corpus.

    Attributes:
        markers: unaligned word types (lower case) that are names of sources.
        frames: counts of lemmas by frame, including occurrences with displaced or open places.
        written: order in which the meaning lists the roles of each frame.
        bits: description lengths of the corpus without markers and with markers.
    """

    markers: frozenset[str]
    frames: dict[Frame, Counter[str]]
    written: dict[Frame, tuple[RoleKey, ...]]
    bits: tuple[float, ...] = ()
    newer: ClassVar = ("bits",)
    _cache: dict[Occurrence, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def _totals(self) -> dict[Frame, int]:
        return {frame: lemmas.total() for frame, lemmas in self.frames.items()}

    def sources(self, occurrence: Occurrence) -> tuple[str, ...]:
        """Return the source of each place of an occurrence; open places get sources, too."""
        sources = self._cache.get(occurrence)
        if sources is None:
            sources = self._cache[occurrence] = self._sources(occurrence)
        return sources

    def _sources(self, occurrence: Occurrence) -> tuple[str, ...]:
        sources = realise(occurrence.places, self.markers)
        frame = frame_of(occurrence.places, sources)
        if None not in sources and (not frame or frame in self._totals):
            return tuple(source for source in sources if source is not None)
        reading = self.reading(occurrence)
        if reading is not None:
            by_role = dict(reading)
            return tuple(by_role[place.role] for place in occurrence.places)
        return self._fresh(sources)

    def reading(self, occurrence: Occurrence, without: Frame | None = None) -> Frame | None:
        """Return the most probable known frame of an occurrence with open or displaced places.

        At most one place is displaced: an unmarked argument at the far edge of its side. `without`
        excludes one frame. Return None if no frame matches.
        """
        places = occurrence.places
        is_open = {place.role for place in places if place.kind == "open"}
        edges: list[int | None] = [None] if is_open else []
        plain = realise(places, self.markers)
        ranks = [place.rank for place in places if place.kind == "argument"]
        far = {min([0, *ranks]), max([0, *ranks])} - {0}
        edges += [
            i
            for i, place in enumerate(places)
            if place.kind == "argument" and place.rank in far and is_rank(plain[i])
        ]
        roles = sorted(occurrence.written)
        for displaced in edges:
            observed = realise(places, self.markers, displaced)
            missing = is_open | ({places[displaced].role} if displaced is not None else set())
            here = frame_of(places, observed)
            candidates = [
                frame
                for frame in self._totals
                if frame != without
                and [role for role, _ in frame] == roles
                and _without(frame, missing) == here
                # The modified head cannot fill an open place; another constituent does.
                and not any(role in is_open and s == MODIFIED for role, s in frame)
            ]
            if candidates:
                return max(candidates, key=lambda f: self._preference(occurrence, f))
        return None

    def _preference(self, occurrence: Occurrence, frame: Frame) -> tuple[bool, int, int, Frame]:
        return (
            self.written.get(frame) == occurrence.written,
            self.frames[frame][occurrence.lemma],
            self._totals[frame],
            frame,
        )

    @staticmethod
    def _fresh(sources: Sources) -> tuple[str, ...]:
        names = (f"{side}{number}" for number in itertools.count(1) for side in (LEFT, RIGHT))
        free = (name for name in names if name not in sources)
        return tuple(next(free) if source is None else source for source in sources)


def _trial(
    occurrences: Mapping[Occurrence, int], markers: Collection[str], naming: float
) -> tuple[float, list[str], Data]:
    """Return the description length with these markers, the sorted markers, and the counts.

    Args:
        naming: cost of a marker in bits.
    """
    data: Data = Counter()
    named = frozenset(markers)
    for occurrence, count in occurrences.items():
        sources = realise(occurrence.places, named)
        data[occurrence.lemma, frozenset(sources), frame_of(occurrence.places, sources)] += count
    return description_length(data) + naming * len(markers), sorted(markers), data


def induce(occurrences: Iterable[Occurrence]) -> SourceInventory:
    """Induce the markers and the table of frames of a corpus.

    Markers are added greedily: each step adds the marker that shortens the description most, until
    none shortens it. If several markers are equally good, the alphabetically first is added.
    """
    counted = Counter(o for o in occurrences if o.places)
    complete = {o: c for o, c in counted.items() if o.complete}
    candidates = sorted({w for o in complete for p in o.places for w in p.words})
    # A marker is encoded as its index among the candidates; one more index ends the list.
    naming = log2(len(candidates) + 1)
    bits, markers, data = _trial(complete, (), naming)
    without = bits
    while True:
        trials = [
            _trial(complete, (*markers, word), naming) for word in candidates if word not in markers
        ]
        best = min(trials, key=itemgetter(0, 1), default=None)
        if best is None or best[0] >= bits:
            return _settle(counted, complete, frozenset(markers), data, (without, bits))
        bits, markers, data = best


Written = dict[Frame, Counter[tuple[RoleKey, ...]]]
"""For each frame, counts of the orders in which meanings list its roles."""


def _inventory(
    markers: frozenset[str],
    counts: Iterable[tuple[Frame, str, int]],
    written: Written,
    bits: tuple[float, ...] = (),
) -> SourceInventory:
    frames: dict[Frame, Counter[str]] = {}
    for frame, lemma, count in counts:
        frames.setdefault(frame, Counter())[lemma] += count
    order = {f: max(sorted(c), key=c.__getitem__) for f, c in written.items()}
    return SourceInventory(markers, frames, order, bits)


def _lemmas(data: Data) -> Iterator[tuple[Frame, str, int]]:
    return ((frame, lemma, count) for (lemma, _, frame), count in data.items())


def _settle(
    counted: Mapping[Occurrence, int],
    complete: Mapping[Occurrence, int],
    markers: frozenset[str],
    data: Data,
    described: tuple[float, ...],
) -> SourceInventory:
    of_frame: dict[Frame, list[Occurrence]] = {}
    written: Written = defaultdict(Counter)
    for occurrence, count in complete.items():
        frame = frame_of(occurrence.places, realise(occurrence.places, markers))
        of_frame.setdefault(frame, []).append(occurrence)
        written[frame][occurrence.written] += count
    inventory = _inventory(markers, _lemmas(data), written)
    bits = description_length(data)
    for frame in sorted(of_frame, key=lambda f: (sum(complete[o] for o in of_frame[f]), f)):
        trial = Counter(data)
        for occurrence in of_frame[frame]:
            reading = inventory.reading(occurrence, without=frame)
            if reading is None:
                break
            observed = frozenset(realise(occurrence.places, markers))
            trial[occurrence.lemma, observed, reading] += complete[occurrence]
            del trial[occurrence.lemma, observed, frame]
        else:
            cost = description_length(trial)
            if cost < bits:
                bits, data = cost, trial
                del written[frame]
                inventory = _inventory(markers, _lemmas(data), written)
    frames = {o: frame_of(o.places, inventory.sources(o)) for o in counted}
    for occurrence, frame in frames.items():
        if frame not in inventory.written:
            written[frame][occurrence.written] += counted[occurrence]
    counts = ((frames[o], o.lemma, count) for o, count in counted.items())
    return _inventory(markers, counts, written, described)
