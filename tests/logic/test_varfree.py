"""The variable-free notation: every published form comes back to the very string."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.corpora.reading import read_examples
from amparser.errors import LogicError
from amparser.logic.varfree import Term, varfree_from_str, varfree_to_str


@pytest.mark.parametrize(
    ("split", "step"), [("train", 10), ("dev", 1), ("test", 1), ("gen_sample", 1)]
)
def test_published_forms_come_back_to_the_very_string(
    data_dir: Path, split: str, step: int
) -> None:
    for example in read_examples(data_dir / f"slog/varfree_lf/{split}.tsv.gz")[::step]:
        assert varfree_to_str(varfree_from_str(example.meaning)) == example.meaning


def test_structure() -> None:
    text = "eat ( agent = ? , theme = * cake ( nmod . in = house ) )"
    cake = Term("cake", ((("nmod", "in"), Term("house")),), definite=True)
    assert varfree_from_str(text) == Term("eat", ((("agent",), Term("?")), (("theme",), cake)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1 (token 1): expected '*' or a word, found the end"),
        ("*", "column 2 (token 2): expected a word, found the end"),
        ("eat (", "column 6 (token 3): expected a role, found the end"),
        ("eat ( agent cat )", "column 13 (token 4): expected '.' or '=', found 'cat'"),
        ("eat ( agent = )", "column 15 (token 5): expected '*' or a word, found ')'"),
        ("eat ( agent = cat", "column 18 (token 6): expected '(', ',' or ')', found the end"),
        ("eat ( agent = cat , )", "column 21 (token 7): expected a role, found ')'"),
        ("eat ( nmod . = cat )", "column 14 (token 5): expected a word of the role, found '='"),
        ("cat dog", "column 5 (token 2): expected '(' or the end, found 'dog'"),
        ("a ( b = c ) )", "column 13 (token 7): expected the end, found ')'"),
        ("a ( b = " * 2000, "nested too deeply"),
    ],
)
def test_an_error_says_where_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(LogicError) as caught:
        varfree_from_str(text)
    assert message in str(caught.value)


@given(st.lists(st.sampled_from(["a", "b", "?", "nmod", "(", ")", ",", ".", "=", "*"])))
def test_any_tokens_are_a_form_that_comes_back_or_an_error(tokens: list[str]) -> None:
    try:
        term = varfree_from_str(" ".join(tokens))
    except LogicError:
        return
    assert str(term) == " ".join(tokens)
