"""First-order formulas: round trips, and equality up to names and order."""

from random import Random

import pytest
from formulas import formulas
from hypothesis import given, strategies as st

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
def test_formulas_round_trip(formula) -> None:
    assert fol_from_str(str(formula)) == formula
    assert eval(repr(formula)) == formula


@given(ANY, st.randoms(use_true_random=False))
def test_renaming_and_reordering_change_no_equality(formula, random) -> None:
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


def test_normal_form_captures_no_free_variable() -> None:
    assert str(alpha_normal(fol_from_str("exists y.see(y,x1)"))) == "exists x2.see(x2,x1)"


def test_a_conjunction_needs_two_parts() -> None:
    with pytest.raises(LogicError, match="two parts"):
        And((Atom("dog", ("x",)),))
