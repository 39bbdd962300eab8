"""Discourse representation structures as clauses, joined by ` [SEP] `."""

from __future__ import annotations

from amparser.logic.clf import (
    Clause,
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import Box, drs_from_fol
from amparser.logic.fol import Formula
from amparser.notations.box_conditions import BoxNotation


class ClfNotation(BoxNotation):
    """The clause notation of discourse representation structures."""

    name = "clf"

    def from_formula(self, formula: Formula) -> str:
        """The clauses of the formula's box."""
        return clauses_to_str(clauses_from_drs(drs_from_fol(formula)))

    def box(self, text: str) -> Box:
        """The box; raises LogicError."""
        return drs_from_clauses(clauses_from_str(text))

    def clauses(self, text: str) -> list[Clause]:
        """The clauses as they are written; raises LogicError if they make no box."""
        clauses = clauses_from_str(text)
        drs_from_clauses(clauses)
        return clauses


CLF = ClfNotation()
