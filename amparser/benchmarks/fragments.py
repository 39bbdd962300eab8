r"""The meaning of a grammar's derivation in each notation.

Grammars with the interpretation `varfree` have COGS meanings; grammars with `fol` and `form` have
formulas. A benchmark chooses the notations of its files. The value of a derivation is a lambda term
in normal form. For example,

    give(agent(the(girl)), recipient(?), theme(cake(nmod(on, table))))

is SLOG's `give ( agent = * girl , recipient = ? , theme = cake ( nmod . on = table ) )`. `the`
marks a definite noun. The last argument of a role such as `nmod(on, table)` is its value; other
arguments belong to its name (`nmod . on`). A term with lambdas is the meaning of a single word.

    not(exists(\_1(and(dog(_1), run(_1)))))   is   -exists x1.(dog(x1) & run(x1))
    not(exist(dog, run))                      is   NOT EXIST DOG RUN

`not`, `and`, `or`, `implies`, `exists` and `all` are operators; any other symbol is a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from amparser.errors import GrammarError, LogicError
from amparser.grammar.algebras import LAMBDA, value
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.lambda_terms import BOUND
from amparser.grammar.library import Library
from amparser.grammar.reader import term_to_str
from amparser.logic import cogs
from amparser.logic.clf import clauses_from_drs, clauses_to_str
from amparser.logic.cogs import Bound, LogicalForm
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol import QUANTIFIERS, And, Atom, Formula, Implies, Not, Or, alpha_normal
from amparser.logic.varfree import Term as VarFree
from amparser.logic.vf import Term as VFTerm
from amparser.notations.graph_from_cogs import DEFINITE, EVENT
from amparser.notations.varfree import logical_form_from_varfree

_FORMULA, _LAMBDA = "fol", "\\"
_JUNCTIONS: Mapping[str, type[And] | type[Or]] = {"and": And, "or": Or}


def varfree(derivation: Derivation) -> VarFree:
    """Return SLOG's variable-free form of a derivation."""
    return varfree_of(value(derivation, "varfree", LAMBDA))


def logical_form(library: Library, derivation: Derivation) -> LogicalForm:
    """Return the COGS form of a derivation; variables are token positions."""
    return logical_form_of(value(derivation, "varfree", LAMBDA), library.tokens(derivation))


def formula(derivation: Derivation) -> Formula:
    """Return the first-order formula of a derivation."""
    return formula_of(value(derivation, _FORMULA, LAMBDA))


def vf(derivation: Derivation) -> VFTerm:
    """Return the variable-free SyGNS formula of a derivation."""
    return vf_of(value(derivation, "form", LAMBDA))


def _clauses(derivation: Derivation) -> str:
    return clauses_to_str(clauses_from_drs(drs_from_fol(alpha_normal(formula(derivation)))))


MEANINGS: Mapping[str, Callable[[Library, Derivation], str]] = {
    "cogs": lambda library, derivation: str(logical_form(library, derivation)),
    "varfree": lambda _, derivation: str(varfree(derivation)),
    "fol": lambda _, derivation: str(alpha_normal(formula(derivation))),
    "vf": lambda _, derivation: str(vf(derivation)),
    "clf": lambda _, derivation: _clauses(derivation),
}
"""For each notation, a function that writes the meaning of a derivation for data files."""


def meaning_of(library: Library, derivation: Derivation) -> str:
    """Return the formula of a derivation if the grammar has formulas, else its COGS form."""
    if _FORMULA in library.grammar.interpretations:
        return str(formula(derivation))
    return str(logical_form(library, derivation))


# Translation of lambda terms to forms of COGS.


def varfree_of(meaning: Term) -> VarFree:
    """Return the variable-free form of a meaning; a word's meaning (with lambdas) becomes a word.

    Raises GrammarError if the term is not a variable-free form.
    """
    body, variables = _body(meaning)
    if variables:
        return VarFree(body.label)
    if meaning.label == DEFINITE and len(meaning.children) == 1:
        noun = varfree_of(meaning.children[0])
        return VarFree(noun.word, noun.arguments, definite=True)
    arguments = []
    for role in meaning.children:
        if not role.children or any(word.children for word in role.children[:-1]):
            raise GrammarError(f"expected a role with its value, found {term_to_str(role)}")
        name = (role.label, *(word.label for word in role.children[:-1]))
        arguments.append((name, varfree_of(role.children[-1])))
    return VarFree(meaning.label, tuple(arguments))


def logical_form_of(meaning: Term, tokens: Sequence[str]) -> LogicalForm:
    """Return the COGS form of the meaning of a sentence.

    A noun may differ from its token in case (COGS writes `tv` for TV).

    Raises:
        GrammarError: the term is not a variable-free form.
        TranslateError: the meaning does not fit the sentence.
    """
    body, variables = _body(meaning)
    if not variables:
        folded = {label.lower(): label for label in _labels(body)}
        tokens = [folded.get(token.lower(), token) for token in tokens]
        return logical_form_from_varfree(tokens, varfree_of(meaning))
    letters = {name: chr(ord("a") + i) for i, name in enumerate(variables)}
    if not any(argument.children for argument in body.children):
        terms = tuple(Bound(letters[argument.label]) for argument in body.children)
        return LogicalForm((cogs.Atom((body.label,), terms),), bound=tuple(letters.values()))
    atoms = tuple(
        cogs.Atom((body.label, role.label), (Bound(EVENT), Bound(letters[role.children[0].label])))
        for role in body.children
    )
    return LogicalForm(atoms, bound=(*letters.values(), EVENT))


def _body(meaning: Term) -> tuple[Term, list[str]]:
    variables = []
    while meaning.label.startswith(_LAMBDA):
        variables.append(meaning.label.removeprefix(_LAMBDA))
        [meaning] = meaning.children
    return meaning, variables


def _labels(meaning: Term) -> Iterator[str]:
    yield meaning.label
    for child in meaning.children:
        yield from _labels(child)


# Translation of lambda terms to first-order formulas and to variable-free formulas of SyGNS.


def formula_of(meaning: Term) -> Formula:
    """Return the first-order formula of a normal form; variables are x1, x2, ... by depth.

    Raises GrammarError if the term is not a formula.
    """
    match meaning.label, meaning.children:
        case "not", (body,):
            return Not(formula_of(body))
        case ("and" | "or") as label, (left, right):
            return _JUNCTIONS[label]((formula_of(left), formula_of(right)))
        case "implies", (left, right):
            return Implies(formula_of(left), formula_of(right))
        case ("exists" | "all") as label, (Term(bound, (body,)),) if bound.startswith("\\"):
            return QUANTIFIERS[label](_variable(bound.removeprefix("\\")), formula_of(body))
        case label, arguments if arguments and not any(a.children for a in arguments):
            return Atom(label, tuple(_variable(argument.label) for argument in arguments))
        case _:
            raise GrammarError(f"expected a formula, found {term_to_str(meaning)}")


def _variable(name: str) -> str:
    return f"x{name.removeprefix(BOUND)}" if name.startswith(BOUND) else name


def vf_of(meaning: Term) -> VFTerm:
    """Return the variable-free formula of a normal form; symbols are in upper case.

    Raises GrammarError if the term is not a variable-free formula.
    """
    try:
        return VFTerm(meaning.label.upper(), tuple(map(vf_of, meaning.children)))
    except LogicError as error:
        raise GrammarError(f"{error}, in {term_to_str(meaning)}") from None
