"""Fragments of English: the meaning of a grammar's derivation in each notation.

A grammar whose derivations have the interpretation `varfree` has meanings of COGS; one with `fol`
and `form` has formulas. The benchmark chooses the notations of its files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amparser.benchmarks.cogs_meanings import logical_form_of, varfree_of
from amparser.benchmarks.formulas import formula_of, vf_of
from amparser.grammar.algebras import LAMBDA, value
from amparser.grammar.irtg import Derivation
from amparser.grammar.library import Library
from amparser.logic.clf import clauses_from_drs, clauses_to_str
from amparser.logic.cogs import LogicalForm, logical_form_to_str
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol import Formula
from amparser.logic.fol_equivalence import alpha_normal
from amparser.logic.varfree import Term as VarFree
from amparser.logic.varfree import varfree_to_str
from amparser.logic.vf import Term as VFTerm

_FORMULA = "fol"


def varfree(derivation: Derivation) -> VarFree:
    """The variable-free form of SLOG."""
    return varfree_of(value(derivation, "varfree", LAMBDA))


def logical_form(library: Library, derivation: Derivation) -> LogicalForm:
    """The logical form of COGS; its variables are positions in the sentence."""
    return logical_form_of(value(derivation, "varfree", LAMBDA), library.tokens(derivation))


def formula(derivation: Derivation) -> Formula:
    """The first-order formula."""
    return formula_of(value(derivation, _FORMULA, LAMBDA))


def vf(derivation: Derivation) -> VFTerm:
    """The variable-free formula of SyGNS."""
    return vf_of(value(derivation, "form", LAMBDA))


def _clauses(derivation: Derivation) -> str:
    return clauses_to_str(clauses_from_drs(drs_from_fol(alpha_normal(formula(derivation)))))


MEANINGS: Mapping[str, Callable[[Library, Derivation], str]] = {
    "cogs": lambda library, derivation: logical_form_to_str(logical_form(library, derivation)),
    "varfree": lambda _, derivation: varfree_to_str(varfree(derivation)),
    "fol": lambda _, derivation: str(alpha_normal(formula(derivation))),
    "vf": lambda _, derivation: str(vf(derivation)),
    "clf": lambda _, derivation: _clauses(derivation),
}
"""Functions by notation that return the meaning as text, as data files have it."""


def meaning_of(library: Library, derivation: Derivation) -> str:
    """The meaning that the grammar gives: a formula if there is one, else a form of COGS."""
    if _FORMULA in library.grammar.interpretations:
        return str(formula(derivation))
    return logical_form_to_str(logical_form(library, derivation))
