"""Beam search for the best anchors of a sentence, and arrays over a whole corpus.

A *unit* is a fragment of the meaning; its *anchor* is the token with which it is aligned. The
search anchors parents before their children. The arrays of a corpus concatenate its sentences; a
*row* is the segment of one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

BEAM = 24


Float = NDArray[np.float64]
Int = NDArray[np.int64]
Bool = NDArray[np.bool_]


class Candidates(NamedTuple):
    """Possible anchors in one sentence.

    Attributes:
        words: the normalised tokens.
        labels: label of each unit; the aligner counts how often a label occurs with a word.
        parents: parent of each unit, -1 for the topmost; parents precede children.
        tokens: possible anchors of each unit (tokens from 0).
        loose: tokens that a given alignment assigns to no unit; anchors there are penalised.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    parents: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]
    loose: frozenset[int] = frozenset()


class Penalties(NamedTuple):
    """Penalties of an assignment, in nats.

    Attributes:
        crossing: penalty for each pair of crossing edges.
        distance: penalty for each token between the anchors of a unit and its parent.
        inside: penalty for each unit anchored between its child and its grandchild.
        loose: penalty for each unit at a token that a given alignment assigns to no unit.
    """

    crossing: float = 1.0
    distance: float = 0.1
    inside: float = 1.0
    loose: float = 1.0


class Limits(NamedTuple):
    """Possible anchors in all sentences of a corpus, as flat arrays.

    Attributes:
        parents: parent of each unit within its row, or -1.
        allowed: whether each unit may be anchored to each token; one flattened matrix
            `[units, tokens]` per row.
        loose: whether each token is loose; see `Candidates`.
    """

    parents: Int
    allowed: Bool
    loose: Bool


def limits(corpus: Sequence[Candidates]) -> Limits:
    """Return the possible anchors of a corpus as flat arrays."""
    allowed, loose = [np.zeros(0, dtype=np.bool_)], [np.zeros(0, dtype=np.bool_)]
    for row in corpus:
        may = np.zeros((len(row.labels), len(row.words)), dtype=np.bool_)
        for unit, tokens in enumerate(row.tokens):
            may[unit, list(tokens)] = True
        costly = np.zeros(len(row.words), dtype=np.bool_)
        costly[list(row.loose)] = True
        allowed.append(may.ravel())
        loose.append(costly)
    parents = np.array([above for row in corpus for above in row.parents], dtype=np.int64)
    return Limits(parents, np.concatenate(allowed), np.concatenate(loose))


class Grid(NamedTuple):
    """Labels, features and label-feature pairs of R sentences, as flat arrays.

    Attributes:
        label: label of each unit.
        unit_start: offset of each row's units, `[R + 1]`.
        feature: features of the tokens; one per token, or several if the corpus has annotation
            layers.
        feature_start: offset of each row's features, `[R + 1]`.
        pair: pair indices of each row's matrix `[units, features]`, flattened.
        pair_start: offset of each row's matrix, `[R + 1]`.
    """

    label: Int
    unit_start: Int
    feature: Int
    feature_start: Int
    pair: Int
    pair_start: Int


@dataclass(frozen=True)
class Numbering:
    """Indices of the labels and token features of a corpus, and of the pairs that occur together.

    An aligner learns only about pairs of a label and a feature (a word, a lemma, a tag) that occur
    in the same sentence. Each such pair has an index, so compiled code can use arrays over pairs.

    Attributes:
        labels, features: the labels and features in alphabetical order; their positions are their
            indices.
        grid: indices of the labels, features and pairs of each sentence.
        pair_label, pair_feature: label and feature of each pair, `[P]`, in ascending order.
    """

    labels: Sequence[str]
    features: Sequence[str]
    grid: Grid
    pair_label: Int
    pair_feature: Int


def numbering(rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Numbering:
    """Index a corpus, given the labels and the features of each sentence.

    Complexity: O(P log P) for P (unit, feature) pairs within sentences.
    """
    labels = {name: i for i, name in enumerate(sorted({x for row, _ in rows for x in row}))}
    features = {name: i for i, name in enumerate(sorted({x for _, row in rows for x in row}))}
    label = np.array([labels[name] for row, _ in rows for name in row], dtype=np.int64)
    feature = np.array([features[name] for _, row in rows for name in row], dtype=np.int64)
    unit_start = starts(len(row) for row, _ in rows)
    feature_start = starts(len(row) for _, row in rows)
    width = max(1, len(features))
    keys = [
        np.add.outer(
            label[unit_start[r] : unit_start[r + 1]] * width,
            feature[feature_start[r] : feature_start[r + 1]],
        ).ravel()
        for r in range(len(rows))
    ]
    none = np.zeros(0, dtype=np.int64)
    pairs, pair = np.unique(np.concatenate([none, *keys]), return_inverse=True)
    grid = Grid(label, unit_start, feature, feature_start, pair.ravel(), starts(map(len, keys)))
    return Numbering(list(labels), list(features), grid, pairs // width, pairs % width)


def starts(sizes: Iterable[int]) -> Int:
    """Return the start offsets of concatenated segments, followed by the total size."""
    return np.cumsum([0, *sizes], dtype=np.int64)


class Row(NamedTuple):
    """Views of the arrays of one sentence with U units and N tokens.

    Attributes:
        anchors: anchor of each unit, `[U]`.
        labels, parents: see `Grid` and `Limits`, `[U]`.
        words, loose: see `Grid` and `Limits`, `[N]`.
        pairs, allowed: see `Grid` and `Limits`, `[U, N]`.
    """

    anchors: Int
    labels: Int
    parents: Int
    words: Int
    loose: Bool
    pairs: Int
    allowed: Bool


@compiled
def row_of(r: int, grid: Grid, limits: Limits, anchors: Int) -> Row:
    """Return the views of sentence `r`, given the anchors of all sentences."""
    units = slice(grid.unit_start[r], grid.unit_start[r + 1])
    tokens = slice(grid.feature_start[r], grid.feature_start[r + 1])
    pairs = slice(grid.pair_start[r], grid.pair_start[r + 1])
    shape = units.stop - units.start, tokens.stop - tokens.start
    return Row(
        anchors[units],
        grid.label[units],
        limits.parents[units],
        grid.feature[tokens],
        limits.loose[tokens],
        grid.pair[pairs].reshape(shape),
        limits.allowed[pairs].reshape(shape),
    )


@compiled
def arc_costs(unit: int, anchors: Int, parents: Int, penalties: Penalties, costs: Float) -> None:
    """Write the penalties of anchoring a unit to each token, given the anchors of earlier units.

    The penalties are 0 if the unit has no parent. `costs`, `[N + 1]`, is the output. Complexity:
    O(U + N).
    """
    costs[:] = 0
    if parents[unit] < 0:
        return
    end, over = anchors[parents[unit]], parents[parents[unit]]
    # Mark the tokens at which the number of crossing edges changes, then sum the changes up.
    for other in range(unit):
        above = parents[other]
        if above < 0:
            continue
        low = min(anchors[other], anchors[above])
        high = max(anchors[other], anchors[above])
        if low < end < high:
            costs[0] += 1
            costs[low] -= 1
            costs[high + 1] += 1
        elif end < low or high < end:
            costs[low + 1] += 1
            costs[high] -= 1
    crossings = 0.0
    for token in range(len(costs) - 1):
        crossings += costs[token]
        low, high = min(token, end), max(token, end)
        costs[token] = penalties.distance * (high - low - 1) + penalties.crossing * crossings
        if over >= 0 and low < anchors[over] < high:
            costs[token] += penalties.inside


@compiled
def whole_cost(anchors: Int, parents: Int, loose: Bool, penalties: Penalties) -> float:
    """Return the sum of the penalties of a complete assignment, in nats."""
    costs = np.empty(len(loose) + 1)
    total = penalties.loose * loose[anchors].sum()
    for unit in range(len(anchors)):
        arc_costs(unit, anchors, parents, penalties, costs)
        total += costs[anchors[unit]]
    return float(total)


@compiled
def is_reachable(anchors: Int, parents: Int) -> bool:
    """Return whether `decode.wrap` can derive a tree whose units have these anchors.

    The *span* of a unit contains the anchors of its subtree. Spans of siblings must not overlap. A
    unit must be outside the spans of its children, with one exception: the span of an only child
    may contain the unit. Then each descendant whose span contains the unit must be outside the
    spans of its own children. Complexity: O(U^2).
    """
    count = len(anchors)
    low, high = anchors.copy(), anchors.copy()
    below = np.zeros(count, dtype=np.int64)
    for unit in range(count - 1, -1, -1):
        above = parents[unit]
        if above >= 0:
            below[above] += 1
            low[above], high[above] = min(low[above], low[unit]), max(high[above], high[unit])
    plain = np.ones(count, dtype=np.bool_)
    for unit in range(count):
        above = parents[unit]
        if above < 0:
            continue
        if low[unit] <= anchors[above] <= high[unit]:
            plain[above] = False
        for other in range(unit):
            if parents[other] == above and low[unit] <= high[other] and low[other] <= high[unit]:
                plain[above] = False
    inside = np.empty(count, dtype=np.bool_)
    for unit in range(count):
        if plain[unit]:
            continue
        if below[unit] != 1:
            return False
        # `inside[d]`: whether this unit is inside the span of its descendant d.
        inside[: unit + 1] = False
        for other in range(unit + 1, count):
            above = parents[other]
            covered = above == unit or (above >= 0 and inside[above])
            inside[other] = covered and low[other] < anchors[unit] < high[other]
            if inside[other] and not plain[other]:
                return False
    return True


@compiled
def best_anchors(gains: Float, row: Row, penalties: Penalties, beam: int) -> tuple[bool, float]:
    """Write the best anchors of a sentence into its row; return (True, their score).

    Among the states of the final beam, choose the best for which `is_reachable` holds. If that
    state uses more loose tokens than the best state of all, choose the best of all. Of equally good
    states, choose the one with the leftmost anchors. Return (False, 0) if the units cannot have
    different tokens.

    Args:
        gains: score of each unit at each token, `[U, N]`.
        row: the sentence; its anchors are changed in place.
        beam: number of states to keep.
    """
    units, tokens = gains.shape
    costs = np.empty(tokens + 1)
    # `chosen` has the anchors of each state, in lexicographic order; `totals` has the scores.
    chosen, totals = np.zeros((1, units), dtype=np.int64), np.zeros(1)
    for unit in range(units):
        scores = np.full((len(totals), tokens), -np.inf)
        for state in range(len(totals)):
            arc_costs(unit, chosen[state], row.parents, penalties, costs)
            for token in range(tokens):
                if row.allowed[unit, token] and not (chosen[state, :unit] == token).any():
                    scores[state, token] = totals[state] + gains[unit, token] - costs[token]
        flat = scores.ravel()
        size = min(beam, (flat > -np.inf).sum())
        if size == 0:
            return False, 0.0
        kept = np.sort(np.argsort(-flat, kind="mergesort")[:size])
        grown = np.empty((size, units), dtype=np.int64)
        for i in range(size):
            grown[i] = chosen[kept[i] // tokens]
            grown[i, unit] = kept[i] % tokens
        chosen, totals = grown, flat[kept]
    order = np.argsort(-totals, kind="mergesort")
    best = order[0]
    least = row.loose[chosen[best]].sum()
    for state in order:
        if row.loose[chosen[state]].sum() <= least and is_reachable(chosen[state], row.parents):
            best = state
            break
    row.anchors[:] = chosen[best]
    return True, float(totals[best])
