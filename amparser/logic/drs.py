"""Discourse representation structures (Kamp & Reyle 1993) as boxes.

    ([x1],[dog(x1), -([x2],[cat(x2), see(x1,x2)]), (([x3],[fox(x3)]) -> ([],[see(x3,x1)]))])

A box has discourse referents and conditions: atoms, negated boxes, implications and disjunctions of
boxes. Boxes are shown as in NLTK's DRT, and read and written as clauses (`amparser.logic.clf`). A
referent is accessible in its box and in all boxes inside; a referent of an antecedent is also
accessible in the consequent. Elsewhere it is a free variable, which is an error.

DRSs are compared up to names of boxes and referents and the order of conditions. For this purpose,
a DRS is a hypergraph, whose vertices are boxes and referents and whose edges are clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from amparser.errors import LogicError
from amparser.logic.fol import (
    All,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    alpha_normal,
    conjunction,
)
from amparser.logic.hypergraph import Edge, same_up_to_names

NOT, IMPLIES, OR = "NOT", "IMP", "DIS"
"""Operators of conditions, by their names in clauses."""


@dataclass(frozen=True, slots=True)
class Box:
    """Discourse referents and conditions."""

    referents: tuple[str, ...]
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        conditions = ", ".join(map(str, self.conditions))
        return f"([{','.join(self.referents)}],[{conditions}])"


@dataclass(frozen=True, slots=True)
class Linked:
    """A condition that applies an operator to boxes.

    `NOT` means that its box cannot be verified, `IMP` that every way to verify the first box can be
    extended to verify the second box, and `DIS` that one of two boxes can be verified.
    """

    relation: str
    boxes: tuple[Box, ...]

    def __str__(self) -> str:
        if self.relation in (IMPLIES, OR):
            sign = " -> " if self.relation == IMPLIES else " | "
            return f"({sign.join(map(str, self.boxes))})"
        return f"-{self.boxes[0]}"


Condition: TypeAlias = Atom | Linked


def drs_from_fol(formula: Formula) -> Box:
    """Return the box of a formula by the standard mapping (Kamp & Reyle 1993).

    An existential quantifier adds its variable to the referents of the surrounding box, so
    conjuncts share a box. A universal quantifier and the antecedent below it become the left side
    of an implication.

    >>> from amparser.logic.fol import fol_from_str
    >>> str(drs_from_fol(fol_from_str("exists x.(dog(x) & all y.(cat(y) -> see(x,y)))")))
    '([x1],[dog(x1), (([x2],[cat(x2)]) -> ([],[see(x1,x2)]))])'
    """
    # Quantifiers whose variables become referents of one box must bind different names.
    return _box(alpha_normal(formula))


def _box(formula: Formula, *referents: str) -> Box:
    new = list(referents)
    conditions: list[Condition] = []
    _add(formula, new, conditions)
    return Box(tuple(new), tuple(conditions))


def _add(formula: Formula, referents: list[str], conditions: list[Condition]) -> None:
    match formula:
        case Atom():
            conditions.append(formula)
        case Exists(variable, body):
            referents.append(variable)
            _add(body, referents, conditions)
        case And(parts):
            for part in parts:
                _add(part, referents, conditions)
        case Not(body):
            conditions.append(Linked(NOT, (_box(body),)))
        case Or((*parts, last)):
            first = parts[0] if len(parts) == 1 else Or(tuple(parts))
            conditions.append(Linked(OR, (_box(first), _box(last))))
        case All():
            variables: list[str] = []
            inner: Formula = formula
            while isinstance(inner, All):
                variables.append(inner.variable)
                inner = inner.body
            left = Box(tuple(variables), ())
            if isinstance(inner, Implies):
                left, inner = _box(inner.antecedent, *variables), inner.consequent
            conditions.append(Linked(IMPLIES, (left, _box(inner))))
        case Implies(antecedent, consequent):
            conditions.append(Linked(IMPLIES, (_box(antecedent), _box(consequent))))


def fol_from_drs(box: Box) -> Formula:
    """Return the formula of a box (Kamp & Reyle 1993).

    The result is equivalent to the formula from which `drs_from_fol` made the box. The quantifiers
    of a box's referents come first. Raises LogicError if a box other than an antecedent has no
    conditions.
    """
    formula = _conjoined(box)
    for referent in reversed(box.referents):
        formula = Exists(referent, formula)
    return formula


def _conjoined(box: Box) -> Formula:
    if not box.conditions:
        raise LogicError("expected a condition in every box except antecedents")
    return conjunction([_formula(condition) for condition in box.conditions])


def _formula(condition: Condition) -> Formula:
    if isinstance(condition, Atom):
        return condition
    if condition.relation == NOT:
        return Not(fol_from_drs(condition.boxes[0]))
    left, right = condition.boxes
    formula = fol_from_drs(right)
    if condition.relation == OR:
        return Or((fol_from_drs(left), formula))
    if left.conditions or not left.referents:
        formula = Implies(_conjoined(left), formula)
    for referent in reversed(left.referents):
        formula = All(referent, formula)
    return formula


_Names: TypeAlias = Mapping[str, int]


def drs_equivalent(left: Box, right: Box) -> bool:
    """Return True if two boxes are equal up to names of referents and order of conditions.

    Boxes that repeat a condition a different number of times are not equal.
    """
    return left == right or same_up_to_names(_hypergraph(left), _hypergraph(right))


def _hypergraph(box: Box) -> list[Edge]:
    vertices = count()
    names = _declared(box, {}, vertices)
    return list(_edges(box, next(vertices), names, vertices))


def _declared(box: Box, names: _Names, vertices: Iterator[int]) -> _Names:
    return {**names, **{referent: next(vertices) for referent in box.referents}}


def _edges(box: Box, own: int, names: _Names, vertices: Iterator[int]) -> Iterator[Edge]:
    for referent in box.referents:
        yield "REF", (own, names[referent])
    for condition in box.conditions:
        match condition:
            case Atom(predicate, arguments):
                # The label of an atom includes its constants. It is a tuple, so it differs from the
                # label of an operator.
                label = predicate, *(None if name in names else name for name in arguments)
                yield label, (own, *(names[name] for name in arguments if name in names))
            case Linked(relation, below):
                inside, known = [], names
                for other in below:
                    declared = _declared(other, known, vertices)
                    inside.append((next(vertices), other, declared))
                    known = declared if relation == IMPLIES else names
                yield relation, (own, *(vertex for vertex, _, _ in inside))
                for vertex, other, accessible in inside:
                    yield from _edges(other, vertex, accessible, vertices)
