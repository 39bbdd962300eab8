"""Reformatting of COGS logical forms (Li et al. 2023)."""

from hypothesis import given, strategies as st

from amparser.logic.cogs import reformatted


@given(st.text(max_size=30))
def test_reformatting_is_idempotent_on_any_text(text) -> None:
    assert reformatted(reformatted(text)) == reformatted(text)


def test_reformatting_follows_the_paper() -> None:
    gold = "eat . theme ( x _ 4 , ? ) AND eat . agent ( x _ 4 , x _ 3 ) AND baby ( x _ 3 )"
    output = "eat . agent ( x _ 3 , x _ 6 ) AND eat . theme ( x _ 3 , ? ) AND baby ( x _ 6 )"
    assert reformatted(gold) == reformatted(output)
    assert reformatted(gold).startswith("baby ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 )")
    assert reformatted(gold) != reformatted(gold.replace("x _ 4 , ?", "x _ 3 , ?"))
    assert reformatted("* b ( x _ 3 ) ; * a ( x _ 9 )") == "* a ( x _ 1 ) ; * b ( x _ 2 )"


def test_reformatting_renumbers_only_variables() -> None:
    assert reformatted("cake ( 1 )") == "cake ( 1 )" != reformatted("cake ( x _ 1 )")
