"""Entailment between a gold and a predicted formula, by theorem provers.

The measures of SyGNS (Yanaka et al. 2021, section 3.3): whether the gold formula G entails
the prediction P, P entails G, or both. The prover is z3 (de Moura & Bjørner 2008; the extra
`logic`), which also refutes by finite models. It has a limit of steps, not of seconds, so that the
same formulas always have the same verdict. If it reaches the limit, the verdict is unknown and
counted as such.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeAlias, cast

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
    free_variables,
    is_variable,
)
from amparser.logic.fol_equivalence import alpha_equivalent
from amparser.notations.notation import Notation
from amparser.notations.scoped import ScopedNotation
from amparser.resources import library
from amparser.results import Result

Z3_LIMIT = 5_000_000
"""Steps of z3 (its `rlimit`); formulas of depth 4 need a tenth of it at most."""


class Verdict(Enum):
    """The verdict of a prover."""

    ENTAILED = "entailed"
    NOT_ENTAILED = "not entailed"
    UNKNOWN = "unknown"


Prover: TypeAlias = Callable[[Formula, Formula], Verdict]
"""From premise and conclusion, both without free variables, to a verdict."""


def z3_library() -> Any:
    """The module z3; raises ConfigError if the package z3-solver is not installed."""
    return library("z3", "a proof", "logic")


def z3_prover(limit: int = Z3_LIMIT) -> Prover:
    """A prover that asks z3 whether the premise and the negated conclusion have a model.

    Raises:
        ConfigError: the package z3-solver is not installed.
    """
    z3 = z3_library()

    def prove(premise: Formula, conclusion: Formula) -> Verdict:
        for formula in (premise, conclusion):
            if free := free_variables(formula):
                raise LogicError(f"expected a formula without the free variable {min(free)}")
        # Matching patterns may instantiate nested negated quantifiers without end; models do not.
        for matching in (True, False):
            # A separate context: steps do not depend on earlier proofs.
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
    """The expression of a formula in the language of z3.

    Args:
        names: the constants of z3 that stand for variables, by name.
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
            # The variable's place distinguishes it from outer ones of the same name; the
            # space distinguishes it from constants.
            constant = z3.Const(f"{variable} {len(names)}", thing)
            inner = to_z3(body, z3, thing, {**names, variable: constant})
            return (z3.Exists if isinstance(formula, Exists) else z3.ForAll)([constant], inner)


def formula_problem(notation: Notation | None) -> str | None:
    """Why meanings of a notation have no formulas, or None if they have."""
    if isinstance(notation, ScopedNotation):
        return None
    name = "labels" if notation is None else f"{notation.name} meanings"
    return f"{name} have no first-order formulas"


def gold_formula(notation: Notation | None, text: str | None) -> Formula:
    """The formula of a gold meaning; raises LogicError if it is malformed."""
    return cast("ScopedNotation", notation).formula(text or "")


def formula_or_none(
    notation: Notation | None, text: str | None, *, closed: bool = True
) -> Formula | None:
    """The formula of an answer, or None if it is malformed.

    An answer with free variables is malformed where it must be `closed`; elsewhere a first-order
    formula is accepted as it is.
    """
    scoped = cast("ScopedNotation", notation)
    if text is None:
        return None
    try:
        return scoped.formula(text)
    except LogicError:
        if closed:
            return None
    try:
        value = scoped.value((), text)
    except LogicError:
        return None
    return value if isinstance(value, Formula) else None


MEASURES = (
    "entailment",
    "gold_entails",
    "predicted_entails",
    "entailment_unknown",
    "is_formula",
    "alpha_equivalent",
)


def compare_formulas(gold: Formula, predicted: Formula | None, prover: Prover) -> dict[str, Count]:
    """The counts of one answer, by `MEASURES`, each 0 or 1 of 1.

    `entailment` is 1 if the gold formula and the answer entail each other; `gold_entails` and
    `predicted_entails` are the two directions; `entailment_unknown` is 1 if the prover left a
    direction open. `is_formula` is 1 if the answer is a formula without free variables (others
    entail nothing and are not entailed), `alpha_equivalent` if it equals gold up to names of
    variables: such formulas entail each other without a proof.
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
    """Entailment by z3, which is loaded when it is needed."""

    name = "entailment"
    measures = MEASURES

    def problem(self, notation: Notation | None) -> str | None:
        """The meanings have no formulas, or the prover is not installed."""
        if (reason := formula_problem(notation)) is not None:
            return reason
        try:
            z3_library()
        except ConfigError as error:
            return str(error)
        return None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """As `compare_formulas`."""
        wanted = gold_formula(notation, gold.meaning)
        found = formula_or_none(notation, result.meaning)
        return compare_formulas(wanted, found, z3_prover())


ENTAILMENT = EntailmentMetric()
