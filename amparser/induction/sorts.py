"""Sorts: types finer than arity, induced from which constants stand below which.

Every constituent has a hidden sort. A tree of constants is generated from the top:

    P(tree) = P(sort of the root) * prod over constants c of sort z
              P(c | z) * prod over the holes h that are filled  P(sort of the filler | c, h, z)

so a constant may have several *typings* (its own sort and those of its holes), each with a
probability: what passes its argument's sort on, and what asks for one sort always, come
out alike. The model is estimated by expectation maximisation; its number of sorts grows by
splitting every sort in two and joining those pairs again that do not shorten the
description of the corpus (Petrov et al. 2006 split and merge the symbols of a grammar;
the criterion here is bits: log-likelihood, and half a log2 N for each parameter in use).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.induction.derivation import Derivation

Array = NDArray[np.float64]

_SHARED = 1.0
"""So many fillers of each hole are those of all constants of the sort."""
_OVERALL = 0.5
"""And so many of those are of any sort."""


class TagNode(NamedTuple):
    """A tree of tags: the tag, and for each filled hole its number and the tree there."""

    tag: int
    below: tuple[tuple[int, TagNode], ...]


def tag_tree(derivation: Derivation, top: int | None = None) -> TagNode:
    """The tree of tags of a derivation, or of the constituent that `top` heads."""
    below: dict[int, list[tuple[int, int]]] = {}
    for token, head in enumerate(derivation.heads):
        if head >= 0:
            below.setdefault(head, []).append((derivation.holes[token], token))

    def node(token: int) -> TagNode:
        inside = sorted(below.get(token, ()))
        return TagNode(derivation.tags[token], tuple((hole, node(t)) for hole, t in inside))

    return node(derivation.root if top is None else top)


@dataclass
class Counts:
    """Expected counts: of the root's sort `[Z]`, of tags `[T, Z]`, of fillers `[Z, Z]` a hole."""

    root: Array
    tag: Array
    filler: dict[tuple[int, int], Array]


@dataclass
class SortModel:
    """Probabilities over Z sorts; natural logarithms where a name says so.

    Attributes:
        root: `[Z]`, P(sort of the root).
        tag: `[T, Z]`, P(tag | sort); every column sums to one.
        filler: for a tag and a hole `[Z, Z]`, P(sort of the filler | own sort), by rows.
        counts: what it was estimated from.
    """

    root: Array
    tag: Array
    filler: dict[tuple[int, int], Array]
    counts: Counts

    @property
    def sort_count(self) -> int:
        """How many sorts there are."""
        return len(self.root)

    def inside(self, tree: TagNode) -> Array:
        """P(this tree | its sort), `[Z]`."""
        value: Array = self.tag[tree.tag].copy()
        for hole, below in tree.below:
            value *= self.filler[tree.tag, hole] @ self.inside(below)
        return value

    def fillers(self, tag: int, hole: int) -> Array:
        """P(tag of the filler | tag, hole), `[T]`; where train has no filler, P(tag)."""
        sorts = self.counts.tag.sum(axis=0)
        table = self.filler.get((tag, hole))
        if table is not None:
            sorts = (self.tag[tag] * sorts) @ table
        found: Array = self.tag @ (sorts / max(float(sorts.sum()), 1e-12))
        return found

    def best_sorts(self, derivation: Derivation) -> list[int]:
        """The likeliest sort of each token's constituent, jointly; -1 where there is none."""
        children: dict[int, list[tuple[int, int]]] = {}
        for token, head in enumerate(derivation.heads):
            if head >= 0:
                children.setdefault(head, []).append((derivation.holes[token], token))
        choice: dict[int, NDArray[np.int64]] = {}

        def best(token: int) -> Array:
            tag = derivation.tags[token]
            with np.errstate(divide="ignore"):
                value: Array = np.log(self.tag[tag])
                for hole, child in children.get(token, ()):
                    options = np.log(self.filler[tag, hole]) + best(child)[None, :]
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


def log_likelihood(model: SortModel, corpus: Counter[TagNode]) -> float:
    """Natural log of the probability of a corpus."""
    return float(
        sum(
            count * np.log(max(float(model.root @ model.inside(tree)), 1e-300))
            for tree, count in corpus.items()
        )
    )


def description_bits(model: SortModel, corpus: Counter[TagNode]) -> float:
    """Bits for a corpus and for the parameters in use (expected count above one half)."""
    used = int((model.counts.root > 0.5).sum()) + int((model.counts.tag > 0.5).sum())
    used += sum(int((f > 0.5).sum()) for f in model.counts.filler.values())
    nodes = float(model.counts.tag.sum())
    return -log_likelihood(model, corpus) / log(2) + 0.5 * log2(max(nodes, 2.0)) * used


def _expected(model: SortModel, corpus: Counter[TagNode]) -> Counts:
    z = model.sort_count
    counts = Counts(
        np.zeros(z), np.zeros_like(model.tag), {k: np.zeros((z, z)) for k in model.filler}
    )

    def up(tree: TagNode, store: dict[int, Array]) -> Array:
        value: Array = model.tag[tree.tag].copy()
        for hole, below in tree.below:
            value *= model.filler[tree.tag, hole] @ up(below, store)
        store[id(tree)] = value
        return value

    def down(tree: TagNode, outside: Array, weight: float, store: dict[int, Array]) -> None:
        counts.tag[tree.tag] += weight * outside * store[id(tree)]
        if not tree.below:
            return
        messages = [model.filler[tree.tag, hole] @ store[id(b)] for hole, b in tree.below]
        for i, (hole, below) in enumerate(tree.below):
            rest = outside * model.tag[tree.tag]
            for j, message in enumerate(messages):
                if j != i:
                    rest = rest * message
            table = model.filler[tree.tag, hole]
            counts.filler[tree.tag, hole] += weight * rest[:, None] * table * store[id(below)]
            down(below, rest @ table, weight, store)

    for tree, count in corpus.items():
        store: dict[int, Array] = {}
        inside = up(tree, store)
        total = float(model.root @ inside)
        if total <= 0:
            continue
        counts.root += count * model.root * inside / total
        down(tree, model.root, count / total, store)
    return counts


def _estimated(counts: Counts, smoothing: float, free_root: bool) -> SortModel:
    """The model of these counts.

    The fillers of a constant's hole are smoothed by those of all constants of its sort, so what
    one may take, a rarer one of its sort may take too.
    """
    root = (counts.root + smoothing) / (counts.root + smoothing).sum()
    if free_root:
        root = np.full(len(root), 1.0 / len(root))
    floor = smoothing / len(counts.tag)
    tag = (counts.tag + floor) / (counts.tag + floor).sum(axis=0, keepdims=True)
    filler = {}
    overall = counts.tag.sum(axis=0) + smoothing
    overall = overall / overall.sum()
    shared: dict[int, Array] = {}
    for (_, hole), table in counts.filler.items():
        shared[hole] = shared.get(hole, 0.0) + table
    for hole, table in shared.items():
        rows = table + _OVERALL * overall[None, :]
        shared[hole] = rows / rows.sum(axis=1, keepdims=True)
    for (tag_number, hole), table in counts.filler.items():
        every = table.sum(axis=0) + smoothing * overall
        every = every / every.sum()
        rows = table + smoothing * every[None, :] + _SHARED * shared[hole]
        filler[tag_number, hole] = rows / rows.sum(axis=1, keepdims=True)
    return SortModel(root, tag, filler, counts)


def _split(counts: Counts, random: np.random.Generator) -> Counts:
    """Every sort in two, with a little noise."""

    def noisy(shape: tuple[int, ...]) -> Array:
        return 1.0 + 0.2 * (random.random(shape) - 0.5)

    root = np.repeat(counts.root, 2) / 2
    tag = np.repeat(counts.tag, 2, axis=1) / 2
    filler = {
        k: np.repeat(np.repeat(f, 2, axis=0), 2, axis=1) / 4 for k, f in counts.filler.items()
    }
    return Counts(
        root * noisy(root.shape),
        tag * noisy(tag.shape),
        {k: f * noisy(f.shape) for k, f in filler.items()},
    )


def _joined(counts: Counts, a: int, b: int) -> Counts:
    """The counts with sort b joined to sort a."""

    def axis(array: Array, which: int) -> Array:
        moved = np.moveaxis(array, which, 0)
        summed = moved.copy()
        summed[a] = moved[a] + moved[b]
        return np.moveaxis(np.delete(summed, b, axis=0), 0, which)

    return Counts(
        axis(counts.root, 0),
        axis(counts.tag, 1),
        {k: axis(axis(f, 0), 1) for k, f in counts.filler.items()},
    )


def induce_sorts(
    trees: Sequence[TagNode],
    tag_count: int,
    *,
    most: int = 16,
    rounds: int = 25,
    smoothing: float = 0.02,
    free_root: bool = True,
    seed: int = 0,
) -> SortModel:
    """Induce the sorts of a corpus.

    Args:
        trees: the trees of tags.
        tag_count: tags are 0 .. tag_count - 1.
        most: no more sorts than this before the last joining.
        rounds: of expectation maximisation after each split.
        smoothing: added to every count.
        free_root: every sort may be the root's, with one probability. A constant at the root
            then has the sort of its like elsewhere; else the root is a place like others.
        seed: of the noise that tells the halves of a sort apart.
    """
    corpus = Counter(trees)
    random = np.random.default_rng(seed)
    keys: set[tuple[int, int]] = set()
    counts = Counts(np.zeros(1), np.zeros((tag_count, 1)), {})
    agenda = [(tree, count) for tree, count in corpus.items()]
    for tree, count in agenda:
        counts.tag[tree.tag] += count
        keys.update((tree.tag, hole) for hole, _ in tree.below)
        for hole, below in tree.below:
            found = counts.filler.setdefault((tree.tag, hole), np.zeros((1, 1)))
            found += count
            agenda.append((below, count))
    counts.root += sum(corpus.values())
    model = _estimated(counts, smoothing, free_root)
    while 2 * model.sort_count <= most:
        before = description_bits(model, corpus)
        grown = _estimated(_split(model.counts, random), smoothing, free_root)
        for _ in range(rounds):
            grown = _estimated(_expected(grown, corpus), smoothing, free_root)
        grown = _with_joins(grown, corpus, smoothing, free_root)
        if description_bits(grown, corpus) >= before:
            break
        model = grown
    return model


def _with_joins(
    model: SortModel, corpus: Counter[TagNode], smoothing: float, free_root: bool
) -> SortModel:
    """Join sorts as long as that shortens the description."""
    bits = description_bits(model, corpus)
    while model.sort_count > 1:
        trials = []
        for a in range(model.sort_count):
            for b in range(a + 1, model.sort_count):
                joined = _estimated(_joined(model.counts, a, b), smoothing, free_root)
                trials.append((description_bits(joined, corpus), a, b, joined))
        best = min(trials, key=lambda trial: trial[:3])
        if best[0] >= bits:
            break
        model = best[3]
        for _ in range(5):
            model = _estimated(_expected(model, corpus), smoothing, free_root)
        bits = description_bits(model, corpus)
    return model


@dataclass(frozen=True)
class TypingPrior:
    """What typings cost, for a decoder; natural logarithms.

    Attributes:
        root: `[Z]`, of the root's sort.
        result: `[T, Z]`, of a tag's own sort.
        filler: for a tag and a hole `[Z, Z]`, of the filler's sort given the own sort.
    """

    root: Array
    result: Array
    filler: dict[tuple[int, int], Array]


def typing_prior(
    model: SortModel,
    holes: Sequence[int],
    *,
    weight: float = 1.0,
    floor: float = 1e-3,
    violation: float = 0.0,
) -> TypingPrior:
    """The prior over typings of a model.

    Args:
        model: the sorts.
        holes: how many holes each tag has, `[T]`.
        weight: of the log probabilities.
        floor: a smaller probability counts as this one, and
        violation: costs so much more, in nats.
    """

    def cost(probability: Array) -> Array:
        known = weight * np.log(np.maximum(probability, floor))
        return np.where(probability < floor, known - violation, known)

    joint = model.tag * model.counts.tag.sum(axis=0)[None, :]
    own = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-12)
    overall = model.counts.tag.sum(axis=0) / max(model.counts.tag.sum(), 1e-12)
    uniform = np.broadcast_to(overall, (model.sort_count, model.sort_count))
    filler = {
        (tag, hole): cost(np.asarray(model.filler.get((tag, hole), uniform)))
        for tag, count in enumerate(holes)
        for hole in range(count)
    }
    return TypingPrior(cost(model.root), cost(own), filler)
