"""Merging of tree nodes into symbols by minimum description length (MDL).

A *symbol* stands for one or more connected nodes, the symbol's *fragment*; at first, each node is a
symbol. The cost of a corpus is its length in bits under a unigram code over symbols. A symbol and a
symbol directly below it are merged if this saves more bits than the new symbol costs. They are not
merged if different words express them. A node that no word expresses thus joins a symbol that a
word expresses. `with_symbols` rewrites the trees with the new symbols, and `Symbols` restores the
fragments.

A *pair* is a fragment (the parent) with a fragment at a given position below it (the child). A
*name* is a literal that the sentence spells, or the only literal of its parent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.graph.sgraph import INVERSE
from amparser.induction.spanning import Tree
from amparser.induction.symbols import STEP, Path, Shape, Symbols
from amparser.induction.words import LEAST_BITS, Words
from amparser.notations.lisp_variables import CHAIN
from amparser.notations.ordered_trees import is_end
from amparser.notations.value_trees import IS

_LEAST_COUNT = 3
"""Minimum occurrences of a pair for merging it."""
_LEAST_SHARE = 0.3
"""Minimum share of a parent's occurrences that have a given child, to merge the two."""
_NEARLY_ALL = 0.8
"""Share of occurrences that counts as nearly all."""
_BOUND = 0.9
"""If this share of a leaf's occurrences is below one parent, merge the two whatever their words."""
_IMPLIED = 0.95
"""Fragment A implies fragment B if B occurs with at least this share of the occurrences of A."""
_WRAPS = 0.99
"""Minimum share of trees that have the wrapper at their root."""
_LEAST_SAVED = 0.35
"""Share of the bits that merging must save; see `with_symbols`."""


class Pair(NamedTuple):
    """Parent and child fragment by index, and the path from the parent's top to the child."""

    parent: int
    path: Path
    child: int


def with_symbols(
    trees: Sequence[Tree],
    words: Words,
    apart: Sequence[Collection[int]],
    spelled: Sequence[Collection[int]],
    unspelled: Words | None = None,
) -> tuple[list[Tree], Symbols]:
    """Merge nodes into symbols; return the rewritten trees, and the symbols' fragments.

    If this saves too few bits (`_LEAST_SAVED`), merge only nodes above names instead (such as
    `city` above a name); see `Merging.around_names`.

    Complexity: O(nodes + merges * different pairs).

    Args:
        words: the words of the sentences.
        apart: nodes of each tree that must not be merged with the node above.
        spelled: literals of each tree that the sentence spells; they are not merged with the node
            above.
        unspelled: the words that spell no literal; by default all words.
    """
    merging = Merging(trees, words, apart, spelled, unspelled)
    most = (1 - _LEAST_SAVED) * merging.bits()
    merging.merge_all(merging.best)
    merging.merge_all(merging.implied)
    if merging.bits() > most:
        merging = Merging(trees, words, apart, spelled, unspelled)
        merging.merge_all(merging.around_names)
    merging.merge_all(merging.sharing)
    return merging.trees()


def _lexical(tree: Tree) -> list[int]:
    """Return the literals that are the only literal of their parent."""
    beside = Counter(tree.parents[node] for node in tree.literals)
    return [node for node in tree.literals if beside[tree.parents[node]] == 1]


class Merging:
    """Trees of a corpus and the state of their merging; nodes are numbered across all trees."""

    def __init__(
        self,
        trees: Sequence[Tree],
        words: Words,
        apart: Sequence[Collection[int]],
        spelled: Sequence[Collection[int]],
        unspelled: Words | None = None,
    ) -> None:
        self._trees, self._words, self._unspelled = trees, words, unspelled or words
        self._numbers: dict[Shape, int] = {}
        self._shapes: list[Shape] = []
        self._first: list[int] = []
        self._row: list[int] = []
        self._parent: list[int] = []
        self._place: list[str] = []
        self._fragment: list[int] = []
        self._names: set[int] = set()
        self._apart: set[int] = set()
        for row, tree in enumerate(trees):
            first = len(self._row)
            self._first.append(first)
            self._row += [row] * len(tree.labels)
            self._parent += [first + above if above >= 0 else -1 for above in tree.parents]
            self._place += tree.places
            self._fragment += [self._number((((), label),)) for label in tree.labels]
            self._names.update(first + node for node in (*spelled[row], *_lexical(tree)))
            self._apart.update(first + node for node in apart[row])
        size = len(self._row)
        later = self._beginning_with(CHAIN)
        self._later = [n for n in later if not is_end(self._shapes[self._fragment[n]][0][1])]
        self._apart |= {*self._beginning_with(INVERSE), *later, *self._names}
        above = set(self._parent)
        self._items = {self._parent[node] for node in later}  # list items before another item
        # The nodes at each port, and the ports at which names or nodes with children occur.
        self._at: dict[tuple[int, str], set[int]] = defaultdict(set)
        self._open: set[tuple[int, str]] = set()
        self._single = list(self._fragment)
        self._defaults: dict[tuple[int, str, int], bool] = {}
        # For the top of each fragment: the fragment's nodes, and the tops of fragments below it.
        self._nodes = [[node] for node in range(size)]
        self._below: list[list[int]] = [[] for _ in range(size)]
        self._top = list(range(size))
        self._path: list[Path] = [()] * size
        self._tops: dict[int, set[int]] = defaultdict(set)
        self._pairs: dict[Pair, set[int]] = defaultdict(set)
        self._apart_pairs: dict[tuple[Pair, int, int, int], bool] = {}
        self._sharing: dict[tuple[Pair, int], bool] = {}
        self._own_words: dict[int, NDArray[np.bool_]] = {}
        self._told: dict[tuple[int, int], NDArray[np.bool_]] = {}
        for node, fragment in enumerate(self._fragment):
            self._tops[fragment].add(node)
            if self._parent[node] >= 0:
                port = self._single[self._parent[node]], self._place[node]
                self._at[port].add(node)
                if node in above or node in self._names:
                    self._open.add(port)
                self._below[self._parent[node]].append(node)
                self._count(node, is_there=True)
        # At this point, each fragment is a single node.
        self._expressing = self._unspelled.expressing([*map(self._rows, self._tops.values())])

    def _beginning_with(self, prefix: str) -> list[int]:
        return [node for node, place in enumerate(self._place) if place.startswith(prefix)]

    def _number(self, shape: Shape) -> int:
        if shape not in self._numbers:
            self._numbers[shape] = len(self._shapes)
            self._shapes.append(shape)
        return self._numbers[shape]

    def _count(self, node: int, *, is_there: bool) -> None:
        above = self._parent[node]
        if above < 0 or node in self._apart:
            return
        path = (*self._path[above], self._place[node])
        pair = Pair(self._fragment[self._top[above]], path, self._fragment[node])
        if is_there:
            self._pairs[pair].add(node)
        else:
            self._pairs[pair].remove(node)
            if not self._pairs[pair]:
                del self._pairs[pair]

    def bits(self) -> float:
        """Return the cost of the corpus in bits under a unigram code over its fragments."""
        counts = [len(tops) for tops in self._tops.values()]
        return _bits(sum(counts)) - sum(map(_bits, counts))

    @property
    def _total(self) -> int:
        return sum(map(len, self._tops.values()))

    def _gain(self, pair: Pair, total: int) -> float:
        count, size = len(self._pairs[pair]), len(self._numbers)
        saved = _bits(total) - _bits(total - count) + _bits(count)
        for fragment, gone in Counter((pair.parent, pair.child)).items():
            before = len(self._tops[fragment])
            saved += _bits(before - gone * count) - _bits(before)
        return saved - log2(size) - 2 - log2(total)

    def best(self) -> Pair | None:
        """Return the pair to merge next, or None if no pair saves enough bits.

        Prefer pairs whose child has no nodes below it.
        """
        wrapper, total = self.wrapper(), self._total
        most, chosen = (False, False, 0.0), None
        for pair, nodes in self._pairs.items():
            count, children = len(nodes), len(self._tops[pair.child])
            share = count / len(self._tops[pair.parent])
            if count < _LEAST_COUNT or (share < _LEAST_SHARE and count < _NEARLY_ALL * children):
                continue
            if pair.parent == wrapper and count < _WRAPS * len(self._trees):
                continue
            top = next(iter(nodes))
            if top in self._items and share < _NEARLY_ALL:
                continue
            is_closed = not self._below[top]
            is_bound = is_closed and len(self._nodes[top]) == 1 and count >= _BOUND * children
            gain = self._gain(pair, total)
            if gain < LEAST_BITS or (is_bound, is_closed, gain) <= most:
                continue
            if is_closed and len(self._nodes[top]) == 1 and self._is_default(top):
                continue
            if is_bound or share >= _IMPLIED or not self._have_own_words(pair):
                most, chosen = (is_bound, is_closed, gain), pair
        return chosen

    def around_names(self) -> Pair | None:
        """Return a pair whose child has a name below it (such as `city` with its name), or None.

        Nearly all occurrences of the parent must have this child, and the name must determine the
        parent.
        """
        for pair, nodes in self._pairs.items():
            if len(nodes) < max(_LEAST_COUNT, _IMPLIED * len(self._tops[pair.parent])):
                continue
            if self._follows_from_names(pair) and self._gain(pair, self._total) >= LEAST_BITS:
                return pair
        return None

    def implied(self) -> Pair | None:
        """Return a pair of a list item and a later item if one of them implies the other, or None.

        An item with a name implies a later item that no word expresses: a city's name implies its
        country. An item without a name implies an item that nearly always occurs with it, if no
        word expresses the second item: a Christian church implies a place of worship.
        """
        pairs: dict[Pair, set[int]] = defaultdict(set)
        named: set[Pair] = set()
        for node in self._later:
            top = self._top[self._parent[node]]
            has_name = not self._names.isdisjoint(self._below[top])
            is_name = not self._names.isdisjoint([node, *self._below[node]])
            if self._top[node] == node and not is_name:
                path = (*self._path[self._parent[node]], self._place[node])
                pair = Pair(self._fragment[top], path, self._fragment[node])
                pairs[pair].add(node)
                if has_name:
                    named.add(pair)
        for pair, nodes in pairs.items():
            above, below = (self._tops[fragment] for fragment in (pair.parent, pair.child))
            some, most = sorted((above, below), key=len)
            least = _NEARLY_ALL * len(below) if pair in named else _BOUND * len(some)
            if len(nodes) < max(_LEAST_COUNT, least):
                continue
            self._pairs[pair] = nodes
            if pair in named:
                is_said = self._unspelled.announce(self._rows(nodes), self._rows(above))
            else:
                is_said = self._unspelled.announce_apart(self._rows(most), self._rows(some))
            if not is_said and self._gain(pair, self._total) >= LEAST_BITS:
                self._apart -= nodes
                return pair
            del self._pairs[pair]
        return None

    def sharing(self) -> Pair | None:
        """Return the most frequent pair that most sentences express by one word, or None.

        For example, "highest" expresses both a maximum and the height that is compared.
        """
        total, wrapper = self._total, self.wrapper()
        for pair, nodes in sorted(self._pairs.items(), key=lambda item: -len(item[1])):
            if len(nodes) < _LEAST_COUNT or pair.parent == wrapper:
                continue
            is_free = next(iter(nodes)) not in self._items and not pair.path[-1].startswith(CHAIN)
            if is_free and self._gain(pair, total) >= LEAST_BITS and self._share_words(pair):
                return pair
        return None

    def _share_words(self, pair: Pair) -> bool:
        rows = {self._row[node]: node for node in sorted(self._pairs[pair])}
        key = pair, len(rows)
        if key not in self._sharing:
            shared = sum(self._lacks_word(row, node) for row, node in rows.items())
            self._sharing[key] = shared >= _NEARLY_ALL * len(rows)
        return self._sharing[key]

    def _lacks_word(self, row: int, node: int) -> bool:
        first, above = self._first[row], self._top[self._parent[node]]
        words = {
            top: self._telling(self._fragment[top])
            for top in range(first, first + len(self._trees[row].labels))
            if self._top[top] == top
            and top not in self._names
            and self._names.isdisjoint(self._below[top])
        }
        if node not in words or above not in words:
            return False
        lack = self._unspelled.lack(row, [*words.values()])
        words[above] = words[above] | words.pop(node)
        return lack > self._unspelled.lack(row, [*words.values()])

    def _telling(self, fragment: int) -> NDArray[np.bool_]:
        key = fragment, len(self._tops[fragment])
        if key not in self._told:
            self._told[key] = self._unspelled.telling(self._rows(self._tops[fragment]))
        return self._told[key]

    def _follows_from_names(self, pair: Pair) -> bool:
        above: dict[int, Counter[int]] = defaultdict(Counter)
        for top in self._tops[pair.child]:
            names = [node for node in self._below[top] if node in self._names]
            if len(names) != 1 or self._parent[top] < 0 or self._place[names[0]] == IS:
                return False
            above[self._fragment[names[0]]][self._fragment[self._top[self._parent[top]]]] += 1
        often = [counts for counts in above.values() if counts.total() > 1]
        total = sum(counts.total() for counts in often)
        # At least ten occurrences of repeated names are required.
        return total >= 10 and sum(max(c.values()) for c in often) >= _BOUND * total

    def _have_own_words(self, pair: Pair) -> bool:
        ends = (pair.parent, pair.child), (pair.child, pair.parent)
        above, below = (len(self._tops[fragment]) for fragment, _ in ends)
        key = pair, len(self._pairs[pair]), above, below
        if key not in self._apart_pairs:
            rows = self._rows(self._pairs[pair])
            unnamed = [end for end in ends if not self._has_names(end[0])]
            implied = any(
                len(rows) >= _IMPLIED * len(self._rows(self._tops[other])) for _, other in unnamed
            )
            words = [self._words_of(fragment) for fragment, _ in unnamed]
            self._apart_pairs[key] = not implied and self._unspelled.distinguish(rows, words)
        return self._apart_pairs[key]

    def _has_names(self, fragment: int) -> bool:
        tops = self._tops[fragment]
        return 2 * sum(not self._names.isdisjoint(self._below[top]) for top in tops) >= len(tops)

    def _words_of(self, fragment: int) -> NDArray[np.bool_]:
        if fragment not in self._own_words:
            labels = [self._number((((), label),)) for _, label in self._shapes[fragment]]
            self._own_words[fragment] = self._expressing[labels].sum(axis=0) > 0
        return self._own_words[fragment]

    def _is_default(self, leaf: int) -> bool:
        """Return whether a leaf is the usual label at its port and no word expresses it."""
        port = self._single[self._parent[leaf]], self._place[leaf]
        key = *port, self._fragment[leaf]
        if key not in self._defaults:
            every = self._at[port]
            here = {node for node in every if self._single[node] == key[-1]}
            rare = len(here) < len(every) <= len(here) / _IMPLIED
            free = port in self._open or rare
            self._defaults[key] = free and not self._words.announce(
                self._rows(here), self._rows(every)
            )
        return self._defaults[key]

    def _rows(self, nodes: Collection[int]) -> set[int]:
        return {self._row[node] for node in nodes}

    def wrapper(self) -> int | None:
        """Return the fragment at almost all roots if it has one child and occurs nowhere else."""
        [(fragment, count)] = Counter(self._fragment[top] for top in self._first).most_common(1)
        if count < _WRAPS * len(self._trees) or len(self._tops[fragment]) > count:
            return None
        return fragment if all(len(self._below[t]) == 1 for t in self._tops[fragment]) else None

    def merge_all(self, choose: Callable[[], Pair | None]) -> None:
        """Merge the pair that `choose` returns until it returns None."""
        while (pair := choose()) is not None:
            self.merge(pair)

    def merge(self, pair: Pair) -> None:
        """Merge all occurrences of a pair."""
        inner = [((*pair.path, *path), label) for path, label in self._shapes[pair.child]]
        new = self._number(tuple(sorted((*self._shapes[pair.parent], *inner))))
        for node in sorted(self._pairs[pair]):
            # In a chain of equal fragments, only every second pair can merge.
            if node in self._pairs.get(pair, ()):
                self._join(node, new)

    def _join(self, node: int, new: int) -> None:
        above = self._parent[node]
        top = self._top[above]
        path = (*self._path[above], self._place[node])
        around = {top, *self._below[top], *self._below[node]}
        for other in around:
            self._count(other, is_there=False)
        for inner in self._nodes[node]:
            self._top[inner] = top
            self._path[inner] = (*path, *self._path[inner])
        self._nodes[top] += self._nodes[node]
        self._below[top].remove(node)
        self._below[top] += self._below[node]
        for old in (node, top):
            self._tops[self._fragment[old]].remove(old)
        self._fragment[top] = new
        self._tops[new].add(top)
        for other in around - {node}:
            self._count(other, is_there=True)

    def trees(self) -> tuple[list[Tree], Symbols]:
        """Return the trees with symbols as labels, and the fragment of each symbol."""
        texts = [STEP.join(label for _, label in shape) for shape in self._shapes]
        shape_of: dict[str, Shape] = {}
        for number, shape in enumerate(self._shapes):
            if len(shape) > 1:
                texts[number] += f"{STEP}{number}"
                shape_of[texts[number]] = shape
        trees = []
        for tree, first in zip(self._trees, self._first, strict=True):
            tops = [n for n in range(len(tree.labels)) if self._top[first + n] == first + n]
            number_of = {node: number for number, node in enumerate(tops)}
            above = [self._parent[first + node] for node in tops]
            trees.append(
                Tree(
                    tuple(texts[self._fragment[first + node]] for node in tops),
                    tuple(number_of[self._top[a] - first] if a >= 0 else -1 for a in above),
                    tuple(
                        STEP.join((*self._path[a], tree.places[node])) if a >= 0 else ""
                        for a, node in zip(above, tops, strict=True)
                    ),
                    tuple(tree.nodes[node] for node in tops),
                    tree.names,
                    tree.negated,
                )
            )
        return trees, Symbols(shape_of)


def _bits(count: int) -> float:
    return count * log2(count) if count > 0 else 0.0
