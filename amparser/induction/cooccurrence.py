"""Statistics of training constants that a tagger cannot know.

A tagger sees few unknown words and treats them alike. The probability that a constant takes a new
name is therefore estimated from the names that it has only once in training (Good 1953). A tagger
also sees words instead of pairs of constants. The arguments of each port are therefore counted, and
compared with their probability by sort alone.

Two choices are penalised:

- an argument whose class (`amparser.induction.selectional_classes`) its port never has in training;
the more often both occur, the greater is the penalty
- a name that is only part of a known name (`amparser.lexicon.names`), if training has those whole
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log
from typing import Annotated

from amparser.conditions import Count, Sized
from amparser.induction.sorts import TagId
from amparser.lexicon import names
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, NOBODY, Encoded

Place = tuple[TagId, Count]
"""Tag and index of its port."""

_SORTS = 2.0
"""Weight of the sort-based distribution, in pseudo-arguments."""


@dataclass(frozen=True)
class CooccurrenceCounts:
    """Counts over the training derivations.

    Attributes:
        seen: number of words or names of each tag, `[T]`.
        once: number of its words or names seen once, `[T]`.
        fillers: counts of argument tags by (tag, port).
        sides: counts of arguments left and right of the constant by (tag, port).
        kinds: selectional class of each tag, `[T]`.
        whole: number of known multiword names that are names of one constant.
        parted: number of known multiword names with only a part in the name of a constant.
    """

    seen: Annotated[Sequence[Count], Sized("tag")]
    once: Annotated[Sequence[Count], Sized("tag")]
    fillers: dict[Place, Counter[TagId]]
    sides: dict[Place, tuple[Count, Count]]
    kinds: Annotated[Sequence[Count], Sized("tag")]
    whole: Count = 0
    parted: Count = 0

    @classmethod
    def of(
        cls, derivations: Sequence[Encoded], tag_count: int, kinds: Sequence[int]
    ) -> CooccurrenceCounts:
        """Count derivations whose tags, of these classes, are below `tag_count`."""
        words: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(tag_count)]
        fillers: dict[Place, Counter[int]] = {}
        sides: dict[Place, tuple[int, int]] = {}
        parted: Counter[bool] = Counter()
        for derivation in derivations:
            parted.update(_parted(derivation))
            for token, tag in enumerate(derivation.tags):
                if tag != CONTINUE_TAG:
                    span = derivation.words(token)
                    words[tag][tuple(word.lower() for word in span)] += 1
                head = derivation.heads[token]
                if head != NOBODY:
                    place = derivation.tags[head], derivation.ports[token]
                    fillers.setdefault(place, Counter())[tag] += 1
                    left, right = sides.get(place, (0, 0))
                    sides[place] = (left + 1, right) if token < head else (left, right + 1)
        return cls(
            [counts.total() for counts in words],
            [sum(count == 1 for count in counts.values()) for counts in words],
            fillers,
            sides,
            kinds,
            parted[False],
            parted[True],
        )

    def news(self, tag: int) -> float:
        """Return log P(the next name of a tag is unseen) (natural log)."""
        return log((self.once[tag] + 0.5) / (self.seen[tag] + 1))

    @property
    def parting(self) -> float:
        """Log P(the next known name is split) (natural log)."""
        return log((self.parted + 0.5) / (self.parted + self.whole + 1))

    @property
    def keeping(self) -> float:
        """Log P(the next known name is kept whole) (natural log)."""
        return log((self.whole + 0.5) / (self.parted + self.whole + 1))

    def attested(self, place: Place, filler: int, likely: float) -> float:
        """Return log P(argument | place) / P(argument | place, sorts alone) (natural log)."""
        counts = self.fillers.get(place, Counter())
        likely = max(likely, 1e-6)
        share = (counts[filler] + _SORTS * likely) / (counts.total() + _SORTS)
        return log(share / likely)

    def strange(self, place: Place, filler: int) -> float:
        """Return log P(a port's next argument has a class new to it) (natural log).

        If P(the class's next port is new to it) is greater, it is used instead. Returns 0 if the
        class is known there, or if the port has no arguments in training.
        """
        counts = self.fillers.get(place)
        klass = self.kinds[filler]
        if not counts or any(self.kinds[tag] == klass for tag in counts):
            return 0.0
        return new_to(min(counts.total(), self._filled[klass]))

    def strange_root(self, tag: int) -> float:
        """Return log P(the next root has a class that was never the root) (natural log).

        If P(the class's next place is the root) is greater, it is used instead. Returns 0 if the
        class is known at the root.
        """
        klass = self.kinds[tag]
        if self._roots[klass]:
            return 0.0
        return new_to(min(self._roots.total(), self._filled[klass]))

    def side(self, place: Place, *, is_left: bool) -> float:
        """Return log P(a port's next argument is on this side of its constant) (natural log)."""
        counts = self.sides.get(place, (0, 0))
        return log((counts[not is_left] + self._mixed) / (sum(counts) + 2 * self._mixed))

    @cached_property
    def _mixed(self) -> float:
        """Pseudo-arguments on each side, as a measure of how freely ports mix sides.

        Both parameters of the beta distribution over each port's share are set to this value, which
        maximises the likelihood of the training sides (grid search).
        """

        def likelihood(a: float) -> float:
            return sum(
                lgamma(left + a) + lgamma(right + a) - lgamma(left + right + 2 * a)
                + lgamma(2 * a) - 2 * lgamma(a)
                for left, right in self.sides.values()
            )  # fmt: skip

        return max((0.5, 0.2, 0.1, 0.05, 0.02, 0.01), key=likelihood)

    @cached_property
    def _filled(self) -> Counter[int]:
        """Number of arguments by class."""
        return self._of_classes(self._arguments)

    @cached_property
    def _roots(self) -> Counter[int]:
        """Number of roots by class."""
        tags = range(FIRST_FRAGMENT, len(self.seen))
        return self._of_classes({tag: self.seen[tag] - self._arguments[tag] for tag in tags})

    @cached_property
    def _arguments(self) -> Counter[int]:
        return Counter(tag for counts in self.fillers.values() for tag in counts.elements())

    def _of_classes(self, counts: Mapping[int, int]) -> Counter[int]:
        classes: Counter[int] = Counter()
        for tag, count in counts.items():
            classes[self.kinds[tag]] += count
        return classes


def long_names(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the (start, end) spans of known multiword names, from 0, end exclusive."""
    return [(first, end) for first, end in names.spans(tokens) if end - first > 1]


def is_part(first: int, end: int, known: Sequence[tuple[int, int]]) -> bool:
    """Return whether the tokens `first` .. `end - 1` overlap a known name without covering it."""
    return any(a < end and first < b and (a < first or end < b) for a, b in known)


def _parted(derivation: Encoded) -> Iterator[bool]:
    """Yield, for each known name that overlaps a constant's name, whether it is split."""
    spans = [
        (token, token + len(derivation.words(token)))
        for token, label in enumerate(derivation.labels)
        if label is not None
    ]
    for known in long_names(derivation.tokens):
        inside = [
            is_part(*span, [known]) for span in spans if span[0] < known[1] and known[0] < span[1]
        ]
        if inside:
            yield any(inside)


def new_to(count: int) -> float:
    """Return log P(unseen outcome) after `count` trials: log(1/2 / (count + 1)) (natural log).

    This is the estimate of Krichevsky and Trofimov (1981).
    """
    return log(0.5 / (count + 1))
