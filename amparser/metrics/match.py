"""Right or wrong by each notation's own equality, as counts like those of COGS forms.

`exact` is the very string. `reformatted` is equality up to names of variables and order;
for the variable-free form of SLOG up to the order of arguments. `graph` is the same, but
for that form, which is also right where its COGS form is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from amparser.errors import LogicError, TranslateError
from amparser.logic.clf import clauses_from_str, drs_from_clauses
from amparser.logic.drs import Box
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.equivalence import equivalent
from amparser.logic.fol import Formula, fol_from_str
from amparser.logic.fol_equivalence import equivalent_up_to_order
from amparser.logic.varfree import Term, varfree_from_str
from amparser.logic.vf import fol_from_vf, vf_from_str
from amparser.metrics.cogs import Counts
from amparser.translate.varfree import logical_form_from_varfree

_Form = TypeVar("_Form")


def compare_varfree(tokens: Sequence[str], gold: str, predicted: str | None) -> Counts:
    """Compare a variable-free form of SLOG with the gold one; a malformed one is wrong.

    Raises:
        LogicError: the gold form is malformed.
    """

    def same_meaning(left: Term, right: Term) -> bool:
        try:
            forms = [logical_form_from_varfree(tokens, term) for term in (left, right)]
        except TranslateError:
            return False
        return equivalent(*forms)

    counts = _compared(gold, predicted, varfree_from_str, lambda a, b: _sorted(a) == _sorted(b))
    if counts.reformatted or predicted is None:
        return counts
    try:
        found = varfree_from_str(predicted)
    except LogicError:
        return counts
    return Counts(1, 0, 0, int(same_meaning(varfree_from_str(gold), found)))


def compare_fol(gold: str, predicted: str | None) -> Counts:
    """Compare first-order formulas up to names and order; LogicError as above."""
    return _compared(gold, predicted, fol_from_str, equivalent_up_to_order)


def compare_vf(gold: str, predicted: str | None) -> Counts:
    """Compare variable-free formulas of SyGNS as first-order ones; LogicError as above."""
    return _compared(gold, predicted, _denoted, equivalent_up_to_order)


def compare_clf(gold: str, predicted: str | None) -> Counts:
    """Compare clauses up to names and order; LogicError as above."""
    return _compared(gold, predicted, _box, drs_equivalent)


def _compared(
    gold: str,
    predicted: str | None,
    read: Callable[[str], _Form],
    same: Callable[[_Form, _Form], bool],
) -> Counts:
    if predicted == gold:
        return Counts(1, 1, 1, 1)
    wanted = read(gold)
    try:
        right = int(same(wanted, read(predicted or "")))
    except LogicError:
        right = 0
    return Counts(1, 0, right, right)


def _box(text: str) -> Box:
    return drs_from_clauses(clauses_from_str(text))


def _denoted(text: str) -> Formula:
    return fol_from_vf(vf_from_str(text))


def _sorted(term: Term) -> Term:
    """The term with the arguments of each word in one order."""
    arguments = [(role, _sorted(value)) for role, value in term.arguments]
    return Term(term.word, tuple(sorted(arguments, key=lambda a: (a[0], str(a[1])))), term.definite)
