"""Sorts: induced types of constituents, which tell which fragments may be arguments of others.

Every constituent has a hidden sort (a city, a number, a set of states). A tree of fragments is
generated top down:

    P(tree) = P(sort of the root) * prod over fragments c of sort z
              P(c | z) * prod over the filled ports h  P(sort of the argument | c, h, z)

A *typing* of a fragment consists of the sort of its constituent and the sorts of its arguments. A
fragment may have several typings, each with a probability: "largest" has the sort of its argument,
whatever that is. The model is estimated by EM. Each sort is repeatedly split in two, and the halves
are merged again if the split does not shorten the description of the corpus (compare Petrov et al.
2006). The description length in bits is the negative log2-likelihood plus 1/2 log2 N for each
parameter in use, where N is the number of fragments in the corpus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, log2
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from amparser.conditions import Count, Index, Sized
from amparser.induction.forest import Arrays, Forest, TagNode, expected, forest, likelihood
from amparser.lexicon.encoded import Encoded

Array = NDArray[np.float64]
TagId = Annotated[int, Index("tag")]

_SMOOTHING = 0.02
"""Pseudo-count distributed over the outcomes of each distribution."""
_PASSED = 1e-4
"""Probability that a fragment and its argument differ in sort at a port where both should agree."""


def tag_tree(derivation: Encoded, top: int | None = None) -> TagNode:
    """Return the tag tree of a derivation, or of the constituent with head `top`."""
    below = _below(derivation)

    def node(token: int) -> TagNode:
        inside = sorted(below.get(token, ()))
        return TagNode(derivation.tags[token], tuple((port, node(t)) for port, t in inside))

    return node(derivation.root if top is None else top)


def _below(derivation: Encoded) -> dict[int, list[tuple[int, int]]]:
    below: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for token, head in enumerate(derivation.heads):
        if head >= 0:
            below[head].append((derivation.ports[token], token))
    return below


@dataclass
class SortModel:
    """Probabilities over Z sorts and T tags.

    Attributes:
        root: P(sort of the root), `[Z]`.
        tag: P(tag | sort), `[T, Z]`; columns sum to 1.
        filler: P(sort of the argument | sort of the fragment) by (tag, port), `[Z, Z]`; rows sum
            to 1.
        counts: expected count of each tag with each sort in training, `[T, Z]`.
    """

    root: Annotated[Array, Sized("sort")]
    tag: Annotated[Array, Sized("tag", "sort")]
    filler: dict[tuple[TagId, Count], Annotated[Array, Sized("sort", "sort")]]
    counts: Annotated[Array, Sized("tag", "sort")]

    @property
    def sort_count(self) -> int:
        """The number of sorts."""
        return len(self.root)

    def inside(self, tree: TagNode) -> Array:
        """Return P(tree | its sort), `[Z]`."""
        value: Array = self.tag[tree.tag].copy()
        for port, below in tree.below:
            value *= self.filler[tree.tag, port] @ self.inside(below)
        return value

    def fillers(self, tag: int, port: int) -> Array:
        """Return P(tag of the argument | tag and port of the head), `[T]`.

        If the port is never filled in training, it is P(tag).
        """
        sorts = self.counts.sum(axis=0)
        table = self.filler.get((tag, port))
        if table is not None:
            sorts = (self.tag[tag] * sorts) @ table
        tags: Array = self.tag @ (sorts / max(float(sorts.sum()), 1e-12))
        return tags

    def best_sorts(self, derivation: Encoded) -> list[int]:
        """Return the jointly most probable sorts by token; -1 for tokens without a constant."""
        children = _below(derivation)
        choice: dict[int, NDArray[np.int64]] = {}

        def best(token: int) -> Array:
            tag = derivation.tags[token]
            with np.errstate(divide="ignore"):
                value: Array = np.log(self.tag[tag])
                for port, child in children.get(token, ()):
                    options = np.log(self.filler[tag, port]) + best(child)[None, :]
                    choice[child] = options.argmax(axis=1)
                    value = value + options.max(axis=1)
            return value

        sorts = [-1] * len(derivation.tags)
        with np.errstate(divide="ignore"):
            sorts[derivation.root] = int((np.log(self.root) + best(derivation.root)).argmax())
        agenda = [derivation.root]
        for token in agenda:
            for _, child in children.get(token, ()):
                sorts[child] = int(choice[child][sorts[token]])
                agenda.append(child)
        return sorts


@dataclass(frozen=True)
class _Search:
    """Search for the best number of sorts, given the training data.

    Attributes:
        trees: tag trees of the corpus.
        port: index of each port within its fragment, `[H]`.
        passed: whether each port's argument has the same sort as the fragment's constituent, `[H]`.
    """

    trees: Forest
    port: NDArray[np.int64]
    passed: NDArray[np.bool_]

    def estimated(self, counts: Arrays) -> Arrays:
        """Estimate probabilities from expected counts.

        The distribution of each port is smoothed by the distribution of all ports with the same
        index, separately for each sort. A rare fragment thus accepts the arguments of frequent
        fragments.
        """
        # A uniform distribution: the root must not influence the sorts.
        root = np.full(len(counts.root), 1.0 / len(counts.root))
        floor = _SMOOTHING / len(counts.tag)
        tag = (counts.tag + floor) / (counts.tag + floor).sum(axis=0, keepdims=True)
        overall = counts.tag.sum(axis=0) + _SMOOTHING
        overall = overall / overall.sum()
        shared = np.zeros((self.port.max(initial=0) + 1, *counts.filler.shape[1:]))
        np.add.at(shared, self.port, counts.filler)
        # Half a pseudo-argument smooths the shared distribution.
        shared += 0.5 * overall
        shared /= shared.sum(axis=2, keepdims=True)
        every = counts.filler.sum(axis=1, keepdims=True) + _SMOOTHING * overall
        every /= every.sum(axis=2, keepdims=True)
        # Add one pseudo-argument from the shared distribution.
        filler = counts.filler + _SMOOTHING * every + 1.0 * shared[self.port]
        filler /= filler.sum(axis=2, keepdims=True)
        filler[self.passed] = (1 - _PASSED) * np.eye(len(root)) + _PASSED / len(root)
        return Arrays(root, tag, filler)

    def bits(self, counts: Arrays) -> float:
        """Return the description length in bits (see the module's docstring).

        A parameter is in use if its expected count exceeds 1/2.
        """
        counted = (counts.root, counts.tag, counts.filler[~self.passed])
        used = sum(int((array > 0.5).sum()) for array in counted)
        nodes = float(counts.tag.sum())
        fit = likelihood(self.trees, self.estimated(counts))
        return -fit / log(2) + 0.5 * log2(max(nodes, 2.0)) * used

    def trained(self, counts: Arrays, rounds: int) -> Arrays:
        for _ in range(rounds):
            counts = expected(self.trees, self.estimated(counts))
        return counts

    def with_joins(self, counts: Arrays) -> Arrays:
        bits = self.bits(counts)
        while len(counts.root) > 1:
            least, a, b = min(
                (self.bits(_joined(counts, a, b)), a, b)
                for a, b in combinations(range(len(counts.root)), 2)
            )
            if least >= bits:
                break
            counts = self.trained(_joined(counts, a, b), 5)
            bits = self.bits(counts)
        return counts


def _split(counts: Arrays, random: np.random.Generator) -> Arrays:
    def noisy(array: Array) -> Array:
        return array * (1.0 + 0.2 * (random.random(array.shape) - 0.5))

    return Arrays(
        noisy(np.repeat(counts.root, 2) / 2),
        noisy(np.repeat(counts.tag, 2, axis=1) / 2),
        noisy(np.repeat(np.repeat(counts.filler, 2, axis=1), 2, axis=2) / 4),
    )


def _joined(counts: Arrays, a: int, b: int) -> Arrays:
    def axis(array: Array, which: int) -> Array:
        moved = np.moveaxis(array, which, 0).copy()
        moved[a] += moved[b]
        return np.ascontiguousarray(np.moveaxis(np.delete(moved, b, axis=0), 0, which))

    return Arrays(axis(counts.root, 0), axis(counts.tag, 1), axis(axis(counts.filler, 1), 2))


def induce_sorts(
    trees: Sequence[TagNode],
    tag_count: int,
    *,
    most: int = 16,
    passed: Collection[tuple[int, int]] = (),
) -> SortModel:
    """Induce the sorts of a corpus.

    Complexity: O(most^2) rounds of EM, each O(S most^2) for S distinct subtrees.

    Args:
        trees: tag trees of the corpus.
        tag_count: tags are 0 .. tag_count - 1.
        most: maximum number of sorts before the last merge.
        passed: (tag, port) pairs whose arguments have the sort of the fragment's constituent.
    """
    corpus = Counter(trees)
    random = np.random.default_rng(0)
    tag, filled = np.zeros((tag_count, 1)), Counter[tuple[int, int]]()
    agenda = list(corpus.items())
    for tree, count in agenda:
        tag[tree.tag] += count
        for port, below in tree.below:
            filled[tree.tag, port] += count
            agenda.append((below, count))
    ports = {port: number for number, port in enumerate(filled)}
    search = _Search(
        forest(corpus, ports),
        np.array([port for _, port in ports], dtype=np.int64),
        np.array([port in passed for port in ports], dtype=np.bool_),
    )
    filler = np.array([*filled.values()], dtype=np.float64).reshape(-1, 1, 1)
    counts = Arrays(np.array([float(len(trees))]), tag, filler)
    while 2 * len(counts.root) <= most:
        # 25 rounds of EM after each split.
        grown = search.with_joins(search.trained(_split(counts, random), 25))
        if search.bits(grown) >= search.bits(counts):
            break
        counts = grown
    model = search.estimated(counts)
    return SortModel(model.root, model.tag, dict(zip(ports, model.filler, strict=True)), counts.tag)


@dataclass(frozen=True)
class TypingPrior:
    """Scores of typings, which a decoder adds to its own: weighted log-probabilities (natural log).

    Attributes:
        root: score of each sort of the root, `[Z]`.
        result: score of each tag with each sort of its constituent, `[T, Z]`.
        filler: for each (tag, port), score of each sort of the constituent with each sort of the
            argument, `[Z, Z]`.
    """

    root: Array
    result: Array
    filler: dict[tuple[int, int], Array]


def typing_prior(
    model: SortModel,
    ports: Sequence[int],
    *,
    weight: float = 1.0,
    floor: float = 1e-3,
    violation: float = 0.0,
) -> TypingPrior:
    """Return the scores that a sort model gives to typings.

    Args:
        ports: number of ports of each tag.
        weight: factor of the log-probabilities.
        floor: minimum probability; smaller ones are raised to it.
        violation: additional cost in nats of probabilities below the floor.
    """

    def cost(probability: Array) -> Array:
        known = weight * np.log(np.maximum(probability, floor))
        return np.where(probability < floor, known - violation, known)

    joint = model.tag * model.counts.sum(axis=0)[None, :]
    own = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-12)
    overall = model.counts.sum(axis=0) / max(model.counts.sum(), 1e-12)
    uniform = np.broadcast_to(overall, (model.sort_count, model.sort_count))
    filler = {
        (tag, port): cost(np.asarray(model.filler.get((tag, port), uniform)))
        for tag, count in enumerate(ports)
        for port in range(count)
    }
    return TypingPrior(cost(model.root), cost(own), filler)
