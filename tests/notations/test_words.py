"""Targets as words, when they are right, and what is wrong with malformed ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.baselines.notation import NOTATIONS, notation_of, target_of
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.errors import ConfigError, CorpusError
from amparser.evaluation.metrics.malformed import (
    EMPTY,
    ILL_FORMED,
    LENGTH_LIMIT,
    LOOP,
    SUPERFLUOUS,
    UNCLOSED,
    malformed_counts,
    malformed_kind,
    repeats,
)
from amparser.evaluation.metrics.varfree import compare_varfree

FILES = {
    "cogs": ("slog/cogs_lf/train.tsv.gz", "slog/cogs_lf/gen_sample.tsv.gz", "cogs/train.tsv.gz"),
    "varfree": ("slog/varfree_lf/train.tsv.gz", "slog/varfree_lf/gen_sample.tsv.gz"),
    "fol": ("sygns/depth/train.fol.tsv.gz", "sygns/depth/test_d4_sample.fol.tsv.gz"),
    "clf": ("sygns/depth/train.clf.tsv.gz", "sygns/depth/test_d4_sample.clf.tsv.gz"),
    "vf": ("sygns/depth/train.vf.tsv.gz", "sygns/depth/test_d4_sample.vf.tsv.gz"),
}


@pytest.mark.parametrize("name", NOTATIONS)
def test_published_rows_are_their_words_and_right(name: str, data_dir: Path) -> None:
    notation = notation_of(name)
    for file in FILES[name]:
        for example in read_examples(data_dir / file)[::29]:
            text = target_of(notation, example, path=file)
            assert text == example.meaning
            counts = notation.compare(example.tokens, text, text)
            assert (counts.exact, counts.reformatted, counts.graph) == (1, 1, 1)
            wrong = notation.compare(example.tokens, text, notation.join(notation.split(text)[:-1]))
            assert not wrong.exact
            assert notation.compare(example.tokens, text, None).graph == 0


def test_cogs_forms_become_those_of_the_variable_free_files(data_dir: Path) -> None:
    left = read_examples(data_dir / "slog/cogs_lf/dev.tsv.gz")
    right = read_examples(data_dir / "slog/varfree_lf/dev.tsv.gz")
    for one, other in list(zip(left, right, strict=True))[::7]:
        assert one.tokens == other.tokens
        made = target_of(notation_of("varfree"), one)
        assert compare_varfree(one.tokens, other.meaning, made).graph


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("see ( agent = A , theme = b )", "see ( theme = b , agent = A )", (0, 1, 1)),
        ("see ( agent = A , theme = b )", "see ( agent = A , theme = * b )", (0, 0, 0)),
        ("see ( agent = A , theme = b )", "see ( agent = A , theme = b", (0, 0, 0)),
    ],
)
def test_varfree_is_right_up_to_order(
    gold: str, predicted: str, expected: tuple[int, int, int]
) -> None:
    found = compare_varfree(["A", "saw", "a", "b", "."], gold, predicted)
    assert (found.exact, found.reformatted, found.graph) == expected


CLAUSES = "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"


@pytest.mark.parametrize(
    ("name", "gold", "predicted", "expected"),
    [
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(dog(x9) & run(x9))", (0, 1, 1)),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(run(x9) & dog(x9))", (0, 0, 1)),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(run(x9) & cat(x9))", (0, 0, 0)),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x9.(run(x9) & ", (0, 0, 0)),
        ("clf", CLAUSES, "b2 run x3 [SEP] b2 REF x3 [SEP] b2 dog x3", (0, 1, 1)),
        ("clf", CLAUSES, "b2 run x3 [SEP] b2 REF x3", (0, 0, 0)),
        ("vf", "EXIST AND DOG OLD RUN", "EXIST AND OLD DOG RUN", (0, 0, 1)),
        ("vf", "EXIST DOG RUN", "ALL DOG RUN", (0, 0, 0)),
    ],
)
def test_sygns_is_right_up_to_names_and_order(
    name: str, gold: str, predicted: str, expected: tuple[int, int, int]
) -> None:
    found = notation_of(name).compare((), gold, predicted)
    assert (found.exact, found.reformatted, found.graph) == expected


@pytest.mark.parametrize(
    ("text", "finished", "kind"),
    [
        ("cake ( x _ 1 )", True, None),
        ("cake ( x _ 1", True, UNCLOSED),
        ("cake ( x _ 1 ) )", True, SUPERFLUOUS),
        ("cake ( x _ 1 ) AND", True, ILL_FORMED),
        ("", True, EMPTY),
        ("cake ( x _ 1 ) AND", False, LENGTH_LIMIT),
        ("cake ( x _ 1 )", False, LENGTH_LIMIT),
        ("a AND b AND b AND b AND b AND", False, LOOP),
        ("a AND b AND b AND b AND b AND", True, LOOP),
    ],
)
def test_malformed_outputs_are_told_apart(text: str, finished: bool, kind: str | None) -> None:
    readable = notation_of("cogs").readable(text)
    assert malformed_kind(text.split(), finished=finished, readable=readable) == kind


def test_malformed_outputs_add_up() -> None:
    counts = malformed_counts([LOOP, None, UNCLOSED, LOOP])
    assert counts[LOOP] == 2
    assert sum(counts.values()) == 3


@given(st.lists(st.sampled_from("ab("), max_size=12), st.lists(st.sampled_from("abc)"), min_size=1))
def test_what_is_said_three_times_is_a_loop(before: list[str], piece: list[str]) -> None:
    assert repeats([*before, *piece * 3]) >= any(token.isalpha() for token in piece)


def test_targets_of_another_notation_are_named() -> None:
    example = Example(("A", "ran"), "run ( agent = A )", "", 7)
    with pytest.raises(CorpusError, match=r"a\.tsv:7: expected a meaning in the notation 'cogs'"):
        target_of(notation_of("cogs"), example, path="a.tsv")
    with pytest.raises(ConfigError, match="expected one of cogs, varfree, fol"):
        notation_of("amr")
