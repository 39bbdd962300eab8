"""Exchange of constituents by their sorts and kinds (see `amparser.induction.exchange`).

A constituent is a token with its arguments, its continuations and the words that belong to
them. Another constituent may take its place if its tree of constants is likely enough under the
place's sort, or if its head is of the same kind (`amparser.induction.kinds`). Before a head that
follows, none takes a place that has another constant of its head's kind between the two: that
would belong to the head instead. Ignored words that mostly begin a sentence (such as question
words) stay where they are when a constituent begins with them; a constituent that begins with
another such word takes no place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.induction import exchange
from amparser.induction.exchange import Constituent, Donors, Splice
from amparser.induction.forest import TagNode
from amparser.induction.sorts import SortModel, tag_tree
from amparser.lexicon.encoded import FIRST_FRAGMENT, IGNORE_TAG, NOBODY, Encoded


def constituents(derivation: Encoded, initial: frozenset[str]) -> list[Constituent]:
    """The constituents that stand together; words of `initial` at the beginning left out."""
    found = []
    for one in exchange.constituents(derivation.heads, derivation.owners):
        first = one.first
        if first == 0:
            while (
                derivation.tags[first] == IGNORE_TAG and derivation.tokens[first].lower() in initial
            ):
                first += 1
        found.append(one._replace(first=first))
    return found


class Sample(NamedTuple):
    """A derivation and the sort of each token's constituent."""

    derivation: Encoded
    sorts: tuple[int, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words."""
        return self.derivation.tokens


Part = tuple[Sample, Constituent]
"""A constituent that may take the place of another, and where it is from."""


@dataclass
class Recombination(exchange.Recombination[Sample]):
    """A pool of derivations whose constituents may take each other's places.

    Args:
        derivations: those of training.
        sorts: the sorts, which say what may stand where.
        kinds: the kind of each tag. Constituents of one kind may take each other's places too, and
            none comes before its head with another of its kind between.
        wide: what takes a place is chosen by kind with this probability, else by sort; 0 if
            there are no kinds.
    """

    derivations: Sequence[Encoded]
    sorts: SortModel
    kinds: Sequence[int] = ()
    wide: float = 0.0

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
        self._begin = list(accumulate(forms[tree] ** -0.5 for tree in trees))
        self._by_sort, self._by_kind = self._all_donors()

    def _all_donors(self) -> tuple[Donors[int, Part], Donors[int, Part]]:
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
            # Least P(sort | constituent) for a donor.
            sorts_of[tree] = [z for z, p in enumerate(share) if p >= 0.005]
        by_sort: Donors[int, Part] = Donors()
        by_kind: Donors[int, Part] = Donors()
        for sample, constituent, tree in found:
            inside = sample.derivation.tags[constituent.first : constituent.end]
            rarest = min(tag_count[tag] for tag in inside if tag >= FIRST_FRAGMENT)
            # Rare constants and rare trees of constants are drawn more often.
            weight = rarest**-0.5 * forms[tree] ** -0.5
            donor = sample, constituent
            for sort in sorts_of[tree]:
                by_sort.add(sort, donor, weight)
            if self.wide:
                by_kind.add(self.kinds[tree.tag], donor, weight)
        return by_sort, by_kind

    def _begins(self, derivation: Encoded, constituent: Constituent) -> bool:
        """Whether a constituent begins the sentence with a word that mostly does."""
        first = constituent.first
        return first == 0 and derivation.tokens[first].lower() in self._mostly_initial

    def draw(self, random: Random, again: float = 0.5) -> Encoded:
        """A new derivation: one of the pool, one or more of its constituents exchanged.

        Args:
            random: decides everything.
            again: the probability of another exchange after each.
        """
        [sample] = random.choices(self.samples, cum_weights=self._begin)
        return self.repeatedly(sample, random, again).derivation

    def sites(self, sample: Sample) -> list[Constituent]:
        """All constituents but the whole."""
        derivation = sample.derivation
        found = constituents(derivation, self.initial)
        return [one for one in found if derivation.heads[one.head] != NOBODY]

    def donor(self, sample: Sample, site: Constituent, random: Random) -> Part | None:
        """A constituent of the site's kind or sort."""
        if self.wide and random.random() < self.wide:
            drawn = self._by_kind.draw(self.kinds[sample.derivation.tags[site.head]], random)
        else:
            drawn = self._by_sort.draw(sample.sorts[site.head], random)
        misled = drawn is not None and self.wide and self._misleads(sample.derivation, site, drawn)
        return None if misled else drawn

    def _misleads(self, old: Encoded, site: Constituent, drawn: Part) -> bool:
        """Whether the site's head follows, and stands nearer to another constant of the same kind.

        Of the same kind as the donor's head, that is, and behind it. Who says "the state that
        borders Texas with the largest population" means Texas: what follows belongs to the
        nearest that it can belong to.
        """
        if old.heads[site.head] < site.end:
            return False
        sample, part = drawn
        own, *others = sample.derivation.tags[part.head : part.end]
        return any(tag >= FIRST_FRAGMENT and self.kinds[tag] == self.kinds[own] for tag in others)

    def replaced(self, old: Sample, new: Sample, splice: Splice) -> Sample:
        """See `exchange.Recombination`."""
        was, taken, site = old.derivation, new.derivation, splice.site

        def owner(token: int) -> int:
            # Initial words that stay behind belong to what takes the place.
            inside = site.first <= token < site.end
            return splice.inner(splice.part.head) if inside else splice.outer(token)

        derivation = Encoded(
            splice.words(was.tokens, taken.tokens, self._lower),
            splice.row(was.tags, taken.tags),
            splice.row(was.closed, taken.closed),
            splice.heads(was.heads, taken.heads),
            splice.placed(was.ports, taken.ports),
            splice.row(was.labels, taken.labels),
            splice.row(list(map(owner, was.owners)), list(map(splice.inner, taken.owners))),
        )
        return Sample(derivation, splice.placed(old.sorts, new.sorts))
