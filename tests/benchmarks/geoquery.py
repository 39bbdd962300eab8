"""Folds of GeoQuery's train splits, as different as train and test of their split are.

`gate.py` trains on all folds but one and asks for the rest, so that test files stay closed.
"""

from collections.abc import Sequence
from random import Random

from amparser.corpora.example import Example

Fold = tuple[list[Example], list[Example]]


def folds(rows: Sequence[Example], count: int, seed: int, split: str) -> list[Fold]:
    """What to learn from and what to ask, so many times, as different as train and test of a split.

    Args:
        rows: those of train.
        count: how many folds there are.
        seed: of what is random.
        split: `standard` cuts at random, `length` asks for the longest fifth or more.
    """
    random = Random(seed)
    if split == "length":
        return [_longest(rows, count, random) for _ in range(count)]
    # The order of numbers as texts is that of earlier measurements.
    order = sorted(map(str, range(len(rows))))
    random.shuffle(order)
    parts = [[rows[int(number)] for number in order[i::count]] for i in range(count)]
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


def _longest(rows: Sequence[Example], count: int, random: Random) -> Fold:
    """The longest rows, and the others but a random share of them."""
    lengths = sorted(len(row.tokens) for row in rows)
    most = lengths[-len(rows) // 5] - 1
    short = [row for row in rows if len(row.tokens) <= most]
    learn = random.sample(short, len(short) - len(short) // (2 * count))
    return learn, [row for row in rows if len(row.tokens) > most]
