"""Notations are recognised by what they read."""

from __future__ import annotations

import pytest

from amparser.corpora.example import Example
from amparser.notations.recognition import SAMPLE, recognised

MEANINGS = {
    "cogs": ["sleep . agent ( x _ 1 , Emma )", "* cat ( x _ 1 ) ; run . agent ( x _ 2 , x _ 1 )"],
    "varfree": ["sleep ( agent = Emma )", "give ( agent = Emma , theme = * cake )"],
    "fol": ["exists x1.(dog(x1) & run(x1))"],
    "vf": ["EXIST DOG RUN"],
    "clf": ["b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"],
    "drs": ["([x1],[dog(x1), run(x1)])"],
    "penman": ["(w / want-01 :ARG0 (b / boy))", "(h / hello)"],
    "term": ["answer(city(loc_2(stateid('virginia'))))", "f(a, k = b)"],
    "term-tight": ["answer(city('a'))", "f(a,b)"],
    "term-keyword": ["f(a, k=b)"],
    "term-spaced": ["answer ( city ( 'a' ) )"],
    "sexpr": ['(answer (city (loc_2 (stateid "virginia"))))', "(f)"],
    "sexpr-spaced": ["( lambda $0 e ( state:t $0 ) )"],
}


def examples(*meanings: str) -> list[Example]:
    return [Example(("Emma", "ate", "the", "cake"), meaning) for meaning in meanings]


@pytest.mark.parametrize("name", MEANINGS)
def test_the_most_specific_notation_comes_first(name: str) -> None:
    assert recognised(examples(*MEANINGS[name]))[0] == name


def test_all_that_read_every_meaning_are_named() -> None:
    assert recognised(examples(*MEANINGS["penman"])) == ["penman", "sexpr", "sexpr-spaced"]
    assert recognised(examples("f(a, b)", "(f a)")) == []
    assert recognised([]) == []
    assert recognised([Example(("a",))]) == []


def test_only_a_sample_is_read() -> None:
    good = examples("f(a)") * SAMPLE
    assert "term" in recognised([*good, *examples("f(")])
    assert "term" not in recognised([*good[1:], *examples("f(")])


def test_a_named_notation_is_taken_at_its_word() -> None:
    named = [Example(("a",), "(h / hello)", notation="sexpr")]
    assert recognised(named) == ["sexpr"]
    assert recognised([Example(("a",), "(h / hello", notation="penman")]) == []
