"""Polarity: what the calculus says, the models say, and both notations agree."""

import itertools
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from formulas import BINARY, UNARY, formulas
from hypothesis import given
from hypothesis import strategies as st
from sygns_data import FILES, read_rows
from term_polarities import vf_polarities

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or, fol_from_str
from amparser.logic.polarity import Polarity, fol_polarities
from amparser.logic.vf import vf_from_str

UP, DOWN = Polarity.UPWARD, Polarity.DOWNWARD
DOMAIN = range(2)
Extensions = dict[str, set[tuple[int, ...]]]


def word_polarities(occurrences: list[tuple[str, Polarity]]) -> dict[str, Polarity]:
    """The polarity of each word: none, if it is upward here and downward there."""
    found: dict[str, Polarity] = {}
    for word, polarity in occurrences:
        same = found.get(word, polarity) is polarity
        found[word] = polarity if same else Polarity.NONE
    return found


def true(formula: Formula, model: Extensions, values: dict[str, int]) -> bool:
    """Whether a formula holds in a model with two things."""
    match formula:
        case Atom(predicate, arguments):
            return tuple(values[name] for name in arguments) in model[predicate]
        case Not(body):
            return not true(body, model, values)
        case And(parts):
            return all(true(part, model, values) for part in parts)
        case Or(parts):
            return any(true(part, model, values) for part in parts)
        case Implies(antecedent, consequent):
            return not true(antecedent, model, values) or true(consequent, model, values)
        case Exists(variable, body) | All(variable, body):
            holds: Callable[..., bool] = any if isinstance(formula, Exists) else all
            return holds(true(body, model, {**values, variable: thing}) for thing in DOMAIN)


@given(formulas(depth=3), st.integers(0, 2**20))
def test_a_wider_upward_word_keeps_a_formula_true(formula: Formula, seed: int) -> None:
    random = Random(seed)
    pairs = list(itertools.product(DOMAIN, DOMAIN))
    model = {word: {(thing,) for thing in DOMAIN if random.random() < 0.5} for word in UNARY}
    model |= {word: {pair for pair in pairs if random.random() < 0.5} for word in BINARY}
    for word, polarity in word_polarities(fol_polarities(formula)).items():
        places = 1 if word in UNARY else 2
        everything = set(itertools.product(DOMAIN, repeat=places))
        more = {**model, word: model[word] | set(random.sample(sorted(everything), 1))}
        less, greater = (model, more) if polarity is UP else (more, model)
        if polarity is not Polarity.NONE and true(formula, less, {}):
            assert true(formula, greater, {})


@pytest.mark.parametrize(
    ("formula", "term", "expected"),
    [
        (
            "exists x.(dog(x) & small(x) & -swim(x))",
            "EXIST AND DOG SMALL NOT SWIM",
            [("dog", UP), ("small", UP), ("swim", DOWN)],
        ),
        (
            "all x.(tiger(x) -> (run(x) | swim(x)))",
            "ALL TIGER OR RUN SWIM",
            [("tiger", DOWN), ("run", UP), ("swim", UP)],
        ),
        (
            "exists x.(ann(x) & -exists y.(two(y) & dog(y) & chase(x,y)))",
            "EXIST ANN NOT TWO DOG CHASE",
            [("ann", UP), ("dog", DOWN), ("chase", DOWN)],
        ),
    ],
)
def test_examples_of_the_paper(
    formula: str, term: str, expected: list[tuple[str, Polarity]]
) -> None:
    """Table 13; a name is a predicate in the published data."""
    assert fol_polarities(fol_from_str(formula)) == expected
    assert vf_polarities(vf_from_str(term)) == expected


@pytest.mark.parametrize("file", FILES)
def test_both_notations_agree(data_dir: Path, file: str) -> None:
    for row in read_rows(data_dir, file, step=20):
        assert fol_polarities(fol_from_str(row.fol)) == vf_polarities(vf_from_str(row.vf))
