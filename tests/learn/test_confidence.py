"""Confidence: the fit is optimal, and no feature can raise the probability."""

import numpy as np
import pytest

from amparser.learn.confidence import Confidence, figures_of, foreign_to, oov_rate, penalty_of

RANDOM = np.random.default_rng(0)


def figures(
    losses: list[float], unknown: int = 0, tree: float = 0.0, new: int = 0
) -> dict[str, float]:
    tokens = ["w"] * len(losses)
    return figures_of(
        -np.array(losses), -sum(losses) - tree, tokens, tokens[:unknown], tokens[:0], {"new": new}
    )


def answers(count: int, loss: float, unknown: int) -> list[dict[str, float]]:
    found = RANDOM.exponential(loss, (count, 8)).tolist()
    return [figures(row, int(RANDOM.integers(unknown + 1))) for row in found]


def test_each_sign_of_doubt_lowers_the_confidence() -> None:
    own, unsure, foreign = answers(100, 0.01, 0), answers(50, 0.3, 2), answers(100, 3.0, 7)
    composed = [figures([0.02] * 8, new=int(n)) for n in RANDOM.integers(1, 5, 30)]
    rows = [*own, *unsure, *foreign, *composed]
    right = [True] * 100 + [True, False] * 25 + [False] * 100 + [False, False, True] * 10
    confidence = Confidence.fitted(rows, right, np.ones(len(rows)))
    usual = confidence.of(figures([0.01] * 8))
    assert usual > 0.9
    one_loss = [0.01] * 7 + [2.0]
    assert confidence.of(figures(one_loss)) < usual
    assert confidence.of(figures([0.01] * 8, new=2)) < usual - 0.05
    assert confidence.of(figures([0.01] * 8, unknown=4)) < usual - 0.005
    assert confidence.of(figures([0.01] * 8, tree=30.0)) < usual
    assert confidence.of(figures([3.0] * 8, unknown=5)) < 0.1


def test_weights_of_features_are_never_positive() -> None:
    names = ("a", "b", "c")
    table = [(0.0, 0.0, 0.2)] * 20 + [(0.5, 0.2, 0.0)] * 20 + [(0.9, 0.4, 0.1)] * 20
    rows = [dict(zip(names, row, strict=True)) for row in table]
    found = Confidence.fitted(rows, [True] * 20 + [False] * 40, np.ones(60))
    assert max(found.weights) <= 0
    assert found.weights[2] == 0, "this figure is higher in right answers here"


def test_the_fit_is_optimal() -> None:
    figures = np.abs(RANDOM.normal(size=(80, 3)))
    right = (figures.sum(axis=1) + RANDOM.normal(size=80) < 2).tolist()
    share = RANDOM.uniform(0.5, 2, size=80)
    rows = [dict(zip("abc", row, strict=True)) for row in figures.tolist()]
    found = Confidence.fitted(rows, right, share)

    def loss(weights: np.ndarray, bias: float) -> float:
        inputs = (figures - found.mean) / np.array(found.scale)
        p = 1 / (1 + np.exp(-(inputs @ weights + bias)))
        wanted, counts = np.array(right), (len(right) - sum(right), sum(right))
        target = np.where(wanted, (counts[1] + 1) / (counts[1] + 2), 1 / (counts[0] + 2))
        cross = -(target * np.log(p) + (1 - target) * np.log(1 - p))
        return float((share * cross).sum() + 0.05 * (weights**2).sum())

    best = loss(np.array(found.weights), found.bias)
    for _ in range(200):
        moved = np.minimum(np.array(found.weights) + RANDOM.normal(scale=0.05, size=3), 0)
        assert loss(moved, found.bias + RANDOM.normal(scale=0.05)) >= best - 1e-6


def test_new_parts_cost_what_they_say_about_wrong_answers() -> None:
    old, new = figures([0.1] * 4), figures([0.1] * 4, new=3)
    rows = [old] * 95 + [new] * 5 + [old, new] * 50
    found = penalty_of(rows, [True] * 100 + [False] * 100)
    assert found == pytest.approx(np.log(0.5 / 0.05), abs=0.15)
    assert penalty_of([old, old], [True, False]) == 0
    assert penalty_of([new, old] * 20, [True, False] * 20) == 0, "right answers have more"


def test_a_confidence_with_other_features_is_refused() -> None:
    assert Confidence([0.0] * 2, [1.0] * 2, [0.0] * 2, 0.0).misfit() is None
    assert "expected names" in str(Confidence([0.0] * 4, [1.0] * 4, [0.0] * 4, 0.0).misfit())
    named = Confidence([0.0] * 2, [1.0] * 2, [0.0] * 2, 0.0, ("new", "nosuch"))
    assert "expected names" in str(named.misfit())


def test_numbers_do_not_count_as_unknown() -> None:
    assert oov_rate(["zorp", "73", "7:45"], 6) == pytest.approx(1 / 6)


def test_foreign_sentences_keep_lengths_and_capitals() -> None:
    rows = [("Grab", "the", "red", "ball", "."), ("Put", "it", "there", ".")] * 20
    made = foreign_to(rows)
    words = {word.lower() for row in rows for word in row}
    for row, foreign in zip(rows, made, strict=True):
        assert len(foreign) == len(row)
        assert foreign[0][:1].isupper()
        assert foreign[-1] == "."
    strange = [sum(word.lower() not in words for word in foreign[:-1]) for foreign in made]
    assert any(count == 0 for count in strange) or min(strange) <= 1
    assert sum(count >= 2 for count in strange) > len(made) / 2
    assert foreign_to(rows) == made
