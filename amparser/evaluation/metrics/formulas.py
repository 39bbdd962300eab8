"""First-order formulas of meanings, for the metrics that compare formulas."""

from __future__ import annotations

from typing import cast

from amparser.errors import LogicError
from amparser.logic.fol import Formula
from amparser.notations.notation import Notation
from amparser.notations.scoped import ScopedNotation


def formula_problem(notation: Notation | None) -> str | None:
    """Why meanings of a notation have no formulas, or None if they have."""
    if isinstance(notation, ScopedNotation):
        return None
    name = "labels" if notation is None else f"{notation.name} meanings"
    return f"{name} have no first-order formulas"


def gold_formula(notation: Notation | None, text: str | None) -> Formula:
    """The formula of a gold meaning; raises LogicError if it is malformed."""
    return cast("ScopedNotation", notation).formula(text or "")


def formula_or_none(
    notation: Notation | None, text: str | None, *, closed: bool = True
) -> Formula | None:
    """The formula of an answer, or None if it is malformed.

    Args:
        closed: whether an answer with free variables is malformed; otherwise a formula of
            first-order notation is accepted as it is.
    """
    scoped = cast("ScopedNotation", notation)
    if text is None:
        return None
    try:
        return scoped.formula(text)
    except LogicError:
        if closed:
            return None
    try:
        value = scoped.value(text)
    except LogicError:
        return None
    return value if isinstance(value, Formula) else None
