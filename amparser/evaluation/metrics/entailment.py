"""Entailment between a gold and a predicted formula, by theorem provers.

The measures of SyGNS (Yanaka et al. 2021, section 3.3): whether the gold formula G entails
the prediction P, P entails G, or both. Two provers can be asked: z3 (de Moura &
Bjørner 2008; the extra `logic`), which refutes by finite models too, and E (Schulz,
Cruanes & Vukmirović 2019), a program of its own that reads the TPTP. They work under a
limit of steps, not of seconds, so that the same pair always has the same verdict; what a prover
cannot settle within its limit is unknown, and is counted as such.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from amparser.errors import InputError, LogicError
from amparser.logic.fol import (
    All,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    fol_from_str,
    free_variables,
    is_variable,
)
from amparser.logic.fol_equivalence import alpha_equivalent
from amparser.logic.tptp import problem_to_str

Z3_LIMIT = 5_000_000
"""Steps of z3 (its `rlimit`); pairs of depth 4 need a tenth of it at most."""
E_LIMIT = 20_000
"""Clauses that E may process."""
_E_SECONDS = 60
"""The time that E may take, should a single step of it find no end (subsumption can)."""


class Verdict(Enum):
    """What a prover says."""

    ENTAILED = "entailed"
    NOT_ENTAILED = "not entailed"
    UNKNOWN = "unknown"


Prover: TypeAlias = Callable[[Formula, Formula], Verdict]
"""From premise and conclusion, both without free variables, to a verdict."""


def z3_prover(limit: int = Z3_LIMIT) -> Prover:
    """A prover that asks z3 whether the premise and the negated conclusion have a model.

    Raises:
        InputError: the package z3-solver is not installed.
    """
    try:
        import z3
    except ImportError:
        message = 'z3 is missing; expected z3-solver (pip install "amparser[logic]")'
        raise InputError(message) from None

    def prove(premise: Formula, conclusion: Formula) -> Verdict:
        # A context of its own: steps do not depend on what was proved before.
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", limit)
        thing = z3.DeclareSort("thing", context)
        for formula in (premise, Not(conclusion)):
            solver.add(to_z3(formula, z3, thing, {}))
        result = solver.check()
        if result == z3.unsat:
            return Verdict.ENTAILED
        return Verdict.NOT_ENTAILED if result == z3.sat else Verdict.UNKNOWN

    return _closed(prove)


def to_z3(formula: Formula, z3: Any, thing: Any, names: Mapping[str, Any]) -> Any:
    """The expression of a formula in the language of z3.

    Args:
        thing: the sort of everything.
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
            # The variable's place keeps it apart from outer ones of the same name; the
            # space, from constants.
            constant = z3.Const(f"{variable} {len(names)}", thing)
            inner = to_z3(body, z3, thing, {**names, variable: constant})
            return (z3.Exists if isinstance(formula, Exists) else z3.ForAll)([constant], inner)


_SZS = re.compile(r"SZS status (\w+)")
_SZS_VERDICTS = {
    "Theorem": Verdict.ENTAILED,
    "ContradictoryAxioms": Verdict.ENTAILED,
    "Unsatisfiable": Verdict.ENTAILED,
    "CounterSatisfiable": Verdict.NOT_ENTAILED,
    "Satisfiable": Verdict.NOT_ENTAILED,
    "ResourceOut": Verdict.UNKNOWN,
    "GaveUp": Verdict.UNKNOWN,
    "Unknown": Verdict.UNKNOWN,
}
"""Statuses of the SZS ontology (Sutcliffe 2008) that E reports."""


def e_prover(limit: int = E_LIMIT, *, program: str = "eprover") -> Prover:
    """A prover that runs E on a problem in the TPTP's notation.

    Raises:
        InputError: there is no such program; from the prover, if the program fails.
    """
    path = shutil.which(program)
    if path is None:
        raise InputError(f"expected the prover E as {program!r} on the path, found no such program")
    # In its automatic mode some pairs of depth 4 take one endless step; so, none does.
    limits = [f"--processed-clauses-limit={limit}", f"--cpu-limit={_E_SECONDS}"]
    command = [path, "--silent", *limits, "-"]

    def prove(premise: Formula, conclusion: Formula) -> Verdict:
        problem = problem_to_str([_with_arities(premise)], _with_arities(conclusion))
        done = subprocess.run(command, input=problem, capture_output=True, text=True, check=False)
        status = _SZS.search(done.stdout)
        if status is None or status[1] not in _SZS_VERDICTS:
            said = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
            raise InputError(
                f"{path}: expected an SZS status, found {said[-1]!r} (exit {done.returncode})"
            )
        return _SZS_VERDICTS[status[1]]

    return _closed(prove)


def _with_arities(formula: Formula) -> Formula:
    """The formula with arities in its predicates' names: E takes a name for one symbol."""
    match formula:
        case Atom(predicate, arguments):
            return Atom(f"{predicate}/{len(arguments)}", arguments)
        case Not(body):
            return Not(_with_arities(body))
        case And(parts) | Or(parts):
            return type(formula)(tuple(map(_with_arities, parts)))
        case Implies(antecedent, consequent):
            return Implies(_with_arities(antecedent), _with_arities(consequent))
        case Exists(variable, body) | All(variable, body):
            return type(formula)(variable, _with_arities(body))


def _closed(prover: Prover) -> Prover:
    def prove(premise: Formula, conclusion: Formula) -> Verdict:
        for formula in (premise, conclusion):
            if free := free_variables(formula):
                raise LogicError(f"expected a formula without the free variable {min(free)}")
        return prover(premise, conclusion)

    return prove


@dataclass(frozen=True, slots=True)
class EntailmentCounts:
    """How many predictions there are, and what the prover says of them.

    `well_formed` counts those that are formulas without free variables, `exact` those equal
    to gold up to names of variables, `forward` those that gold entails, `backward` those
    that entail gold; and `unknown` those where either question is open.
    """

    count: int = 0
    well_formed: int = 0
    exact: int = 0
    forward: int = 0
    backward: int = 0
    both: int = 0
    unknown: int = 0

    def __add__(self, other: EntailmentCounts) -> EntailmentCounts:
        return EntailmentCounts(
            self.count + other.count,
            self.well_formed + other.well_formed,
            self.exact + other.exact,
            self.forward + other.forward,
            self.backward + other.backward,
            self.both + other.both,
            self.unknown + other.unknown,
        )

    def to_json(self) -> dict[str, float]:
        """The count, and shares between 0 and 1 (0 where nothing was counted)."""
        total = max(self.count, 1)
        return {
            "count": self.count,
            "well_formed": self.well_formed / total,
            "alpha_match": self.exact / total,
            "gold_entails_predicted": self.forward / total,
            "predicted_entails_gold": self.backward / total,
            "equivalent": self.both / total,
            "unknown": self.unknown / total,
        }


def compare_entailment(gold: str, predicted: str | None, prover: Prover) -> EntailmentCounts:
    """Compare one predicted formula, in NLTK's notation, with the gold one.

    Formulas that differ in names of variables alone entail each other without a proof.

    Args:
        gold: a well-formed formula without free variables.
        predicted: any text, or None where there is no answer; what is no such
            formula entails nothing and is not entailed.

    Raises:
        LogicError: the gold formula is malformed.
    """
    wanted = fol_from_str(gold)
    try:
        found = fol_from_str(predicted or "")
    except LogicError:
        return EntailmentCounts(1)
    if free_variables(found):
        return EntailmentCounts(1)
    if alpha_equivalent(wanted, found):
        return EntailmentCounts(1, 1, 1, 1, 1, 1, 0)
    forward, backward = prover(wanted, found), prover(found, wanted)
    return EntailmentCounts(
        1,
        1,
        0,
        int(forward is Verdict.ENTAILED),
        int(backward is Verdict.ENTAILED),
        int(forward is backward is Verdict.ENTAILED),
        int(Verdict.UNKNOWN in (forward, backward)),
    )
