"""Exchange of constituents by types (see `amparser.induction.exchange`).

A constituent of one training tree replaces one of another tree. Both are arguments with the same
term type. Training must have shown a word of the new constituent's class (the supertag of its head)
in such a place, that is, with the same operation on the same side of its head.

Ignored words move with a constituent if they belong to it. They belong to it if
more than half of the constituents that begin with the same class have that
word before them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.induction.exchange import Constituent, Splice, constituents
from amparser.lexicon.indexed_tree import IndexedTree
from amparser.lexicon.lexicon import Lexicon

IntArray = NDArray[np.int64]


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
    """The numbers of two constituents, of which the second takes the place of the first."""

    site: int
    donor: int


class _Columns:
    """The constituents in columns, since there are several in each tree of train.

    Attributes:
        starts: the number of the first constituent of each tree, and how many there are.
        tree: the number of the tree of each constituent.
        head, first, end: see `Constituent`.
    """

    def __init__(self) -> None:
        self.starts = array("q", [0])
        self.tree = array("i")
        self.head, self.first, self.end = array("H"), array("H"), array("H")

    def add_tree(self, parts: Sequence[Constituent]) -> None:
        """Add the constituents of the next tree."""
        self.tree.extend([len(self.starts) - 1] * len(parts))
        for part in parts:
            self.head.append(part.head)
            self.first.append(part.first)
            self.end.append(part.end)
        self.starts.append(len(self.tree))

    def of(self, tree: int) -> range:
        """The numbers of the constituents of a tree."""
        return range(self.starts[tree], self.starts[tree + 1])

    def __getitem__(self, number: int) -> Constituent:
        return Constituent(self.head[number], self.first[number], self.end[number])

    def lengths(self, numbers: IntArray) -> IntArray:
        """The number of tokens of some constituents."""
        first, end = np.frombuffer(self.first, np.uint16), np.frombuffer(self.end, np.uint16)
        return end[numbers].astype(np.int64) - first[numbers]


class Exchange:
    """A pool of training trees whose constituents can be exchanged.

    Trees are asked for one by one, so they need not be in memory.
    """

    def __init__(self, trees: Sequence[IndexedTree], lexicon: Lexicon) -> None:
        self.trees = trees
        self.lexicon = lexicon
        self._forms: set[str] = set()
        self._is_argument = (lexicon.table.rest.max(axis=0) >= 0).tolist()
        bare, belongs = self._arguments()
        self._sites = _Columns()
        self._place = array("i")
        by_class: dict[tuple[int, WordClass], array[int]] = {}
        seen: dict[Context, set[WordClass]] = {}
        places: dict[tuple[int, Context], int] = {}
        for i, tree in enumerate(self.trees):
            types = term_type_indices(tree, lexicon.table) if bare.of(i) else []
            kept = []
            for part in map(bare.__getitem__, bare.of(i)):
                if (term_type := types[part.head]) < 0:
                    continue
                klass, above = self._class(tree, part.head), tree.heads[part.head] - 1
                context = tree.operations[part.head], part.head < above, self._class(tree, above)
                pool = by_class.setdefault((term_type, klass), array("i"))
                pool.append(len(self._place))
                seen.setdefault(context, set()).add(klass)
                self._place.append(places.setdefault((term_type, context), len(places)))
                first = part.first - (_before(tree, part) in belongs)
                kept.append(part._replace(first=first))
            self._sites.add_tree(kept)
        self._donors: list[tuple[list[array[int]], list[int]]] = []
        for term_type, context in places:
            pools = [
                by_class[term_type, k] for k in sorted(seen[context]) if (term_type, k) in by_class
            ]
            self._donors.append((pools, list(accumulate(map(len, pools)))))

    def _class(self, tree: IndexedTree, token: int) -> WordClass:
        k = tree.supertags[token]
        bare = self.lexicon.templates[k] is None
        return k, tree.tokens[token].lower() if bare else ""

    def _arguments(self) -> tuple[_Columns, set[tuple[int, str]]]:
        """The arguments that stand together, and which ignored words belong to them.

        They are pairs of a class and the word that belongs to constituents beginning with it.
        """
        arguments = _Columns()
        starts: Counter[int] = Counter()
        before: Counter[tuple[int, str]] = Counter()
        for tree in self.trees:
            self._forms.update(tree.tokens)
            owners = [token if o > 0 else -1 for token, o in enumerate(tree.operations)]
            parts = [
                part
                for part in constituents([head - 1 for head in tree.heads], owners)
                if (o := tree.operations[part.head]) > 1 and self._is_argument[o]
            ]
            arguments.add_tree(parts)
            for part in {part.first: part for part in parts}.values():
                starts[tree.supertags[part.first]] += 1
                if (pair := _before(tree, part)) is not None:
                    before[pair] += 1
        belongs = {pair for pair, count in before.items() if 2 * count > starts[pair[0]]}
        return arguments, belongs

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
        old, new = (self.trees[self._sites.tree[number]] for number in swap)
        splice = Splice(*map(self._sites.__getitem__, swap))
        heads = splice.heads([h - 1 for h in old.heads], [h - 1 for h in new.heads])
        return replace(
            old,
            tokens=splice.words(old.tokens, new.tokens, self._forms),
            supertags=splice.row(old.supertags, new.supertags),
            heads=tuple(head + 1 for head in heads),
            operations=splice.placed(old.operations, new.operations),
        )


def _before(tree: IndexedTree, part: Constituent) -> tuple[int, str] | None:
    """The supertag that a constituent begins with and the ignored word before it, if any is."""
    first = part.first
    if first == 0 or tree.supertags[first - 1] != 0:
        return None
    return tree.supertags[first], tree.tokens[first - 1].lower()
