"""Entailment between a gold and a predicted formula, decided by a theorem prover.

SyGNS (Yanaka et al. 2021, section 3.3) measures whether the gold formula G entails the prediction
P, whether P entails G, and whether both hold. The prover is z3 (de Moura & Bjørner 2008; extra
`logic`), which also finds finite counter-models. The limit of a proof is a number of steps, not
seconds, so verdicts are deterministic. The verdict is unknown if the limit is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum
from typing import Any, TypeAlias

from amparser.corpora.example import Example
from amparser.errors import ConfigError, LogicError
from amparser.evaluation.metric import Count
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
    free_variables,
    is_variable,
)
from amparser.notations.notation import Notation
from amparser.notations.scoped import ScopedNotation
from amparser.resources import library
from amparser.results import Result

Z3_LIMIT = 5_000_000
"""Step limit of z3 (`rlimit`); formulas of depth 4 need at most a tenth of it."""


class Verdict(Enum):
    """Verdicts of a prover."""

    ENTAILED = "entailed"
    NOT_ENTAILED = "not entailed"
    UNKNOWN = "unknown"


Prover: TypeAlias = Callable[[Formula, Formula], Verdict]
"""Function of premise and conclusion, both without free variables."""


def z3_library() -> Any:
    """Return the module `z3`. Raises ConfigError if the package z3-solver is not installed."""
    return library("z3", "a proof", "logic")


def z3_prover(limit: int = Z3_LIMIT) -> Prover:
    """Return a prover that asks z3 for a model of the premise and the negated conclusion.

    Raises ConfigError if the package z3-solver is not installed.
    """
    z3 = z3_library()

    def prove(premise: Formula, conclusion: Formula) -> Verdict:
        for formula in (premise, conclusion):
            if free := free_variables(formula):
                raise LogicError(f"expected a formula without the free variable {min(free)}")
        # Nested negated quantifiers may exhaust the limit of E-matching; then try without it.
        for matching in (True, False):
            # In a new context, the number of steps does not depend on earlier proofs.
            context = z3.Context()
            solver = z3.Solver(ctx=context)
            solver.set("rlimit", limit)
            solver.set("smt.ematching", matching)
            thing = z3.DeclareSort("thing", context)
            for formula in (premise, Not(conclusion)):
                solver.add(to_z3(formula, z3, thing, {}))
            result = solver.check()
            if result != z3.unknown:
                return Verdict.ENTAILED if result == z3.unsat else Verdict.NOT_ENTAILED
        return Verdict.UNKNOWN

    return prove


def to_z3(formula: Formula, z3: Any, thing: Any, names: Mapping[str, Any]) -> Any:
    """Return a formula as a z3 expression.

    Args:
        thing: the sort of individuals.
        names: z3 constants of bound variables, by name.
    """
    match formula:
        case Atom(predicate, arguments):
            sorts = [thing] * len(arguments)
            function = z3.Function(predicate, *sorts, z3.BoolSort(thing.ctx))
            return function(
                *(names[n] if is_variable(n) else z3.Const(n, thing) for n in arguments)
            )
        case Not(body):
            return z3.Not(to_z3(body, z3, thing, names))
        case And(parts) | Or(parts):
            join = z3.And if isinstance(formula, And) else z3.Or
            return join(*(to_z3(part, z3, thing, names) for part in parts))
        case Implies(antecedent, consequent):
            return z3.Implies(
                to_z3(antecedent, z3, thing, names), to_z3(consequent, z3, thing, names)
            )
        case Exists(variable, body) | All(variable, body):
            # The name `x 2` (x at depth 2) has a space, so no outer variable or constant has it.
            constant = z3.Const(f"{variable} {len(names)}", thing)
            inner = to_z3(body, z3, thing, {**names, variable: constant})
            return (z3.Exists if isinstance(formula, Exists) else z3.ForAll)([constant], inner)


MEASURES = (
    "entailment",
    "gold_entails",
    "predicted_entails",
    "entailment_unknown",
    "is_formula",
    "alpha_equivalent",
)


def compare_formulas(gold: Formula, predicted: Formula | None, prover: Prover) -> dict[str, Count]:
    """Return the counts of one answer by `MEASURES`, each 0 or 1 out of 1.

    `gold_entails` is 1 if the gold formula entails the answer, `predicted_entails` if the answer
    entails gold, `entailment` if both hold, and `entailment_unknown` if a verdict is unknown.
    `is_formula` is 1 if the answer is a formula without free variables; only such answers entail or
    are entailed. `alpha_equivalent` is 1 if the answer equals gold up to renaming of variables.
    """
    verdicts = Verdict.NOT_ENTAILED, Verdict.NOT_ENTAILED
    is_formula = same = False
    if predicted is not None and not free_variables(predicted):
        is_formula, same = True, alpha_equivalent(gold, predicted)
        if same:
            verdicts = Verdict.ENTAILED, Verdict.ENTAILED
        else:
            verdicts = prover(gold, predicted), prover(predicted, gold)
    forward, backward = (verdict is Verdict.ENTAILED for verdict in verdicts)
    unknown = Verdict.UNKNOWN in verdicts
    values = (forward and backward, forward, backward, unknown, is_formula, same)
    return {m: Count(int(value), 1) for m, value in zip(MEASURES, values, strict=True)}


class EntailmentMetric:
    """Entailment by z3, which is loaded on first use."""

    name = "entailment"
    measures = MEASURES

    def problem(self, notation: Notation | None) -> str | None:
        """Return why meanings cannot be compared (no formulas, or no prover), or None."""
        if not isinstance(notation, ScopedNotation):
            name = "labels" if notation is None else f"{notation.name} meanings"
            return f"{name} have no first-order formulas"
        try:
            z3_library()
        except ConfigError as error:
            return str(error)
        return None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of `compare_formulas`."""
        assert isinstance(notation, ScopedNotation)
        predicted: Formula | None = None
        with suppress(LogicError):
            predicted = notation.formula(result.meaning or "")
        return compare_formulas(notation.formula(gold.meaning or ""), predicted, z3_prover())


ENTAILMENT = EntailmentMetric()
