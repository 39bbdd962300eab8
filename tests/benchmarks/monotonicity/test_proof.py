"""Proofs, countermodels and finite structures."""

import pytest

from amparser.benchmarks.monotonicity.proof import z3_proofs
from amparser.benchmarks.sygns.entailment import Verdict
from amparser.logic.fol import Formula, fol_from_str
from amparser.logic.structure import Structure

CHAIN = Structure(3, {"see": frozenset({(1, 2), (2, 3)}), "dog": frozenset({(1,), (2,)})})


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("exists x.dog(x)", True),
        ("all x.dog(x)", False),
        ("all x.(dog(x) -> exists y.see(x,y))", True),
        ("exists x.(dog(x) & -exists y.see(y,x))", True),
        ("exists y.all x.(dog(x) -> see(x,y))", False),
        ("exists x.cat(x) | exists x.see(x,x)", False),
        ("exists x.(dog(x) & exists x.-dog(x))", True),
    ],
)
def test_formulas_in_a_structure(formula: str, holds: bool) -> None:
    assert CHAIN.satisfies(fol_from_str(formula)) is holds


def test_a_structure_in_words() -> None:
    assert str(CHAIN) == "things 1-3; dog: 1, 2; see: 1-2, 2-3"
    assert str(Structure(1, {"dog": frozenset()})) == "thing 1"


def formulas(*texts: str) -> list[Formula]:
    return [fol_from_str(text) for text in texts]


def test_a_proof_names_the_axioms_that_it_needs() -> None:
    premise, hypothesis, *axioms = formulas(
        "exists x.(dog(x) & run(x))",
        "exists x.(animal(x) & run(x))",
        "all x.(dog(x) -> beast(x))",
        "all x.(dog(x) -> animal(x))",
        "all x.(run(x) -> move(x))",
    )
    proof = z3_proofs()(premise, axioms, hypothesis)
    assert proof.verdict is Verdict.ENTAILED
    assert proof.axioms == (axioms[1],)
    assert proof.explained(premise, hypothesis) == (
        "proved: exists x.(dog(x) & run(x)), all x.(dog(x) -> animal(x)) "
        "|- exists x.(animal(x) & run(x))"
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_countermodel_is_a_smallest_one(size: int) -> None:
    names = "abcd"[:size]
    apart = [f"-exists x.({a}(x) & {b}(x))" for a in names for b in names if a < b]
    premise, hypothesis, *axioms = formulas(
        f"exists x.{names[0]}(x)", "exists x.(a(x) & z(x))", *apart,
        *(f"exists x.{name}(x)" for name in names[1:]),
    )  # fmt: skip
    proof = z3_proofs()(premise, axioms, hypothesis)
    assert proof.verdict is Verdict.NOT_ENTAILED
    assert proof.countermodel is not None
    assert proof.countermodel.size == size
    assert all(map(proof.countermodel.satisfies, [premise, *axioms]))
    assert not proof.countermodel.satisfies(hypothesis)


def test_what_has_infinite_countermodels_alone_is_unknown() -> None:
    premise, hypothesis, transitive = formulas(
        "all x.exists y.less(x,y)",
        "exists x.less(x,x)",
        "all x.all y.all z.(less(x,y) & less(y,z) -> less(x,z))",
    )
    proof = z3_proofs(limit=200_000)(premise, [transitive], hypothesis)
    assert proof.verdict is Verdict.UNKNOWN
    assert proof.explained(premise, hypothesis) == "not settled within the limit of steps"
