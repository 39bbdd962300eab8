"""Exchange of subtrees: new training trees from old ones.

A constituent of one training tree replaces one of another tree. Both are
arguments with the same term type and cover a contiguous span. Training must have
shown a word of the new constituent's class (the supertag of its head) in such a
place, that is, with the same operation on the same side of its head. Neither
words nor structures from outside training enter (Andreas 2020 and Qiu et al.
2022 recombine strings; here the types say what may be exchanged).

Ignored words move with a constituent if they belong to it. They belong to it if
more than half of the constituents that begin with the same class have that
word before them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.algebra.type_table import TypeTable
from amparser.lexicon.lexicon import Lexicon


class IndexedTree(NamedTuple):
    """A sentence with its tree as indices into a lexicon; heads count from 1, 0 is the root."""

    tokens: tuple[str, ...]
    supertags: tuple[int, ...]
    heads: tuple[int, ...]
    operations: tuple[int, ...]


class _Constituent(NamedTuple):
    tree: int
    head: int  # the token (1-based) that heads it
    first: int  # its span of tokens, 1-based, inclusive
    last: int


WordClass = tuple[int, str]
"""A supertag and, for constants without a lexical label, the word that has it."""

Context = tuple[int, bool, WordClass]
"""An operation, whether the argument stands before its head, and the head's class."""


def term_type_indices(tree: IndexedTree, table: TypeTable) -> list[int]:
    """The term type of each token's subtree, as an index into the table; -1 if it has none."""
    n = len(tree.tokens)
    types = [int(table.lexical_type[k]) for k in tree.supertags]
    waiting: list[list[int]] = [[] for _ in range(n + 1)]
    for token in range(1, n + 1):
        if tree.operations[token - 1] > 1:
            waiting[tree.heads[token - 1]].append(token)

    order = [t for t in range(1, n + 1) if tree.operations[t - 1] == 1]
    for token in order:
        order.extend(waiting[token])
    for token in reversed(order):
        current = types[token - 1]
        pending = waiting[token]
        # Modifiers come first and change nothing; arguments follow as they become possible.
        progress = True
        while pending and progress:
            progress = False
            for child in list(pending):
                result = int(table.combine[current, types[child - 1], tree.operations[child - 1]])
                if result >= 0:
                    current, progress = result, True
                    pending = [other for other in pending if other != child]
        types[token - 1] = current if not pending else -1
    return types


class Swap(NamedTuple):
    """Two constituents, of which the second takes the place of the first."""

    site: _Constituent
    donor: _Constituent

    @property
    def grown(self) -> int:
        """By how many tokens the tree becomes longer."""
        site, donor = self
        return (donor.last - donor.first) - (site.last - site.first)


@dataclass
class Exchange:
    """A pool of training trees whose constituents can be exchanged."""

    trees: Sequence[IndexedTree]
    lexicon: Lexicon

    def _class(self, tree: IndexedTree, token: int) -> WordClass:
        k = tree.supertags[token - 1]
        bare = self.lexicon.templates[k] is None
        return k, tree.tokens[token - 1].lower() if bare else ""

    def __post_init__(self) -> None:
        self._forms = {form for tree in self.trees for form in tree.tokens}
        spans = [self._spans(tree) for tree in self.trees]
        belongs = self._belonging(spans)
        self._sites: list[list[tuple[_Constituent, int, Context]]] = []
        by_class: dict[tuple[int, WordClass], list[_Constituent]] = {}
        seen: dict[Context, set[WordClass]] = {}
        for i, (tree, found) in enumerate(zip(self.trees, spans, strict=True)):
            sites = []
            types = term_type_indices(tree, self.lexicon.table) if found else []
            for head, (first, last) in found.items():
                operation = tree.operations[head - 1]
                klass = self._class(tree, head)
                above = tree.heads[head - 1]
                context = (operation, head < above, self._class(tree, above))
                key = tree.supertags[first - 1]
                while first > 1 and (key, tree.tokens[first - 2].lower()) in belongs:
                    if tree.supertags[first - 2] != 0:
                        break
                    first -= 1
                    key = -1  # only the word next to the constituent counts
                constituent = _Constituent(i, head, first, last)
                term_type = types[head - 1]
                if term_type >= 0:
                    sites.append((constituent, term_type, context))
                    by_class.setdefault((term_type, klass), []).append(constituent)
                    seen.setdefault(context, set()).add(klass)
            self._sites.append(sites)
        self._donors: dict[tuple[int, Context], tuple[list[list[_Constituent]], list[int]]] = {}
        for context, classes in seen.items():
            for term_type in {t for t, _ in by_class}:
                pools = [
                    by_class[term_type, k] for k in sorted(classes) if (term_type, k) in by_class
                ]
                if pools:
                    totals = list(accumulate(len(pool) for pool in pools))
                    self._donors[term_type, context] = (pools, totals)

    def _spans(self, tree: IndexedTree) -> dict[int, tuple[int, int]]:
        """For each argument with a contiguous span its first and last aligned token."""
        n = len(tree.tokens)
        low, high, size = list(range(n + 1)), list(range(n + 1)), [1] * (n + 1)
        children: list[list[int]] = [[] for _ in range(n + 1)]
        for token in range(1, n + 1):
            if tree.operations[token - 1] > 0:
                children[tree.heads[token - 1]].append(token)
        order = list(children[0])
        for token in order:
            order.extend(children[token])
        for token in reversed(order):
            for child in children[token]:
                low[token] = min(low[token], low[child])
                high[token] = max(high[token], high[child])
                size[token] += size[child]
        aligned = list(accumulate((k > 0 for k in tree.supertags), initial=0))
        return {
            token: (low[token], high[token])
            for token in sorted(order)
            if tree.operations[token - 1] > 1
            and self.lexicon.table.rest[:, tree.operations[token - 1]].max() >= 0
            and aligned[high[token]] - aligned[low[token] - 1] == size[token]
        }

    def _belonging(self, spans: Sequence[dict[int, tuple[int, int]]]) -> set[tuple[int, str]]:
        """Pairs of a class and the ignored word that belongs to constituents beginning with it."""
        starts: Counter[int] = Counter()
        before: Counter[tuple[int, str]] = Counter()
        for tree, found in zip(self.trees, spans, strict=True):
            for first in {first for first, _ in found.values()}:
                klass = tree.supertags[first - 1]
                starts[klass] += 1
                if first > 1 and tree.supertags[first - 2] == 0:
                    before[klass, tree.tokens[first - 2].lower()] += 1
        return {pair for pair, count in before.items() if 2 * count > starts[pair[0]]}

    def sample(self, index: int, random: Random) -> IndexedTree:
        """The tree at an index with one constituent exchanged, or unchanged if none can be."""
        swap = self.draw(index, random)
        return self.trees[index] if swap is None else self.replaced(swap)

    def draw(self, index: int, random: Random) -> Swap | None:
        """What is exchanged in the tree at an index; None if nothing can be."""
        sites = self._sites[index]
        if not sites:
            return None
        site, term_type, context = random.choice(sites)
        donors = self._donors.get((term_type, context))
        if donors is None:
            return None
        pools, totals = donors
        at = random.randrange(totals[-1])
        pool = bisect_right(totals, at)
        donor = pools[pool][at - (totals[pool - 1] if pool else 0)]
        return Swap(site, donor)

    def replaced(self, swap: Swap) -> IndexedTree:
        """The tree of the site with the constituent of the donor."""
        site, donor = swap
        old, new = self.trees[site.tree], self.trees[donor.tree]
        a, b = site.first - 1, site.last
        c, d = donor.first - 1, donor.last
        grown = (d - c) - (b - a)

        def outside(head: int) -> int:
            if head > b:
                return head + grown
            return head if head <= a else -1

        inner = [0 if h == 0 else h - c + a for h in new.heads[c:d]]
        inner[donor.head - 1 - c] = outside(old.heads[site.head - 1])
        operations = list(new.operations[c:d])
        operations[donor.head - 1 - c] = old.operations[site.head - 1]
        words = list(new.tokens[c:d])
        if c == 0 < a and words[0].lower() in self._forms:
            words[0] = words[0].lower()
        elif a == 0 < c and old.tokens[0][0].isupper():
            words[0] = words[0][0].upper() + words[0][1:]
        return IndexedTree(
            (*old.tokens[:a], *words, *old.tokens[b:]),
            (*old.supertags[:a], *new.supertags[c:d], *old.supertags[b:]),
            (*map(outside, old.heads[:a]), *inner, *map(outside, old.heads[b:])),
            (*old.operations[:a], *operations, *old.operations[b:]),
        )
