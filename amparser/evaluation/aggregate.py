"""The runs of an experiment in one record: means over seeds, and how sure they are.

A figure's interval is a two-level bootstrap (Efron & Tibshirani 1993): seeds and,
within each type, sentences are drawn anew with replacement, the same sentences for
all seeds, 10,000 times; the record has the 2.5th and the 97.5th percentile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amparser.evaluation.runs import EXACT, GRAPH, REFORMATTED, Digits

MEASURES = {"exact": EXACT, "reformatted": REFORMATTED, "graph": GRAPH}
_LEAST = tuple(MEASURES.values())
RESAMPLES = 10_000
_BLOCK = 1_000  # resamples drawn at a time

Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """Accuracies of resamples, each `[..., resamples]`.

    Attributes:
        types: of each type.
        overall: of all rows.
        macro: the mean over types.
    """

    types: Mapping[str, Figures]
    overall: Figures
    macro: Figures


def aggregate(answers: Sequence[Digits]) -> dict[str, Any]:
    """The figures of one split and decoder over the runs, in percent, by measure.

    For each measure `overall` (all rows), `macro` (the mean over types) and `types`:
    `mean`, `deviation` (of the sample of seeds; 0 for one), `least` and `most` over
    seeds, `low` and `high` of the interval.

    Raises:
        ValueError: the runs did not answer the same rows.
    """
    first = answers[0]
    if any(
        {k: len(v) for k, v in a.items()} != {k: len(v) for k, v in first.items()} for a in answers
    ):
        raise ValueError("the runs answered different rows")
    right = {
        kind: np.array([[[d >= least for d in run[kind]] for run in answers] for least in _LEAST])
        for kind in first
    }
    draws = bootstrap(right)
    types = {kind: rows.mean(axis=-1) for kind, rows in right.items()}
    overall = np.concatenate(list(right.values()), axis=-1).mean(axis=-1)
    macro = np.mean(list(types.values()), axis=0)
    return {
        name: {
            "overall": _figures(overall[i], draws.overall[i]),
            "macro": _figures(macro[i], draws.macro[i]),
            "types": {kind: _figures(types[kind][i], draws.types[kind][i]) for kind in types},
        }
        for i, name in enumerate(MEASURES)
    }


def counts(answers: Digits) -> dict[str, list[int]]:
    """For each type the number of rows, and of right ones by each measure."""
    return {
        kind: [len(row), *(sum(digit >= least for digit in row) for least in MEASURES.values())]
        for kind, row in answers.items()
    }


def bootstrap(right: Mapping[str, NDArray[np.bool_]], resamples: int = RESAMPLES) -> Draws:
    """Draw seeds, and rows within each type, anew.

    Args:
        right: for each type `[..., seeds, rows]`; leading axes, such as measures, share
            the draws.
        resamples: how many.
    """
    random = np.random.default_rng(0)
    seed_count = next(iter(right.values())).shape[-2]
    seeds = _weights(random, seed_count, resamples)
    types = {}
    for kind, rows in right.items():
        columns = rows.astype(np.float64).swapaxes(-1, -2)
        sums = [
            _weights(random, rows.shape[-1], len(block)) @ columns * block
            for block in np.split(seeds, range(_BLOCK, resamples, _BLOCK))
        ]
        types[kind] = np.concatenate(sums, axis=-2).sum(axis=-1)
    sizes = {kind: rows.shape[-1] for kind, rows in right.items()}
    shares = np.array([size / sum(sizes.values()) for size in sizes.values()])
    stacked = np.stack(list(types.values()))
    return Draws(types, np.tensordot(shares, stacked, 1), stacked.mean(axis=0))


def _weights(random: np.random.Generator, count: int, resamples: int) -> Figures:
    """How often each of `count` things is drawn in a resample, as shares; `[resamples, count]`."""
    return random.multinomial(count, np.full(count, 1 / count), resamples) / count


def _figures(by_seed: Figures, draws: Figures) -> dict[str, float]:
    low, high = np.percentile(100 * draws, [2.5, 97.5])
    figures = {
        "mean": by_seed.mean(),
        "deviation": by_seed.std(ddof=1) if len(by_seed) > 1 else 0.0,
        "least": by_seed.min(),
        "most": by_seed.max(),
    }
    percent = {name: 100 * value for name, value in figures.items()} | {"low": low, "high": high}
    return {name: round(float(value), 2) for name, value in percent.items()}
