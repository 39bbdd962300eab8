"""COGS logical forms: every published one is read and written back to the very string."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.logic.cogs import (
    Atom,
    Bound,
    LogicalForm,
    Name,
    Question,
    Variable,
    logical_form_from_str,
    reformatted,
)


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
