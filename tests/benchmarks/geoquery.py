"""Folds of GeoQuery's train splits that resemble the train and test files of each split.

`gate.py` trains on all folds but one and evaluates on that one, so that test files stay unread.
"""

from collections.abc import Sequence
from random import Random

from amparser.corpora.example import Example

Fold = tuple[list[Example], list[Example]]


def folds(rows: Sequence[Example], count: int, seed: int, split: str) -> list[Fold]:
    """Return pairs of training and held-out rows that differ like train and test of a split.

    Args:
        rows: rows of train.
        count: number of folds.
        seed: random seed.
        split: `standard` divides the rows at random; `length` always holds out the longest fifth
            or more, and trains on a random sample of the others.
    """
    random = Random(seed)
    if split == "length":
        return [_longest(rows, count, random) for _ in range(count)]
    # Numbers are sorted as strings to reproduce the folds of earlier measurements.
    order = sorted(map(str, range(len(rows))))
    random.shuffle(order)
    parts = [[rows[int(number)] for number in order[i::count]] for i in range(count)]
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


def _longest(rows: Sequence[Example], count: int, random: Random) -> Fold:
    lengths = sorted(len(row.tokens) for row in rows)
    most = lengths[-len(rows) // 5] - 1
    short = [row for row in rows if len(row.tokens) <= most]
    learn = random.sample(short, len(short) - len(short) // (2 * count))
    return learn, [row for row in rows if len(row.tokens) > most]
