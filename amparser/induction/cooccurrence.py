"""Co-occurrence counts of training constants, which correct the scores of a tagger.

- A tagger sees few unknown words in training and treats them all alike. The probability that a
  constant has a new name is therefore estimated from the names that occur once with it (Good 1953).
- A tagger sees no pairs of constants. The frequency of each argument at each port is therefore
  compared with the frequency of its constant.
- An argument is penalised if no argument of its class (`selectional_classes`) fills its port in
  training. The penalty grows with the frequency of the port and of the class.
- A constant that covers only a part of a known multiword name (`amparser.lexicon.names`) is
  penalised if training constants usually cover the whole name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Annotated

from amparser.conditions import Count, Index, Sized
from amparser.lexicon import names
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, NOBODY, Encoded

TagId = Annotated[int, Index("tag")]
Place = tuple[TagId, Count]
"""Port of a constant: the constant's tag and the index of the port."""

_SMOOTHING = 2.0
"""Pseudo-count of arguments as frequent as their constants, in `CooccurrenceCounts.attested`."""


@dataclass(frozen=True)
class CooccurrenceCounts:
    """Counts over the training derivations.

    Attributes:
        seen: number of tokens with each tag, `[T]`.
        once: number of words or names that occur once with each tag, `[T]`.
        fillers: counts of argument tags by (tag, port).
        kinds: selectional class of each tag, `[T]`.
        whole: number of known multiword names that one constant covers completely.
        parted: number of known multiword names that one constant covers only in part.
    """

    seen: Annotated[Sequence[Count], Sized("tag")]
    once: Annotated[Sequence[Count], Sized("tag")]
    fillers: dict[Place, Counter[TagId]]
    kinds: Annotated[Sequence[Count], Sized("tag")]
    whole: Count = 0
    parted: Count = 0

    @classmethod
    def of(
        cls, derivations: Sequence[Encoded], tag_count: int, kinds: Sequence[int]
    ) -> CooccurrenceCounts:
        """Count the derivations of a corpus.

        Args:
            tag_count: number of tags.
            kinds: selectional class of each tag.
        """
        words: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(tag_count)]
        fillers: dict[Place, Counter[int]] = {}
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
        return cls(
            [counts.total() for counts in words],
            [sum(count == 1 for count in counts.values()) for counts in words],
            fillers,
            kinds,
            parted[False],
            parted[True],
        )

    def news(self, tag: int) -> float:
        """Return log P(the next word or name of a tag is unseen) (natural log)."""
        return log((self.once[tag] + 0.5) / (self.seen[tag] + 1))

    @property
    def parting(self) -> float:
        """Log P(a constant covers the next known multiword name only in part) (natural log)."""
        return log((self.parted + 0.5) / (self.parted + self.whole + 1))

    @property
    def keeping(self) -> float:
        """Log P(a constant covers the next known multiword name completely) (natural log)."""
        return log((self.whole + 0.5) / (self.parted + self.whole + 1))

    def attested(self, place: Place, filler: int) -> float:
        """Return log(P(argument | port) / P(argument)) from counts (natural log)."""
        counts = self.fillers.get(place, Counter())
        share = max(self.seen[filler], 0.01) / max(1, self._total)
        return log((counts[filler] / share + _SMOOTHING) / (counts.total() + _SMOOTHING))

    @cached_property
    def _total(self) -> int:
        return sum(self.seen[FIRST_FRAGMENT:])

    def strange(self, place: Place, filler: int) -> float:
        """Return a log-probability (natural log) that penalises a class new to its port.

        It is the greater of log P(next argument of the port has a new class) and log P(next
        argument of the class is at a new port); see `new_to`. Return 0 if the port has arguments of
        the class in training, or no arguments at all.
        """
        counts = self.fillers.get(place)
        klass = self.kinds[filler]
        if not counts or any(self.kinds[tag] == klass for tag in counts):
            return 0.0
        return new_to(min(counts.total(), self._filled[klass]))

    def strange_root(self, tag: int) -> float:
        """Return a log-probability (natural log) that penalises a class that is never the root.

        It is the greater of log P(the next root has a new class) and log P(next constant of the
        class is the root); see `new_to`. Return 0 if training has roots of the class.
        """
        klass = self.kinds[tag]
        if self._roots[klass]:
            return 0.0
        return new_to(min(self._roots.total(), self._filled[klass]))

    @cached_property
    def _filled(self) -> Counter[int]:
        return self._of_classes(self._arguments)

    @cached_property
    def _roots(self) -> Counter[int]:
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
    """Yield, for each known multiword name, whether a constant covers only a part of it."""
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
