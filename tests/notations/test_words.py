"""Meanings as words, and equality beyond the string."""

from __future__ import annotations

from pathlib import Path

import pytest

from amparser.corpora.reading import read_examples
from amparser.errors import InputError, LogicError
from amparser.notations.registry import NOTATIONS, family_of

FILES = {
    "cogs": ("slog/cogs_lf/train.tsv.gz", "slog/cogs_lf/gen_sample.tsv.gz", "cogs/train.tsv.gz"),
    "varfree": ("slog/varfree_lf/train.tsv.gz", "slog/varfree_lf/gen_sample.tsv.gz"),
    "fol": ("sygns/depth/train.fol.tsv.gz", "sygns/depth/test_d4_sample.fol.tsv.gz"),
    "clf": ("sygns/depth/train.clf.tsv.gz", "sygns/depth/test_d4_sample.clf.tsv.gz"),
    "vf": ("sygns/depth/train.vf.tsv.gz", "sygns/depth/test_d4_sample.vf.tsv.gz"),
}


@pytest.mark.parametrize("name", FILES)
def test_published_rows_are_their_words_and_equal_themselves(name: str, data_dir: Path) -> None:
    notation = NOTATIONS[name]
    for file in FILES[name]:
        for example in read_examples(data_dir / file)[::29]:
            text = example.meaning
            assert text is not None
            words = notation.split(text)
            assert notation.join(words) == text
            assert notation.equality(example.tokens, text, text) == (True, True)
            assert notation.equality(example.tokens, text, None) == (False, False)
            assert notation.join(words[:-1]) != text


def test_cogs_forms_become_those_of_the_variable_free_files(data_dir: Path) -> None:
    left = read_examples(data_dir / "slog/cogs_lf/dev.tsv.gz")
    right = read_examples(data_dir / "slog/varfree_lf/dev.tsv.gz")
    varfree, cogs = NOTATIONS["varfree"], NOTATIONS["cogs"]
    for one, other in list(zip(left, right, strict=True))[::7]:
        assert one.tokens == other.tokens
        assert one.meaning is not None
        assert other.meaning is not None
        made = varfree.convert(one.tokens, one.meaning, cogs)
        assert varfree.equality(one.tokens, other.meaning, made).graph


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("see ( agent = A , theme = b )", "see ( theme = b , agent = A )", (1, 1)),
        ("see ( agent = A , theme = b )", "see ( agent = A , theme = * b )", (0, 0)),
        ("see ( agent = A , theme = b )", "see ( agent = A , theme = b", (0, 0)),
    ],
)
def test_varfree_is_right_up_to_order(gold: str, predicted: str, expected: tuple[int, int]) -> None:
    found = NOTATIONS["varfree"].equality(["A", "saw", "a", "b", "."], gold, predicted)
    assert found == expected


CLAUSES = "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"


@pytest.mark.parametrize(
    ("name", "gold", "predicted", "expected"),
    [
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(dog(x9) & run(x9))", (1, 1)),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(run(x9) & dog(x9))", (0, 1)),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(run(x9) & cat(x9))", (0, 0)),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(run(x9) & ", (0, 0)),
        ("clf", CLAUSES, "b2 run x3 [SEP] b2 REF x3 [SEP] b2 dog x3", (1, 1)),
        ("clf", CLAUSES, "b2 run x3 [SEP] b2 REF x3", (0, 0)),
        ("vf", "EXIST AND DOG OLD RUN", "EXIST AND OLD DOG RUN", (0, 1)),
        ("vf", "EXIST DOG RUN", "ALL DOG RUN", (0, 0)),
    ],
)
def test_sygns_is_right_up_to_names_and_order(
    name: str, gold: str, predicted: str, expected: tuple[int, int]
) -> None:
    assert NOTATIONS[name].equality((), gold, predicted) == expected


def test_notations_of_a_family_write_the_same_graphs() -> None:
    assert family_of("varfree") == ("varfree", "cogs")
    assert set(family_of("fol")) == {"fol", "vf", "clf", "drs"}


def test_an_unknown_notation_and_a_malformed_meaning_are_named() -> None:
    with pytest.raises(InputError, match="expected one of cogs, varfree, fol"):
        NOTATIONS["amr"]
    with pytest.raises(LogicError):
        NOTATIONS["cogs"].read("run ( agent = A )")
    assert not NOTATIONS["cogs"].is_readable("run ( agent = A )")
