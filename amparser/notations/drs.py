"""Discourse representation structures written as nested boxes."""

from __future__ import annotations

from amparser.logic.drs import Box, drs_from_fol, drs_from_str
from amparser.logic.fol import Formula
from amparser.notations.box_conditions import BoxNotation


class DrsNotation(BoxNotation):
    """Nested boxes on one line."""

    name = "drs"

    def from_formula(self, formula: Formula) -> str:
        """The formula's box."""
        return str(drs_from_fol(formula))

    def box(self, text: str) -> Box:
        """The box; raises LogicError."""
        return drs_from_str(text)


DRS = DrsNotation()
