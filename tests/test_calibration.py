"""The confidence of a small corpus is fitted on held-out rows."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from amparser import calibration
from amparser.calibration import calibrated, held_out
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.learn.confidence import figures_of
from amparser.results import Result

ROWS = [Example(("turn", "on", f"lamp{i}")) for i in range(250)]


def figures(loss: float) -> dict[str, float]:
    return figures_of(np.full(3, -loss), -3 * loss, ROWS[0].tokens)


class Pupil:
    """Substitute for a parser that is right about the sentences that a function accepts."""

    def __init__(self, knows: Callable[[Sequence[str]], bool]) -> None:
        self.knows = knows
        self.head = SimpleNamespace(metrics={}, reranker=None)
        self.model = None
        self.notation = ""
        self.asked: list[set[tuple[str, ...]]] = []

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Result]:
        """Return unlikely answers to sentences that are not in train."""
        self.asked.append({*map(tuple, sentences)})
        own = {example.tokens for example in ROWS}
        return [
            Result(tuple(tokens), figures=figures(0.01 if tuple(tokens) in own else 5.0))
            for tokens in sentences
        ]


def is_right(parser: Pupil, example: Example, result: Result) -> bool:
    return result.tokens == example.tokens and parser.knows(result.tokens)


@pytest.fixture
def usual(monkeypatch) -> Callable[..., float]:
    monkeypatch.setattr(calibration, "is_right", is_right)
    monkeypatch.setattr(calibration, "replace", lambda head, **new: SimpleNamespace(**new))
    monkeypatch.setattr(calibration, "Parser", lambda head, model: head)

    def confidence(knows: Callable[[Sequence[str]], bool], corpus: Corpus) -> float:
        found: Any = calibrated(Pupil(knows), corpus, held_out(corpus))  # type: ignore[arg-type]
        return float(found.confidence.of(figures(0.01)))

    return confidence


def test_confidence_follows_accuracy_on_held_out_rows(usual) -> None:
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


def test_held_out_rows_are_parsed_once(usual) -> None:
    corpus = Corpus(ROWS, (), faults={"train": ["train.tsv:7: expected a meaning"]})
    held = held_out(corpus)
    parser = Pupil(lambda tokens: tokens[2].endswith(tuple("012345")))
    head: Any = calibrated(parser, corpus, held)  # type: ignore[arg-type]
    assert [asked >= held for asked in parser.asked].count(True) == 1
    found = head.metrics["held_out"]
    assert (found["right"], found["count"]) == (sum(map(parser.knows, held)), 50)
    assert (found["malformed"], found["rows"]) == (1, 251)
