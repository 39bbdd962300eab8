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

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from amparser.constants.type_table import TypeTable
from amparser.lexicon.lexicon import Lexicon

IntArray = NDArray[np.int64]


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


def term_type_indices(tree: Tree, table: TypeTable) -> list[int]:
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


class Tree(Protocol):
    """What is looked at of a tree: the fields of `IndexedTree`."""

    @property
    def tokens(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def supertags(self) -> tuple[int, ...]: ...  # noqa: D102

    @property
    def heads(self) -> tuple[int, ...]: ...  # noqa: D102

    @property
    def operations(self) -> tuple[int, ...]: ...  # noqa: D102


class Swap(NamedTuple):
    """The numbers of two constituents, of which the second takes the place of the first."""

    site: int
    donor: int


class _Columns:
    """The constituents in columns, since there are several in each tree of train.

    Attributes:
        starts: the number of the first constituent of each tree, and how many there are.
        tree: the number of the tree of each constituent.
        head: the token (1-based) that heads it.
        first, last: its span of tokens, 1-based, inclusive.
    """

    def __init__(self) -> None:
        self.starts = array("q", [0])
        self.tree = array("i")
        self.head, self.first, self.last = array("H"), array("H"), array("H")

    def add(self, tree: int, head: int, first: int, last: int) -> None:
        """Add a constituent of the last tree."""
        self.tree.append(tree)
        self.head.append(head)
        self.first.append(first)
        self.last.append(last)

    def end_tree(self) -> None:
        """The next constituent belongs to the next tree."""
        self.starts.append(len(self.tree))

    def of(self, tree: int) -> range:
        """The numbers of the constituents of a tree."""
        return range(self.starts[tree], self.starts[tree + 1])

    def __getitem__(self, number: int) -> _Constituent:
        return _Constituent(
            self.tree[number], self.head[number], self.first[number], self.last[number]
        )

    def lengths(self, numbers: IntArray) -> IntArray:
        """The number of tokens of some constituents."""
        first, last = np.frombuffer(self.first, np.uint16), np.frombuffer(self.last, np.uint16)
        return last[numbers].astype(np.int64) - first[numbers] + 1


class Exchange:
    """A pool of training trees whose constituents can be exchanged.

    Trees are asked for one by one, so they need not be in memory.
    """

    def __init__(self, trees: Sequence[Tree], lexicon: Lexicon) -> None:
        self.trees = trees
        self.lexicon = lexicon
        self._forms: set[str] = set()
        self._is_argument = (lexicon.table.rest.max(axis=0) >= 0).tolist()
        spans = self._all_spans()
        belongs = self._belonging(spans)
        self._sites = _Columns()
        self._place = array("i")
        by_class: dict[tuple[int, WordClass], array[int]] = {}
        seen: dict[Context, set[WordClass]] = {}
        places: dict[tuple[int, Context], int] = {}
        for i, tree in enumerate(self.trees):
            types = term_type_indices(tree, lexicon.table) if spans.of(i) else []
            for _, head, first, last in map(spans.__getitem__, spans.of(i)):
                klass = self._class(tree, head)
                above = tree.heads[head - 1]
                context = (tree.operations[head - 1], head < above, self._class(tree, above))
                key = tree.supertags[first - 1]
                while first > 1 and (key, tree.tokens[first - 2].lower()) in belongs:
                    if tree.supertags[first - 2] != 0:
                        break
                    first -= 1
                    key = -1  # only the word next to the constituent counts
                if (term_type := types[head - 1]) >= 0:
                    pool = by_class.setdefault((term_type, klass), array("i"))
                    pool.append(len(self._place))
                    seen.setdefault(context, set()).add(klass)
                    self._place.append(places.setdefault((term_type, context), len(places)))
                    self._sites.add(i, head, first, last)
            self._sites.end_tree()
        self._donors: list[tuple[list[array[int]], list[int]]] = []
        for term_type, context in places:
            pools = [
                by_class[term_type, k] for k in sorted(seen[context]) if (term_type, k) in by_class
            ]
            self._donors.append((pools, list(accumulate(map(len, pools)))))

    def _class(self, tree: Tree, token: int) -> WordClass:
        k = tree.supertags[token - 1]
        bare = self.lexicon.templates[k] is None
        return k, tree.tokens[token - 1].lower() if bare else ""

    def _all_spans(self) -> _Columns:
        """The arguments with a contiguous span, from their first to their last aligned token."""
        spans = _Columns()
        for i, tree in enumerate(self.trees):
            self._forms.update(tree.tokens)
            for head, (first, last) in self._spans(tree).items():
                spans.add(i, head, first, last)
            spans.end_tree()
        return spans

    def _spans(self, tree: Tree) -> dict[int, tuple[int, int]]:
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
            and self._is_argument[tree.operations[token - 1]]
            and aligned[high[token]] - aligned[low[token] - 1] == size[token]
        }

    def _belonging(self, spans: _Columns) -> set[tuple[int, str]]:
        """Pairs of a class and the ignored word that belongs to constituents beginning with it."""
        starts: Counter[int] = Counter()
        before: Counter[tuple[int, str]] = Counter()
        for i, tree in enumerate(self.trees):
            for first in {spans.first[number] for number in spans.of(i)}:
                klass = tree.supertags[first - 1]
                starts[klass] += 1
                if first > 1 and tree.supertags[first - 2] == 0:
                    before[klass, tree.tokens[first - 2].lower()] += 1
        return {pair for pair, count in before.items() if 2 * count > starts[pair[0]]}

    def sample(self, index: int, random: Random) -> IndexedTree:
        """The tree at an index with one constituent exchanged, or unchanged if none can be."""
        swap = self.draw(index, random)
        if swap is None:
            tree = self.trees[index]
            return IndexedTree(tree.tokens, tree.supertags, tree.heads, tree.operations)
        return self.replaced(swap)

    def draw(self, index: int, random: Random) -> Swap | None:
        """What is exchanged in the tree at an index; None if nothing can be."""
        sites = self._sites.of(index)
        if not sites:
            return None
        site = random.choice(sites)
        pools, totals = self._donors[self._place[site]]
        at = random.randrange(totals[-1])
        pool = bisect_right(totals, at)
        return Swap(site, pools[pool][at - (totals[pool - 1] if pool else 0)])

    def grown(self, sites: IntArray, donors: IntArray) -> IntArray:
        """By how many tokens trees become longer when donors take the places of sites."""
        return self._sites.lengths(donors) - self._sites.lengths(sites)

    def replaced(self, swap: Swap) -> IndexedTree:
        """The tree of the site with the constituent of the donor."""
        site, donor = self._sites[swap.site], self._sites[swap.donor]
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
