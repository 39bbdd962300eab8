"""Entailment of formulas by a prover, and the metric based on it."""

import sys

import pytest
from formulas import formulas
from hypothesis import given, settings
from sygns_data import FILES, read_rows
from toml_tables import tables

from amparser.benchmarks.sygns.entailment import (
    ENTAILMENT,
    Prover,
    Verdict,
    compare_formulas,
    z3_prover,
)
from amparser.corpora.example import Example
from amparser.errors import ConfigError, LogicError
from amparser.evaluation.metric import Count
from amparser.logic.clf import clauses_from_str, drs_from_clauses
from amparser.logic.drs import drs_from_fol, fol_from_drs
from amparser.logic.fol import Formula, fol_from_str
from amparser.logic.vf import fol_from_vf, vf_from_str
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

TABLES = tables(__file__)

DOG_RAN = "exists x.(dog(x) & run(x))"
ALL_RAN = "all x.(dog(x) -> run(x))"
OLD_DOG_RAN = "exists y.(dog(y) & old(y) & run(y))"
ENDLESS = """(all x.exists y.less(x,y) & all x y z.((less(x,y) & less(y,z)) -> less(x,z))
& all x.-less(x,x))"""
ABSURD = "exists x.(dog(x) & -dog(x))"


@pytest.fixture(scope="module")
def z3() -> Prover:
    return z3_prover()


@pytest.mark.parametrize(("premise", "conclusion", "entailed"), TABLES["verdicts"])
def test_verdicts_of_the_prover(z3, premise, conclusion, entailed) -> None:
    expected = Verdict.ENTAILED if entailed else Verdict.NOT_ENTAILED
    assert z3(fol_from_str(premise), fol_from_str(conclusion)) is expected


def test_reaching_the_limit_is_a_verdict() -> None:
    premise, conclusion = fol_from_str(ENDLESS), fol_from_str(ABSURD)
    assert z3_prover(2000)(premise, conclusion) is Verdict.UNKNOWN
    counts = compare_formulas(premise, conclusion, z3_prover(2000))
    assert [count.numerator for count in counts.values()] == [0, 0, 1, 1, 1, 0]


def test_verdicts_do_not_depend_on_earlier_pairs(z3) -> None:
    """The limit that a proof needs does not depend on earlier pairs either."""
    premise, conclusion = fol_from_str(DOG_RAN), fol_from_str(OLD_DOG_RAN)

    def verdicts() -> list[Verdict]:
        return [z3_prover(limit)(premise, conclusion) for limit in range(1, 5000, 100)]

    before = verdicts()
    for other in (ALL_RAN, ENDLESS):
        z3_prover(2000)(fol_from_str(other), premise)
    assert verdicts() == before
    assert before[0] is Verdict.UNKNOWN
    assert before[-1] is Verdict.NOT_ENTAILED


def test_free_variables_are_an_error(z3) -> None:
    with pytest.raises(LogicError, match="free variable y"):
        z3(fol_from_str("exists x.see(x,y)"), fol_from_str(DOG_RAN))
    with pytest.raises(LogicError, match="free variable x"):
        z3(fol_from_str(DOG_RAN), fol_from_str("dog(x)"))


def test_a_missing_prover_is_an_error_that_names_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(ConfigError, match=r"a proof needs z3.*amparser\[logic\]"):
        z3_prover()


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        # Both directions, forward, backward, unknown, well-formed, equal up to names.
        ("exists z.(dog(z) & run(z))", [1, 1, 1, 0, 1, 1]),
        ("exists x.(run(x) & dog(x))", [1, 1, 1, 0, 1, 0]),
        (OLD_DOG_RAN, [0, 0, 1, 0, 1, 0]),
        ("exists x.run(x)", [0, 1, 0, 0, 1, 0]),
        (ALL_RAN, [0, 0, 0, 0, 1, 0]),
        ("exists x.(dog(y) & run(x))", [0, 0, 0, 0, 0, 0]),
        ("exists x.(dog(x) &", [0, 0, 0, 0, 0, 0]),
        (None, [0, 0, 0, 0, 0, 0]),
    ],
)
def test_measures_of_answers(predicted, expected) -> None:
    pytest.importorskip("z3")
    gold = Example(("dog",), DOG_RAN)
    counts = ENTAILMENT.compare(NOTATIONS["fol"], gold, Result(gold.tokens, predicted))
    assert tuple(counts) == ENTAILMENT.measures
    assert list(counts.values()) == [Count(n, 1) for n in expected]


def test_formulas_that_differ_only_in_names_need_no_proof() -> None:
    def prove(premise: Formula, conclusion: Formula) -> Verdict:
        raise AssertionError

    counts = compare_formulas(
        fol_from_str(DOG_RAN), fol_from_str("exists z.(dog(z) & run(z))"), prove
    )
    assert counts["entailment"] == Count(1, 1)


def test_a_malformed_gold_formula_is_an_error() -> None:
    with pytest.raises(LogicError):
        ENTAILMENT.compare(NOTATIONS["fol"], Example((), "dog("), Result((), DOG_RAN))


def test_meanings_of_other_notations_are_compared_as_formulas() -> None:
    pytest.importorskip("z3")
    gold = Example(("dog",), "EXIST AND DOG OLD RUN")
    counts = ENTAILMENT.compare(NOTATIONS["vf"], gold, Result((), "EXIST DOG RUN"))
    assert (counts["gold_entails"], counts["predicted_entails"]) == (Count(1, 1), Count(0, 1))


def test_notations_without_formulas_and_a_missing_prover_are_refused(monkeypatch) -> None:
    assert ENTAILMENT.problem(NOTATIONS["cogs"]) == "cogs meanings have no first-order formulas"
    monkeypatch.setitem(sys.modules, "z3", None)
    assert "pip install 'amparser[logic]'" in (ENTAILMENT.problem(NOTATIONS["fol"]) or "")


@given(formulas(depth=2, constants=("ann",)))
@settings(max_examples=50, deadline=None)
def test_a_box_is_equivalent_to_its_formula(formula) -> None:
    other = fol_from_drs(drs_from_fol(formula))
    prove = z3_prover(200_000)
    for premise, conclusion in ((formula, other), (other, formula)):
        assert prove(premise, conclusion) is not Verdict.NOT_ENTAILED


@pytest.mark.parametrize("file", FILES)
def test_the_three_forms_are_equivalent(data_dir, z3, file) -> None:
    """Check about eight rows per file, 130 in all."""
    for row in read_rows(data_dir, file, step=5000 if file.endswith("train") else 250):
        formula = fol_from_str(row.fol)
        boxes = fol_from_drs(drs_from_clauses(clauses_from_str(row.clf)))
        terms = fol_from_vf(vf_from_str(row.vf))
        for premise, conclusion in ((formula, boxes), (boxes, terms), (terms, formula)):
            assert z3(premise, conclusion) is Verdict.ENTAILED
