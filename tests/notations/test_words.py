"""Meanings as sequences of words, and equality of meanings with different texts."""

import tomllib
from pathlib import Path

import pytest

from amparser.corpora.reading import read_examples
from amparser.errors import InputError, LogicError
from amparser.notations.notation import without_layout
from amparser.notations.registry import NOTATIONS, family_of

FILES = {
    "cogs": ("slog/cogs_lf/train.tsv.gz", "slog/cogs_lf/gen_sample.tsv.gz", "cogs/train.tsv.gz"),
    "varfree": ("slog/varfree_lf/train.tsv.gz", "slog/varfree_lf/gen_sample.tsv.gz"),
    "fol": ("sygns/depth/train.fol.tsv.gz", "sygns/depth/test_d4_sample.fol.tsv.gz"),
    "clf": ("sygns/depth/train.clf.tsv.gz", "sygns/depth/test_d4_sample.clf.tsv.gz"),
    "vf": ("sygns/depth/train.vf.tsv.gz", "sygns/depth/test_d4_sample.vf.tsv.gz"),
}


@pytest.mark.parametrize("name", FILES)
def test_published_rows_are_joined_from_their_words_and_equal_themselves(name, data_dir) -> None:
    notation = NOTATIONS[name]
    for file in FILES[name]:
        for example in read_examples(data_dir / file)[::29]:
            text = example.meaning
            words = notation.split(text)
            assert notation.join(words) == text
            assert notation.equality(example.tokens, text, text) == (True, True)
            assert notation.equality(example.tokens, text, None) == (False, False)
            assert notation.join(words[:-1]) != text


TEXTS, EQUALITY = (
    tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("texts", "equality")
)


@pytest.mark.parametrize(("name", "text"), [(n, text) for n in TEXTS for text in TEXTS[n]])
def test_texts_round_trip_with_and_without_layout(name, text) -> None:
    notation = NOTATIONS[name].styled(NOTATIONS[name].style_of([text]))
    graph = notation.graph((), text)
    assert notation.write(graph) == notation.write(without_layout(graph)) == text
    assert notation.join(notation.split(text)) == text
    assert not notation.needs_alignment
    known = notation.for_corpus([(text.split(), text)])
    assert known.write(known.graph(text.split(), text)) == text
    for same in TEXTS[name] if name in ("term", "sexpr", "json") else ():
        assert notation.write(notation.graph((), same)) == same
        assert notation.write(without_layout(notation.graph((), same))) == text
        assert notation.equality((), text, same) == (True, True)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n in ("term", "sexpr") for t in TEXTS[n]])
def test_the_most_frequent_style_is_chosen(name, text) -> None:
    notation = NOTATIONS[name]
    other = TEXTS[name][TEXTS[name].index(text) - 1]
    style = notation.style_of([other, text, "malformed ) (", text])
    assert notation.styled(style).write(without_layout(notation.graph((), other))) == text


@pytest.mark.parametrize(
    ("name", "gold", "answer", "kind"),
    [
        (name, *pair, kind)
        for name, table in EQUALITY.items()
        for kind, pairs in table.items()
        for pair in pairs
    ],
)
def test_equality_of_texts_and_of_graphs(name, gold, answer, kind) -> None:
    sentence = ["A", "saw", "a", "b", "."]
    notation = NOTATIONS[name]
    found = notation.equality(sentence, gold, answer)
    assert found == (kind == "reformatted", kind != "different")
    assert notation.equality(sentence, gold, None) == (False, False)


def test_notations_of_a_family_write_the_same_graphs() -> None:
    assert family_of("varfree") == ("varfree", "cogs")
    assert set(family_of("fol")) == {"fol", "vf", "clf"}


def test_an_unknown_notation_and_a_malformed_meaning_are_named() -> None:
    with pytest.raises(InputError, match="unknown notation 'amr', expected one of cogs, varfree"):
        NOTATIONS["amr"]
    with pytest.raises(LogicError):
        NOTATIONS["cogs"].read("run ( agent = A )")
    assert not NOTATIONS["cogs"].is_readable("run ( agent = A )")
