"""Miniscoping: give quantifiers the smallest possible scope (Hao Wang 1960).

    exists x y.(dog(x) & cat(y) & see(x,y) & run(x))
    exists x.(dog(x) & exists y.(cat(y) & see(x,y)) & run(x))

The first formula is the translation of a box; the second is the formula that a grammar builds.
"""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

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
    """Return the conjuncts, grouped so that each quantifier has the smallest scope."""
    links: nx.Graph[int | str] = nx.Graph()
    links.add_nodes_from(range(len(parts)))
    for place, part in enumerate(parts):
        links.add_edges_from((place, v) for v in free_variables(part) if v in variables)
    conjuncts: list[Formula] = []
    for group in nx.connected_components(links):
        inside = [part for place, part in enumerate(parts) if place in group]
        bound = [v for v in variables if v in group]
        if bound:
            inside = [Exists(bound[0], conjunction(_grouped(bound[1:], inside)))]
        else:
            inside = [*map(narrowed, inside)]
        conjuncts += inside
    idle = [v for v in variables if v not in links]
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
