"""The runs of an experiment in one record: means over seeds, and how sure they are.

A figure's interval is a two-level bootstrap (Efron & Tibshirani 1993): seeds and,
within each type, sentences are drawn anew with replacement, the same sentences for
all seeds, 2,000 times; the record has the 2.5th and the 97.5th percentile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amparser.commands.runs import EXACT, GRAPH, REFORMATTED, Digits

MEASURES = {"exact": EXACT, "reformatted": REFORMATTED, "graph": GRAPH}
RESAMPLES = 2_000

Matrix = NDArray[np.bool_]


def aggregate(answers: Sequence[Digits]) -> dict[str, Any]:
    """The figures of one split and decoder over the runs, in percent, by measure.

    For each measure `overall` (all rows) and `types`: `mean`, `deviation` (of the
    sample of seeds; 0 for one), `least` and `most` over seeds, `low` and `high`
    of the interval.

    Raises:
        ValueError: the runs did not answer the same rows.
    """
    first = answers[0]
    if any(
        {k: len(v) for k, v in a.items()} != {k: len(v) for k, v in first.items()} for a in answers
    ):
        raise ValueError("the runs answered different rows")
    found: dict[str, Any] = {}
    for name, least in MEASURES.items():
        right = {
            kind: np.array([[digit >= least for digit in run[kind]] for run in answers])
            for kind in first
        }
        draws = bootstrap(right)
        found[name] = {
            "overall": _figures(np.concatenate(list(right.values()), axis=1), draws[""]),
            "types": {kind: _figures(rows, draws[kind]) for kind, rows in right.items()},
        }
    return found


def counts(answers: Digits) -> dict[str, list[int]]:
    """For each type the number of rows, and of right ones by each measure."""
    return {
        kind: [len(row), *(sum(digit >= least for digit in row) for least in MEASURES.values())]
        for kind, row in answers.items()
    }


def bootstrap(
    right: Mapping[str, Matrix], resamples: int = RESAMPLES
) -> dict[str, NDArray[np.float64]]:
    """Accuracies of resamples, `[resamples]` for each type and, under "", for all rows.

    Args:
        right: for each type `[seeds, rows]`.
        resamples: how many.
    """
    random = np.random.default_rng(0)
    seed_count = len(next(iter(right.values())))
    seeds = random.multinomial(seed_count, np.full(seed_count, 1 / seed_count), resamples)
    found: dict[str, NDArray[np.float64]] = {}
    total = np.zeros(resamples)
    for kind, rows in right.items():
        row_count = rows.shape[1]
        weights = random.multinomial(row_count, np.full(row_count, 1 / row_count), resamples)
        sums = ((seeds @ rows.astype(np.int64)) * weights).sum(axis=1)
        found[kind] = sums / (seed_count * row_count)
        total += sums
    found[""] = total / (seed_count * sum(rows.shape[1] for rows in right.values()))
    return found


def _figures(right: Matrix, draws: NDArray[np.float64]) -> dict[str, float]:
    by_seed = 100 * right.mean(axis=1)
    low, high = np.percentile(100 * draws, [2.5, 97.5])
    figures = {
        "mean": by_seed.mean(),
        "deviation": by_seed.std(ddof=1) if len(by_seed) > 1 else 0.0,
        "least": by_seed.min(),
        "most": by_seed.max(),
        "low": low,
        "high": high,
    }
    return {name: round(float(value), 2) for name, value in figures.items()}
