"""Augmentation: new derivations from old ones, by exchange of constituents.

A *constituent* is a token with all below it. If its tokens stand together, another constituent may
take its place, of the same derivation or of another one. Each lexicon type has a class that says
which may: `TypeAugmentation` looks at types, `SortAugmentation` at sorts and selectional classes,
`ArcAugmentation` at the labels of arcs and at neighbours. No new word or constant comes in, only
new combinations (Andreas 2020 and Qiu et al. 2022 recombine strings).

Tokens count from 0; a token without a head has the head -1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

Sample = TypeVar("Sample", bound="Spoken")
Group = TypeVar("Group", bound=Hashable)
Item = TypeVar("Item")


class Constituent(NamedTuple):
    """A token with all below it, over the tokens `first` .. `end - 1`."""

    head: int
    first: int
    end: int

    @property
    def length(self) -> int:
        """The number of its tokens."""
        return self.end - self.first


def constituents(heads: Sequence[int], owners: Sequence[int]) -> Iterator[Constituent]:
    """Yield the constituents whose tokens stand together, in the order of their heads.

    Args:
        heads: of each token.
        owners: the token with a constant to which each token belongs; itself for one with a
            constant. -1 if it belongs to none, so that it may stand inside of any constituent.
    """
    size = len(heads)
    first, end, count = [0] * size, [0] * size, [0] * size
    for token, owner in enumerate(owners):
        above = owner
        while above >= 0:
            if not count[above]:
                first[above] = token
            end[above] = token + 1
            count[above] += 1
            above = heads[above]
    owned = list(accumulate((owner >= 0 for owner in owners), initial=0))
    for head, owner in enumerate(owners):
        if owner == head and owned[end[head]] - owned[first[head]] == count[head]:
            yield Constituent(head, first[head], end[head])


class Splice(NamedTuple):
    """One constituent in the place of another, and the new position of each token.

    Attributes:
        site: the constituent of the old derivation that is replaced.
        part: the constituent of another one that takes its place.
    """

    site: Constituent
    part: Constituent

    def outer(self, token: int) -> int:
        """Return the new position of a token of the old derivation outside the site."""
        return token + self.part.length - self.site.length if token >= self.site.end else token

    def inner(self, token: int) -> int:
        """Return the new position of a token of the part; -1 for -1."""
        return token - self.part.first + self.site.first if token >= 0 else token

    def row(self, old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
        """Join the values of tokens of the two derivations."""
        site, part = self.site, self.part
        return (*old[: site.first], *new[part.first : part.end], *old[site.end :])

    def placed(self, old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
        """Join as `row` does, but give the head of the part the value of the site's head."""
        joined = list(self.row(old, new))
        joined[self.inner(self.part.head)] = old[self.site.head]
        return tuple(joined)

    def heads(self, old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
        """Join the heads."""
        return self.placed(list(map(self.outer, old)), list(map(self.inner, new)))

    def words(
        self, old: Sequence[str], new: Sequence[str], lower: Collection[str]
    ) -> tuple[str, ...]:
        """Join the words; a sentence begins with a small letter only if the old one does.

        Args:
            old, new: the words of the derivations.
            lower: the words that are written small inside of sentences.
        """
        joined = list(self.row(old, new))
        first, word = self.site.first, joined[self.site.first]
        if self.part.first == 0 < first and word.lower() in lower:
            joined[first] = word.lower()
        elif first == 0 < self.part.first and not old[0][:1].islower():
            joined[first] = word[:1].upper() + word[1:]
        return tuple(joined)


class Donors(Generic[Group, Item]):
    """Constituents that may take others' places, in groups, each with a weight."""

    def __init__(self) -> None:
        self._groups: dict[Group, list[Item]] = defaultdict(list)
        self._weights: dict[Group, list[float]] = defaultdict(list)

    def add(self, group: Group, donor: Item, weight: float) -> None:
        """Add a donor to a group."""
        self._groups[group].append(donor)
        weights = self._weights[group]
        weights.append(weight + (weights[-1] if weights else 0.0))

    def draw(self, group: Group, random: Random) -> Item | None:
        """Return a donor of a group by its weight; None if it has none."""
        if group not in self._groups:
            return None
        return random.choices(self._groups[group], cum_weights=self._weights[group])[0]


class Spoken(Protocol):
    """A sentence with its derivation."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words."""


class Augmentation(ABC, Generic[Sample]):
    """A pool of derivations whose constituents may take each other's places."""

    longest: ClassVar[float] = 30
    """Maximum tokens of a new derivation."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self.samples = list(samples)
        self._lower = {w for one in self.samples for w in one.tokens[1:] if w == w.lower()}

    @abstractmethod
    def sites(self, sample: Sample) -> Sequence[Constituent]:
        """Return the constituents of a derivation whose places may be taken."""

    @abstractmethod
    def donor(
        self, sample: Sample, site: Constituent, random: Random
    ) -> tuple[Sample, Constituent] | None:
        """Return a derivation and the constituent of it that takes a place; None if none does."""

    @abstractmethod
    def replaced(self, old: Sample, new: Sample, splice: Splice) -> Sample:
        """Return the old derivation with a part of the new one."""

    def exchanged(self, sample: Sample, random: Random) -> Sample:
        """Exchange one constituent of a derivation; return it unchanged if none can be."""
        if not (sites := self.sites(sample)):
            return sample
        site = random.choice(sites)
        if (drawn := self.donor(sample, site, random)) is None:
            return sample
        new, part = drawn
        if len(sample.tokens) + part.length - site.length > self.longest:
            return sample
        return self.replaced(sample, new, Splice(site, part))

    def repeatedly(self, sample: Sample, random: Random, again: float) -> Sample:
        """Exchange one constituent, and with the probability `again` another after each."""
        while True:
            sample = self.exchanged(sample, random)
            if random.random() >= again:
                return sample
