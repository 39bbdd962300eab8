"""Confidence intervals of figures, over seeds and examples.

A figure's interval is a two-level bootstrap (Efron & Tibshirani 1993): 10,000 times, seeds and
examples are drawn with replacement, examples from those with the same tags and the same
for all seeds. The limits are the 2.5th and the 97.5th percentile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amparser.evaluation.evaluate import OVERALL
from amparser.evaluation.metric import Count

RESAMPLES = 10_000
_BLOCK = 1_000  # resamples drawn at a time

Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Summary:
    """A figure in percent: mean, deviation over seeds (0 for one), limits of the interval."""

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
    """Tag, measure and figure of all tags; the figure of all examples comes first.

    A figure is left out if no run has it, since nothing was counted. `runs` has for each run the
    counts of each example, by measure.

    Raises:
        ValueError: the runs did not answer the same examples.
    """
    if any(len(run) != len(tags) for run in runs):
        raise ValueError("the runs answered different examples")
    counts = np.array(
        [[[tuple(row.get(m, (0, 0))) for row in run] for run in runs] for m in measures],
        dtype=np.float64,
    ).reshape(len(measures), len(runs), len(tags), 2)
    strata: dict[tuple[str, ...], list[int]] = {}
    for number, of_one in enumerate(tags):
        strata.setdefault(of_one, []).append(number)
    drawn = draws({kind: counts[:, :, rows] for kind, rows in strata.items()}, resamples)
    for tag, of_tag in drawn.items():
        members = [rows for kind, rows in strata.items() if tag == OVERALL or tag in kind]
        sums = counts[:, :, np.concatenate(members)].sum(axis=2)
        by_seed = _shares(sums[..., 0], sums[..., 1])
        for i, measure in enumerate(measures):
            if not np.isnan(by_seed[i]).any():
                yield tag, measure, _summary(by_seed[i], of_tag[i])


def draws(
    strata: Mapping[tuple[str, ...], Figures], resamples: int = RESAMPLES
) -> dict[str, Figures]:
    """The share of each tag, and of all examples (the tag ""), in each resample.

    Args:
        strata: for each combination of tags the counts `[..., seeds, examples, 2]`, numerator
            and denominator; leading axes, such as measures, share the draws.

    Returns:
        Shares `[..., resamples]`; NaN if nothing was counted.
    """
    random = np.random.default_rng(0)
    first = next(iter(strata.values()))
    seeds = _weights(random, first.shape[-3], resamples)
    names = [OVERALL, *dict.fromkeys(tag for kind in strata for tag in kind)]
    shape = (*first.shape[:-3], resamples, first.shape[-3])
    sums = {name: (np.zeros(shape), np.zeros(shape)) for name in names}
    for kind, counts in strata.items():
        size = counts.shape[-2]
        # The sums of a stratum's rows, for each resample and seed.
        columns = [counts[..., i].swapaxes(-1, -2) for i in (0, 1)]
        for begin in range(0, resamples, _BLOCK):
            block = slice(begin, min(begin + _BLOCK, resamples))
            weights = _weights(random, size, block.stop - block.start) * size
            for i, column in enumerate(columns):
                total = weights @ column
                for name in dict.fromkeys((OVERALL, *kind)):
                    sums[name][i][..., block, :] += total
    return {
        name: (_shares(numerators, denominators) * seeds).sum(axis=-1)
        for name, (numerators, denominators) in sums.items()
    }


def _weights(random: np.random.Generator, count: int, resamples: int) -> Figures:
    """How often a resample draws each of `count` things, as shares `[resamples, count]`."""
    return random.multinomial(count, np.full(count, 1 / count), resamples) / count


def _shares(numerators: Figures, denominators: Figures) -> Figures:
    with np.errstate(invalid="ignore"):
        return np.where(denominators > 0, numerators / np.maximum(denominators, 1e-300), np.nan)


def _summary(by_seed: Figures, drawn: Figures) -> Summary:
    low, high = np.nanpercentile(100 * drawn, [2.5, 97.5])
    deviation = by_seed.std(ddof=1) if len(by_seed) > 1 else 0.0
    values = (100 * by_seed.mean(), 100 * deviation, low, high)
    return Summary(*(round(float(value), 2) for value in values))
