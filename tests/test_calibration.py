"""The confidence is fitted on what was not learned, where train is small."""

from collections.abc import Callable, Collection, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from amparser import calibration
from amparser.calibration import HELD_OUT, calibrated, is_rehearsed
from amparser.corpora.example import Example
from amparser.learn.confidence import Float, strange_figures

ROWS = [Example(("turn", "on", f"lamp{i}")) for i in range(250)]
FAMILIAR = np.full(3, -0.01)


class Judged:
    """In the place of a parser: it is right about sentences as a function says."""

    def __init__(self, knows: Callable[[Sequence[str]], bool]) -> None:
        self.knows = knows
        self.head = SimpleNamespace()

    def problem(self, tokens: Sequence[str]) -> None:
        return None


def judged(
    parser: Any, sentences: Sequence[Sequence[str]], examples: Sequence[Example]
) -> Iterator[tuple[Float, bool]]:
    own = {example.tokens for example in examples}
    for tokens in sentences:
        is_own = tuple(tokens) in own
        loss = FAMILIAR if is_own else np.full(3, -5.0)
        yield strange_figures(loss, 0.0, loss.sum()), is_own and parser.knows(tokens)


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> Callable[..., float]:
    """The confidence in a familiar answer of a parser that knows all of train."""
    monkeypatch.setattr(calibration, "_judged", judged)
    monkeypatch.setattr(calibration, "replace", lambda head, **new: SimpleNamespace(**new))
    monkeypatch.setattr(calibration, "Parser", lambda head, model: head)

    def confidence(rehearsed: Callable[[Collection[Sequence[str]]], Judged], rows: int) -> float:
        parser: Any = Judged(lambda tokens: True)
        parser.model = None
        corpus: Any = SimpleNamespace(train=ROWS[:rows], dev=(), splitting=None)
        found: Any = calibrated(parser, corpus, rehearsed)  # type: ignore[arg-type]
        return float(found.confidence.of(FAMILIAR, 0.0, FAMILIAR.sum()))

    return confidence


def test_what_was_not_learned_says_how_sure_to_be(usual: Callable[..., float]) -> None:
    held: list[Collection[Sequence[str]]] = []

    def rehearsed(some: Collection[Sequence[str]]) -> Judged:
        held.append(some)
        return Judged(lambda tokens: not tokens[2].endswith(("3", "5", "7")))

    known = usual(lambda some: Judged(lambda tokens: True), 250)
    assert known > 0.95
    assert 0.5 < usual(rehearsed, 250) < 0.85
    assert [len(some) for some in held] == [HELD_OUT * 250]
    assert usual(rehearsed, 100) > 0.95, "a small train is asked itself"
    assert len(held) == 1


def test_a_rehearsal_that_knows_nothing_says_nothing(usual: Callable[..., float]) -> None:
    assert usual(lambda some: Judged(lambda tokens: False), 250) > 0.95


def test_a_large_dev_is_enough() -> None:
    corpus: Any = SimpleNamespace(train=ROWS, dev=ROWS * 2)
    assert not is_rehearsed(corpus)
    corpus.dev = ROWS[:100]
    assert is_rehearsed(corpus)
