"""The confidence: what is fitted, and what may count for and against an answer."""

from __future__ import annotations

import numpy as np
import pytest

from amparser.learn.confidence import Confidence, foreign_to, oov_rate, strange_figures

RANDOM = np.random.default_rng(0)


def answers(count: int, loss: float, unknown: float) -> list[np.ndarray]:
    """Figures of answers with losses of such a mean, of which the search knows no more."""
    found = RANDOM.exponential(loss, (count, 8))
    unknowns = RANDOM.exponential(unknown, count).clip(max=1.0)
    return [strange_figures(-row, u, -row.sum()) for row, u in zip(found, unknowns, strict=True)]


def of(confidence: Confidence, certainty: list[float], unknown: float, tree: float = 0.0) -> float:
    """The confidence of an answer from which the search takes so much off for its tree."""
    return confidence.of(np.array(certainty), unknown, sum(certainty) - tree)


def test_new_combinations_of_known_words_are_as_sure_as_rows_like_those_of_train() -> None:
    own, foreign = answers(100, 0.01, 0.0), answers(100, 3.0, 0.6)
    right = [True] * 100 + [False] * 100
    confidence = Confidence.fitted(np.array([*own, *foreign]), right, np.ones(200))
    usual = of(confidence, [-0.01] * 8, 0.0)
    assert usual > 0.9
    assert of(confidence, [-0.01, -4.0, -1.5, *[-0.01] * 5], 0.0) == usual
    assert of(confidence, [-3.0] * 8, 0.6) < 0.1
    assert of(confidence, [-0.01] * 8, 0.6) < 0.5
    assert of(confidence, [-0.01] * 8, 0.0, tree=5.0) == usual, "one new thing"
    assert of(confidence, [-0.01] * 8, 0.0, tree=30.0) < usual - 0.1


def test_no_figure_speaks_for_an_answer() -> None:
    figures = np.array([[0.0, 0.0, 0.2]] * 20 + [[0.5, 0.2, 0.0]] * 20 + [[0.9, 0.4, 0.1]] * 20)
    found = Confidence.fitted(figures, [True] * 20 + [False] * 40, np.ones(60))
    assert max(found.weights) <= 0
    assert found.weights[2] == 0, "unknown words are commoner in right answers here"


def test_the_fit_is_the_best_one_of_its_kind() -> None:
    figures = np.abs(RANDOM.normal(size=(80, 3)))
    right = (figures.sum(axis=1) + RANDOM.normal(size=80) < 2).tolist()
    share = RANDOM.uniform(0.5, 2, size=80)
    found = Confidence.fitted(figures, right, share)

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


def test_a_confidence_of_other_figures_does_not_fit() -> None:
    assert Confidence([0.0] * 2, [1.0] * 2, [0.0] * 2, 0.0).misfit() is None
    assert Confidence([0.0] * 4, [1.0] * 4, [0.0] * 4, 0.0).misfit() == ": expected 2 figures"


def test_numbers_are_not_strange() -> None:
    assert oov_rate(["zorp", "73", "7:45"], 6) == pytest.approx(1 / 6)


def test_foreign_sentences_look_like_sentences() -> None:
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
