"""What train says of constants whatever the sentence: a tagger cannot know it.

A tagger sees few unknown words, and takes a constant for one as it does for others; which
constants take new names is known by how many of their names train has once (Good 1953). And it
sees sentences, not pairs of constants: which constant fills which port is counted here, and
judged against what their sorts alone make likely. A constant of a kind that a port never has
(`amparser.induction.selectional_classes`) costs the more, the more fillers the port has and the
more places the kind fills: what train has once may stand anywhere. A constant that the port never
has where what it belongs to fills the same place itself costs likewise. So does a part of a known
name (`amparser.lexicon.names`) where train has such names whole; its words then belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log
from typing import Annotated

from amparser.conditions import Count, Sized
from amparser.induction.sorts import TagId
from amparser.lexicon import names
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, NOBODY, Encoded

Place = tuple[TagId, Count]
"""A tag and its port."""

_SORTS = 2.0
"""What sorts say of the fillers of a port counts as so many fillers."""


@dataclass(frozen=True)
class CooccurrenceCounts:
    """Counts over the derivations of train.

    Attributes:
        seen: how often each tag has a word or a name, `[T]`.
        once: how many of its words or names it has once, `[T]`.
        fillers: for a tag and a port how often each tag fills it.
        sides: for a tag and a port how many fillers stand left and how many right of the constant.
        kinds: of the tags, `[T]`.
        below: for a place and the port of what fills it how often each tag fills that port.
        whole: how many known names of several words are names of one constant, and
        parted: how many have a part that is one.
    """

    seen: Annotated[Sequence[Count], Sized("tag")]
    once: Annotated[Sequence[Count], Sized("tag")]
    fillers: dict[Place, Counter[TagId]]
    sides: dict[Place, tuple[Count, Count]]
    kinds: Annotated[Sequence[Count], Sized("tag")]
    below: dict[tuple[Place, Place], Counter[TagId]]
    whole: Count = 0
    parted: Count = 0

    @classmethod
    def of(
        cls, derivations: Sequence[Encoded], tag_count: int, kinds: Sequence[int]
    ) -> CooccurrenceCounts:
        """The counts of derivations whose tags, of these kinds, are below `tag_count`."""
        words: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(tag_count)]
        fillers: dict[Place, Counter[int]] = {}
        sides: dict[Place, tuple[int, int]] = {}
        below: dict[tuple[Place, Place], Counter[int]] = {}
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
                    above = derivation.heads[head]
                    if above != NOBODY:
                        over = derivation.tags[above], derivation.ports[head]
                        below.setdefault((over, place), Counter())[tag] += 1
        return cls(
            [counts.total() for counts in words],
            [sum(count == 1 for count in counts.values()) for counts in words],
            fillers,
            sides,
            kinds,
            below,
            parted[False],
            parted[True],
        )

    def news(self, tag: int) -> float:
        """Natural log of the probability that a tag's next name is one that train does not have."""
        return log((self.once[tag] + 0.5) / (self.seen[tag] + 1))

    @property
    def parting(self) -> float:
        """Natural log of the probability that a constant has a part of the next known name."""
        return log((self.parted + 0.5) / (self.parted + self.whole + 1))

    @property
    def keeping(self) -> float:
        """Natural log of the probability that a constant has the next known name whole."""
        return log((self.whole + 0.5) / (self.parted + self.whole + 1))

    def attested(self, place: Place, filler: int, likely: float) -> float:
        """Natural log of P(filler | place) by its sorts and by counts, over that by sorts alone.

        Args:
            place: a tag and its port.
            filler: the tag of the filler.
            likely: P(filler | place) by sorts alone.
        """
        counts = self.fillers.get(place, Counter())
        # Probability floor.
        likely = max(likely, 1e-6)
        share = (counts[filler] + _SORTS * likely) / (counts.total() + _SORTS)
        return log(share / likely)

    def strange(self, place: Place, filler: int) -> float:
        """Natural log of the probability that a port's next filler is of a kind new to it.

        Or that of the kind's next place being new to the kind, if this is likelier. 0 where the
        kind is not new, or where train has nothing in the port.

        Args:
            place: a tag and its port.
            filler: the tag of the filler.
        """
        counts = self.fillers.get(place)
        kind = self.kinds[filler]
        if not counts or any(self.kinds[tag] == kind for tag in counts):
            return 0.0
        return new_to(min(counts.total(), self._filled[kind]))

    def strange_root(self, tag: int) -> float:
        """Natural log of the probability that the next root is of a kind that never was one.

        Or that of the kind's next place being the root, if this is likelier. 0 where the kind is
        not new there.
        """
        kind = self.kinds[tag]
        if self._roots[kind]:
            return 0.0
        return new_to(min(self._roots.total(), self._filled[kind]))

    def side(self, place: Place, *, is_left: bool) -> float:
        """Natural log of the probability that a port's next filler is on a side of its constant."""
        counts = self.sides.get(place, (0, 0))
        return log((counts[not is_left] + self._mixed) / (sum(counts) + 2 * self._mixed))

    def unheard(self, over: Place, place: Place, filler: int) -> float:
        """Natural log of the probability that a port's next filler is new to it in this place.

        0 where it is not new, or where train has nothing in the port there.

        Args:
            over: what `place` belongs to fills this place itself.
            place: a tag and its port.
            filler: the tag of the filler.
        """
        counts = self.below.get((over, place))
        return 0.0 if not counts or filler in counts else new_to(counts.total())

    @cached_property
    def _mixed(self) -> float:
        """How much the ports of train mix sides: what counts as so many fillers on each side.

        It makes the sides of train likeliest, as the two parameters of the beta distribution from
        which the share of each port is drawn.
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
        """How many ports each kind fills."""
        found: Counter[int] = Counter()
        for counts in self.fillers.values():
            for tag, count in counts.items():
                found[self.kinds[tag]] += count
        return found

    @cached_property
    def _roots(self) -> Counter[int]:
        """How often each kind stands at the root: where it fills no port."""
        fills: Counter[int] = Counter()
        for counts in self.fillers.values():
            fills.update(counts)
        found: Counter[int] = Counter()
        for tag in range(FIRST_FRAGMENT, len(self.seen)):
            found[self.kinds[tag]] += self.seen[tag] - fills[tag]
        return found


def long_names(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """The known names of several words in a sentence, from the first token to before the end."""
    return [(first, end) for first, end in names.spans(tokens) if end - first > 1]


def is_part(first: int, end: int, known: Sequence[tuple[int, int]]) -> bool:
    """Whether tokens `first` .. `end - 1` have a part of a known name, but not the whole of it."""
    return any(a < end and first < b and (a < first or end < b) for a, b in known)


def _parted(derivation: Encoded) -> Iterator[bool]:
    """For each known name with the name of a constant in it, whether it has but a part."""
    found = [
        (token, token + len(derivation.words(token)))
        for token, label in enumerate(derivation.labels)
        if label is not None
    ]
    for known in long_names(derivation.tokens):
        inside = [
            is_part(*one, [known]) for one in found if one[0] < known[1] and known[0] < one[1]
        ]
        if inside:
            yield any(inside)


def new_to(count: int) -> float:
    """Natural log of the probability that the next of so many trials is none of them.

    The estimate for what n trials never had is 1/2 in n + 1 (Krichevsky and Trofimov 1981).
    """
    return log(0.5 / (count + 1))
