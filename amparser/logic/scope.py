"""Miniscoping: give quantifiers the smallest possible scope (Hao Wang 1960).

    exists x y.(dog(x) & cat(y) & see(x,y) & run(x))
    exists x.(dog(x) & exists y.(cat(y) & see(x,y)) & run(x))

The first formula is the translation of a box; the second is the formula that a grammar builds.
"""

from __future__ import annotations

from collections.abc import Sequence

from amparser.logic.fol import (
    All,
    And,
    Exists,
    Formula,
    Implies,
    conjunction,
    free_variables,
    with_parts,
)


def narrowed(formula: Formula) -> Formula:
    """Return an equivalent formula with existential quantifiers as far inside as possible.

    The first of several nested quantifiers stays in its place. Each later quantifier moves to the
    first conjunct that contains its variable, and its scope consists of all conjuncts that contain
    the variable. A quantifier over an implication moves into the antecedent if its variable does
    not occur in the consequent. Conjuncts keep their order.

    >>> from amparser.logic.fol import fol_from_str
    >>> str(narrowed(fol_from_str("all x y.((dog(x) & cat(y) & see(x,y)) -> run(x))")))
    'all x.((dog(x) & exists y.(cat(y) & see(x,y))) -> run(x))'
    """
    match formula:
        case Exists():
            variables, body = _prefix(formula, Exists)
            first, *others = variables
            return Exists(first, conjunction(_grouped(others, _parts(body))))
        case All():
            variables, body = _prefix(formula, All)
            if not isinstance(body, Implies):
                return _quantified(All, variables, narrowed(body))
            spoken_of = free_variables(body.consequent)
            outer = [v for v in variables if v in spoken_of] or variables[:1]
            inner = [v for v in variables if v not in outer]
            antecedent = conjunction(_grouped(inner, _parts(body.antecedent)))
            return _quantified(All, outer, Implies(antecedent, narrowed(body.consequent)))
    return with_parts(formula, narrowed)


def _grouped(variables: Sequence[str], parts: Sequence[Formula]) -> list[Formula]:
    """Return the conjuncts; conjuncts with a common variable are grouped below its quantifier."""
    left = set(variables)
    conjuncts: list[Formula] = []
    rest = list(parts)
    while rest:
        part = rest.pop(0)
        connected = free_variables(part) & left
        if not connected:
            conjuncts.append(narrowed(part))
            continue
        group = [part]
        grew = True
        while grew:
            more = [p for p in rest if free_variables(p) & connected]
            rest = [p for p in rest if not free_variables(p) & connected]
            group += more
            grown = connected.union(*(free_variables(p) & left for p in more))
            grew = grown != connected
            connected = grown
        # The conjuncts of a group stay in their order.
        group.sort(key=lambda p: next(i for i, other in enumerate(parts) if other is p))
        first, *others = [v for v in variables if v in connected]
        conjuncts.append(Exists(first, conjunction(_grouped(others, group))))
        left -= connected
    # Variables that occur in no conjunct.
    idle = [v for v in variables if v in left]
    return [_quantified(Exists, idle, conjunction(conjuncts))] if idle else conjuncts


def _parts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def _prefix(formula: Formula, kind: type[Exists] | type[All]) -> tuple[list[str], Formula]:
    variables: list[str] = []
    while isinstance(formula, kind) and formula.variable not in variables:
        variables.append(formula.variable)
        formula = formula.body
    return variables, formula


def _quantified(kind: type[Exists] | type[All], variables: Sequence[str], body: Formula) -> Formula:
    for variable in reversed(variables):
        body = kind(variable, body)
    return body
