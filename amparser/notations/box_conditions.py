"""Discourse representation structures as nested boxes (`drs`), and as clauses (`clf`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from amparser.errors import LogicError, nesting
from amparser.logic.clf import (
    Clause,
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import Box, drs_equivalent, drs_from_fol, drs_from_str, fol_from_drs
from amparser.logic.fol import Formula
from amparser.notations.notation import Equality
from amparser.notations.scoped import ScopedNotation


class BoxNotation(ScopedNotation):
    """Base of notations whose texts are discourse representation structures."""

    metrics = ("match", "counter")

    @abstractmethod
    def box(self, text: str) -> Box:
        """Return the box of a text. Raises LogicError."""

    def formula(self, text: str) -> Formula:
        """Return the formula of the box. Raises LogicError."""
        return fol_from_drs(self.box(text))

    def clauses(self, text: str) -> list[Clause]:
        """Return the clauses of the box. Raises LogicError."""
        return clauses_from_drs(self.box(text))

    def value(self, tokens: Sequence[str], text: str) -> Box:
        """Return the box; see `Notation`."""
        with nesting(LogicError):
            return self.box(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare boxes up to names of referents and order of conditions."""
        equal = drs_equivalent(wanted, found)
        return Equality(equal, equal)


class DrsNotation(BoxNotation):
    """Nested boxes on one line."""

    name = "drs"

    def from_formula(self, formula: Formula) -> str:
        """Return the formula's box as text."""
        return str(drs_from_fol(formula))

    def box(self, text: str) -> Box:
        """Return the box of a text. Raises LogicError."""
        return drs_from_str(text)


class ClfNotation(BoxNotation):
    """Clauses, joined by ` [SEP] `."""

    name = "clf"

    def from_formula(self, formula: Formula) -> str:
        """Return the clauses of the formula's box as text."""
        return clauses_to_str(clauses_from_drs(drs_from_fol(formula)))

    def box(self, text: str) -> Box:
        """Return the box of a text. Raises LogicError."""
        return drs_from_clauses(clauses_from_str(text))

    def clauses(self, text: str) -> list[Clause]:
        """Return the clauses as written. Raises LogicError if they do not make a box."""
        clauses = clauses_from_str(text)
        drs_from_clauses(clauses)
        return clauses


DRS, CLF = DrsNotation(), ClfNotation()
