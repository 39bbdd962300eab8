"""Base class of notations whose texts have first-order formulas."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.clf import Clause, clauses_from_drs
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol import Formula, atoms_of
from amparser.logic.fol_equivalence import alpha_equivalent, equivalent_up_to_order
from amparser.logic.scope import narrowed
from amparser.logic.vf import fol_from_vf
from amparser.logic.vf_from_fol import vf_readings
from amparser.notations.notation import Equality, Notation
from amparser.notations.scoped_graph import graph_from_readings, vf_from_graph


class ScopedNotation(Notation):
    """A notation of scoped graphs (`amparser.notations.scoped_graph`)."""

    family = "scoped"

    @abstractmethod
    def formula(self, text: str) -> Formula:
        """Return the first-order formula of a text. Raises LogicError."""

    @abstractmethod
    def from_formula(self, formula: Formula) -> str:
        """Return the text of a formula. Raises LogicError if it has none in this notation."""

    def clauses(self, text: str) -> list[Clause]:
        """Return the clauses of a text. Raises LogicError."""
        return clauses_from_drs(drs_from_fol(self.formula(text)))

    def read(self, text: str) -> object:
        """Return the value of a text, by default its formula. Raises LogicError."""
        with nesting(LogicError):
            return self.formula(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the first reading of the formula that fits the sentence."""
        with nesting(LogicError):
            formula = self.formula(text)
            count = len(list(atoms_of(formula)))
            # A word has at most one predicate. The number of readings grows quadratically.
            if count > 2 * len(tokens):
                raise TranslateError(f"{count} predicates for {len(tokens)} tokens")
            return graph_from_readings(tokens, vf_readings(narrowed(formula)))

    def write(self, graph: SGraph) -> str:
        """Return the text of the graph's formula."""
        try:
            with nesting(LogicError):
                return self.from_formula(fol_from_vf(vf_from_graph(graph)))
        except LogicError as error:
            raise TranslateError(str(error)) from None

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the formula (default); see `Notation`."""
        with nesting(LogicError):
            return self.formula(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare up to names of variables (`reformatted`), and also up to order (`graph`)."""
        named = alpha_equivalent(wanted, found)
        return Equality(named, named or equivalent_up_to_order(wanted, found))
