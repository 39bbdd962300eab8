"""Intervals: they hold the mean, and follow what varies."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from amparser.evaluation.metric import Count
from amparser.experiments.bootstrap import Summary, draws, summaries

A, B = ("A",), ("B",)


def right(*runs: str) -> list[list[dict[str, Count]]]:
    """Counts of runs, a digit an example: 1 is right."""
    return [[{"exact": Count(int(digit), 1)} for digit in run] for run in runs]


def of(tags: list[tuple[str, ...]], *runs: str) -> dict[str, Summary]:
    return {tag: figure for tag, _, figure in summaries(tags, right(*runs), ["exact"])}


def counts_of(rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.stack([rows, np.ones_like(rows)], axis=-1).astype(float)


def test_figures_of_hand_made_answers() -> None:
    # Two tags, two seeds.
    found = of([A, A, A, A, B, B], "110010", "111000")
    assert found["A"].mean == pytest.approx(100 * 5 / 8)
    assert found["B"].mean == pytest.approx(25)
    assert found[""].mean == pytest.approx(50)
    assert found["A"].deviation == pytest.approx(100 * np.std([2 / 4, 3 / 4], ddof=1), abs=0.01)
    assert found[""].deviation == 0
    assert list(found) == ["", "A", "B"]


def test_examples_without_a_tag_are_counted_with_all_others() -> None:
    found = of([(), (), A, A], "1100")
    assert {tag: (one.low, one.high) for tag, one in found.items()} == {"": (50, 50), "A": (0, 0)}


def test_an_example_counts_for_each_of_its_tags() -> None:
    found = of([("Num", "Neg"), ("Num",), ("Uni", "Neg")], "100")
    assert {tag: one.mean for tag, one in found.items()} == {
        "": 33.33, "Num": 50, "Neg": 50, "Uni": 0
    }  # fmt: skip


def test_shares_of_sums_weigh_examples_by_their_denominators() -> None:
    one = [[{"counter_f": Count(2, 2)}, {"counter_f": Count(0, 6)}, {}]]
    [(tag, measure, figure)] = summaries([(), (), ()], one, ["counter_f"])
    assert (tag, measure, figure.mean) == ("", "counter_f", 25)


def test_what_nothing_was_counted_of_has_no_figure() -> None:
    assert list(summaries([A], [[{}]], ["exact"])) == []


def test_runs_over_different_examples_are_not_averaged() -> None:
    with pytest.raises(ValueError, match="different examples"):
        of([A, A], "11", "1")


def test_interval_holds_the_mean_and_narrows_with_more_examples() -> None:
    widths = []
    for count in (20, 2000):
        rows = np.random.default_rng(1).random((5, count)) < 0.8
        drawn = draws({A: counts_of(rows)})[""]
        assert drawn.shape == (10_000,)
        low, high = np.percentile(drawn, [2.5, 97.5])
        assert low < rows.mean() < high
        widths.append(high - low)
    assert all(wide > 5 * narrow for wide, narrow in pairwise(widths))


def test_a_sure_figure_has_no_width() -> None:
    ones, zeros = np.ones((3, 10), np.bool_), np.zeros((3, 30), np.bool_)
    drawn = draws({A: counts_of(ones), B: counts_of(zeros)})
    assert drawn["A"] == pytest.approx(1)
    assert drawn[""] == pytest.approx(0.25)


def test_seeds_that_differ_widen_the_interval() -> None:
    # As many right answers, either of the same rows for all seeds or all of half the seeds.
    rows = np.arange(400) < 200
    alike = np.stack([rows] * 4)
    apart = np.stack([np.full(400, seed % 2 == 0) for seed in range(4)])
    narrow, wide = (np.ptp(draws({A: counts_of(r)})[""]) for r in (alike, apart))
    assert wide == pytest.approx(1)
    assert narrow < 0.3
