"""One predicted meaning against the gold one, in any notation.

Three measures, each weaker than the one before: the very string; equality up to names of
variables (and, for clauses and boxes, up to order); equality up to order as well. For
COGS forms they are those of `amparser.evaluation.metrics.cogs`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amparser.errors import LogicError
from amparser.evaluation.metrics.cogs import Counts, compare
from amparser.logic.clf import clauses_from_str, drs_from_clauses
from amparser.logic.drs import Box, drs_from_str
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.fol import Formula, fol_from_str
from amparser.logic.fol_equivalence import alpha_equivalent, equivalent_up_to_order
from amparser.logic.vf import fol_from_vf, vf_from_str

Comparison = Callable[[str, "str | None"], Counts]


def comparison(notation: str) -> Comparison:
    """How meanings of a notation are compared.

    What it returns takes a well-formed gold meaning and any text, or None where there is
    no answer; what does not follow the notation is wrong. It raises LogicError where
    the gold meaning is malformed, and had to be read.
    """
    return _COMPARISONS[notation]


def _by(read: Callable[[str], Any], *measures: Callable[[Any, Any], bool]) -> Comparison:
    def compared(gold: str, predicted: str | None) -> Counts:
        if predicted == gold:
            return Counts(1, 1, 1, 1)
        wanted = read(gold)
        try:
            found = read(predicted or "")
        except LogicError:
            return Counts(1)
        named, ordered = (measure(wanted, found) for measure in measures)
        return Counts(1, 0, int(named), int(named or ordered))

    return compared


def _formula_of_vf(text: str) -> Formula:
    return fol_from_vf(vf_from_str(text))


def _box_of_clauses(text: str) -> Box:
    return drs_from_clauses(clauses_from_str(text))


_COMPARISONS: Mapping[str, Comparison] = {
    "cogs": compare,
    "fol": _by(fol_from_str, alpha_equivalent, equivalent_up_to_order),
    "vf": _by(_formula_of_vf, alpha_equivalent, equivalent_up_to_order),
    "quantified": _by(_formula_of_vf, alpha_equivalent, equivalent_up_to_order),
    "clf": _by(_box_of_clauses, drs_equivalent, drs_equivalent),
    "drs": _by(drs_from_str, drs_equivalent, drs_equivalent),
}
