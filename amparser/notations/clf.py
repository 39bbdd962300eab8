"""Boxes as clauses, joined by ` [SEP] `."""

from __future__ import annotations

from typing import Any

from amparser.logic.clf import (
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import drs_from_fol, fol_from_drs
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.fol import Formula
from amparser.notations.notation import Equality
from amparser.notations.scoped import ScopedNotation


class ClfNotation(ScopedNotation):
    """The clause notation of discourse representation structures."""

    name = "clf"
    metrics = ("match", "counter")

    def formula(self, text: str) -> Formula:
        """The formula of the box; raises LogicError."""
        return fol_from_drs(drs_from_clauses(clauses_from_str(text)))

    def from_formula(self, formula: Formula) -> str:
        """The clauses of the formula's box."""
        return clauses_to_str(clauses_from_drs(drs_from_fol(formula)))

    def value(self, text: str) -> Any:
        """The box."""
        return drs_from_clauses(clauses_from_str(text))

    def equal(self, wanted: Any, found: Any) -> Equality:
        """Up to names and order."""
        equal = drs_equivalent(wanted, found)
        return Equality(equal, equal)


CLF = ClfNotation()
