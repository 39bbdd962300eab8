"""New derivations from old ones: a constituent takes the place of another of its sort.

A *constituent* is a token with its arguments, its continuations and the words that belong to
them, if they stand together. Another constituent may take its place if its tree of
constants is likely enough under the place's sort, or if its head is of the same kind
(`amparser.induction.kinds`). Before a head that follows, none takes a place that has another
constant of its head's kind between the two: that would belong to the head instead. Ignored words
that mostly begin a sentence (such as question words) stay where they are when a constituent
begins with them; a constituent that begins with another such word takes no place.

No word or constant comes in that training did not have; what is new is their combination
(Andreas 2020; Qiu et al. 2022).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.induction.derivation import FIRST_PIECE, IGNORE_TAG, NOBODY, Derivation
from amparser.induction.donors import Donors, recased
from amparser.induction.forest import TagNode
from amparser.induction.sorts import SortModel, tag_tree


class Constituent(NamedTuple):
    """A token with all below it, over the tokens `first` .. `end - 1`."""

    head: int
    first: int
    end: int


def constituents(derivation: Derivation, initial: frozenset[str]) -> list[Constituent]:
    """The constituents that stand together; words of `initial` at the beginning left out."""
    n = len(derivation.tokens)
    members: dict[int, list[int]] = {t: [] for t in range(n) if derivation.tags[t] >= FIRST_PIECE}
    for token, owner in enumerate(derivation.owners):
        above = owner
        while above != NOBODY:
            members[above].append(token)
            above = derivation.heads[above]
    found = []
    for head, tokens in members.items():
        first, end = min(tokens), max(tokens) + 1
        inside = set(tokens)
        if any(t not in inside and derivation.owners[t] != NOBODY for t in range(first, end)):
            continue
        if first == 0:
            while (
                derivation.tags[first] == IGNORE_TAG and derivation.tokens[first].lower() in initial
            ):
                first += 1
        found.append(Constituent(head, first, end))
    return found


class Sample(NamedTuple):
    """A derivation and the sort of each token's constituent."""

    derivation: Derivation
    sorts: tuple[int, ...]


class _Donor(NamedTuple):
    """A constituent that may take the place of another."""

    sample: Sample
    constituent: Constituent


@dataclass
class Recombination:
    """A pool of derivations whose constituents may take each other's places.

    Args:
        derivations: those of training.
        sorts: the sorts, which say what may stand where.
        kinds: the kind of each tag. Constituents of one kind may take each other's places too, and
            none comes before its head with another of its kind between.
        wide: what takes a place is chosen by kind with this probability, else by sort; 0 if
            there are no kinds.
        likely: the least P(sort | constituent) for a donor.
        rarity: a donor is drawn with the weight (how often its rarest constant is in the
            pool) ** -rarity.
        variety: and with the weight (how often its tree of constants is in the pool) ** -variety,
            as is the derivation to begin with.
        longest: no new derivation has more tokens.
    """

    derivations: Sequence[Derivation]
    sorts: SortModel
    kinds: Sequence[int] = ()
    wide: float = 0.0
    likely: float = 0.005
    rarity: float = 0.5
    variety: float = 0.5
    longest: int = 30

    def __post_init__(self) -> None:
        at_start: Counter[str] = Counter()
        anywhere: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        for derivation in self.derivations:
            words = [token.lower() for token in derivation.tokens]
            at_start[words[0]] += 1
            anywhere.update(words)
            ignored.update(
                w for w, tag in zip(words, derivation.tags, strict=True) if tag == IGNORE_TAG
            )
        self._mostly_initial = {w for w, c in at_start.items() if 2 * c > anywhere[w]}
        self.initial = frozenset(w for w in self._mostly_initial if 2 * ignored[w] > anywhere[w])
        self._lower = {w for d in self.derivations for w in d.tokens[1:] if w == w.lower()}
        self.samples = [Sample(d, tuple(self.sorts.best_sorts(d))) for d in self.derivations]
        trees = [tag_tree(d) for d in self.derivations]
        forms = Counter(trees)
        self._begin = list(accumulate(forms[tree] ** -self.variety for tree in trees))
        self._by_sort, self._by_kind = self._all_donors()

    def _all_donors(self) -> tuple[Donors[int, _Donor], Donors[int, _Donor]]:
        """The donors of each sort, and of each kind."""
        tag_count: Counter[int] = Counter(t for d in self.derivations for t in d.tags)
        prior = self.sorts.counts.sum(axis=0)
        found = [
            (sample, constituent, tag_tree(sample.derivation, constituent.head))
            for sample in self.samples
            for constituent in constituents(sample.derivation, self.initial)
            if not self._begins(sample.derivation, constituent)
        ]
        forms = Counter(tree for _, _, tree in found)
        sorts_of: dict[TagNode, list[int]] = {}
        for tree in forms:
            share = self.sorts.inside(tree) * prior
            share = share / share.sum()
            sorts_of[tree] = [z for z, p in enumerate(share) if p >= self.likely]
        by_sort: Donors[int, _Donor] = Donors()
        by_kind: Donors[int, _Donor] = Donors()
        for sample, constituent, tree in found:
            inside = sample.derivation.tags[constituent.first : constituent.end]
            rarest = min(tag_count[tag] for tag in inside if tag >= FIRST_PIECE)
            weight = rarest**-self.rarity * forms[tree] ** -self.variety
            donor = _Donor(sample, constituent)
            for sort in sorts_of[tree]:
                by_sort.add(sort, donor, weight)
            if self.wide:
                by_kind.add(self.kinds[tree.tag], donor, weight)
        return by_sort, by_kind

    def _begins(self, derivation: Derivation, constituent: Constituent) -> bool:
        """Whether a constituent begins the sentence with a word that mostly does."""
        first = constituent.first
        return first == 0 and derivation.tokens[first].lower() in self._mostly_initial

    def draw(self, random: Random, again: float = 0.5) -> Derivation:
        """A new derivation: one of the pool, one or more of its constituents exchanged.

        Args:
            random: decides everything.
            again: the probability of another exchange after each.
        """
        [sample] = random.choices(self.samples, cum_weights=self._begin)
        while True:
            sample = self.exchanged(sample, random)
            if random.random() >= again:
                return sample.derivation

    def exchanged(self, sample: Sample, random: Random) -> Sample:
        """A sample with one constituent exchanged; itself where none can be."""
        sites = [
            c
            for c in constituents(sample.derivation, self.initial)
            if sample.derivation.heads[c.head] != NOBODY
        ]
        if not sites:
            return sample
        site = random.choice(sites)
        if self.wide and random.random() < self.wide:
            drawn = self._by_kind.draw(self.kinds[sample.derivation.tags[site.head]], random)
        else:
            drawn = self._by_sort.draw(sample.sorts[site.head], random)
        if drawn is None:
            return sample
        donor, part = drawn.sample, drawn.constituent
        if self.wide and self._misleads(sample.derivation, site, drawn):
            return sample
        length = len(sample.derivation.tokens) + part.end - part.first - (site.end - site.first)
        return sample if length > self.longest else self._replaced(sample, site, donor, part)

    def _misleads(self, old: Derivation, site: Constituent, drawn: _Donor) -> bool:
        """Whether the site's head follows, and stands nearer to another constant of the same kind.

        Of the same kind as the donor's head, that is, and behind it. Who says "the state that
        borders Texas with the largest population" means Texas: what follows belongs to the
        nearest that it can belong to.
        """
        if old.heads[site.head] < site.end:
            return False
        part = drawn.constituent
        own, *others = drawn.sample.derivation.tags[part.head : part.end]
        return any(tag >= FIRST_PIECE and self.kinds[tag] == self.kinds[own] for tag in others)

    def _replaced(
        self, sample: Sample, site: Constituent, donor: Sample, part: Constituent
    ) -> Sample:
        old, new = sample.derivation, donor.derivation
        a, b, c, d = site.first, site.end, part.first, part.end
        grown = (d - c) - (b - a)

        def outside(token: int) -> int:
            return token + grown if token >= b else token

        def inner(token: int) -> int:
            return token - c + a if token >= 0 else token

        words = list(new.tokens[c:d])
        words[0] = recased(words[0], c, a, self._lower)
        heads = [inner(t) for t in new.heads[c:d]]
        heads[part.head - c] = outside(old.heads[site.head])
        holes = list(new.holes[c:d])
        holes[part.head - c] = old.holes[site.head]
        new_head = part.head - c + a

        def owner(token: int) -> int:
            # Initial words that stay behind belong to what takes the place.
            return new_head if a <= token < b else outside(token)

        sorts = list(donor.sorts[c:d])
        sorts[part.head - c] = sample.sorts[site.head]
        return Sample(
            Derivation(
                (*old.tokens[:a], *words, *old.tokens[b:]),
                (*old.tags[:a], *new.tags[c:d], *old.tags[b:]),
                (*old.closed[:a], *new.closed[c:d], *old.closed[b:]),
                (*map(outside, old.heads[:a]), *heads, *map(outside, old.heads[b:])),
                (*old.holes[:a], *holes, *old.holes[b:]),
                (*old.labels[:a], *new.labels[c:d], *old.labels[b:]),
                (
                    *map(owner, old.owners[:a]),
                    *(inner(t) for t in new.owners[c:d]),
                    *map(owner, old.owners[b:]),
                ),
            ),
            (*sample.sorts[:a], *sorts, *sample.sorts[b:]),
        )
