"""Discourse representation structures (Kamp & Reyle 1993), as boxes.

    ([x1],[dog(x1), -([x2],[cat(x2), see(x1,x2)]), (([x3],[fox(x3)]) -> ([],[see(x3,x1)]))])

A box holds discourse referents and conditions: atoms, negated boxes, implications and
disjunctions between boxes. The text is that of NLTK's DRT. A referent is accessible in
its box and below it; a referent of an antecedent also in the consequent. Elsewhere it is
a free variable, which is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    Reader,
    conjunction,
    is_variable,
)
from amparser.logic.fol_equivalence import alpha_normal


@dataclass(frozen=True, slots=True)
class Box:
    """Discourse referents and conditions."""

    referents: tuple[str, ...]
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        conditions = ", ".join(map(str, self.conditions))
        return f"([{','.join(self.referents)}],[{conditions}])"


@dataclass(frozen=True, slots=True)
class Negation:
    """A condition: there is no way to verify the box."""

    box: Box

    def __str__(self) -> str:
        return f"-{self.box}"


@dataclass(frozen=True, slots=True)
class Implication:
    """A condition: however the antecedent is verified, the consequent can be."""

    antecedent: Box
    consequent: Box

    def __str__(self) -> str:
        return f"({self.antecedent} -> {self.consequent})"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """A condition: one of the boxes can be verified."""

    left: Box
    right: Box

    def __str__(self) -> str:
        return f"({self.left} | {self.right})"


Condition: TypeAlias = Atom | Negation | Implication | Disjunction


def drs_to_str(box: Box) -> str:
    """The text of a box.

    >>> drs_to_str(Box(("x",), (Atom("dog", ("x",)), Negation(Box((), (Atom("run", ("x",)),))))))
    '([x],[dog(x), -([],[run(x)])])'
    """
    return str(box)


def drs_from_str(text: str) -> Box:
    """Read a box.

    Raises:
        LogicError: the text does not follow the notation (the message names the
            column, from 1), or a variable is free.
    """
    reader = _Reader(text)
    box = reader.whole()
    if free := free_in_box(box):
        raise LogicError(f"expected a box that declares the free variable {free[0]}")
    return box


class _Reader(Reader):
    """Boxes and conditions; atoms are those of first-order formulas."""

    def whole(self) -> Box:
        try:
            box = self._box()
        except RecursionError:
            raise LogicError("box nested too deeply") from None
        if self.tokens[self.at] != "":
            self._fail("the end")
        return box

    def _box(self) -> Box:
        self._expect("(", "'('")
        self._expect("[", "'['")
        referents = []
        if not self._accept("]"):
            referents.append(self._variable("a variable or ']'"))
            while not self._accept("]"):
                self._expect(",", "',' or ']'")
                referents.append(self._variable())
        self._expect(",", "','")
        self._expect("[", "'['")
        conditions = []
        if not self._accept("]"):
            conditions.append(self._condition())
            while not self._accept("]"):
                self._expect(",", "',' or ']'")
                conditions.append(self._condition())
        self._expect(")", "')'")
        if len(set(referents)) < len(referents):
            raise LogicError(f"expected different referents, found {','.join(referents)}")
        return Box(tuple(referents), tuple(conditions))

    def _condition(self) -> Condition:
        if self._accept("-"):
            return Negation(self._box())
        if self.tokens[self.at] != "(":
            return self._atom()
        self.at += 1
        left = self._box()
        implies = self._accept("->")
        if not implies:
            self._expect("|", "'->' or '|'")
        right = self._box()
        self._expect(")", "')'")
        return Implication(left, right) if implies else Disjunction(left, right)


def free_in_box(box: Box, accessible: frozenset[str] = frozenset()) -> list[str]:
    """The variables of atoms that no accessible box declares, in order."""
    accessible |= set(box.referents)
    found: list[str] = []
    for condition in box.conditions:
        match condition:
            case Atom(_, arguments):
                found += [n for n in arguments if is_variable(n) and n not in accessible]
            case Negation(below):
                found += free_in_box(below, accessible)
            case Implication(antecedent, consequent):
                found += free_in_box(antecedent, accessible)
                found += free_in_box(consequent, accessible.union(antecedent.referents))
            case Disjunction(left, right):
                found += free_in_box(left, accessible)
                found += free_in_box(right, accessible)
    return found


def drs_from_fol(formula: Formula) -> Box:
    """The box of a formula, by the standard mapping (Kamp & Reyle 1993).

    An existential quantifier adds its variable to the referents of the box around it, so
    conjuncts share one box. A universal quantifier, with the antecedent below it, becomes
    the left side of an implication.

    >>> from amparser.logic.fol import fol_from_str
    >>> str(drs_from_fol(fol_from_str("exists x.(dog(x) & all y.(cat(y) -> see(x,y)))")))
    '([x1],[dog(x1), (([x2],[cat(x2)]) -> ([],[see(x1,x2)]))])'
    """
    # Quantifiers that come to share a box may not bind the same name.
    return _box(alpha_normal(formula))


def _box(formula: Formula, *referents: str) -> Box:
    new = list(referents)
    conditions: list[Condition] = []
    _add(formula, new, conditions)
    return Box(tuple(new), tuple(conditions))


def _add(formula: Formula, referents: list[str], conditions: list[Condition]) -> None:
    """Add what a formula says to a box."""
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
            conditions.append(Negation(_box(body)))
        case Or((*parts, last)):
            left = parts[0] if len(parts) == 1 else Or(tuple(parts))
            conditions.append(Disjunction(_box(left), _box(last)))
        case All():
            variables: list[str] = []
            inner: Formula = formula
            while isinstance(inner, All):
                variables.append(inner.variable)
                inner = inner.body
            if isinstance(inner, Implies):
                antecedent = _box(inner.antecedent, *variables)
                conditions.append(Implication(antecedent, _box(inner.consequent)))
            else:
                conditions.append(Implication(Box(tuple(variables), ()), _box(inner)))
        case Implies(antecedent, consequent):
            conditions.append(Implication(_box(antecedent), _box(consequent)))


def fol_from_drs(box: Box) -> Formula:
    """The formula that a box means (Kamp & Reyle 1993).

    It is equivalent to the formula from which `drs_from_fol` made the box. If a box holds
    several referents, their quantifiers come first.

    >>> str(fol_from_drs(drs_from_str("([x],[dog(x), (([y],[cat(y)]) -> ([],[see(x,y)]))])")))
    'exists x.(dog(x) & all y.(cat(y) -> see(x,y)))'

    Raises:
        LogicError: a box that needs a condition has none.
    """
    formula = _conjoined(box)
    for referent in reversed(box.referents):
        formula = Exists(referent, formula)
    return formula


def _conjoined(box: Box) -> Formula:
    if not box.conditions:
        raise LogicError("expected a condition in each box but an antecedent")
    return conjunction([_formula(condition) for condition in box.conditions])


def _formula(condition: Condition) -> Formula:
    match condition:
        case Atom():
            return condition
        case Negation(box):
            return Not(fol_from_drs(box))
        case Disjunction(left, right):
            return Or((fol_from_drs(left), fol_from_drs(right)))
        case Implication(antecedent, consequent):
            formula = fol_from_drs(consequent)
            if antecedent.conditions or not antecedent.referents:
                formula = Implies(_conjoined(antecedent), formula)
            for referent in reversed(antecedent.referents):
                formula = All(referent, formula)
            return formula
