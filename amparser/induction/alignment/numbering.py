"""A corpus as numbers: labels, features of tokens, and the pairs of both that it may have.

All that an aligner learns is about pairs of a label and a feature (a word, a lemma, a tag) that
stand in one row. Each such pair gets a number, so that tables and counts are arrays over pairs,
which compiled cores fill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
