"""Translate first-order formulas to variable-free ones, if possible.

A formula has a term if the restriction of each quantifier contains only its variable, and a part
between two quantifiers only the variables of the innermost one or two. A formula such as

    exists x.(cat(x) & old(x) & run(x))

does not determine which conjuncts restrict the quantifier, but the grammar does (Table 12 of Yanaka
et al. 2021). A restriction is a noun with at most one modifier, which is an adjective or a relative
clause. A verb phrase is a verb, a verb with an adverb, two verbs, or one part that is not an atom.
If several splits remain, all readings are returned.
"""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError
from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or, free_variables
from amparser.logic.fol_equivalence import alpha_normal
from amparser.logic.vf import ARITIES, NUMERALS, Term

_ADJECTIVES = "crazy cute dirty large lazy old polite small wild young"
_ADVERBS = "angrily calmly gracefully happily lazily quickly sadly seriously slowly suddenly"
_KINDS = {
    **dict.fromkeys(_ADJECTIVES.split(), "adjective"),
    **dict.fromkeys(_ADVERBS.split(), "adverb"),
}
"""Words of SyGNS that distinguish modifiers from verb phrases (appendix A; ten of each)."""


def vf_readings(formula: Formula) -> list[Term]:
    """Return all terms of a formula that the grammar allows, shortest restriction first.

    They differ in the conjuncts that restrict an outermost existential quantifier. If the grammar
    allows no split, all splits are returned. There is at least one term, and
    `amparser.logic.vf.fol_from_vf` maps each back to the formula, up to names.

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
    """Return the term of a formula over the variables at these places, innermost last."""
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
    """Return the quantifier and its conjuncts without the numeral."""
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
    """Return possible numbers of restricting conjuncts; the other conjuncts are the scope."""
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
