"""The metric of polarity, which counts occurrences of words."""

import pytest

from amparser.benchmarks.sygns.polarity import MEASURES, POLARITY
from amparser.corpora.example import Example
from amparser.errors import LogicError
from amparser.evaluation.metric import Count
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

GOLD_FOL = "all x.((dog(x) & exists y.(cat(y) & see(x,y))) -> exists z.(dog(z) & -see(x,z)))"
GOLD_VF = "ALL AND DOG EXIST CAT SEE EXIST DOG NOT SEE"
FIGURES = ("upward_f", "upward_precision", "upward_recall", "downward_f", "downward_recall")


def shares(name: str, gold: str, predicted: str | None) -> list[Count]:
    counts = POLARITY.compare(NOTATIONS[name], Example((), gold), Result((), predicted))
    assert tuple(counts) == POLARITY.measures == MEASURES
    return [counts[figure] for figure in FIGURES]


@pytest.mark.parametrize(("name", "gold"), [("fol", GOLD_FOL), ("vf", GOLD_VF)])
def test_measures_of_polarity(name, gold) -> None:
    """Gold has one upward occurrence (dog) and four downward ones (dog, cat, see, see)."""
    assert shares(name, gold, gold) == [
        Count(2, 2), Count(1, 1), Count(1, 1), Count(8, 8), Count(4, 4)
    ]  # fmt: skip
    changed = gold.replace("-see", "see").replace("NOT ", "")
    assert shares(name, gold, changed) == [
        Count(2, 3), Count(1, 2), Count(1, 1), Count(6, 7), Count(3, 4)
    ]  # fmt: skip
    for nothing in (None, "", gold[:-4]):
        assert shares(name, gold, nothing) == [
            Count(0, 1), Count(0, 0), Count(0, 1), Count(0, 4), Count(0, 4)
        ]  # fmt: skip
    with pytest.raises(LogicError):
        shares(name, "(", gold)


def test_open_formulas_are_compared() -> None:
    """Answers may have free variables."""
    assert shares("fol", "exists x.dog(x)", "dog(y)")[0] == Count(2, 2)


def test_notations_without_polarities_are_refused() -> None:
    assert POLARITY.problem(NOTATIONS["fol"]) is None
    assert POLARITY.problem(NOTATIONS["varfree"]) is not None
