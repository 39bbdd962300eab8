"""Proofs by z3: from formulas to a verdict with its reasons.

An entailment has a minimal set of axioms: none of them can be left out. A hypothesis that is
not entailed has a countermodel, a finite structure in which the premise and all axioms are
true and the hypothesis is false. It has minimal size and is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from amparser.benchmarks.sygns.entailment import Z3_LIMIT, Verdict, to_z3, z3_library
from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or, free_variables
from amparser.logic.structure import Structure

MAX_THINGS = 8
"""The maximal size of a countermodel; the published pairs need 2."""
_TINY = 2


@dataclass(frozen=True)
class Proof:
    """A verdict with its reasons.

    Attributes:
        axioms: a minimal set of axioms for an entailment.
    """

    verdict: Verdict
    axioms: tuple[Formula, ...] = ()
    countermodel: Structure | None = None

    def explained(self, premise: Formula, hypothesis: Formula) -> str:
        """The proof on one line."""
        match self.verdict:
            case Verdict.ENTAILED:
                left = ", ".join(map(str, (premise, *self.axioms)))
                return f"proved: {left} |- {hypothesis}"
            case Verdict.NOT_ENTAILED:
                return f"countermodel: {self.countermodel}"
            case Verdict.UNKNOWN:
                return "not settled within the limit of steps"


ProofSearch: TypeAlias = Callable[[Formula, Sequence[Formula], Formula], Proof]
"""From a premise, axioms and a hypothesis, all without free variables, to a proof."""


def z3_proofs(limit: int = Z3_LIMIT) -> ProofSearch:
    """Proofs by z3, which instantiates only by models.

    Triggers (e-matching) instantiate nested negated quantifiers without end: with them
    some pairs of depth 4 are not settled within the limit.

    Raises:
        InputError: the package z3-solver is not installed; the search raises it if a
            formula has constants.
    """
    z3 = z3_library()

    def checked(formulas: Sequence[Formula]) -> tuple[Verdict, Structure | None]:
        # Nearly all countermodels are tiny; finding one is faster than showing that none exists.
        if small := _small_structure(formulas, range(1, _TINY + 1), z3):
            return Verdict.NOT_ENTAILED, small
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", limit)
        solver.set("smt.ematching", False)
        thing = z3.DeclareSort("thing", context)
        for formula in formulas:
            solver.add(to_z3(formula, z3, thing, {}))
        if solver.check() == z3.unsat:
            return Verdict.ENTAILED, None
        small = _small_structure(formulas, range(_TINY + 1, MAX_THINGS + 1), z3)
        return (Verdict.NOT_ENTAILED, small) if small else (Verdict.UNKNOWN, None)

    def prove(premise: Formula, axioms: Sequence[Formula], hypothesis: Formula) -> Proof:
        negated = Not(hypothesis)
        verdict, countermodel = checked([premise, *axioms, negated])
        if verdict is not Verdict.ENTAILED:
            return Proof(verdict, countermodel=countermodel)
        used = list(axioms)
        for axiom in axioms:
            fewer = [other for other in used if other is not axiom]
            if checked([premise, *fewer, negated])[0] is Verdict.ENTAILED:
                used = fewer
        return Proof(verdict, tuple(used))

    return prove


def _small_structure(
    formulas: Sequence[Formula], sizes: Iterable[int], z3: Any
) -> Structure | None:
    """The first structure of the given sizes that satisfies the formulas, if there is one."""
    for size in sizes:
        context = z3.Context()
        solver = z3.SimpleSolver(ctx=context)
        ground = _Ground(size, z3, context)
        for formula in formulas:
            solver.add(ground.expression(formula, {}))
        if solver.check() == z3.sat:
            found = ground.structure(solver.model())
            assert all(found.satisfies(formula) for formula in formulas)
            return found
    return None


class _Ground:
    """Formulas as propositions over a domain of a fixed size."""

    def __init__(self, size: int, z3: Any, context: Any) -> None:
        self.things = range(1, size + 1)
        self.z3 = z3
        self.context = context
        self.atoms: dict[tuple[str, tuple[int, ...]], Any] = {}
        self.free: dict[int, tuple[str, ...]] = {}
        # The meaning of a part of a formula depends only on its free variables.
        self.known: dict[tuple[int, tuple[int, ...]], Any] = {}

    def expression(self, formula: Formula, values: Mapping[str, int]) -> Any:
        """The proposition of a formula; those of parts are built once."""
        if id(formula) not in self.free:
            self.free[id(formula)] = tuple(sorted(free_variables(formula)))
        key = (id(formula), tuple(values[name] for name in self.free[id(formula)]))
        if key not in self.known:
            self.known[key] = self._made(formula, values)
        return self.known[key]

    def _made(self, formula: Formula, values: Mapping[str, int]) -> Any:
        match formula:
            case Atom(predicate, arguments):
                atom = (predicate, tuple(values[name] for name in arguments))
                if atom not in self.atoms:
                    name = " ".join((predicate, *map(str, atom[1])))
                    self.atoms[atom] = self.z3.Bool(name, self.context)
                return self.atoms[atom]
            case Not(body):
                return self.z3.Not(self.expression(body, values))
            case And(parts) | Or(parts):
                found = [self.expression(part, values) for part in parts]
                return (self.z3.And if isinstance(formula, And) else self.z3.Or)(*found)
            case Implies(antecedent, consequent):
                both = (self.expression(part, values) for part in (antecedent, consequent))
                return self.z3.Implies(*both)
            case Exists(variable, body) | All(variable, body):
                found = [self.expression(body, {**values, variable: x}) for x in self.things]
                return (self.z3.Or if isinstance(formula, Exists) else self.z3.And)(*found)

    def structure(self, model: Any) -> Structure:
        """The structure in which the true atoms of a model are true."""
        relations: dict[str, set[tuple[int, ...]]] = {}
        for (predicate, things), atom in self.atoms.items():
            if self.z3.is_true(model[atom]):
                relations.setdefault(predicate, set()).add(things)
        found = {predicate: frozenset(tuples) for predicate, tuples in relations.items()}
        return Structure(len(self.things), found)
