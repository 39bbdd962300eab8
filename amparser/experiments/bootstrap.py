"""Confidence intervals over seeds and examples.

The interval of a figure is a two-level bootstrap (Efron & Tibshirani 1993).
Seeds and examples are drawn with replacement. Examples are drawn within groups that have the same
tags, and the same examples are drawn for all seeds. The limits are the 2.5th and 97.5th
percentiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amparser.evaluation.metric import OVERALL, Count

RESAMPLES = 2_000

Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Summary:
    """A figure in percent with its standard deviation over seeds and its interval."""

    mean: float
    deviation: float
    low: float
    high: float


def summaries(
    tags: Sequence[tuple[str, ...]],
    runs: Sequence[Sequence[Mapping[str, Count]]],
    measures: Sequence[str],
    resamples: int = RESAMPLES,
) -> Iterator[tuple[str, str, Summary]]:
    """Yield tag, measure and figure, first for all examples together, then for each tag.

    Args:
        tags: tags of each example.
        runs: counts of each example by measure, for each run.
        measures: names of the measures.
        resamples: number of bootstrap samples.

    A figure is left out if its denominator is 0 in any run.

    Raises:
        ValueError: the runs did not answer the same examples.
    """
    if any(len(run) != len(tags) for run in runs):
        raise ValueError("the runs answered different examples")
    strata: dict[tuple[str, ...], list[int]] = {}
    for number, of_one in enumerate(tags):
        strata.setdefault(of_one, []).append(number)
    for tag in (OVERALL, *dict.fromkeys(tag for stratum in strata for tag in stratum)):
        members = [rows for stratum, rows in strata.items() if tag == OVERALL or tag in stratum]
        for measure in measures:
            counts = [
                np.array([[run[row].get(measure, (0, 0)) for row in rows] for run in runs], float)
                for rows in members
            ]
            if (sum(part.sum(axis=1) for part in counts)[:, 1] > 0).all():
                yield tag, measure, summary(counts, resamples)


def summary(strata: Sequence[Figures], resamples: int = RESAMPLES) -> Summary:
    """Return the figure of counts `[seeds, examples, 2]`, one array per stratum.

    The last axis has numerators and denominators.
    """
    random = np.random.default_rng(0)
    seed_count = len(strata[0])
    by_seed = _shares(sum(part.sum(axis=1) for part in strata))
    mean = by_seed.mean()
    sums = np.zeros((resamples, seed_count, 2))
    for part in strata:
        count = part.shape[1]
        # How often each example is drawn, [resamples, examples].
        times = random.multinomial(count, np.full(count, 1 / count), size=resamples)
        sums += np.tensordot(times, part, (1, 1))
    seeds = random.integers(seed_count, size=(resamples, seed_count))
    # A resample whose denominator is 0 has no share: use the mean instead.
    shares = np.nan_to_num(_shares(sums), nan=mean)
    low, high = np.percentile(np.take_along_axis(shares, seeds, 1).mean(axis=1), [2.5, 97.5])
    deviation = by_seed.std(ddof=1) if seed_count > 1 else 0.0
    values = (100 * value for value in (mean, deviation, low, high))
    return Summary(*(round(float(value), 2) for value in values))


def _shares(sums: Figures) -> Figures:
    """Divide numerators by denominators, `[..., 2]` to `[...]`; NaN if the denominator is 0."""
    with np.errstate(invalid="ignore"):
        return sums[..., 0] / sums[..., 1]
