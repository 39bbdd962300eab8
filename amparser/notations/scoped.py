"""What the notations of scoped meanings share: each text has a first-order formula."""

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
        """The first-order formula of a text; raises LogicError."""

    @abstractmethod
    def from_formula(self, formula: Formula) -> str:
        """The text of a formula; raises LogicError if it has none in this notation."""

    def clauses(self, text: str) -> list[Clause]:
        """The clauses of a text; raises LogicError."""
        return clauses_from_drs(drs_from_fol(self.formula(text)))

    def read(self, text: str) -> object:
        """What the text says, such as its formula; raises LogicError."""
        with nesting(LogicError):
            return self.formula(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The graph of the first reading of the formula that fits the sentence."""
        with nesting(LogicError):
            formula = self.formula(text)
            count = len(list(atoms_of(formula)))
            # Each word has at most one predicate. Readings grow with the square of their number.
            if count > 2 * len(tokens):
                raise TranslateError(f"{count} predicates for {len(tokens)} tokens")
            return graph_from_readings(tokens, vf_readings(narrowed(formula)))

    def write(self, graph: SGraph) -> str:
        """Write the formula of the graph."""
        try:
            with nesting(LogicError):
                return self.from_formula(fol_from_vf(vf_from_graph(graph)))
        except LogicError as error:
            raise TranslateError(str(error)) from None

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """See `Notation`: by default the formula."""
        with nesting(LogicError):
            return self.formula(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """`reformatted` is equality up to names of variables; `graph` also ignores order."""
        named = alpha_equivalent(wanted, found)
        return Equality(named, named or equivalent_up_to_order(wanted, found))
