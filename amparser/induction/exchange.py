"""Exchange of constituents: new derivations from old ones.

A *constituent* is a token with all below it. If its tokens stand together, another constituent may
take its place, of the same derivation or of another one. Which may is said by what the constants
are: by types (`amparser.induction.typed_exchange`), by sorts and kinds
(`amparser.induction.recombination`), or by the labels of arcs and by neighbours
(`amparser.induction.graph_recombination`). No word or constant comes in that training did not
have; what is new is their combination (Andreas 2020 and Qiu et al. 2022 recombine strings).

Tokens count from 0; a token without a head has the head -1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, NamedTuple, Protocol, TypeVar

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
    """The constituents whose tokens stand together, in the order of their heads.

    Args:
        heads: of each token.
        owners: the token with a constant to which each token belongs; itself for one with a
            constant. -1 where it belongs to none, so that it may stand inside of any constituent.
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


class Spoken(Protocol):
    """A derivation in a pool."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words."""


class Splice(NamedTuple):
    """One constituent in the place of another, and what then stands where.

    Attributes:
        site: the constituent of the old derivation that is replaced.
        part: the constituent of another one that takes its place.
    """

    site: Constituent
    part: Constituent

    def outer(self, token: int) -> int:
        """Where a token of the old derivation is then, which is no part of the site."""
        return token + self.part.length - self.site.length if token >= self.site.end else token

    def inner(self, token: int) -> int:
        """Where a token of the part is then; -1 for -1."""
        return token - self.part.first + self.site.first if token >= 0 else token

    def row(self, old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
        """What each token has, given what it has in the two derivations."""
        site, part = self.site, self.part
        return (*old[: site.first], *new[part.first : part.end], *old[site.end :])

    def placed(self, old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
        """`row`, but the head of the part has what that of the site had."""
        found = list(self.row(old, new))
        found[self.inner(self.part.head)] = old[self.site.head]
        return tuple(found)

    def heads(self, old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
        """The heads."""
        return self.placed(list(map(self.outer, old)), list(map(self.inner, new)))

    def words(
        self, old: Sequence[str], new: Sequence[str], lower: Collection[str]
    ) -> tuple[str, ...]:
        """The words; a sentence begins with a small letter only if the old one does.

        Args:
            old, new: the words of the derivations.
            lower: the words that are written small inside of sentences.
        """
        found = list(self.row(old, new))
        first, word = self.site.first, found[self.site.first]
        if self.part.first == 0 < first and word.lower() in lower:
            found[first] = word.lower()
        elif first == 0 < self.part.first and not old[0][:1].islower():
            found[first] = word[:1].upper() + word[1:]
        return tuple(found)


class Donors(Generic[Group, Item]):
    """Constituents that may take others' places, in groups, each with a weight."""

    def __init__(self) -> None:
        self._groups: dict[Group, list[Item]] = {}
        self._weights: dict[Group, list[float]] = {}

    def add(self, group: Group, donor: Item, weight: float) -> None:
        """One more donor of a group."""
        self._groups.setdefault(group, []).append(donor)
        weights = self._weights.setdefault(group, [])
        weights.append(weight + (weights[-1] if weights else 0.0))

    def draw(self, group: Group, random: Random) -> Item | None:
        """A donor of a group by its weight; None if it has none."""
        if group not in self._groups:
            return None
        return random.choices(self._groups[group], cum_weights=self._weights[group])[0]


class Recombination(ABC, Generic[Sample]):
    """A pool of derivations whose constituents may take each other's places."""

    @abstractmethod
    def sites(self, sample: Sample) -> Sequence[Constituent]:
        """The constituents of a derivation whose places may be taken."""

    @abstractmethod
    def donor(
        self, sample: Sample, site: Constituent, random: Random
    ) -> tuple[Sample, Constituent] | None:
        """A derivation and the constituent of it that takes a place; None if none does."""

    @abstractmethod
    def replaced(self, old: Sample, new: Sample, splice: Splice) -> Sample:
        """The old derivation with a part of the new one."""

    def exchanged(self, sample: Sample, random: Random) -> Sample:
        """A derivation with one constituent exchanged; itself where none can be."""
        if not (sites := self.sites(sample)):
            return sample
        site = random.choice(sites)
        if (drawn := self.donor(sample, site, random)) is None:
            return sample
        new, part = drawn
        # No new derivation has more tokens.
        if len(sample.tokens) + part.length - site.length > 30:
            return sample
        return self.replaced(sample, new, Splice(site, part))

    def repeatedly(self, sample: Sample, random: Random, again: float) -> Sample:
        """A derivation after one exchange, and with this probability another after each."""
        while True:
            sample = self.exchanged(sample, random)
            if random.random() >= again:
                return sample
