r"""Algebras, which evaluate the terms of an interpretation.

There are two algebras. Files name the string algebra by its class in Alto (Gontrum, Groschwitz,
Koller and Teichmann 2017).

* strings: `*` concatenates the values of its children; a symbol without children is a word;
* lambda terms: a symbol is a lambda term that is applied to the values of its children; `@(f, a)`
  applies the first child to the other children. The value is the normal form.

    '\v o x. v(agent(x), theme(o))'(see, Emma)   denotes   \_1. see(agent(_1), theme(Emma))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from amparser.errors import GrammarError, nesting
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.lambda_terms import applied, lambda_term, normal_form

APPLICATION = "@"
STRING = "de.up.ling.irtg.algebra.StringAlgebra"
LAMBDA = "amparser.grammar.algebras.LambdaAlgebra"


def _string(symbol: str, arguments: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return sum(arguments, ()) if arguments else (symbol,)


def _lambda(symbol: str, arguments: Sequence[Any]) -> Any:
    return reduce(
        applied, arguments if symbol == APPLICATION else (lambda_term(symbol), *arguments)
    )


ALGEBRAS: Mapping[str, Callable[[str, Sequence[Any]], Any]] = {STRING: _string, LAMBDA: _lambda}
"""For each algebra, the function from a symbol and the values of its children to a value."""


def value(derivation: Derivation, interpretation: str, algebra: str) -> Any:
    """Return the value of a derivation in an interpretation; `algebra` names its algebra.

    Raises GrammarError if a lambda term is malformed or has no normal form.
    """
    apply = ALGEBRAS[algebra]

    def of_term(term: Term, below: list[Any]) -> Any:
        if term.variable:
            return below[term.variable - 1]
        return apply(term.label, [of_term(child, below) for child in term.children])

    def of_derivation(node: Derivation) -> Any:
        below = [of_derivation(child) for child in node.children]
        return of_term(node.rule.terms[interpretation], below)

    with nesting(GrammarError, "a lambda term without a normal form, or nested too deeply"):
        result = of_derivation(derivation)
        return normal_form(result) if algebra == LAMBDA else result
