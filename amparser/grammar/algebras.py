r"""Algebras: what the terms of an interpretation mean.

Algebras have the names of Alto's classes, if Alto has them, so that its grammars can be
read (Gontrum, Groschwitz, Koller and Teichmann 2017).

* strings: `*` joins what its children denote, a symbol without children is a word;
* trees: a term denotes itself;
* lambda terms: a symbol is a lambda term, applied to what its children denote;
  `@(f, a)` applies the first child to the others. The value is the normal form.

        '\v o x. v(agent(x), theme(o))'(see, Emma)   denotes   \_1. see(agent(_1), theme(Emma))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from amparser.errors import GrammarError, nesting
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.lambda_terms import applied, lambda_term, normal_form

CONCATENATION = "*"
APPLICATION = "@"
STRING = "de.up.ling.irtg.algebra.StringAlgebra"
TREE = "de.up.ling.irtg.algebra.TreeAlgebra"
LAMBDA = "amparser.grammar.algebras.LambdaAlgebra"


class Algebra:
    """A set of values, and an operation on it for each symbol; here terms denote themselves."""

    def check(self, symbol: str, arity: int) -> None:
        """Raise GrammarError if a symbol is not an operation with so many arguments."""

    def apply(self, symbol: str, arguments: Sequence[Any]) -> Any:
        """The value of an operation."""
        return Term(symbol, tuple(arguments))

    def finished(self, value: Any) -> Any:
        """The value in the form that is shown."""
        return value


class StringAlgebra(Algebra):
    """Strings are tuples of words."""

    def check(self, symbol: str, arity: int) -> None:
        """Only `*` has arguments."""
        if arity and symbol != CONCATENATION:
            raise GrammarError(f"{symbol!r} is not a string operation, expected '*'")

    def apply(self, symbol: str, arguments: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """A word, or several strings joined."""
        return sum(arguments, ()) if arguments else (symbol,)


class LambdaAlgebra(Algebra):
    """Lambda terms, see `amparser.grammar.lambda_terms`."""

    def check(self, symbol: str, arity: int) -> None:
        """A symbol is `@` with arguments, or a closed term."""
        if symbol != APPLICATION:
            lambda_term(symbol)
        elif not arity:
            raise GrammarError("'@' applies its first argument to the others, and has none")

    def apply(self, symbol: str, arguments: Sequence[Any]) -> Any:
        """The symbol, or the first argument of `@`, applied to the arguments, one by one."""
        if symbol == APPLICATION:
            return reduce(applied, arguments)
        return reduce(applied, arguments, lambda_term(symbol))

    def finished(self, value: Any) -> Term:
        """The normal form."""
        return normal_form(value)


ALGEBRAS: Mapping[str, Algebra] = {
    STRING: StringAlgebra(),
    TREE: Algebra(),
    LAMBDA: LambdaAlgebra(),
}


def value(derivation: Derivation, interpretation: str, algebra: str) -> Any:
    """What a derivation denotes in an interpretation, by the name of its algebra.

    Raises:
        GrammarError: the algebra has no such operation, or the term no normal form.
    """
    found = ALGEBRAS[algebra]

    def of_term(term: Term, below: list[Any]) -> Any:
        if term.variable:
            return below[term.variable - 1]
        return found.apply(term.label, [of_term(child, below) for child in term.children])

    def of_derivation(node: Derivation) -> Any:
        below = [of_derivation(child) for child in node.children]
        return of_term(node.rule.terms[interpretation], below)

    with nesting(GrammarError, "a lambda term without a normal form, or one too deep"):
        return found.finished(of_derivation(derivation))
