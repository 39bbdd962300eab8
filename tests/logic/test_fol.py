"""First-order formulas: round trips, and equality up to names and order."""

from random import Random

import pytest
from formulas import formulas
from hypothesis import given
from hypothesis import strategies as st

from amparser.errors import LogicError
from amparser.logic.fol import (
    All,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    alpha_equivalent,
    alpha_normal,
    equivalent_up_to_order,
    fol_from_str,
    fol_to_str,
    free_variables,
)

ANY = formulas(depth=3, constants=("ann", "Bob"))


def disguised(
    formula: Formula, random: Random, names: dict[str, str] | None = None, depth: int = 0
) -> Formula:
    names = names or {}
    match formula:
        case Atom(predicate, arguments):
            return Atom(predicate, tuple(names.get(name, name) for name in arguments))
        case Not(body):
            return Not(disguised(body, random, names, depth))
        case And(parts) | Or(parts):
            new = [disguised(part, random, names, depth) for part in parts]
            random.shuffle(new)
            return type(formula)(tuple(new))
        case Implies(antecedent, consequent):
            return Implies(
                disguised(antecedent, random, names, depth),
                disguised(consequent, random, names, depth),
            )
        case Exists(variable, body) | All(variable, body):
            fresh = f"v{depth}"
            return type(formula)(
                fresh, disguised(body, random, {**names, variable: fresh}, depth + 1)
            )


@given(ANY)
def test_formulas_round_trip(formula: Formula) -> None:
    assert fol_from_str(fol_to_str(formula)) == formula
    assert eval(repr(formula)) == formula


@given(ANY, st.randoms(use_true_random=False))
def test_renaming_and_reordering_change_no_equality(formula: Formula, random: Random) -> None:
    other = disguised(formula, random)
    assert equivalent_up_to_order(formula, other)
    assert alpha_equivalent(formula, alpha_normal(other)) == alpha_equivalent(formula, other)
    assert alpha_equivalent(formula, alpha_normal(formula))
    assert not free_variables(formula)


def test_swapped_arguments_are_not_equal_up_to_order() -> None:
    left = fol_from_str("all x.(dog(x) -> exists y.(cat(y) & see(x,y)))")
    assert equivalent_up_to_order(
        left, fol_from_str("all y.(dog(y) -> exists x.(see(y,x) & cat(x)))")
    )
    assert not equivalent_up_to_order(left, fol_from_str(str(left).replace("(x,y)", "(y,x)")))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("exists x.dog(x)", "exists x.see(x,x)"),
        ("exists x.exists y.see(x,y)", "exists x.exists y.see(x,x)"),
        ("exists x.p1(x)", "all x.p1(x)"),
        ("exists x.(p1(x) & p2(x) & p2(x))", "exists x.(p1(x) & p2(x))"),
        ("exists x.see(x,y)", "exists x.see(x,z)"),
        ("exists x1.see(x1,x2)", "exists x2.see(x2,x2)"),
    ],
)
def test_different_formulas_are_not_equal(left: str, right: str) -> None:
    one, other = fol_from_str(left), fol_from_str(right)
    assert not alpha_equivalent(one, other)
    assert not equivalent_up_to_order(one, other)


def test_normal_form_captures_no_free_variable() -> None:
    assert str(alpha_normal(fol_from_str("exists y.see(y,x1)"))) == "exists x2.see(x2,x1)"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("p(x) & q(x) | r(x) -> s(x)", "(((p(x) & q(x)) | r(x)) -> s(x))"),
        ("p(x) -> q(x) -> r(x)", "((p(x) -> q(x)) -> r(x))"),
        ("exists x.p(x) & q(x)", "(exists x.p(x) & q(x))"),
        ("- p(x)&(q(x)&r(x))", "(-p(x) & q(x) & r(x))"),
        ("exists x.exists y.all z.p(x)", "exists x y.all z.p(x)"),
        ("--p(x)", "--p(x)"),
    ],
)
def test_operators_bind_as_in_nltk(text: str, printed: str) -> None:
    assert fol_to_str(fol_from_str(text)) == printed


def test_a_conjunction_needs_two_parts() -> None:
    with pytest.raises(LogicError, match="two parts"):
        And((Atom("dog", ("x",)),))
