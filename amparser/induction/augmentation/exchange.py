"""Data augmentation by exchange of constituents between derivations.

A *constituent* is a token with its whole subtree. If its tokens are contiguous, another constituent
of the same or another derivation may replace it. Each type of lexicon has an `Augmentation` class
that decides which constituents are exchanged: `TypeAugmentation` compares types,
`ClassAugmentation` selectional classes. The results combine known words and constants in new ways
(Andreas 2020 and Qiu et al. 2022 recombine strings).

The *old* derivation contains the *site*, the constituent to replace. The *part* is the constituent
of the *new* derivation that replaces it. Tokens count from 0; a token without a head has the head
-1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

Sample = TypeVar("Sample", bound="Spoken")
Item = TypeVar("Item")


class Constituent(NamedTuple):
    """Token with its subtree, over the tokens `first` .. `end - 1`."""

    head: int
    first: int
    end: int

    @property
    def length(self) -> int:
        """The number of tokens."""
        return self.end - self.first


def constituents(heads: Sequence[int], owners: Sequence[int]) -> Iterator[Constituent]:
    """Yield the constituents with contiguous tokens, in the order of their heads.

    Args:
        heads: head of each token.
        owners: for each token, itself if it has a constant, or else the token with a constant to
            which it is attached; -1 if it may be inside any constituent.
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
    """Replacement of the constituent `site` by `part`."""

    site: Constituent
    part: Constituent

    def outer(self, token: int) -> int:
        """Return the new position of a token outside `site`; -1 stays -1."""
        return token + self.part.length - self.site.length if token >= self.site.end else token

    def inner(self, token: int) -> int:
        """Return the new position of a token inside `part`; -1 stays -1."""
        return token - self.part.first + self.site.first if token >= 0 else token

    def row(self, old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
        """Combine values of tokens: from `old` outside `site`, and from `new` in `part`."""
        site, part = self.site, self.part
        return (*old[: site.first], *new[part.first : part.end], *old[site.end :])

    def placed(self, old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
        """Combine like `row`, but the head of `part` gets the value of the head of `site`."""
        joined = list(self.row(old, new))
        joined[self.inner(self.part.head)] = old[self.site.head]
        return tuple(joined)

    def heads(self, old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
        """Combine the heads of the tokens; `part` is attached where `site` was."""
        return self.placed(list(map(self.outer, old)), list(map(self.inner, new)))

    def words(
        self, old: Sequence[str], new: Sequence[str], lower: Collection[str]
    ) -> tuple[str, ...]:
        """Combine the words; adapt the case of a word that leaves or enters the first position.

        Args:
            lower: words that training sentences write in lower case unless they come first.
        """
        joined = list(self.row(old, new))
        first, word = self.site.first, joined[self.site.first]
        if self.part.first == 0 < first and word.lower() in lower:
            joined[first] = word.lower()
        elif first == 0 < self.part.first and not old[0][:1].islower():
            joined[first] = word[:1].upper() + word[1:]
        return tuple(joined)


class Spoken(Protocol):
    """Sentence with its derivation."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words."""


class Augmentation(ABC, Generic[Sample]):
    """Pool of derivations whose constituents can be exchanged."""

    longest: ClassVar[float] = 30
    """Maximum tokens of a new derivation."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self.samples = list(samples)
        self._lower = {w for sample in self.samples for w in sample.tokens[1:] if w == w.lower()}

    @abstractmethod
    def sites(self, sample: Sample) -> Sequence[Constituent]:
        """Return the constituents of a derivation that may be replaced."""

    @abstractmethod
    def donor(
        self, sample: Sample, site: Constituent, random: Random
    ) -> tuple[Sample, Constituent] | None:
        """Draw a derivation and one of its constituents to replace `site`; None if impossible."""

    @abstractmethod
    def replaced(self, old: Sample, new: Sample, splice: Splice) -> Sample:
        """Return `old` with its constituent `splice.site` replaced by `splice.part` of `new`."""

    def exchanged(self, sample: Sample, random: Random) -> Sample:
        """Exchange one constituent; return the derivation unchanged if that is impossible."""
        if not (sites := self.sites(sample)):
            return sample
        site = random.choice(sites)
        if (drawn := self.donor(sample, site, random)) is None:
            return sample
        new, part = drawn
        if len(sample.tokens) + part.length - site.length > self.longest:
            return sample
        return self.replaced(sample, new, Splice(site, part))
