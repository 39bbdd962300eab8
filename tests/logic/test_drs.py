"""DRSs as nested boxes and as clauses; names of referents and boxes do not matter."""

from random import Random

import pytest
from formulas import formulas
from hypothesis import given, strategies as st

from amparser.errors import LogicError
from amparser.logic import drs, fol
from amparser.logic.clf import (
    Clause,
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import drs_equivalent, drs_from_fol, fol_from_drs

ANY = formulas(depth=3, constants=("ann",))


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
def test_boxes_round_trip(formula) -> None:
    box = drs_from_fol(formula)
    assert eval(repr(box), {**vars(fol), **vars(drs)}) == box


@given(ANY, st.randoms(use_true_random=False))
def test_boxes_round_trip_through_clauses(formula, random) -> None:
    box = drs_from_fol(formula)
    clauses = clauses_from_drs(box)
    assert clauses_from_str(clauses_to_str(clauses)) == clauses
    assert drs_from_clauses(clauses) == box
    assert drs_equivalent(drs_from_clauses(disguised(clauses, random)), box)


@given(ANY)
def test_boxes_round_trip_through_formulas(formula) -> None:
    box = drs_from_fol(formula)
    assert drs_equivalent(drs_from_fol(fol_from_drs(box)), box)


def test_sibling_boxes_may_share_names_of_referents() -> None:
    boxes = "b1 DIS b2 b3 [SEP] b2 REF x1 [SEP] b2 dog x1 [SEP] b3 REF x1 [SEP] b3 cat x1"
    left, right = (
        drs_from_clauses(clauses_from_str(text))
        for text in (boxes, boxes.replace("b3 REF x1 [SEP] b3 cat x1", "b3 REF x2 [SEP] b3 cat x2"))
    )
    assert drs_equivalent(left, right)


def test_an_empty_box_has_no_formula() -> None:
    with pytest.raises(LogicError, match="expected a condition in every box"):
        fol_from_drs(drs.Box(("x",), ()))


def test_missing_clauses_and_deep_boxes_are_errors() -> None:
    with pytest.raises(LogicError, match="expected a clause, found none"):
        drs_from_clauses([])
    chain: list[Clause] = [(f"b{n}", "NOT", f"b{n + 1}") for n in range(3_000)]
    with pytest.raises(LogicError, match="too deeply"):
        drs_from_clauses([*chain, ("b3000", "dog", "ann")])
