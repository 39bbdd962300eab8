"""Right or wrong of the variable-free forms of SLOG, as counts like those of COGS forms.

`exact` is the very string, `reformatted` equality up to the order of arguments; `graph`
also holds where the COGS forms are equivalent.
"""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError, TranslateError
from amparser.evaluation.metrics.cogs import Counts
from amparser.logic.equivalence import equivalent
from amparser.logic.varfree import Term, varfree_from_str
from amparser.notations.varfree_conversion import logical_form_from_varfree


def compare_varfree(tokens: Sequence[str], gold: str, predicted: str | None) -> Counts:
    """Compare a variable-free form of SLOG with the gold one; a malformed one is wrong.

    Raises:
        LogicError: the gold form is malformed.
    """
    if predicted == gold:
        return Counts(1, 1, 1, 1)
    wanted = varfree_from_str(gold)
    try:
        found = varfree_from_str(predicted or "")
    except LogicError:
        return Counts(1)
    if _sorted(wanted) == _sorted(found):
        return Counts(1, 0, 1, 1)
    try:
        forms = [logical_form_from_varfree(tokens, term) for term in (wanted, found)]
    except TranslateError:
        return Counts(1)
    return Counts(1, 0, 0, int(equivalent(*forms)))


def _sorted(term: Term) -> Term:
    """The term with the arguments of each word in one order."""
    arguments = [(role, _sorted(value)) for role, value in term.arguments]
    return Term(term.word, tuple(sorted(arguments, key=lambda a: (a[0], str(a[1])))), term.definite)
