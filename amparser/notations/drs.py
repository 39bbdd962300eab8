"""Discourse representation structures written as nested boxes."""

from __future__ import annotations

from typing import Any

from amparser.logic.drs import drs_from_fol, drs_from_str, drs_to_str, fol_from_drs
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.fol import Formula
from amparser.notations.notation import Equality
from amparser.notations.scoped import ScopedNotation


class DrsNotation(ScopedNotation):
    """Nested boxes on one line."""

    name = "drs"
    metrics = ("match", "counter")

    def formula(self, text: str) -> Formula:
        """The formula of the box; raises LogicError."""
        return fol_from_drs(drs_from_str(text))

    def from_formula(self, formula: Formula) -> str:
        """The formula's box."""
        return drs_to_str(drs_from_fol(formula))

    def value(self, text: str) -> Any:
        """The box."""
        return drs_from_str(text)

    def equal(self, wanted: Any, found: Any) -> Equality:
        """Up to names and order."""
        equal = drs_equivalent(wanted, found)
        return Equality(equal, equal)


DRS = DrsNotation()
