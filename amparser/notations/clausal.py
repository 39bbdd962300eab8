"""Notations whose meanings have clauses, for metrics that compare clauses."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from amparser.logic.clf import Clause


@runtime_checkable
class Clausal(Protocol):
    """A notation with clauses."""

    def clauses(self, text: str) -> list[Clause]:
        """The clauses of a text; raises LogicError if it is malformed or has none."""
