"""Binary constituent trees of sentences, from the derivations of the grammar.

    no dogs that hit some cats ran .    ((no (dogs (that (hit (some cats))))) ran)

A rule with more than two parts branches to the right; one with a single part adds no
node. The paper takes dependency trees of spaCy and checks a sample of 100 for each setting
(section 3.2). Derivations are right by construction and need no other program.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from amparser.benchmarks.monotonicity.fragment import in_order
from amparser.grammar.irtg import Derivation

Tree: TypeAlias = str | tuple["Tree", "Tree"]
"""A word, or two trees side by side."""

IntArray: TypeAlias = npt.NDArray[np.int64]

_END = "."
_NONE = -1


def tree_of(derivation: Derivation) -> Tree:
    """The binary tree over the words of a sentence, without the point at its end."""
    parts: list[Tree] = []
    for part in in_order(derivation.rule.terms["string"]):
        if part.variable:
            parts.append(tree_of(derivation.children[part.variable - 1]))
        elif part.label != _END:
            parts.append(part.label)
    tree = parts.pop()
    while parts:
        tree = (parts.pop(), tree)
    return tree


class Levels(NamedTuple):
    """The nodes of some trees by height, numbered from 0: words first, then upwards.

    Attributes:
        words: `[W]` int64, ids of the words of height 0.
        children: for each height from 1 `[K, 2]` int64, the numbers of both children.
        roots: `[S]` int64, the number of each tree's root.
    """

    words: IntArray
    children: list[IntArray]
    roots: IntArray


class Forest:
    """All different subtrees of some sentences, each kept once.

    Premise and hypothesis mostly consist of the same phrases, and so do sentences of one batch:
    shared phrases need to be computed only once.
    """

    def __init__(self) -> None:
        self._numbers: dict[int | tuple[int, int], int] = {}
        self._left: list[int] = []
        self._right: list[int] = []
        self._height: list[int] = []
        self._below: dict[int, IntArray] = {}
        self._arrays: tuple[IntArray, IntArray, IntArray] | None = None

    def __len__(self) -> int:
        return len(self._height)

    def add(self, tree: Tree, ids: dict[str, int], unknown: int) -> int:
        """The number of a tree; its words have the given ids, or else the id `unknown`."""
        if isinstance(tree, str):
            word = ids.get(tree, unknown)
            return self._number(word, word, _NONE, 0)
        left, right = (self.add(child, ids, unknown) for child in tree)
        height = 1 + max(self._height[left], self._height[right])
        return self._number((left, right), left, right, height)

    def _number(self, key: int | tuple[int, int], left: int, right: int, height: int) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self._height)
            self._left.append(left)
            self._right.append(right)
            self._height.append(height)
        return self._numbers[key]

    def below(self, root: int) -> IntArray:
        """The numbers of a tree's different subtrees, including itself, in order."""
        if root not in self._below:
            seen = {root}
            agenda = [root]
            while agenda:
                node = agenda.pop()
                if self._height[node]:
                    for child in (self._left[node], self._right[node]):
                        if child not in seen:
                            seen.add(child)
                            agenda.append(child)
            self._below[root] = np.array(sorted(seen), dtype=np.int64)
        return self._below[root]

    def levels(self, roots: Sequence[int]) -> Levels:
        """The nodes of trees, shared ones once; O(n log n) in their number."""
        if self._arrays is None or len(self._arrays[0]) < len(self):
            self._arrays = tuple(  # type: ignore[assignment]
                np.array(column, dtype=np.int64)
                for column in (self._left, self._right, self._height)
            )
        assert self._arrays is not None
        left, right, height = self._arrays
        nodes = np.unique(np.concatenate([self.below(root) for root in dict.fromkeys(roots)]))
        heights = height[nodes]
        order = np.argsort(heights, kind="stable")
        # The position of each node in that order.
        places = np.empty(len(nodes), dtype=np.int64)
        places[order] = np.arange(len(nodes))
        ends = np.cumsum(np.bincount(heights))
        sorted_nodes = nodes[order]
        words = left[sorted_nodes[: ends[0]]]
        children = []
        for start, end in pairwise(ends):
            level = sorted_nodes[start:end]
            both = np.stack([left[level], right[level]], 1)
            children.append(places[np.searchsorted(nodes, both)])
        found = places[np.searchsorted(nodes, np.array(roots, dtype=np.int64))]
        return Levels(words, children, found)
