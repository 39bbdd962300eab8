"""Polarity of content words, by the monotonicity calculus.

A word is upward if replacing it by a wider word preserves truth, and downward if replacing it by a
narrower word does: in "all dogs ran", `dog` is downward and `run` is upward (Yanaka et al. 2021,
section 3.3 and Tables 3 and 13; van Benthem 1986; van Eijck 2005). Negation, the antecedent of an
implication and the restriction of ALL reverse polarity; other operators preserve it. Numerals are
not content words, neither as predicates of a formula nor as quantifiers of a term.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from amparser.logic.fol import Atom, Formula, Implies, Not, parts_of
from amparser.logic.vf import NUMERALS

_NUMERALS = frozenset(numeral.lower() for numeral in NUMERALS)


class Polarity(Enum):
    """Direction in which a word can be replaced while preserving truth."""

    UPWARD = "upward"
    DOWNWARD = "downward"
    NONE = "none"

    def reversed(self) -> Polarity:
        """Return the polarity below a negation."""
        turned = {Polarity.UPWARD: Polarity.DOWNWARD, Polarity.DOWNWARD: Polarity.UPWARD}
        return turned.get(self, self)


def fol_polarities(formula: Formula) -> list[tuple[str, Polarity]]:
    """Return each content word of a formula with its polarity, from left to right.

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
        case Implies(antecedent, consequent):
            yield from _in_formula(antecedent, polarity.reversed())
            yield from _in_formula(consequent, polarity)
        case _:
            for part in parts_of(formula):
                yield from _in_formula(part, polarity)
