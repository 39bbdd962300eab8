"""Polarities in variable-free formulas, to compare with those in first-order formulas."""

from collections.abc import Iterator

from amparser.logic.polarity import Polarity
from amparser.logic.vf import Term


def vf_polarities(term: Term) -> list[tuple[str, Polarity]]:
    """Each occurrence of a word in a variable-free formula, in lower case, from left to right."""
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
