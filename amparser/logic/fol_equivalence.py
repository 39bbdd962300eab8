"""Normal forms of formulas and equality up to names of variables and order.

A bound variable is identified by its de Bruijn index, the number of quantifiers between an
occurrence and its own quantifier (de Bruijn 1972). So parts can be sorted by their nameless form,
and equality up to order needs no search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or, free_variables


def alpha_normal(formula: Formula) -> Formula:
    """The formula with bound variables x1, x2, ... in the order of their quantifiers.

    Free variables keep their names, which no bound one gets. SyGNS numbers variables so.

    >>> from amparser.logic.fol import fol_from_str
    >>> str(alpha_normal(fol_from_str("all y.(dog(y) -> exists x.see(y,x))")))
    'all x1.(dog(x1) -> exists x2.see(x1,x2))'
    """
    taken = free_variables(formula)
    names = (name for number in count(1) if (name := f"x{number}") not in taken)
    return _renamed(formula, {}, names)


def _renamed(formula: Formula, names: dict[str, str], fresh: Iterator[str]) -> Formula:
    match formula:
        case Atom(predicate, arguments):
            return Atom(predicate, tuple(names.get(name, name) for name in arguments))
        case Not(body):
            return Not(_renamed(body, names, fresh))
        case And(parts) | Or(parts):
            return type(formula)(tuple(_renamed(part, names, fresh) for part in parts))
        case Implies(antecedent, consequent):
            # In this order: the quantifiers of the antecedent come first.
            new_antecedent = _renamed(antecedent, names, fresh)
            return Implies(new_antecedent, _renamed(consequent, names, fresh))
        case Exists(variable, body) | All(variable, body):
            new = next(fresh)
            return type(formula)(new, _renamed(body, {**names, variable: new}, fresh))


def alpha_equivalent(left: Formula, right: Formula) -> bool:
    """Whether two formulas differ at most in the names of bound variables."""
    return left == right or alpha_normal(left) == alpha_normal(right)


def equivalent_up_to_order(left: Formula, right: Formula) -> bool:
    """Whether two formulas differ at most in names and in the order of conjuncts and disjuncts.

    The same conjunct twice is not the same as once.
    """
    return left == right or _nameless(left, ()) == _nameless(right, ())


def _nameless(formula: Formula, binders: tuple[str, ...]) -> str:
    """The formula in prefix notation with de Bruijn indices, its parts sorted."""
    match formula:
        case Atom(predicate, arguments):
            # A bound variable is written by a number, and no name is a number.
            terms = (
                str(binders[::-1].index(name)) if name in binders else name for name in arguments
            )
            return f"{predicate}({','.join(terms)})"
        case Not(body):
            return f"-{_nameless(body, binders)}"
        case And(parts) | Or(parts):
            sign = "&" if isinstance(formula, And) else "|"
            return f"{sign}[{' '.join(sorted(_nameless(part, binders) for part in parts))}]"
        case Implies(antecedent, consequent):
            return f">[{_nameless(antecedent, binders)} {_nameless(consequent, binders)}]"
        case Exists(variable, body):
            return f"?{_nameless(body, (*binders, variable))}"
        case All(variable, body):
            return f"!{_nameless(body, (*binders, variable))}"
