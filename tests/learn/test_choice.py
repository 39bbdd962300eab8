"""Which parser a corpus asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_terms import questions

from amparser.api import learned_from
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import CorpusError
from amparser.learn.choice import choose

COGS = [
    ("Emma slept .", "sleep . agent ( x _ 1 , Emma )"),
    ("Liam ran .", "run . agent ( x _ 1 , Liam )"),
]


def test_one_node_a_word_goes_to_the_parser() -> None:
    rows = [Example(tuple(sentence.split()), meaning) for sentence, meaning in COGS]
    assert choose(Corpus(rows, (), "cogs")).constants == "node"


def test_terms_without_alignment_go_to_trees() -> None:
    rows = [Example(item.tokens, text) for item, text in questions(30)]
    assert choose(Corpus(rows, (), "term")).constants == "tree"


def test_rows_that_nothing_decomposes_stay_with_the_parser() -> None:
    rows = [Example(("a",), failure="nothing")]
    assert choose(Corpus(rows, (), "term")).constants == "node"


def test_a_file_is_read_and_a_fault_named(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("".join(f"{' '.join(i.tokens)}\t{text}\tq\n" for i, text in questions(30)))
    assert learned_from(path, notation="term")[1].constants == "tree"
    path.write_text("a b\tf(g\tq\n" * 12)
    with pytest.raises(CorpusError, match=r"train\.tsv"):
        learned_from(path, notation="term")
