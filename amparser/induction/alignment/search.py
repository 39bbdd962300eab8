"""The best token for each unit of a row: a beam over the units, topmost first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.compiled import compiled

BEAM = 24


class Candidates(NamedTuple):
    """What may be anchored where in one sentence.

    Attributes:
        words: the tokens, normalised.
        labels: the label of each unit, by which it is counted.
        parents: the unit above each unit; -1 for the topmost. Parents come first.
        tokens: for each unit the tokens (from 0) that it may be anchored to.
        loose: the tokens that cost something, since a given alignment has them for no unit.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    parents: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]
    loose: frozenset[int] = frozenset()


class Penalties(NamedTuple):
    """What an assignment costs, in nats.

    Attributes:
        crossing: an arc that crosses another one.
        distance: a token between a unit and the one above it.
        inside: a unit that stands inside the arc below its child.
        loose: a unit at a token that a given alignment has for no unit.
    """

    crossing: float = 1.0
    distance: float = 0.1
    inside: float = 1.0
    loose: float = 1.0


class Limits(NamedTuple):
    """What may be anchored where in rows, one row after the other.

    Attributes:
        parents: the unit of its row above each unit, or -1.
        allowed: of each row a matrix of its units and its tokens: what may be anchored where.
        loose: whether each token is.
    """

    parents: Int
    allowed: Bool
    loose: Bool


def limits(corpus: Sequence[Candidates]) -> Limits:
    """The limits of a corpus."""
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
    """Write the cost of each token for a unit that has one above, given the units before it.

    `costs` has one place more than there are tokens. Complexity: O(U + N).
    """
    end, over = anchors[parents[unit]], parents[parents[unit]]
    # First the crossings that begin or end at each token.
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
    """The penalties of a whole assignment."""
    costs = np.empty(len(loose) + 1)
    total = penalties.loose * loose[anchors].sum()
    for unit in range(len(anchors)):
        if parents[unit] >= 0:
            arc_costs(unit, anchors, parents, penalties, costs)
            total += costs[anchors[unit]]
    return float(total)


@compiled
def is_reachable(anchors: Int, parents: Int) -> bool:
    """Whether the tree over these tokens is of the class that `decode.wrap` searches.

    Each unit stands beside the spans of the units below it, or inside the span of its only
    one; what it stands inside of must then be of the first kind. Complexity: O(U^2).
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
        # Of what stands below: whether this unit may stand inside of its span.
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
    """Whether one sequence of tokens comes before another, element by element."""
    for i in range(length):
        if first[i] != second[i]:
            return bool(first[i] < second[i])
    return False


# Long, since calls are costly.
@compiled
def best_anchors(
    gains: Float,
    allowed: Bool,
    parents: Int,
    loose: Bool,
    penalties: Penalties,
    beam: int,
    found: Int,
) -> tuple[bool, float]:
    """Write the best anchors of a row into `found`; whether there are any, and their score.

    States are ordered by their scores, those of one score by their tokens.
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
    found[:] = chosen[best]
    return True, float(totals[best])


@compiled
def all_best_anchors(
    emission: Float,
    grid: Grid,
    limits: Limits,
    penalties: Penalties,
    beam: int,
    found: Int,
    possible: Bool,
) -> None:
    """Write the best anchors of each row into `found`, and whether there are any.

    `emission` is the score of each pair.
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
            found[first:end],
        )


Float = NDArray[np.float64]
Int = NDArray[np.int64]
Bool = NDArray[np.bool_]


class Grid(NamedTuple):
    """The labels, features and pairs of rows, one row after the other.

    Attributes:
        label: of each unit.
        unit_start: `[R + 1]`, where the units of each row begin.
        feature: of each token.
        feature_start: `[R + 1]`, where the features of each row begin.
        pair: of each row a matrix of its units and its features, by rows.
        pair_start: `[R + 1]`, where these matrices begin.
    """

    label: Int
    unit_start: Int
    feature: Int
    feature_start: Int
    pair: Int
    pair_start: Int


@dataclass(frozen=True)
class Numbering:
    """The labels, features and pairs of a corpus, and where each row has which.

    An aligner learns of pairs of a label and a feature (a word, a lemma, a tag) that stand in one
    row. Each such pair gets a number, so that tables and counts are arrays over pairs, which
    compiled cores fill.

    Attributes:
        labels, features: their numbers, in the order of their texts.
        grid: the rows.
        pair_label, pair_feature: `[P]`, what each pair consists of.
    """

    labels: Mapping[str, int]
    features: Mapping[str, int]
    grid: Grid
    pair_label: Int
    pair_feature: Int

    def pair(self, label: str, feature: str) -> int:
        """The number of a pair; -1 if no row has it."""
        row, column = self.labels.get(label, -1), self.features.get(feature, -1)
        if row < 0 or column < 0:
            return -1
        first, end = np.searchsorted(self.pair_label, [row, row + 1])
        found = int(first + np.searchsorted(self.pair_feature[first:end], column))
        return found if found < end and self.pair_feature[found] == column else -1

    def of_pairs(self, value: Callable[[str, str], float]) -> Float:
        """`[P]`: a value of the label and the feature of each pair."""
        labels, features = list(self.labels), list(self.features)
        pairs = zip(self.pair_label.tolist(), self.pair_feature.tolist(), strict=True)
        return np.array([value(labels[row], features[column]) for row, column in pairs])


def numbering(rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Numbering:
    """Number a corpus, given the labels and the features of each row.

    Complexity: O(P log P) for P pairs of a unit and a feature of one row.
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
    """Where each of several stretches begins that follow each other, and where the last ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def counted(grid: Grid, anchors: Int, possible: Bool, pair_count: int) -> Int:
    """`[P]`: how often each pair stands where units are anchored, in the rows where it can be.

    Features are those of tokens, one each.
    """
    row = np.repeat(np.arange(len(possible)), np.diff(grid.unit_start))
    unit = np.arange(len(anchors)) - grid.unit_start[row]
    width = np.diff(grid.feature_start)[row]
    pairs = grid.pair[(grid.pair_start[row] + unit * width + anchors)[possible[row]]]
    return np.bincount(pairs, minlength=pair_count)
