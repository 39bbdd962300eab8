r"""From lambda terms to logical forms: variable-free ones and those of COGS.

    give(agent(the(girl)), recipient(?), theme(cake(nmod(on, table))))

is SLOG's `give ( agent = * girl , recipient = ? , theme = cake ( nmod . on = table ) )`.
`the` marks a definite noun. The last argument of a role is its value; the others
belong to the role's name. A term with lambdas is the meaning of a single word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amparser.errors import GrammarError
from amparser.grammar.irtg import Term
from amparser.grammar.reader import term_to_str
from amparser.logic.cogs import Atom, Bound, LogicalForm
from amparser.logic.varfree import Term as VarFree
from amparser.notations.cogs_encoding import DEFINITE, EVENT
from amparser.notations.varfree_conversion import logical_form_from_varfree

_LAMBDA = "\\"


def varfree_of(meaning: Term) -> VarFree:
    """The variable-free form of a meaning; the bare word if the meaning has lambdas.

    Raises:
        GrammarError: the term is not a variable-free form.
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
    """The COGS form of a meaning, given the sentence.

    A noun may differ from its token in capitals (COGS has `tv` for TV).

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
        return LogicalForm((Atom((body.label,), terms),), bound=tuple(letters.values()))
    atoms = tuple(
        Atom((body.label, role.label), (Bound(EVENT), Bound(letters[role.children[0].label])))
        for role in body.children
    )
    return LogicalForm(atoms, bound=(*letters.values(), EVENT))


def _body(meaning: Term) -> tuple[Term, list[str]]:
    """A term without its outermost lambdas, and the variables that they bind."""
    variables = []
    while meaning.label.startswith(_LAMBDA):
        variables.append(meaning.label.removeprefix(_LAMBDA))
        [meaning] = meaning.children
    return meaning, variables


def _labels(meaning: Term) -> Iterator[str]:
    yield meaning.label
    for child in meaning.children:
        yield from _labels(child)
