"""Prolog goals with variables (GeoQuery and Jobs, Zelle & Mooney 1996) as s-expressions.

    answer(A,(capital(A),loc(A,B),const(B,stateid(texas))))

is read as `(answer $0 (∃ $1 (and (capital $0) (loc $0 $1) (const $1 (stateid texas)))))` and has
the graph of this s-expression. When a goal is written, its variables are named `A`, `B`, ... in the
order of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from amparser.errors import LogicError, nesting
from amparser.logic.sexpr import Sexpr
from amparser.logic.token_reader import TokenReader
from amparser.notations.lisp_variables import is_variable
from amparser.notations.sexpr import SexprNotation, renamed

_EXISTS, _AND, _OR, _NOT = "∃", "and", "or", "\\+"
_JOINTS = {",": _AND, ";": _OR}
_VARIABLE = re.compile(r"[A-Z]\w*|_\w+")
_SYMBOL = re.compile(r"'(?:[^'\\\"]|\\.)*'|[+-]?\d+(?:\.\d+)?|\w+")
_OPERATOR = re.compile(r"[=<>\\:@]+|is")


class _Reader(TokenReader):
    pattern = re.compile(rf"\\\+|{_SYMBOL.pattern}|[=<>\\:@]+|\S")

    def goal(self) -> Sexpr:
        parts = [self._simple()]
        joint = self.tokens[self.at]
        while joint in _JOINTS and self._accept(joint):
            parts.append(self._simple())
        return parts[0] if len(parts) == 1 else Sexpr("", (Sexpr(_JOINTS[joint]), *parts))

    def _simple(self) -> Sexpr:
        left = self._term()
        operator = self.tokens[self.at]
        if not _OPERATOR.fullmatch(operator):
            return left
        self.at += 1
        return Sexpr("", (Sexpr(operator), left, self._term()))

    def _term(self) -> Sexpr:
        if self._accept(_NOT):
            return Sexpr("", (Sexpr(_NOT), self._term()))
        if self._accept("("):
            inside = self.goal()
            self._expect(")")
            return inside
        word = self._match(_SYMBOL, "a term")
        if _VARIABLE.fullmatch(word):
            return Sexpr(f"${word}")
        symbol = Sexpr(f'"{word[1:-1]}"' if word[0] == "'" else word)
        if not self._accept("("):
            return symbol
        return Sexpr("", (symbol, *self._enclosed(self._simple)))

    def whole(self) -> Sexpr:
        with nesting(LogicError):
            goal = self.goal()
            self._accept(".")
            self._expect("")
            if not any(_VARIABLE.fullmatch(token) for token in self.tokens):
                self._stop("expected a variable", 0)
            return renamed(_bound(goal, ()))


def _variables(one: Sexpr) -> list[str]:
    if not one.items:
        return [one.atom] if is_variable(one) else []
    return [name for item in one.items for name in _variables(item)]


def _bound(goal: Sexpr, scope: tuple[str, ...]) -> Sexpr:
    """Return a goal in which every variable is bound.

    A predicate binds its first argument if this is a variable that recurs in its other arguments,
    as in `answer(A,capital(A))`. `∃` binds every other variable; its scope is the smallest goal
    that contains all occurrences of the variable.
    """
    parts = goal.items[1:]
    uses = Counter(name for part in parts for name in set(_variables(part)))
    direct = {part.atom for part in parts}
    names = [
        name
        for name in dict.fromkeys(_variables(goal))
        if name not in scope and (name in direct or uses[name] > 1)
    ]
    binds = bool(names) and parts[0].atom == names[0] and uses[names[0]] > 1
    bound = replace(goal, items=tuple(_bound(item, (*scope, *names)) for item in goal.items))
    for name in reversed(names[binds:]):
        bound = Sexpr("", (Sexpr(_EXISTS), Sexpr(name), bound))
    return bound


class PrologNotation(SexprNotation):
    """Prolog goals; the style `tight` omits spaces after commas."""

    name = "prolog"
    sample = "answer(A, (river(A), loc(A, B), const(B, stateid(texas))))"
    styles: ClassVar[Mapping[str, Any]] = {"": ", ", "tight": ","}
    word = _Reader.pattern

    def read(self, text: str) -> Sexpr:
        """Return the s-expression of a text. Raises LogicError."""
        return _Reader(text).whole()

    def text_of(self, value: Sexpr, style: str) -> str:
        """Return the text of an s-expression."""
        comma, names = self.styles[style], dict[str, str]()

        def text(one: Sexpr) -> str:
            if is_variable(one):
                return names.setdefault(one.atom, _name(len(names)))
            if not one.items:
                return f"'{one.atom[1:-1]}'" if one.atom[:1] == '"' else one.atom
            if one.items[0].atom == _EXISTS:
                return text(one.items[-1])
            head, *parts = map(text, one.items)
            if head in (_AND, _OR) and parts:
                return f"({(comma if head == _AND else ';').join(parts)})"
            if head == _NOT and len(parts) == 1:
                part = operand(one.items[1])
                return f"{head}{' ' * (part[0] == '(')}{part}"
            if _OPERATOR.fullmatch(head) and len(parts) == 2:
                return (f" {head} " if head.isalpha() else head).join(map(operand, one.items[1:]))
            return f"{head}({comma.join(parts)})" if parts else head

        def operand(one: Sexpr) -> str:
            while one.items and one.items[0].atom == _EXISTS:
                one = one.items[-1]
            infix = len(one.items) == 3 and _OPERATOR.fullmatch(one.items[0].atom)
            return f"({text(one)})" if infix else text(one)

        return text(value)


def _name(number: int) -> str:
    """Return the name of a variable: `A` to `Z`, then `A1` and so on."""
    return chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")


PROLOG = PrologNotation()
