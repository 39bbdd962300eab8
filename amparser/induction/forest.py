"""Tag trees of a corpus as arrays, and the inside-outside algorithm over their hidden sorts.

A tag tree is a derivation without words: tags of constants, and the ports that arguments fill. A
sort is a hidden type of constituent (see `sorts` for the model). Equal subtrees are stored once.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

Float = NDArray[np.float64]
Int = NDArray[np.int64]


class TagNode(NamedTuple):
    """Tree of tags: a tag, and a pair (port, subtree) for each filled port."""

    tag: int
    below: tuple[tuple[int, TagNode], ...]


Port = tuple[int, int]
"""Port of a constant: the constant's tag and the index of the port."""


class Forest(NamedTuple):
    """R different trees with S different subtrees; children precede parents.

    Attributes:
        tag: tag at the root of each subtree, `[S]`.
        first: offset of each subtree's children in `below` and `port`, `[S + 1]`.
        below: children of all subtrees, as subtree indices.
        port: corpus-wide index of the port that each child fills.
        tree: subtree index of each tree, `[R]`.
        often: count of each tree in the corpus, `[R]`.
    """

    tag: Int
    first: Int
    below: Int
    port: Int
    tree: Int
    often: Float


class Arrays(NamedTuple):
    """Probabilities or expected counts over Z sorts, T tags and H ports.

    Attributes:
        root: value of each sort at the root, `[Z]`.
        tag: value of each tag with each sort, `[T, Z]`.
        filler: value of each port with each sort of the head and of the argument, `[H, Z, Z]`.
    """

    root: Float
    tag: Float
    filler: Float


def forest(corpus: Mapping[TagNode, int], ports: Mapping[Port, int]) -> Forest:
    """Build the forest of a corpus from the count of each tree and the index of each port."""
    numbers: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}

    def number(tree: TagNode) -> int:
        below = tuple((ports[tree.tag, port], number(sub)) for port, sub in tree.below)
        return numbers.setdefault((tree.tag, below), len(numbers))

    trees = [number(tree) for tree in corpus]
    filled = [pair for _, below in numbers for pair in below]

    def array(values: list[int]) -> Int:
        return np.array(values, dtype=np.int64)

    return Forest(
        array([tag for tag, _ in numbers]),
        np.cumsum([0, *(len(below) for _, below in numbers)]),
        array([sub for _, sub in filled]),
        array([port for port, _ in filled]),
        array(trees),
        np.array([float(count) for count in corpus.values()]),
    )


@compiled
def inside(trees: Forest, model: Arrays) -> Float:
    """Return P(subtree | its sort), `[S, Z]`."""
    sorts = len(model.root)
    probability = np.empty((len(trees.tag), sorts))
    for tree in range(len(trees.tag)):
        probability[tree] = model.tag[trees.tag[tree]]
        for i in range(trees.first[tree], trees.first[tree + 1]):
            table, below = model.filler[trees.port[i]], probability[trees.below[i]]
            for z in range(sorts):
                total = 0.0
                for y in range(sorts):
                    total += table[z, y] * below[y]
                probability[tree, z] *= total
    return probability


@compiled
def likelihood(trees: Forest, model: Arrays) -> float:
    """Return the log-likelihood of a corpus (natural log). Complexity: O(S Z^2)."""
    values = inside(trees, model)
    total = 0.0
    for i in range(len(trees.tree)):
        probability = 0.0
        for z in range(len(model.root)):
            probability += model.root[z] * values[trees.tree[i], z]
        # Probabilities that underflow count as 1e-300.
        total += trees.often[i] * log(max(probability, 1e-300))
    return total


# This function is long because it is a single pass down the trees.
@compiled
def expected(trees: Forest, model: Arrays) -> Arrays:
    """Return the expected counts of a corpus (inside-outside). Complexity: O(S Z^2)."""
    sorts = len(model.root)
    values = inside(trees, model)
    root, tag = np.zeros(sorts), np.zeros(model.tag.shape)
    filler = np.zeros(model.filler.shape)
    outside = np.zeros(values.shape)
    for i in range(len(trees.tree)):
        tree = trees.tree[i]
        joint = model.root * values[tree]
        total = joint.sum()
        if total > 0:
            root += trees.often[i] / total * joint
            outside[tree] += trees.often[i] / total * model.root
    most = 0
    for tree in range(len(trees.tag)):
        most = max(most, trees.first[tree + 1] - trees.first[tree])
    messages = np.empty((most, sorts))
    for tree in range(len(trees.tag) - 1, -1, -1):
        first, end = trees.first[tree], trees.first[tree + 1]
        tag[trees.tag[tree]] += outside[tree] * values[tree]
        for i in range(first, end):
            table, below = model.filler[trees.port[i]], values[trees.below[i]]
            for z in range(sorts):
                messages[i - first, z] = (table[z] * below).sum()
        for i in range(first, end):
            rest = outside[tree] * model.tag[trees.tag[tree]]
            for j in range(end - first):
                if j != i - first:
                    rest *= messages[j]
            table, below = model.filler[trees.port[i]], values[trees.below[i]]
            for z in range(sorts):
                for y in range(sorts):
                    reached = rest[z] * table[z, y]
                    filler[trees.port[i], z, y] += reached * below[y]
                    outside[trees.below[i], y] += reached
    return Arrays(root, tag, filler)
