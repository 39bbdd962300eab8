"""The confidence of a small corpus is fitted on held-out rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from amparser import calibration
from amparser.calibration import calibrated, held_out
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.learn.confidence import figures_of

ROWS = [Example(("turn", "on", f"lamp{i}")) for i in range(250)]


def figures(loss: float) -> dict[str, float]:
    return figures_of(np.full(3, -loss), -3 * loss, ROWS[0].tokens)


class Judged:
    """Substitute for a parser that is right about the sentences that a function accepts."""

    def __init__(self, knows: Callable[[Sequence[str]], bool]) -> None:
        self.knows = knows
        self.head = SimpleNamespace(metrics={})
        self.model = None

    def problem(self, tokens: Sequence[str]) -> None:
        return None


def judged(
    parser: Any, sentences: Sequence[Sequence[str]], examples: Sequence[Example]
) -> Iterator[tuple[Mapping[str, float], bool]]:
    own = {example.tokens for example in examples}
    for tokens in sentences:
        is_own = tuple(tokens) in own
        yield figures(0.01 if is_own else 5.0), is_own and parser.knows(tokens)


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> Callable[..., float]:
    """The confidence in a typical answer."""
    monkeypatch.setattr(calibration, "_judged", judged)
    monkeypatch.setattr(calibration, "_figures", lambda *_: {})
    monkeypatch.setattr(calibration, "replace", lambda head, **new: SimpleNamespace(**new))
    monkeypatch.setattr(calibration, "Parser", lambda head, model: head)

    def confidence(knows: Callable[[Sequence[str]], bool], corpus: Corpus) -> float:
        found: Any = calibrated(Judged(knows), corpus, held_out(corpus))  # type: ignore[arg-type]
        return float(found.confidence.of(figures(0.01)))

    return confidence


def test_confidence_follows_accuracy_on_held_out_rows(usual: Callable[..., float]) -> None:
    corpus = Corpus(ROWS, ())
    held = held_out(corpus)

    def learned(tokens: Sequence[str]) -> bool:
        return tuple(tokens) not in held or tokens[2].endswith(tuple("012345"))

    assert 0.4 < usual(learned, corpus) < 0.8
    small = Corpus(ROWS[:100], ())
    assert usual(lambda tokens: True, small) > 0.95, "a small train is asked itself"
    assert usual(lambda tokens: tuple(tokens) not in held, corpus) > 0.6, "nothing new is right"


def test_a_fifth_of_users_train_is_held_out() -> None:
    held = held_out(Corpus(ROWS, ()))
    assert len(held) == 50
    assert held <= {row.tokens for row in ROWS}
    assert len(held_out(Corpus(ROWS[:147], ()))) == 0
    assert len(held_out(Corpus(ROWS, ROWS * 2))) == 0, "dev is enough"
    assert len(held_out(Corpus(ROWS, (), benchmark="slog"))) == 0


def test_equal_sentences_are_held_out_together() -> None:
    rows = ROWS[:100] * 2
    held = held_out(Corpus(rows, ()))
    assert sum(row.tokens in held for row in rows) == 40
