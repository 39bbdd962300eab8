"""Notations are recognised by trying to read a sample."""

import pytest
from toml_tables import tables

from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.corpora.recognition import SAMPLE, recognised

TABLES = tables(__file__)

MEANINGS = TABLES["meanings"]


SCOPED = ("a", "dog", "ran")
"""Sentence of the scoped meanings, whose graphs need its words."""


def examples(*meanings: str, tokens: tuple[str, ...] = ("Emma", "ran", "cake")) -> list[Example]:
    return [Example(tokens, meaning) for meaning in meanings]


@pytest.mark.parametrize("name", MEANINGS)
def test_the_most_specific_notation_comes_first(name) -> None:
    scoped = name in ("fol", "vf", "clf")
    tokens = SCOPED if scoped else ("Emma", "gave", "Liam", "the", "cake")
    assert recognised(examples(*MEANINGS[name], tokens=tokens))[0] == name


@pytest.mark.parametrize(("name", "file"), TABLES["published"])
def test_published_files_are_recognised(name, file, data_dir) -> None:
    assert recognised(read_examples(data_dir / file, limit=SAMPLE))[0] == name


def test_every_notation_that_reads_all_meanings_is_named() -> None:
    assert recognised(examples(*MEANINGS["penman"])) == ["penman", "sexpr"]
    assert recognised(examples("f(a, b)", "(f a)")) == []
    assert recognised([]) == []
    assert recognised([Example(("a",))]) == []


def test_only_a_sample_is_read() -> None:
    good = examples("f(a)") * SAMPLE
    assert "term" in recognised([*good, *examples("f(")])
    assert "term" not in recognised([*good[1:], *examples("f(")])


def test_an_examples_own_notation_is_not_guessed() -> None:
    named = [Example(("a",), "(h / hello)", notation="sexpr")]
    assert recognised(named) == ["sexpr"]
    assert recognised([Example(("a",), "(h / hello", notation="penman")]) == []
