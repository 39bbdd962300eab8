"""Sorts: types finer than arity, induced from which constants stand below which.

Every constituent has a hidden sort. A tree of constants is generated from the top:

    P(tree) = P(sort of the root) * prod over constants c of sort z
              P(c | z) * prod over the ports h that are filled  P(sort of the filler | c, h, z)

so a constant may have several *typings* (its own sort and those of its ports), each with a
probability: what passes its argument's sort on, and what asks for one sort always, come
out alike. The model is estimated by expectation maximisation; its number of sorts grows by
splitting every sort in two and joining those pairs again that do not shorten the
description of the corpus (Petrov et al. 2006 split and merge the symbols of a grammar;
the criterion here is bits: log-likelihood, and half a log2 N for each parameter in use).
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
"""Added to every count."""
_PASSED = 1e-4
"""The probability that a port that passes its constant's sort on takes another one."""


def tag_tree(derivation: Encoded, top: int | None = None) -> TagNode:
    """The tree of tags of a derivation, or of the constituent that `top` heads."""
    below = _below(derivation)

    def node(token: int) -> TagNode:
        inside = sorted(below.get(token, ()))
        return TagNode(derivation.tags[token], tuple((port, node(t)) for port, t in inside))

    return node(derivation.root if top is None else top)


def _below(derivation: Encoded) -> dict[int, list[tuple[int, int]]]:
    """Return the ports of each head, in the order of their fillers' tokens, and the tokens."""
    below: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for token, head in enumerate(derivation.heads):
        if head >= 0:
            below[head].append((derivation.ports[token], token))
    return below


@dataclass
class SortModel:
    """Probabilities over Z sorts; natural logarithms where a name says so.

    Attributes:
        root: `[Z]`, P(sort of the root).
        tag: `[T, Z]`, P(tag | sort); every column sums to one.
        filler: for a tag and a port `[Z, Z]`, P(sort of the filler | own sort), by rows.
        counts: `[T, Z]`, how often train is expected to have which tag with which sort.
    """

    root: Annotated[Array, Sized("sort")]
    tag: Annotated[Array, Sized("tag", "sort")]
    filler: dict[tuple[TagId, Count], Annotated[Array, Sized("sort", "sort")]]
    counts: Annotated[Array, Sized("tag", "sort")]

    @property
    def sort_count(self) -> int:
        """How many sorts there are."""
        return len(self.root)

    def inside(self, tree: TagNode) -> Array:
        """P(this tree | its sort), `[Z]`."""
        value: Array = self.tag[tree.tag].copy()
        for port, below in tree.below:
            value *= self.filler[tree.tag, port] @ self.inside(below)
        return value

    def fillers(self, tag: int, port: int) -> Array:
        """P(tag of the filler | tag, port), `[T]`; where train has no filler, P(tag)."""
        sorts = self.counts.sum(axis=0)
        table = self.filler.get((tag, port))
        if table is not None:
            sorts = (self.tag[tag] * sorts) @ table
        found: Array = self.tag @ (sorts / max(float(sorts.sum()), 1e-12))
        return found

    def best_sorts(self, derivation: Encoded) -> list[int]:
        """The likeliest sort of each token's constituent, jointly; -1 where there is none."""
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
    """What stays the same while sorts are split and joined.

    Attributes:
        trees: of the corpus.
        port: `[H]`, for each port of a tag its number in that tag.
        passed: `[H]`, whether its filler has the sort of its constant.
    """

    trees: Forest
    port: NDArray[np.int64]
    passed: NDArray[np.bool_]

    def estimated(self, counts: Arrays) -> Arrays:
        """The probabilities by these counts.

        The fillers of a constant's port are smoothed by those of all constants of its sort, so
        what one may take, a rarer one of its sort may take too.
        """
        # Every sort may be the root's: a constant there has the sort of its like elsewhere.
        root = np.full(len(counts.root), 1.0 / len(counts.root))
        floor = _SMOOTHING / len(counts.tag)
        tag = (counts.tag + floor) / (counts.tag + floor).sum(axis=0, keepdims=True)
        overall = counts.tag.sum(axis=0) + _SMOOTHING
        overall = overall / overall.sum()
        shared = np.zeros((self.port.max(initial=0) + 1, *counts.filler.shape[1:]))
        np.add.at(shared, self.port, counts.filler)
        # And so many of those are of any sort.
        shared += 0.5 * overall
        shared /= shared.sum(axis=2, keepdims=True)
        every = counts.filler.sum(axis=1, keepdims=True) + _SMOOTHING * overall
        every /= every.sum(axis=2, keepdims=True)
        # So many fillers of each port are those of all constants of the sort.
        filler = counts.filler + _SMOOTHING * every + 1.0 * shared[self.port]
        filler /= filler.sum(axis=2, keepdims=True)
        filler[self.passed] = (1 - _PASSED) * np.eye(len(root)) + _PASSED / len(root)
        return Arrays(root, tag, filler)

    def bits(self, counts: Arrays) -> float:
        """Bits for the corpus and for the parameters in use (expected count above one half)."""
        counted = (counts.root, counts.tag, counts.filler[~self.passed])
        used = sum(int((array > 0.5).sum()) for array in counted)
        nodes = float(counts.tag.sum())
        fit = likelihood(self.trees, self.estimated(counts))
        return -fit / log(2) + 0.5 * log2(max(nodes, 2.0)) * used

    def trained(self, counts: Arrays, rounds: int) -> Arrays:
        """The counts after so many rounds of expectation maximisation."""
        for _ in range(rounds):
            counts = expected(self.trees, self.estimated(counts))
        return counts

    def with_joins(self, counts: Arrays) -> Arrays:
        """Join sorts as long as that shortens the description."""
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
    """Every sort in two, with a little noise."""

    def noisy(array: Array) -> Array:
        return array * (1.0 + 0.2 * (random.random(array.shape) - 0.5))

    return Arrays(
        noisy(np.repeat(counts.root, 2) / 2),
        noisy(np.repeat(counts.tag, 2, axis=1) / 2),
        noisy(np.repeat(np.repeat(counts.filler, 2, axis=1), 2, axis=2) / 4),
    )


def _joined(counts: Arrays, a: int, b: int) -> Arrays:
    """The counts with sort b joined to sort a."""

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

    Complexity: O(most^2) times that of a round, which is O(S most^2) for S different subtrees.

    Args:
        trees: the trees of tags.
        tag_count: tags are 0 .. tag_count - 1.
        most: no more sorts than this before the last joining.
        passed: the ports, by tag and number, whose fillers have the sort of the constant itself.
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
        # Of expectation maximisation after each split.
        grown = search.with_joins(search.trained(_split(counts, random), 25))
        if search.bits(grown) >= search.bits(counts):
            break
        counts = grown
    model = search.estimated(counts)
    return SortModel(
        model.root,
        model.tag,
        dict(zip(ports, model.filler, strict=True)),
        counts.tag,
    )


@dataclass(frozen=True)
class TypingPrior:
    """What typings cost, for a decoder; natural logarithms.

    Attributes:
        root: `[Z]`, of the root's sort.
        result: `[T, Z]`, of a tag's own sort.
        filler: for a tag and a port `[Z, Z]`, of the filler's sort given the own sort.
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
    """The prior over typings of a model.

    Args:
        model: the sorts.
        ports: how many ports each tag has, `[T]`.
        weight: of the log probabilities.
        floor: a smaller probability counts as this one, and
        violation: costs so much more, in nats.
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
