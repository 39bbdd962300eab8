"""What stands in front of both sentences is no reason to refuse a pair."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.benchmarks.monotonicity.inference import Answer, Sentence, candidates, labels
from amparser.benchmarks.monotonicity.pairs import BETWEEN
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.logic.form import Form
from amparser.logic.vf import vf_from_str

KNOWN = ("some", "dogs", "ran")


def test_a_phrase_is_left_out_only_if_both_begin_with_it() -> None:
    one, other = ("near", "it", ",", "a", "b"), ("near", "it", ",", "c")
    assert candidates(one, other) == [(one, other), (("a", "b"), ("c",))]
    assert candidates(one, ("far", "it", ",", "c")) == [(one, ("far", "it", ",", "c"))]
    assert candidates(("a", ","), ("a", "b")) == [(("a", ","), ("a", "b"))]


def test_a_pair_is_judged_by_what_can_be_read() -> None:
    def reading(sentences: Sequence[Sequence[str]]) -> list[Form | InputError]:
        form = Form(vf_from_str("EXIST DOG RUN"), (), ())
        return [form if tuple(s) == KNOWN else InputError("unknown") for s in sentences]

    def method(premise: Sentence, hypothesis: Sentence) -> Answer:
        assert premise.tokens == hypothesis.tokens == KNOWN
        return Answer("entailment", "the same")

    front = ("dax", ",", *KNOWN)
    pairs = [(front, front), (front, KNOWN), (KNOWN, KNOWN)]
    examples = [Example((*one, BETWEEN, *other)) for one, other in pairs]
    found = labels(examples, reading, method)
    assert [result.meaning for result in found] == ["entailment", None, "entailment"]
    assert found[1].failure == "premise: unknown"
