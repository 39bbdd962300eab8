"""Word and sense in labels: which kinds of senses train shows."""

import pytest
from hypothesis import given, strategies as st
from toy_bank import examples

from amparser.algebra.fragment import SLOT
from amparser.lexicon.units import Senses, senses_of

NAMES = ["dog", "cat", "cow", "pig", "hen", "goat"]
ROWS = [
    *((["the", name, "slept"], [f"_{name}_n_1", "_sleep_v_1", "_the_q"]) for name in NAMES),
    (["look", "up"], ["_look_v_up"]),
    (["a", "pine", "tree", "and", "an", "oak", "tree"], ["_pine_tree_n_1", "_oak_tree_n_2"]),
]


@given(
    st.text(max_size=12).filter(lambda text: SLOT not in text),
    st.sets(st.sampled_from([".n.", ".v.", "-", "_", "_n_", "|nn_u_"])),
)
def test_parts_of_a_label_make_the_label(label, kinds) -> None:
    frame, text, kind, number = Senses(tuple(kinds)).parts(label)
    assert frame.replace(SLOT, f"{text}{kind}{number}") == label
    assert kind in {"", *kinds}


def test_kinds_stand_behind_many_words_of_sentences() -> None:
    senses = senses_of(ROWS)
    assert "_n_" in senses.kinds
    assert not any("tree" in kind for kind in senses.kinds)
    assert senses.parts("_pine_tree_n_1") == ("_" + SLOT, "pine_tree", "_n_", "1")


def test_the_kinds_of_a_bank_are_its_parts_of_speech() -> None:
    rows = [
        (row.tokens, [node.label or "" for node in row.graph.nodes.values()])
        for row in examples(100)
        if row.graph is not None
    ]
    kinds = senses_of(rows).kinds
    assert {".n.", ".v."} <= set(kinds)
    assert not any(letter.isupper() for kind in kinds for letter in kind)


@pytest.mark.parametrize("label", ['"a_n_1"', "'a_n_1"])
def test_strings_have_no_senses(label) -> None:
    assert Senses(("_n_",)).parts(label).kind == ""


def test_without_words_in_sentences_there_are_no_kinds() -> None:
    assert senses_of([(["x"], ["udef_q", "proper_q", "dog.n.01"])]) == Senses()
    assert senses_of([]) == Senses()
