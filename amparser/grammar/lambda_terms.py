r"""Lambda terms: parsing and reduction to normal form.

    \v o x. v(agent(x), theme(o))

The notation is the one that NLTK's `nltk.sem.logic` reads, without types and connectives: `f(a, b)`
is `f(a)(b)`, and a name that no lambda binds is a constant. Terms are normalised by evaluation
(Berger and Schwichtenberg 1991): a lambda becomes a Python function and an application its call;
the result is converted back to a term.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, reduce
from typing import TypeAlias, Union

from amparser.errors import GrammarError, nesting
from amparser.grammar.irtg import Term
from amparser.logic.token_reader import TokenReader

Value: TypeAlias = Union[Term, "Callable[[Value], Value]"]
"""Value of a lambda term: a function, or a constant (`Term`) that is applied to values."""

_Code: TypeAlias = Callable[[Mapping[str, Value]], Value]
_TOKEN = re.compile(r"[^\s().,\\]+|[().,\\]")
_MARKS = frozenset("().,\\")
BOUND = "_"
"""Prefix of variables in normal forms, `_1`, `_2`, ...; names in texts must not begin with it."""


@cache
def lambda_term(text: str) -> Value:
    r"""Return the value of a closed term.

    >>> sees = lambda_term(r"\v x. v(x, Emma)")
    >>> found = normal_form(applied(applied(sees, lambda_term("see")), lambda_term("Ava")))
    >>> found == Term("see", (Term("Ava"), Term("Emma")))
    True

    Raises:
        GrammarError: the text is not a term (the message names the column), or the term has no
            normal form.
    """
    with nesting(
        GrammarError, f"lambda term {text!r}: without a normal form, or nested too deeply"
    ):
        return _Reader(text).read()({})


def applied(function: Value, argument: Value) -> Value:
    """Apply a value to an argument; the arguments of a constant become its children."""
    if isinstance(function, Term):
        return Term(function.label, (*function.children, argument))  # type: ignore[arg-type]
    return function(argument)


def normal_form(value: Value, depth: int = 1) -> Term:
    r"""Return a value as a term; a lambda is a node `\_1` above its body."""
    if not isinstance(value, Term):
        name = f"{BOUND}{depth}"
        return Term(f"\\{name}", (normal_form(value(Term(name)), depth + 1),))
    if not value.children:
        return value
    return Term(value.label, tuple(normal_form(child, depth) for child in value.children))


class _Reader(TokenReader):
    """Reader that compiles a term to a function from variable values to the term's value."""

    pattern = _TOKEN  # all other characters are part of names
    reserved = _MARKS
    error = GrammarError
    kind = "lambda term"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.bound: list[str] = []

    def read(self) -> _Code:
        code = self._term()
        self._expect("")
        return code

    def _term(self) -> _Code:
        if not self._accept("\\"):
            return self._application()
        names = [self._name("a variable")]
        while self.tokens[self.at] not in ("", *_MARKS):
            names.append(self._name("a variable"))
        self._expect(".", "'.' or a variable")
        self.bound += names
        code = self._term()
        del self.bound[-len(names) :]
        for name in reversed(names):
            code = _abstraction(name, code)
        return code

    def _application(self) -> _Code:
        if self._accept("("):
            code = self._term()
            self._expect(")")
        else:
            name = self._name("a name, '\\' or '('")
            code = _variable(name) if name in self.bound else _constant(name)
        while self._accept("("):
            code = reduce(_application, self._enclosed(self._term), code)
        return code

    def _name(self, wanted: str) -> str:
        if self.tokens[self.at].startswith(BOUND):
            self._fail(wanted)
        return self._word(wanted)


def _constant(name: str) -> _Code:
    term = Term(name)
    return lambda bindings: term


def _variable(name: str) -> _Code:
    return lambda bindings: bindings[name]


def _abstraction(name: str, body: _Code) -> _Code:
    return lambda bindings: lambda argument: body({**bindings, name: argument})


def _application(function: _Code, argument: _Code) -> _Code:
    return lambda bindings: applied(function(bindings), argument(bindings))
