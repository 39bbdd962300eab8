"""Beam search for the best token of each unit, parents first, and the indices of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

BEAM = 24


class Candidates(NamedTuple):
    """Possible anchors in one sentence.

    Attributes:
        words: the tokens, normalised.
        labels: label of each unit under which it is counted.
        parents: parent of each unit, -1 for the topmost; parents precede children.
        tokens: possible tokens (from 0) of each unit.
        loose: tokens that a given alignment assigns to no unit; anchoring there is penalised.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    parents: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]
    loose: frozenset[int] = frozenset()


class Penalties(NamedTuple):
    """Penalties of an assignment, in nats.

    Attributes:
        crossing: per pair of crossing edges.
        distance: per token between a unit and its parent.
        inside: per unit between its child and its grandchild.
        loose: per unit at a token that a given alignment assigns to no unit.
    """

    crossing: float = 1.0
    distance: float = 0.1
    inside: float = 1.0
    loose: float = 1.0


class Limits(NamedTuple):
    """Possible anchors of concatenated rows.

    Attributes:
        parents: parent of each unit within its row, or -1.
        allowed: whether each unit may be anchored to each token; one flattened matrix
            `[units, tokens]` per row.
        loose: whether each token is loose, see `Candidates`.
    """

    parents: Int
    allowed: Bool
    loose: Bool


def limits(corpus: Sequence[Candidates]) -> Limits:
    """Concatenate the possible anchors of a corpus."""
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


@compiled
def arc_costs(unit: int, anchors: Int, parents: Int, penalties: Penalties, costs: Float) -> None:
    """Write the cost of each token for a unit with a parent, given the units before it.

    `costs` has one element more than there are tokens. Complexity: O(U + N).
    """
    end, over = anchors[parents[unit]], parents[parents[unit]]
    # Mark where the number of crossings changes, then accumulate.
    costs[:] = 0
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
    """Return the penalties of a complete assignment, in nats."""
    costs = np.empty(len(loose) + 1)
    total = penalties.loose * loose[anchors].sum()
    for unit in range(len(anchors)):
        if parents[unit] >= 0:
            arc_costs(unit, anchors, parents, penalties, costs)
            total += costs[anchors[unit]]
    return float(total)


@compiled
def is_reachable(anchors: Int, parents: Int) -> bool:
    """Return whether `decode.wrap` can derive the tree over these tokens.

    Each unit must be outside the spans of its children, which must not overlap, or have one child
    and be inside its span. In the second case, all descendants whose spans surround it must be of
    the first kind. Complexity: O(U^2).
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
def _precedes(first: Int, second: Int, length: int) -> bool:
    for i in range(length):
        if first[i] != second[i]:
            return bool(first[i] < second[i])
    return False


# Long, because calls are expensive here.
@compiled
def best_anchors(
    gains: Float,
    allowed: Bool,
    parents: Int,
    loose: Bool,
    penalties: Penalties,
    beam: int,
    anchors: Int,
) -> tuple[bool, float]:
    """Write the best anchors of a row into `anchors`; return (whether there are any, score).

    States are ordered by score, ties by their tokens. The first state that `is_reachable` is
    preferred, unless it uses more loose tokens than the best state.
    """
    units, tokens = gains.shape
    if units == 0:
        return True, 0.0
    if units > tokens:
        return False, 0.0
    costs = np.empty(tokens + 1)
    chosen = np.zeros((1, units), dtype=np.int64)
    totals = np.zeros(1)
    for unit in range(units):
        above = parents[unit]
        room = min(beam, len(totals) * tokens)
        scores, states = np.empty(room), np.empty(room, dtype=np.int64)
        picked = np.empty(room, dtype=np.int64)
        size = 0
        for state in range(len(totals)):
            row = chosen[state]
            is_open = allowed[unit].copy()
            for other in range(unit):
                is_open[row[other]] = False
            if above >= 0:
                arc_costs(unit, row, parents, penalties, costs)
            for token in range(tokens):
                if not is_open[token]:
                    continue
                score = totals[state] + gains[unit, token]
                if above >= 0:
                    score -= costs[token]
                if size == room and score < scores[room - 1]:
                    continue
                at = size
                while at > 0:
                    before = at - 1
                    if scores[before] > score:
                        break
                    if scores[before] == score:
                        other = states[before]
                        if other == state or not _precedes(row, chosen[other], unit):
                            break
                    at = before
                if at == room:
                    continue
                size = min(size + 1, room)
                for i in range(size - 1, at, -1):
                    scores[i], states[i], picked[i] = scores[i - 1], states[i - 1], picked[i - 1]
                scores[at], states[at], picked[at] = score, state, token
        if size == 0:
            return False, 0.0
        grown = np.zeros((size, units), dtype=np.int64)
        for i in range(size):
            grown[i, :unit] = chosen[states[i], :unit]
            grown[i, unit] = picked[i]
        chosen, totals = grown, scores[:size].copy()
    best, least = 0, 0
    for state in range(len(totals)):
        count = loose[chosen[state]].sum()
        if state == 0:
            least = count
        if count <= least and is_reachable(chosen[state], parents):
            best = state
            break
    anchors[:] = chosen[best]
    return True, float(totals[best])


@compiled
def all_best_anchors(
    emission: Float,
    grid: Grid,
    limits: Limits,
    penalties: Penalties,
    beam: int,
    anchors: Int,
    possible: Bool,
) -> None:
    """Write the best anchors of each row into `anchors`, and whether there are any into `possible`.

    `emission` is the score of each pair, `[P]`.
    """
    for r in range(len(possible)):
        first, end = grid.unit_start[r], grid.unit_start[r + 1]
        shape = end - first, grid.feature_start[r + 1] - grid.feature_start[r]
        here = slice(grid.pair_start[r], grid.pair_start[r + 1])
        loose = limits.loose[grid.feature_start[r] : grid.feature_start[r + 1]]
        gains = emission[grid.pair[here]].reshape(shape)
        gains -= penalties.loose * loose
        possible[r], _ = best_anchors(
            gains,
            limits.allowed[here].reshape(shape),
            limits.parents[first:end],
            loose,
            penalties,
            beam,
            anchors[first:end],
        )


Float = NDArray[np.float64]
Int = NDArray[np.int64]
Bool = NDArray[np.bool_]


class Grid(NamedTuple):
    """Labels, features and pairs of R concatenated rows (sentences).

    Attributes:
        label: label of each unit.
        unit_start: offset of each row's units, `[R + 1]`.
        feature: feature of each token; several per token if the model has layers.
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
    """Indices of a corpus: labels, features of tokens, and pairs of label and feature.

    An aligner learns only about pairs of a label and a feature (a word, a lemma, a tag) that occur
    in the same sentence. Each such pair gets an index, so that tables and counts are arrays over
    pairs for compiled code.

    Attributes:
        labels, features: indices, in alphabetical order.
        grid: the rows.
        pair_label, pair_feature: label and feature of each pair, `[P]`, sorted.
    """

    labels: Mapping[str, int]
    features: Mapping[str, int]
    grid: Grid
    pair_label: Int
    pair_feature: Int

    def pair(self, label: str, feature: str) -> int:
        """Return the index of a pair; -1 if it is in no row."""
        row, column = self.labels.get(label, -1), self.features.get(feature, -1)
        if row < 0 or column < 0:
            return -1
        first, end = np.searchsorted(self.pair_label, [row, row + 1])
        index = int(first + np.searchsorted(self.pair_feature[first:end], column))
        return index if index < end and self.pair_feature[index] == column else -1

    def of_pairs(self, value: Callable[[str, str], float]) -> Float:
        """Return a value of the label and the feature of each pair, `[P]`."""
        labels, features = list(self.labels), list(self.features)
        pairs = zip(self.pair_label.tolist(), self.pair_feature.tolist(), strict=True)
        return np.array([value(labels[row], features[column]) for row, column in pairs])


def numbering(rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Numbering:
    """Index a corpus, given the labels and the features of each row.

    Complexity: O(P log P) for P pairs of a unit and a feature in one row.
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
    return Numbering(labels, features, grid, pairs // width, pairs % width)


def starts(sizes: Iterable[int]) -> Int:
    """Return the offsets of concatenated segments, and their total size."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def counted(grid: Grid, anchors: Int, possible: Bool, pair_count: int) -> Int:
    """Count the pairs of units and their anchors in the rows with an assignment, `[P]`."""
    row = np.repeat(np.arange(len(possible)), np.diff(grid.unit_start))
    unit = np.arange(len(anchors)) - grid.unit_start[row]
    width = np.diff(grid.feature_start)[row]
    pairs = grid.pair[(grid.pair_start[row] + unit * width + anchors)[possible[row]]]
    return np.bincount(pairs, minlength=pair_count)
