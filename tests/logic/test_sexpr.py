"""S-expressions: texts, words and graphs round-trip."""

import pytest
from hypothesis import given, strategies as st

from amparser.errors import LogicError
from amparser.logic.sexpr import QUOTES, Sexpr, sexpr_from_str, sexpr_to_str
from amparser.notations.notation import without_layout
from amparser.notations.registry import NOTATIONS

ATOMS = ["f", "big_1", "$0", "3", "-2.5", '"two words"', '"a \\" ( b"', "john's", ":key", "|a b|"]
atoms = st.sampled_from([*ATOMS, ",", "'", "=", '"  a "', "[", "f:t"]).map(Sexpr)
sexprs = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: Sexpr("", tuple(items))),
        st.builds(
            lambda mark, item: Sexpr(mark, (item,), quoted=True), st.sampled_from(QUOTES), inner
        ).filter(lambda s: s.items[0].atom not in QUOTES or s.items[0].quoted),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("spaced", [False, True])
@given(sexprs)
def test_texts_round_trip(spaced, sexpr) -> None:
    text = sexpr_to_str(sexpr, spaced=spaced)
    assert sexpr_from_str(text) == sexpr
    notation = NOTATIONS["sexpr"].styled("spaced" if spaced else "")
    assert notation.join(notation.split(text)) == text
    assert notation.write(without_layout(notation.graph((), text))) == text


def test_deep_lists_need_no_recursion() -> None:
    text = "(f " * 5000 + "a" + ")" * 5000
    assert sexpr_to_str(sexpr_from_str(text)) == text


def test_a_malformed_gold_meaning_is_an_error() -> None:
    for name in ("term", "sexpr"):
        with pytest.raises(LogicError, match="column 1"):
            NOTATIONS[name].equality((), ")", "f")


def test_lists_are_labelled_by_their_heads() -> None:
    graph = NOTATIONS["sexpr"].graph((), "((f a) (g) () 'x)")
    labels = [graph.nodes[n].label for n in graph.nodes]
    assert labels == ["()", "f", "a", "(g)", "()", "'()", "x"]
