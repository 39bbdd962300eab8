r"""Algebras, which evaluate the terms of an interpretation.

Algebras have the names of Alto's classes if Alto has them, so that its grammars can be read
(Gontrum, Groschwitz, Koller and Teichmann 2017).

* strings: `*` concatenates its children's values; a symbol without children is a word;
* trees: a term is its own value;
* lambda terms: a symbol is a lambda term, applied to its children's values; `@(f, a)` applies the
  first child to the others. The value is the normal form.

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
    """A set of values with an operation for each symbol; in the base class, terms are values."""

    def check(self, symbol: str, arity: int) -> None:
        """Raise GrammarError if a symbol is not an operation of this arity."""

    def apply(self, symbol: str, arguments: Sequence[Any]) -> Any:
        """Return the value of an operation."""
        return Term(symbol, tuple(arguments))

    def finished(self, value: Any) -> Any:
        """Return a value in the form that is shown."""
        return value


class StringAlgebra(Algebra):
    """Strings, as tuples of words."""

    def check(self, symbol: str, arity: int) -> None:
        """See `Algebra`; only `*` has arguments."""
        if arity and symbol != CONCATENATION:
            raise GrammarError(f"{symbol!r} is not a string operation, expected '*'")

    def apply(self, symbol: str, arguments: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Return a word, or the concatenation of strings."""
        return sum(arguments, ()) if arguments else (symbol,)


class LambdaAlgebra(Algebra):
    """Lambda terms, see `amparser.grammar.lambda_terms`."""

    def check(self, symbol: str, arity: int) -> None:
        """See `Algebra`; a symbol is `@` with arguments, or a closed term."""
        if symbol != APPLICATION:
            lambda_term(symbol)
        elif not arity:
            raise GrammarError("'@' needs at least one argument")

    def apply(self, symbol: str, arguments: Sequence[Any]) -> Any:
        """Apply the symbol, or the first argument of `@`, to the arguments, one by one."""
        if symbol == APPLICATION:
            return reduce(applied, arguments)
        return reduce(applied, arguments, lambda_term(symbol))

    def finished(self, value: Any) -> Term:
        """Return the normal form."""
        return normal_form(value)


ALGEBRAS: Mapping[str, Algebra] = {
    STRING: StringAlgebra(),
    TREE: Algebra(),
    LAMBDA: LambdaAlgebra(),
}


def value(derivation: Derivation, interpretation: str, algebra: str) -> Any:
    """Return the value of a derivation in an interpretation, given its algebra's name.

    Raises GrammarError if the algebra has no such operation, or the term has no normal form.
    """
    evaluator = ALGEBRAS[algebra]

    def of_term(term: Term, below: list[Any]) -> Any:
        if term.variable:
            return below[term.variable - 1]
        return evaluator.apply(term.label, [of_term(child, below) for child in term.children])

    def of_derivation(node: Derivation) -> Any:
        below = [of_derivation(child) for child in node.children]
        return of_term(node.rule.terms[interpretation], below)

    with nesting(GrammarError, "a lambda term without a normal form, or nested too deeply"):
        return evaluator.finished(of_derivation(derivation))
