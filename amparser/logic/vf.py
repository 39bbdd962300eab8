"""Variable-free formulas of SyGNS (Yanaka et al. 2021, section 3.3 and Table 12).

    TWO AND MONKEY POLITE NOT EXIST CHRIS KICK

Terms are in prefix notation: a quantifier takes a restriction and a scope, AND and OR take two
terms, NOT and INV take one, and any other symbol is a word. A term denotes a relation, whose
arguments are its *places*. The term of a sentence has no places. A restriction has one place, and a
scope has one place more than the term of its quantifier; the quantifier binds this last place.
Downward monotone quantifiers are negations: "few" is NOT FEW, where FEW is "a few" (Yanaka et al.
2020, appendix A.1). INV exchanges the two places of a relation: `ALL DOG CHASE` means "who chased
all dogs", and `ALL DOG INV CHASE` means "whom all dogs chased".

This module also translates first-order formulas to variable-free ones, if possible: a restriction
may contain only its quantifier's variable, and any other atom only the variables of the innermost
one or two quantifiers. A formula such as

    exists x.(cat(x) & old(x) & run(x))

does not show which conjuncts are the restriction of the quantifier. The grammar limits the
possibilities (Table 12 of Yanaka et al. 2021). A restriction is a noun with at most one modifier
(an adjective or a relative clause). A verb phrase is a verb, a verb with an adverb, two verbs, or
one part that is not an atom. All possible terms are *readings* of the formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

from amparser.errors import InputError, LogicError, nesting
from amparser.logic.fol import (
    All,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    alpha_normal,
    free_variables,
)
from amparser.logic.token_reader import TokenReader

NUMERALS = ("TWO", "THREE", "FEW", "SEVERAL", "AT_LEAST_THREE", "MORE_THAN_THREE")
"""Existential quantifiers with a number; SyGNS uses the first two."""
QUANTIFIERS = frozenset({"ALL", "EXIST", *NUMERALS})
ARITIES = {**dict.fromkeys((*QUANTIFIERS, "AND", "OR"), 2), "NOT": 1, "INV": 1}
"""Number of terms that each symbol takes; symbols that are not listed take none."""
_WORD = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Term:
    """A symbol and the terms that it takes. Raises LogicError if their number is wrong."""

    symbol: str
    terms: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        arity = ARITIES.get(self.symbol, 0)
        if len(self.terms) != arity:
            raise LogicError(f"expected {arity} terms below {self.symbol}, found {len(self.terms)}")

    def __str__(self) -> str:
        """Return the text, with symbols separated by single spaces.

        >>> str(Term("ALL", (Term("DOG"), Term("NOT", (Term("RUN"),)))))
        'ALL DOG NOT RUN'
        """
        return " ".join((self.symbol, *map(str, self.terms)))


def vf_from_str(text: str) -> Term:
    """Read a term.

    >>> vf_from_str("ALL DOG NOT RUN").terms[1]
    Term(symbol='NOT', terms=(Term(symbol='RUN', terms=()),))
    >>> vf_from_str("ALL DOG NOT")
    Traceback (most recent call last):
    amparser.errors.LogicError: column 12 (token 4): expected a term below 'NOT', found the end

    Raises:
        LogicError: the text does not follow the notation; the message names the expected token
            and gives the column and number (both from 1) of the token found.
    """
    with nesting(LogicError, "variable-free formula nested too deeply"):
        return _Reader(text).whole()


class _Reader(TokenReader):
    numbered = True

    def whole(self) -> Term:
        term = self._term("a term")
        self._expect("")
        return term

    def _term(self, wanted: str) -> Term:
        symbol = self._match(_WORD, wanted)
        arity = ARITIES.get(symbol, 0)
        return Term(symbol, tuple(self._term(f"a term below {symbol!r}") for _ in range(arity)))


def fol_from_vf(term: Term) -> Formula:
    """Return the first-order formula of a term, with variables x1, x2, ... in order.

    >>> str(fol_from_vf(vf_from_str("EXIST AND DOG ALL CAT INV SEE RUN")))
    'exists x1.(dog(x1) & all x2.(cat(x2) -> see(x2,x1)) & run(x1))'

    Raises:
        LogicError: a word has more than two places or none, or INV does not have two.
    """
    return _denoted(term, (), (f"x{number}" for number in count(1)))


def _denoted(term: Term, places: tuple[str, ...], fresh: Iterator[str]) -> Formula:
    """Return the formula of a term applied to the variables `places`."""
    match term.symbol, term.terms:
        case ("AND" | "OR") as symbol, (left, right):
            first = _denoted(left, places, fresh)
            parts = (first, _denoted(right, places, fresh))
            return And(parts) if symbol == "AND" else Or(parts)
        case "NOT", (body,):
            return Not(_denoted(body, places, fresh))
        case "INV", (relation,):
            if len(places) != 2:
                raise LogicError(f"expected two places for INV, found {len(places)}")
            return _denoted(relation, places[::-1], fresh)
        case quantifier, (restriction, scope):
            variable = next(fresh)
            restricted = _denoted(restriction, (variable,), fresh)
            scoped = _denoted(scope, (*places, variable), fresh)
            if quantifier == "ALL":
                return All(variable, Implies(restricted, scoped))
            numeral = [Atom(quantifier.lower(), (variable,))] if quantifier in NUMERALS else []
            return Exists(variable, And((*numeral, restricted, scoped)))
        case word, _:
            if len(places) not in (1, 2):
                raise LogicError(
                    f"expected one or two places for the word {word}, found {len(places)}"
                )
            return Atom(word.lower(), places)


@dataclass(frozen=True, slots=True)
class Form:
    """Term whose symbols are aligned with the words of a sentence.

    Attributes:
        term: the term.
        parts: the forms of its subterms.
        words: positions (from 0) of the words with which its own symbol is aligned.
    """

    term: Term
    parts: tuple[Form, ...] = field(compare=False)
    words: tuple[int, ...] = field(compare=False)

    @property
    def symbol(self) -> str:
        """The symbol of the term."""
        return self.term.symbol

    def positions(self) -> tuple[int, ...]:
        """Return the positions of all words of the form, from left to right."""
        places = set(self.words)
        for part in self.parts:
            places.update(part.positions())
        return tuple(sorted(places))


Reading: TypeAlias = Callable[[Sequence[Sequence[str]]], Sequence[Form | InputError]]
"""A function that returns, for each tokenized sentence, its form or the reason why it has none."""


def phrase(tokens: Sequence[str], positions: Sequence[int]) -> str:
    """Return the words from the first to the last of the given positions."""
    return " ".join(tokens[positions[0] : positions[-1] + 1]) if positions else ""


_ADJECTIVES = "crazy cute dirty large lazy old polite small wild young"
_ADVERBS = "angrily calmly gracefully happily lazily quickly sadly seriously slowly suddenly"
_KINDS = {
    **dict.fromkeys(_ADJECTIVES.split(), "adjective"),
    **dict.fromkeys(_ADVERBS.split(), "adverb"),
}
"""Kinds of modifiers in SyGNS (appendix A); any other word counts as a verb."""


def vf_readings(formula: Formula) -> list[Term]:
    """Return all terms of a formula that the grammar allows, shortest restriction first.

    The terms differ in the conjuncts that restrict an outermost existential quantifier. If the
    grammar allows no term, return all terms. `fol_from_vf` maps each term back to the formula, up
    to names of variables.

    >>> from amparser.logic.fol import fol_from_str
    >>> formula = fol_from_str("exists x.(cat(x) & old(x) & all y.(dog(y) -> see(x,y)))")
    >>> str(vf_readings(formula)[0])
    'EXIST AND CAT OLD ALL DOG SEE'

    Raises:
        LogicError: the formula has no term, or a predicate is not a word of the notation.
    """
    formula = alpha_normal(formula)
    if not isinstance(formula, Exists):
        return [_term(formula, ())]
    quantifier, conjuncts = _existential(formula)
    return [
        _quantified(quantifier, formula.variable, conjuncts, split, ())
        for split in _splits(conjuncts)
    ]


def _term(formula: Formula, places: tuple[str, ...]) -> Term:
    """Return the term that gives the formula when applied to the variables `places`."""
    match formula:
        case Atom(predicate, arguments):
            if arguments == places and len(places) < 3:
                return _word(predicate)
            if len(places) == 2 and arguments == places[::-1]:
                return Term("INV", (_word(predicate),))
            about = " and ".join(places) or "no variable"
            raise LogicError(f"not variable-free: expected an atom about {about}, found {formula}")
        case Not(body):
            return Term("NOT", (_term(body, places),))
        case And(parts):
            return _joined("AND", parts, places)
        case Or(parts):
            return _joined("OR", parts, places)
        case All(variable, Implies(antecedent, consequent)):
            restriction = _term(antecedent, (variable,))
            return Term("ALL", (restriction, _term(consequent, (*places, variable))))
        case Exists(variable):
            quantifier, conjuncts = _existential(formula)
            if places:
                outer = frozenset(places)
                restricting = [not free_variables(part) & outer for part in conjuncts]
                split = (*restricting, False).index(False)
            else:
                split = _splits(conjuncts)[0]
            return _quantified(quantifier, variable, conjuncts, split, places)
        case All() | Implies():
            raise LogicError(f"not variable-free: expected `all x.(... -> ...)`, found {formula}")


def _existential(formula: Exists) -> tuple[str, tuple[Formula, ...]]:
    """Return a quantifier's symbol, and its conjuncts without a numeral such as `two(x)`."""
    body = formula.body
    conjuncts = body.parts if isinstance(body, And) else (body,)
    for numeral in NUMERALS:
        if conjuncts[0] == Atom(numeral.lower(), (formula.variable,)):
            return numeral, conjuncts[1:]
    return "EXIST", conjuncts


def _quantified(
    quantifier: str,
    variable: str,
    conjuncts: Sequence[Formula],
    split: int,
    places: tuple[str, ...],
) -> Term:
    """Return the term of an existential quantifier restricted by the first `split` conjuncts."""
    if not 0 < split < len(conjuncts):
        raise LogicError(
            f"not variable-free: expected restriction and scope of {variable}, "
            f"found {' & '.join(map(str, conjuncts)) or 'neither'}"
        )
    restriction = _joined("AND", conjuncts[:split], (variable,))
    return Term(quantifier, (restriction, _joined("AND", conjuncts[split:], (*places, variable))))


def _joined(symbol: str, parts: Sequence[Formula], places: tuple[str, ...]) -> Term:
    """Join parts by a binary symbol, nested to the right."""
    first = _term(parts[0], places)
    if len(parts) == 1:
        return first
    return Term(symbol, (first, _joined(symbol, parts[1:], places)))


def _splits(conjuncts: Sequence[Formula]) -> list[int]:
    """Return the possible numbers of conjuncts in the restriction; the others are the scope."""
    kinds = [_kind(part) for part in conjuncts]
    places = range(1, len(kinds))
    good = [
        split
        for split in places
        if _is_verb_phrase(kinds[split:])
        and (split == 1 or kinds[1:split] == ["adjective"] or _is_verb_phrase(kinds[1:split]))
    ]
    return good or list(places) or [0]


def _kind(part: Formula) -> str:
    return _KINDS.get(part.predicate, "verb") if isinstance(part, Atom) else "phrase"


def _is_verb_phrase(kinds: list[str]) -> bool:
    return kinds in (["phrase"], ["verb"], ["verb", "verb"], ["verb", "adverb"])


def _word(predicate: str) -> Term:
    word = predicate.upper()
    if word in ARITIES or word.lower() != predicate:
        raise LogicError(f"expected a lower-case predicate, not an operator, found {predicate!r}")
    return Term(word)
