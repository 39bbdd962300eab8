"""First-order formulas in NLTK's notation (Garrette & Klein 2009), as used by SyGNS.

    exists x1.(two(x1) & monkey(x1) & -exists x2.(chris(x2) & kick(x1,x2)))

As in NLTK, an argument is a variable if it is a single lower-case letter, optionally with digits,
and a constant otherwise. Conjunction and disjunction are n-ary, because NLTK prints `(a & b) & c`
and `a & (b & c)` identically.

This module also defines normal forms of formulas, and their equality up to names of variables and
order. In a form without names, a bound variable is written as its de Bruijn index: the number of
quantifiers between an occurrence and the quantifier that binds it (de Bruijn 1972). Parts of a
formula can be sorted by this form, so equality up to order needs no search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain, count
from typing import TypeAlias

from amparser.errors import LogicError, nesting
from amparser.logic.token_reader import TokenReader

_VARIABLE = re.compile(r"[a-z][0-9]*")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ARGUMENT = "a variable or a constant"
TOKEN = re.compile(rf"->|{NAME.pattern}|\S")


def is_variable(argument: str) -> bool:
    """Return True if an argument is a variable: a lower-case letter with optional digits."""
    return _VARIABLE.fullmatch(argument) is not None


class _Formula:
    __slots__ = ()

    def __str__(self) -> str:
        """Return the text exactly as NLTK prints it.

        >>> str(Exists("x1", And((Atom("dog", ("x1",)), Not(Atom("run", ("x1",)))))))
        'exists x1.(dog(x1) & -run(x1))'
        """
        match self:
            case Atom(predicate, arguments):
                return f"{predicate}({','.join(arguments)})"
            case Not(body):
                return f"-{body}"
            case And(parts) | Or(parts):
                return f"({f' {_SIGNS[type(self)]} '.join(map(str, parts))})"
            case Implies(antecedent, consequent):
                return f"({antecedent} -> {consequent})"
            case Exists(variable, body) | All(variable, body):
                word = "exists" if isinstance(self, Exists) else "all"
                if type(body) is type(self):
                    return f"{word} {variable} {str(body).removeprefix(f'{word} ')}"
                return f"{word} {variable}.{body}"
        raise TypeError(type(self))


@dataclass(frozen=True, slots=True)
class Atom(_Formula):
    """A predicate with one or more arguments, which are variables or constants."""

    predicate: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not(_Formula):
    """A negation."""

    body: Formula


@dataclass(frozen=True, slots=True)
class _Junction(_Formula):
    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        if any(isinstance(part, type(self)) for part in self.parts):
            pieces = (p.parts if isinstance(p, type(self)) else (p,) for p in self.parts)
            object.__setattr__(self, "parts", tuple(chain.from_iterable(pieces)))
        if len(self.parts) < 2:
            raise LogicError("expected at least two parts of a conjunction or disjunction")


@dataclass(frozen=True, slots=True)
class And(_Junction):
    """A conjunction of two or more parts; nested conjunctions are flattened."""


@dataclass(frozen=True, slots=True)
class Or(_Junction):
    """A disjunction of two or more parts; nested disjunctions are flattened."""


@dataclass(frozen=True, slots=True)
class Implies(_Formula):
    """An implication."""

    antecedent: Formula
    consequent: Formula


@dataclass(frozen=True, slots=True)
class Exists(_Formula):
    """An existential quantifier over one variable."""

    variable: str
    body: Formula


@dataclass(frozen=True, slots=True)
class All(_Formula):
    """A universal quantifier over one variable."""

    variable: str
    body: Formula


Formula: TypeAlias = Atom | Not | And | Or | Implies | Exists | All


QUANTIFIERS: dict[str, type[Exists] | type[All]] = {"exists": Exists, "all": All}


def conjunction(parts: list[Formula]) -> Formula:
    """Return the conjunction of one or more parts."""
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """Return the immediate subformulas, in order."""
    match formula:
        case Atom():
            return ()
        case Not(body) | Exists(_, body) | All(_, body):
            return (body,)
        case And(parts) | Or(parts):
            return parts
        case Implies(antecedent, consequent):
            return antecedent, consequent


def with_parts(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the formula with `change` applied to each immediate subformula, left to right."""
    match formula:
        case Atom():
            return formula
        case Exists(variable, body) | All(variable, body):
            return type(formula)(variable, change(body))
        case And(parts) | Or(parts):
            return type(formula)(tuple(map(change, parts)))
        case _:
            return type(formula)(*map(change, parts_of(formula)))


def atoms_of(formula: Formula) -> Iterator[Atom]:
    """Yield the atoms from left to right."""
    if isinstance(formula, Atom):
        yield formula
    for part in parts_of(formula):
        yield from atoms_of(part)


def free_variables(formula: Formula) -> frozenset[str]:
    """Return the variables that are not bound in the formula."""
    if isinstance(formula, Atom):
        return frozenset(filter(is_variable, formula.arguments))
    free = frozenset[str]().union(*map(free_variables, parts_of(formula)))
    return free - {formula.variable} if isinstance(formula, Exists | All) else free


def fol_from_str(text: str) -> Formula:
    """Read a formula.

    Precedence is as in NLTK: `-` and quantifiers bind tighter than `&`, then `|`, then `->`, which
    associates to the left.

    >>> str(fol_from_str("exists x1 x2.dog(x1) & -(run(x1))"))
    '(exists x1 x2.dog(x1) & -run(x1))'
    >>> fol_from_str("exists x1.(dog(x1) & )")
    Traceback (most recent call last):
    amparser.errors.LogicError: column 22: expected a formula, found ')'

    Raises:
        LogicError: the text does not follow the notation; the message names the column (from 1) and
            the expected token.
    """
    return _Reader(text).formula()


class _Reader(TokenReader):
    pattern = TOKEN

    def formula(self) -> Formula:
        with nesting(LogicError, "formula nested too deeply"):
            formula = self._implication()
        self._expect("", "an operator or the end")
        return formula

    def _implication(self) -> Formula:
        return reduce(Implies, self._separated(self._disjunction, "->"))

    def _disjunction(self) -> Formula:
        return self._joined("|", Or, lambda: self._joined("&", And, self._unary))

    def _joined(
        self, operator: str, junction: type[And] | type[Or], part: Callable[[], Formula]
    ) -> Formula:
        parts = self._separated(part, operator)
        return parts[0] if len(parts) == 1 else junction(tuple(parts))

    def _unary(self) -> Formula:
        token = self.tokens[self.at]
        if self._accept("("):
            formula = self._implication()
            self._expect(")", "an operator or ')'")
            return formula
        if self._accept("-"):
            return Not(self._unary())
        if token in QUANTIFIERS:
            return self._quantified()
        return self._atom()

    def _quantified(self) -> Formula:
        quantifier = QUANTIFIERS[self.tokens[self.at]]
        self.at += 1
        variables = [self._variable()]
        while not self._accept("."):
            variables.append(self._variable("a variable or '.'"))
        body = self._unary()
        for variable in reversed(variables):
            body = quantifier(variable, body)
        return body

    def _atom(self) -> Atom:
        predicate = self._name("a formula")
        self._expect("(")
        return Atom(predicate, tuple(self._enclosed(lambda: self._name(ARGUMENT))))

    def _variable(self, wanted: str = "a variable") -> str:
        return self._match(_VARIABLE, wanted)

    def _name(self, wanted: str) -> str:
        if self.tokens[self.at] in QUANTIFIERS:
            self._fail(wanted)
        return self._match(NAME, wanted)


_SIGNS = {Not: "-", And: "&", Or: "|", Implies: ">", Exists: "?", All: "!"}


def alpha_normal(formula: Formula) -> Formula:
    """Rename bound variables to x1, x2, ... in the order of their quantifiers.

    Free variables keep their names, and bound variables get other names. SyGNS numbers variables in
    this way.

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

    Formulas that repeat a conjunct or disjunct a different number of times are not equal.
    """
    return left == right or _nameless(left, ()) == _nameless(right, ())


def _nameless(formula: Formula, binders: tuple[str, ...]) -> str:
    """Return the formula in prefix notation with de Bruijn indices and sorted parts."""
    if isinstance(formula, Atom):
        # Bound variables are written as numbers, which differ from all names.
        order = binders[::-1]
        terms = (str(order.index(n)) if n in binders else n for n in formula.arguments)
        return f"{formula.predicate}({','.join(terms)})"
    inner = (*binders, formula.variable) if isinstance(formula, Exists | All) else binders
    parts = [_nameless(part, inner) for part in parts_of(formula)]
    if isinstance(formula, And | Or):
        parts.sort()
    return f"{_SIGNS[type(formula)]}[{' '.join(parts)}]"
