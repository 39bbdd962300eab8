"""Rows: sentences to learn from, each with what makes its graph."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.layered.analysis import Analysis
from amparser.layered.units import Unit


@dataclass(frozen=True)
class Row:
    """A sentence to learn from: its units and what makes its graph.

    `auxiliary` has, for each layer that is learned beside, the item of each unit; None where it
    has none.
    """

    units: tuple[Unit, ...]
    analysis: Analysis
    auxiliary: tuple[tuple[str | None, ...], ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """The texts of the units."""
        return tuple(unit.text for unit in self.units)
