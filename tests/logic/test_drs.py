"""DRSs as nested boxes and as clauses; names of referents and boxes do not matter."""

from random import Random

import pytest
from formulas import formulas
from hypothesis import given
from hypothesis import strategies as st

from amparser.errors import LogicError
from amparser.logic import drs, fol
from amparser.logic.clf import (
    Clause,
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import drs_equivalent, drs_from_fol, drs_from_str, fol_from_drs
from amparser.logic.fol import Formula, fol_from_str

ANY = formulas(depth=3, constants=("ann",))
KISS = "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 REF x2 [SEP] b2 kiss x1 x2"


def disguised(clauses: list[Clause], random: Random) -> list[Clause]:
    names: dict[str, str] = {}
    for clause in clauses:
        for name in clause[:1] + clause[2:]:
            if name != "ann":
                names.setdefault(name, f"{name[0]}{1000 * random.randrange(9) + len(names)}")
    new = [(names[c[0]], c[1], *(names.get(name, name) for name in c[2:])) for c in clauses]
    random.shuffle(new)
    return new


@given(ANY)
def test_boxes_round_trip(formula: Formula) -> None:
    box = drs_from_fol(formula)
    assert drs_from_str(str(box)) == box
    assert eval(repr(box), {**vars(fol), **vars(drs)}) == box


@given(ANY, st.randoms(use_true_random=False))
def test_boxes_round_trip_through_clauses(formula: Formula, random: Random) -> None:
    box = drs_from_fol(formula)
    clauses = clauses_from_drs(box)
    assert clauses_from_str(clauses_to_str(clauses)) == clauses
    assert drs_from_clauses(clauses) == box
    assert drs_equivalent(drs_from_clauses(disguised(clauses, random)), box)


@given(ANY)
def test_boxes_round_trip_through_formulas(formula: Formula) -> None:
    box = drs_from_fol(formula)
    assert drs_equivalent(drs_from_fol(fol_from_drs(box)), box)


@pytest.mark.parametrize(
    "other",
    [
        KISS.replace("x1 x2", "x2 x1"),
        KISS.replace("b2 REF x2", "b1 REF x2"),
        KISS + " [SEP] b2 kiss x1 x2",
        KISS.replace("b1 dog x1", "b2 dog x1"),
        KISS.replace("NOT b2", "IMP b2 b3 [SEP] b3 dog x1"),
    ],
)
def test_different_boxes_are_not_equivalent(other: str) -> None:
    left, right = (drs_from_clauses(clauses_from_str(text)) for text in (KISS, other))
    assert not drs_equivalent(left, right)


def test_sibling_boxes_may_share_names_of_referents() -> None:
    left = drs_from_str("([],[(([x],[dog(x)]) | ([x],[cat(x)]))])")
    right = drs_from_str("([],[(([y],[dog(y)]) | ([z],[cat(z)]))])")
    assert drs_equivalent(left, right)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("all x.dog(x)", "([],[(([x1],[]) -> ([],[dog(x1)]))])"),
        ("(dog(ann) -> exists x.see(x,ann))", "([],[(([],[dog(ann)]) -> ([x1],[see(x1,ann)]))])"),
        (
            "(p1(ann) | p2(ann) | p3(ann))",
            "([],[(([],[(([],[p1(ann)]) | ([],[p2(ann)]))]) | ([],[p3(ann)]))])",
        ),
    ],
)
def test_boxes_of_other_formulas(formula: str, expected: str) -> None:
    box = drs_from_fol(fol_from_str(formula))
    assert str(box) == expected
    assert str(fol_from_drs(box)).replace("x1", "x") == formula


def test_an_empty_box_has_no_formula() -> None:
    with pytest.raises(LogicError, match="expected a condition in every box"):
        fol_from_drs(drs_from_str("([x],[])"))


def test_missing_clauses_and_deep_boxes_are_errors() -> None:
    with pytest.raises(LogicError, match="expected a clause, found none"):
        drs_from_clauses([])
    chain: list[Clause] = [(f"b{n}", "NOT", f"b{n + 1}") for n in range(3_000)]
    with pytest.raises(LogicError, match="too deeply"):
        drs_from_clauses([*chain, ("b3000", "dog", "ann")])
