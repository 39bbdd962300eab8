"""Streams of sentences: every item has its result, in order, in bounded memory."""

from collections.abc import Sequence

import pytest
from fake_system import ByHeart, Settings
from hypothesis import given, strategies as st

from amparser.errors import ModelError
from amparser.learn.streaming import EMPTY_LINE, MOST_PAIRS, answered, batches, length_of
from amparser.limits import MAX_TOKENS
from amparser.results import Result

GOOD = ["Emma slept.", "Who did Emma give a cake to?", "A rose was helped by a dog."]
BAD = {
    "": EMPTY_LINE,
    "  ": EMPTY_LINE,
    "A cat\x00 ran.": "column 6: unexpected character U+0000 in a sentence",
    "cat " * 401: f"402 tokens, expected at most {MAX_TOKENS}",
}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bad_sentence_fails_without_ending_the_stream(parser, processes) -> None:
    sentences = [text for bad in BAD for text in (*GOOD, bad)] * 20
    alone = {text: parser.parse([text])[0] for text in GOOD}
    results = parser.parse(iter(sentences), processes=processes)
    for text, result in zip(sentences, results, strict=True):
        if text in BAD:
            assert (result.failure, result.meaning, result.tokens) == (BAD[text], None, ())
            continue
        assert result.meaning == alone[text].meaning
        assert result.tree == alone[text].tree
        assert result.graph == alone[text].graph
        assert result.parse is not None
        assert result.explain() == alone[text].explain()
        assert result.unknown == alone[text].unknown


def test_null_values_are_failures(parser) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas comes with the extra test")
    column = pandas.Series(["Emma slept.", None, float("nan"), pandas.NA, pandas.NaT], dtype=object)
    first, *rest = parser.parse(column)
    assert first.meaning == parser("Emma slept.").meaning
    assert [result.failure for result in rest] == ["missing, expected a sentence"] * 4


@given(st.lists(st.one_of(st.none(), st.integers(1, 400)), max_size=60))
def test_batches_are_bounded_by_tokens_and_end_with_a_pause(lengths) -> None:
    items = [None if n is None else ("a",) * n for n in lengths]
    found = list(batches(items, length_of))
    assert [item for batch in found for item in batch] == [i for i in items if i is not None]
    for batch in found:
        assert len(batch) == 1 or sum(len(item) ** 2 for item in batch) <= MOST_PAIRS
    assert found.count([]) == items.count(None)
    # Items before a pause are answered before the next item is read.
    source = iter(items)
    seen = 0
    for batch in batches(source, length_of):
        seen += len(batch)
        if not batch:
            read = len(items) - len(list(source))
            assert seen == sum(item is not None for item in items[:read])
            return


def test_a_batch_that_fails_is_answered_one_by_one(monkeypatch) -> None:
    model = ByHeart(Settings(), {"a": "A", "b": "B"})
    whole = ByHeart.answers

    def answers(
        self: ByHeart, sentences: Sequence[Sequence[str]], *rest: object, **named: object
    ) -> object:
        if ("bad",) in list(map(tuple, sentences)):
            raise ModelError("cannot take it")
        return whole(self, sentences, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(ByHeart, "answers", answers)
    results = answered(model, [("a",), ("bad",), Result((), failure="refused"), ("b",)])
    assert [r.failure for r in results] == [None, "cannot take it", "refused", None]
