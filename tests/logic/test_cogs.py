"""COGS logical forms: every published one is read and written back to the very string."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.corpora.reading import read_examples
from amparser.errors import LogicError
from amparser.logic.cogs import (
    Atom,
    Bound,
    LogicalForm,
    Name,
    Question,
    Variable,
    logical_form_from_str,
    logical_form_to_str,
    reformatted,
)

FILES = [
    (f"{folder}/{split}.tsv.gz", 10 if split == "train" else 1)
    for folder in ("slog/cogs_lf", "cogs")
    for split in ("train", "dev", "test", "gen_sample")
]


@pytest.mark.parametrize(("file", "step"), FILES)
def test_published_forms_come_back_to_the_very_string(data_dir: Path, file: str, step: int) -> None:
    for example in read_examples(data_dir / file)[::step]:
        assert logical_form_to_str(logical_form_from_str(example.meaning)) == example.meaning


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Paula", LogicalForm(name="Paula")),
        (
            "LAMBDA a . LAMBDA e . cry . agent ( e , a )",
            LogicalForm((Atom(("cry", "agent"), (Bound("e"), Bound("a"))),), bound=("a", "e")),
        ),
        (
            "* cake ( x _ 1 ) ; cake . nmod . in ( x _ 1 , Emma ) AND eat . theme ( x _ 4 , ? )",
            LogicalForm(
                (
                    Atom(("cake", "nmod", "in"), (Variable(1), Name("Emma"))),
                    Atom(("eat", "theme"), (Variable(4), Question())),
                ),
                (Atom(("cake",), (Variable(1),)),),
            ),
        ),
        ("* cake ( x _ 1 )", LogicalForm((), (Atom(("cake",), (Variable(1),)),))),
    ],
)
def test_structure(text: str, form: LogicalForm) -> None:
    assert logical_form_from_str(text) == form
    assert str(form) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1 (token 1): expected a predicate, found the end"),
        ("AND", "column 1 (token 1): expected a predicate, found 'AND'"),
        ("cake ( x _ 1", "column 13 (token 6): expected ',' or ')', found the end"),
        ("cake  x _ 1 )", "column 7 (token 2): expected '.' or '(', found 'x'"),
        ("cake ( x 1 )", "column 10 (token 4): expected '_', found '1'"),
        ("cake ( x _ one )", "column 12 (token 5): expected a position, found 'one'"),
        ("cake ( x _ 01 )", "column 12 (token 5): expected a position, found '01'"),
        ("cake ( x _ ٣ )", "column 12 (token 5): expected a position, found '٣'"),
        ("cake ( x _ " + "9" * 5000, "expected a position"),
        ("eat . agent ( x _ 1 x _ 2 )", "column 21 (token 8): expected ',' or ')', found 'x'"),
        ("eat . ( x _ 1 )", "column 7 (token 3): expected a word of the predicate, found '('"),
        ("eat . agent ( x _ 1 , )", "column 23 (token 9): expected an argument, found ')'"),
        ("a ( x _ 1 ) b ( x _ 2 )", "column 13 (token 7): expected 'AND' or the end, found 'b'"),
        ("a ( x _ 1 ) )", "column 13 (token 7): expected 'AND' or the end, found ')'"),
        ("a ( x _ 1 ) AND", "column 16 (token 8): expected a predicate, found the end"),
        ("* a ( x _ 1 ) AND b ( x _ 2 )", "column 15 (token 8): expected ';', found 'AND'"),
        ("a ( x _ 1 ) ; b ( x _ 2 )", "column 13 (token 7): expected 'AND' or the end"),
        ("LAMBDA a shark ( a )", "column 10 (token 3): expected '.', found 'shark'"),
        ("LAMBDA a . LAMBDA a . s ( a )", "column 19 (token 5): expected a lambda variable not"),
    ],
)
def test_an_error_says_where_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(LogicError) as caught:
        logical_form_from_str(text)
    assert message in str(caught.value)


TOKENS = [
    "cake",
    "eat",
    "agent",
    "nmod",
    "Emma",
    "x",
    "_",
    "1",
    "2",
    "(",
    ")",
    ",",
    ".",
    ";",
    "*",
    "?",
    "AND",
    "LAMBDA",
    "a",
]


@given(st.lists(st.sampled_from(TOKENS), max_size=12))
def test_any_tokens_are_a_form_that_comes_back_or_an_error(tokens: list[str]) -> None:
    text = " ".join(tokens)
    reformatted(text)
    try:
        form = logical_form_from_str(text)
    except LogicError:
        return
    assert str(form) == text


@given(st.text(max_size=30))
def test_reformatting_takes_any_text(text: str) -> None:
    assert reformatted(reformatted(text)) == reformatted(text)


def test_reformatting_is_that_of_the_paper() -> None:
    gold = "eat . theme ( x _ 4 , ? ) AND eat . agent ( x _ 4 , x _ 3 ) AND baby ( x _ 3 )"
    output = "eat . agent ( x _ 3 , x _ 6 ) AND eat . theme ( x _ 3 , ? ) AND baby ( x _ 6 )"
    assert reformatted(gold) == reformatted(output)
    assert reformatted(gold).startswith("baby ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 )")
    assert reformatted(gold) != reformatted(gold.replace("x _ 4 , ?", "x _ 3 , ?"))
    assert reformatted("* b ( x _ 3 ) ; * a ( x _ 9 )") == "* a ( x _ 1 ) ; * b ( x _ 2 )"


def test_numbers_that_are_no_variables_stay() -> None:
    assert reformatted("cake ( 1 )") == "cake ( 1 )" != reformatted("cake ( x _ 1 )")
