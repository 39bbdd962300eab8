"""Algebras: what the terms of an interpretation mean.

They go by the names of Alto's classes, so that its grammars can be read
(Gontrum, Groschwitz, Koller and Teichmann 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amparser.errors import GrammarError
from amparser.grammar.irtg import Derivation, Term, term_of

CONCATENATION = "*"
STRING = "de.up.ling.irtg.algebra.StringAlgebra"
TREE = "de.up.ling.irtg.algebra.TreeAlgebra"


def string_of(term: Term) -> tuple[str, ...]:
    """The words of a term of the string algebra: `*` joins, everything else is a word.

    >>> string_of(Term("*", (Term("the"), Term("cat"))))
    ('the', 'cat')

    Raises:
        GrammarError: a word has children.
    """
    if not term.children:
        return (term.label,)
    if term.label != CONCATENATION:
        raise GrammarError(f"{term.label!r} is no operation of the string algebra, expected '*'")
    return tuple(word for child in term.children for word in string_of(child))


def tree_of(term: Term) -> Term:
    """A term of the tree algebra denotes itself."""
    return term


ALGEBRAS: Mapping[str, Callable[[Term], object]] = {STRING: string_of, TREE: tree_of}


def value(derivation: Derivation, interpretation: str, algebra: str) -> object:
    """What a derivation denotes in an interpretation, by the name of its algebra."""
    return ALGEBRAS[algebra](term_of(derivation, interpretation))
