"""Polarity of content words, by the monotonicity calculus.

A word is upward if replacing it by a wider word preserves truth, and downward if
replacing it by a narrower word does: in "all dogs ran", `dog` is downward and `run`
upward (Yanaka et al. 2021, section 3.3 and Tables 3 and 13; van Benthem 1986; van Eijck
2005). Negation, the antecedent of an implication and the restriction of ALL reverse
polarity; every other operator keeps it. Numerals are not content words, whether they are
predicates of a formula or quantifiers of a term.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or
from amparser.logic.vf import NUMERALS, Term

_NUMERALS = frozenset(numeral.lower() for numeral in NUMERALS)


class Polarity(Enum):
    """How the meaning changes with a word."""

    UPWARD = "upward"
    DOWNWARD = "downward"
    NONE = "none"

    def reversed(self) -> Polarity:
        """The polarity below a negation."""
        match self:
            case Polarity.UPWARD:
                return Polarity.DOWNWARD
            case Polarity.DOWNWARD:
                return Polarity.UPWARD
            case Polarity.NONE:
                return Polarity.NONE


def fol_polarities(formula: Formula) -> list[tuple[str, Polarity]]:
    """Each occurrence of a content word in a formula, from left to right.

    >>> from amparser.logic.fol import fol_from_str
    >>> [(w, p.value) for w, p in fol_polarities(fol_from_str("all x.(dog(x) -> -run(x))"))]
    [('dog', 'downward'), ('run', 'downward')]
    """
    return list(_in_formula(formula, Polarity.UPWARD))


def _in_formula(formula: Formula, polarity: Polarity) -> Iterator[tuple[str, Polarity]]:
    match formula:
        case Atom(predicate):
            if predicate not in _NUMERALS:
                yield predicate, polarity
        case Not(body):
            yield from _in_formula(body, polarity.reversed())
        case And(parts) | Or(parts):
            for part in parts:
                yield from _in_formula(part, polarity)
        case Implies(antecedent, consequent):
            yield from _in_formula(antecedent, polarity.reversed())
            yield from _in_formula(consequent, polarity)
        case Exists(_, body) | All(_, body):
            yield from _in_formula(body, polarity)


def vf_polarities(term: Term) -> list[tuple[str, Polarity]]:
    """Each occurrence of a word in a variable-free formula, in lower case, from left to right.

    >>> from amparser.logic.vf import vf_from_str
    >>> [(w, p.value) for w, p in vf_polarities(vf_from_str("ALL DOG EXIST CAT SEE"))]
    [('dog', 'downward'), ('cat', 'upward'), ('see', 'upward')]
    """
    return list(_in_term(term, Polarity.UPWARD))


def _in_term(term: Term, polarity: Polarity) -> Iterator[tuple[str, Polarity]]:
    match term.symbol, term.terms:
        case word, ():
            yield word.lower(), polarity
        case "NOT", (body,):
            yield from _in_term(body, polarity.reversed())
        case "ALL", (restriction, scope):
            yield from _in_term(restriction, polarity.reversed())
            yield from _in_term(scope, polarity)
        case _, terms:
            for below in terms:
                yield from _in_term(below, polarity)


def word_polarities(occurrences: list[tuple[str, Polarity]]) -> dict[str, Polarity]:
    """The polarity of each word: none, if it is upward here and downward there.

    >>> word_polarities([("dog", Polarity.UPWARD), ("dog", Polarity.DOWNWARD)])
    {'dog': <Polarity.NONE: 'none'>}
    """
    found: dict[str, Polarity] = {}
    for word, polarity in occurrences:
        same = found.get(word, polarity) is polarity
        found[word] = polarity if same else Polarity.NONE
    return found
