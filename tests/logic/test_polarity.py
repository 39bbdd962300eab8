"""Polarity of words in formulas, checked against models."""

import itertools
from random import Random

import pytest
from formulas import BINARY, UNARY, formulas
from hypothesis import given, strategies as st
from structure import satisfies

from amparser.logic.fol import fol_from_str
from amparser.logic.polarity import Polarity, fol_polarities

UP, DOWN = Polarity.UPWARD, Polarity.DOWNWARD
DOMAIN = (1, 2)


def word_polarities(occurrences: list[tuple[str, Polarity]]) -> dict[str, Polarity]:
    found: dict[str, Polarity] = {}
    for word, polarity in occurrences:
        same = found.get(word, polarity) is polarity
        found[word] = polarity if same else Polarity.NONE
    return found


@given(formulas(depth=3), st.integers(0, 2**20))
def test_a_monotone_word_preserves_truth(formula, seed) -> None:
    random = Random(seed)
    pairs = list(itertools.product(DOMAIN, DOMAIN))
    model = {word: frozenset((x,) for x in DOMAIN if random.random() < 0.5) for word in UNARY}
    model |= {word: frozenset(p for p in pairs if random.random() < 0.5) for word in BINARY}
    for word, polarity in word_polarities(fol_polarities(formula)).items():
        places = 1 if word in UNARY else 2
        everything = set(itertools.product(DOMAIN, repeat=places))
        more = {**model, word: model[word] | set(random.sample(sorted(everything), 1))}
        less, greater = (model, more) if polarity is UP else (more, model)
        if polarity is not Polarity.NONE and satisfies(2, less, formula):
            assert satisfies(2, greater, formula)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("exists x.(dog(x) & small(x) & -swim(x))", [("dog", UP), ("small", UP), ("swim", DOWN)]),
        ("all x.(tiger(x) -> (run(x) | swim(x)))", [("tiger", DOWN), ("run", UP), ("swim", UP)]),
        (
            "exists x.(ann(x) & -exists y.(two(y) & dog(y) & chase(x,y)))",
            [("ann", UP), ("dog", DOWN), ("chase", DOWN)],
        ),
    ],
)
def test_examples_of_the_paper(formula, expected) -> None:
    """Examples of the paper's table 13; names are predicates in the published data."""
    assert fol_polarities(fol_from_str(formula)) == expected
