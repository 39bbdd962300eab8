"""Bootstrap intervals over seeds and examples."""

import numpy as np
import pytest
from numpy.typing import NDArray

from amparser.evaluation.metric import Count
from amparser.experiments.bootstrap import RESAMPLES, Summary, summaries, summary

A, B = ("A",), ("B",)


def right(*runs: str) -> list[list[dict[str, Count]]]:
    """Return the counts of runs, each a string of digits; the digit 1 is a correct answer."""
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


def test_examples_are_weighted_by_their_denominators() -> None:
    one = [[{"counter_f": Count(2, 2)}, {"counter_f": Count(0, 6)}, {}]]
    [(tag, measure, figure)] = summaries([(), (), ()], one, ["counter_f"])
    assert (tag, measure, figure.mean) == ("", "counter_f", 25)


def test_zero_denominator_has_no_figure() -> None:
    assert list(summaries([A], [[{}]], ["exact"])) == []


def test_runs_over_different_examples_are_not_averaged() -> None:
    with pytest.raises(ValueError, match="different examples"):
        of([A, A], "11", "1")


def test_resample_with_zero_denominator_has_the_mean() -> None:
    one = [[{"counter_f": Count(1, 2)}, {"counter_f": Count(0, 0)}]]
    [(_, _, figure)] = summaries([(), ()], one, ["counter_f"])
    assert (figure.mean, figure.low, figure.high) == (50, 50, 50)


def test_intervals_equal_a_bootstrap_by_hand() -> None:
    random = np.random.default_rng(2)
    strata = [random.random((4, count)) < share for count, share in ((30, 0.3), (50, 0.9))]
    drawn = []
    for _ in range(RESAMPLES):
        seeds = random.integers(0, 4, 4)
        rows = [part[:, random.integers(0, part.shape[1], part.shape[1])] for part in strata]
        drawn.append(np.concatenate(rows, axis=1).mean(axis=1)[seeds].mean())
    found = summary([*map(counts_of, strata)])
    assert (found.low, found.high) == pytest.approx(
        tuple(100 * np.percentile(drawn, [2.5, 97.5])), abs=0.8
    )
