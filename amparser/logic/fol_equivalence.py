"""Normal forms of formulas, and equality up to names of variables and order.

A bound variable is identified by its de Bruijn index: the number of quantifiers between an
occurrence and its own quantifier (de Bruijn 1972). Parts can therefore be sorted by their nameless
form, and equality up to order needs no search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from amparser.logic.fol import (
    All,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    free_variables,
    parts_of,
    with_parts,
)

_SIGNS = {Not: "-", And: "&", Or: "|", Implies: ">", Exists: "?", All: "!"}


def alpha_normal(formula: Formula) -> Formula:
    """Rename bound variables to x1, x2, ... in the order of their quantifiers.

    Free variables keep their names, which are not used for bound variables. SyGNS numbers variables
    the same way.

    >>> from amparser.logic.fol import fol_from_str
    >>> str(alpha_normal(fol_from_str("all y.(dog(y) -> exists x.see(y,x))")))
    'all x1.(dog(x1) -> exists x2.see(x1,x2))'
    """
    taken = free_variables(formula)
    names = (name for number in count(1) if (name := f"x{number}") not in taken)
    return _renamed(formula, {}, names)


def _renamed(formula: Formula, names: dict[str, str], fresh: Iterator[str]) -> Formula:
    if isinstance(formula, Atom):
        return Atom(formula.predicate, tuple(names.get(n, n) for n in formula.arguments))
    if isinstance(formula, Exists | All):
        new = next(fresh)
        below = {**names, formula.variable: new}
        return type(formula)(new, _renamed(formula.body, below, fresh))
    # An antecedent's quantifiers are numbered before its consequent's.
    return with_parts(formula, lambda part: _renamed(part, names, fresh))


def alpha_equivalent(left: Formula, right: Formula) -> bool:
    """Return True if two formulas are equal up to the names of bound variables."""
    return left == right or alpha_normal(left) == alpha_normal(right)


def equivalent_up_to_order(left: Formula, right: Formula) -> bool:
    """Return True if two formulas are equal up to names and the order of conjuncts and disjuncts.

    Repeated conjuncts count.
    """
    return left == right or _nameless(left, ()) == _nameless(right, ())


def _nameless(formula: Formula, binders: tuple[str, ...]) -> str:
    """Return the formula in prefix notation with de Bruijn indices and sorted parts."""
    if isinstance(formula, Atom):
        # Bound variables are written as numbers, which are not names.
        order = binders[::-1]
        terms = (str(order.index(n)) if n in binders else n for n in formula.arguments)
        return f"{formula.predicate}({','.join(terms)})"
    inner = (*binders, formula.variable) if isinstance(formula, Exists | All) else binders
    parts = [_nameless(part, inner) for part in parts_of(formula)]
    if isinstance(formula, And | Or):
        parts.sort()
    return f"{_SIGNS[type(formula)]}[{' '.join(parts)}]"
