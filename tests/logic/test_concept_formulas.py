"""First-order formulas of boxes of concepts: which have one, and that it means the same."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structure import Structure

from amparser.errors import LogicError
from amparser.logic.concept_boxes_drs import drs_from_boxes
from amparser.logic.drs import drs_from_str, fol_from_drs, with_implications
from amparser.logic.fol import fol_from_str
from amparser.logic.fol_names import constant_in_fol, predicate_in_fol
from amparser.logic.sbn import boxes_from_sbn
from amparser.notations.registry import NOTATIONS

SBN, FOL = NOTATIONS["sbn"], NOTATIONS["fol"]

FORMULAS = {
    "dog.n.01 bark.v.01 Agent -1": "exists x1 x2.(dog_n_01(x1) & bark_v_01(x2) & Agent(x2,x1))",
    "NEGATION -1 dog.n.01": "-exists x1.dog_n_01(x1)",
    # Every dog barks.
    "NEGATION -1 dog.n.01 NEGATION -1 bark.v.01 Agent -1": (
        "all x1.(dog_n_01(x1) -> exists x2.(bark_v_01(x2) & Agent(x2,x1)))"
    ),
    "NEGATION -1 NEGATION -1 dog.n.01": "--exists x1.dog_n_01(x1)",
    # If a dog barks, a cat flees.
    "CONDITION -1 dog.n.01 bark.v.01 Agent -1 CONSEQUENCE -1 cat.n.01": (
        "all x1 x2.((dog_n_01(x1) & bark_v_01(x2) & Agent(x2,x1)) -> exists x3.cat_n_01(x3))"
    ),
    "dog.n.01 CONSEQUENCE -1 cat.n.01": "all x1.(dog_n_01(x1) -> exists x2.cat_n_01(x2))",
    "dog.n.01 CONTINUATION -1 cat.n.01 Of -1": (
        "exists x1.(dog_n_01(x1) & exists x2.(cat_n_01(x2) & Of(x2,x1)))"
    ),
    "dog.n.01 ALTERNATION -1 cat.n.01 ALTERNATION -1 cow.n.01 Of -2": (
        "exists x1.(dog_n_01(x1) & "
        "(exists x2.cat_n_01(x2) | exists x3.(cow_n_01(x3) & Of(x3,x1))))"
    ),
    'dog.n.01 Name "x1" Owner speaker Quantity 3': (
        "exists x1.(dog_n_01(x1) & Name(x1,c_x1) & Owner(x1,speaker) & Quantity(x1,c_3))"
    ),
}  # fmt: skip


@pytest.mark.parametrize("sequence", FORMULAS)
def test_formulas(sequence: str) -> None:
    formula = FOL.convert((), sequence, SBN)
    assert formula == FORMULAS[sequence]
    assert str(fol_from_str(formula)) == formula


RELATIONS = ["NEGATION", "CONDITION", "CONSEQUENCE", "CONTINUATION"]


@st.composite
def sequences(draw: st.DrawFn) -> str:
    """Texts with negations, implications, alternatives and few predicates."""
    words = []
    count = 0
    for _ in range(draw(st.integers(1, 3))):
        if count or draw(st.booleans()):
            words += [draw(st.sampled_from(RELATIONS)), "-1"]
        for _ in range(draw(st.integers(1, 2))):
            words.append(draw(st.sampled_from(["a.n.01", "b.n.01"])))
            if draw(st.booleans()) and count:
                words += ["R", f"-{draw(st.integers(1, count))}"]
            count += 1
    return " ".join(words)


STRUCTURES = [
    Structure(2, {"a_n_01": frozenset(a), "b_n_01": frozenset(b), "R": frozenset(r)})
    for a, b in itertools.product([[], [(1,)], [(1,), (2,)]], [[], [(2,)], [(1,), (2,)]])
    for r in ([], [(1, 2)], [(2, 1), (2, 2)])
]


@given(sequences())
def test_implications_mean_the_same_as_double_negations(sequence: str) -> None:
    box = drs_from_boxes(boxes_from_sbn(sequence))
    try:
        formula = fol_from_drs(box)
    except LogicError:
        return
    other = fol_from_drs(with_implications(box))
    assert all(s.satisfies(formula) == s.satisfies(other) for s in STRUCTURES)


TEXT = st.text('abx_.-é 1"', min_size=1, max_size=6).filter(lambda text: '"' not in text)


@given(TEXT, TEXT)
def test_different_constants_and_senses_have_different_names(left: str, right: str) -> None:
    same = left == right
    assert (constant_in_fol(f'"{left}"') == constant_in_fol(f'"{right}"')) == same
    assert (predicate_in_fol(f"{left}.n.01") == predicate_in_fol(f"{right}.n.01")) == same
    fol_from_str(f"{predicate_in_fol(left + '.n.01')}({constant_in_fol(chr(34) + left + chr(34))})")


def test_relations_stand_in_boxes() -> None:
    text = "([x1],[dog.n.01(x1), POSSIBILITY([],[run(x1), -([],[small(x1)])])])"
    assert str(drs_from_str(text)) == text
