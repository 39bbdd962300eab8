"""SLOG's variable-free notation; it shares its graphs with the COGS notation.

The conversion to COGS needs the sentence, because constants of COGS are positions of tokens. A noun
or name occurs once in the sentence, spelled as in the form. Verbs are inflected and may occur
several times, so their positions are determined by order alone, whatever their spelling:

- Candidates for verbs are the tokens that are not nouns, names, determiners (the token before a
  noun), prepositions, wh-words (before the first noun), punctuation or function words.
- Constituents are contiguous, a relative clause follows its noun, and a complement clause follows
  all other arguments of its verb. A verb is therefore the leftmost candidate that is not in a
  relative clause of an argument before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.errors import TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import (
    Atom,
    LogicalForm,
    Name,
    Question,
    Term as CogsTerm,
    Variable,
    equivalent,
)
from amparser.logic.varfree import Term, varfree_from_str
from amparser.notations.cogs import CogsNotation
from amparser.notations.cogs_from_graph import logical_form_from_graph
from amparser.notations.graph_from_cogs import (
    MODIFIER,
    QUESTION,
    graph_from_logical_form,
    leftmost_source,
)
from amparser.notations.notation import Equality, Notation


class VarfreeNotation(CogsNotation):
    """Nested terms without variables, such as `give ( agent = Emma , theme = * cake )`."""

    name = "varfree"

    def read(self, text: str) -> Term:
        """Return the term of a text. Raises LogicError if the text is malformed."""
        return varfree_from_str(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the COGS logical form determined by the term and the sentence."""
        return graph_from_logical_form(tokens, logical_form_from_varfree(tokens, self.read(text)))

    def write(self, graph: SGraph) -> str:
        """Return the variable-free form of the graph's COGS logical form."""
        return str(varfree_from_logical_form(logical_form_from_graph(graph)))

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Implement `Notation.written`."""
        if len(tokens) == 1 and (text := self.write(graph)) == tokens[0]:
            return text
        return Notation.written(self, tokens, graph)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare forms up to the order of arguments; `Equality.graph` compares COGS forms."""
        if _sorted(wanted) == _sorted(found):
            return Equality(True, True)
        forms = [logical_form_from_varfree(tokens, term) for term in (wanted, found)]
        return Equality(False, equivalent(*forms))


def _sorted(term: Term) -> Term:
    arguments = [(role, _sorted(value)) for role, value in term.arguments]
    return Term(term.word, tuple(sorted(arguments, key=lambda a: (a[0], str(a[1])))), term.definite)


VARFREE = VarfreeNotation()


FUNCTION_WORDS = frozenset({"was", "by", "that", "to", "did"})
"""Words of COGS and SLOG, apart from determiners, that never express a constant."""


def varfree_from_logical_form(logical_form: LogicalForm) -> Term:
    """Return the variable-free form of a COGS logical form.

    A primitive becomes a single word; the roles of a primitive verb are lost. A noun is written
    with its modifiers at each mention, except inside these modifiers. Raises TranslateError if a
    constant does not have exactly one predicate, or cannot be reached from the root.
    """
    if logical_form.name is not None:
        return Term(logical_form.name)
    atoms = (*logical_form.definites, *logical_form.atoms)
    if logical_form.bound:
        words = {atom.predicate[0] for atom in atoms}
        if len(words) != 1 or logical_form.definites:
            raise TranslateError("a primitive with several predicates has no variable-free form")
        return Term(words.pop())
    word_of: dict[Variable, str] = {}
    below: dict[Variable, list[tuple[tuple[str, ...], CogsTerm]]] = {}
    for atom in atoms:
        head, *arguments = atom.terms
        if not isinstance(head, Variable) or len(arguments) > 1:
            raise TranslateError(f"no variable-free form for {str(atom)!r}")
        if word_of.setdefault(head, atom.predicate[0]) != atom.predicate[0]:
            raise TranslateError(f"'{head}' belongs to two predicates")
        below.setdefault(head, []).extend((atom.predicate[1:], value) for value in arguments)
    arcs: dict[int, list[int]] = {}
    for head, pairs in below.items():
        inside = [value for _, value in pairs if isinstance(value, Variable)]
        if unknown := [value for value in inside if value not in word_of]:
            raise TranslateError(f"no predicate introduces '{unknown[0]}'")
        arcs[head.position] = [value.position for value in inside]
    if not arcs:
        raise TranslateError("an empty logical form has no variable-free form")
    definite = {atom.terms[0] for atom in logical_form.definites}
    nested: set[Variable] = set()

    def nest(constant: CogsTerm, above: tuple[CogsTerm, ...]) -> Term:
        if not isinstance(constant, Variable):
            return Term(str(constant))
        nested.add(constant)
        pairs = () if constant in above else below[constant]
        inside = tuple((role, nest(value, (*above, constant))) for role, value in pairs)
        return Term(word_of[constant], inside, constant in definite)

    with nesting(TranslateError, "a logical form too deep for the variable-free notation"):
        term = nest(Variable(leftmost_source(arcs)), ())
    for constant in sorted(word_of.keys() - nested, key=lambda v: v.position):
        raise TranslateError(
            f"'{constant}' ({word_of[constant]}) cannot be reached from the root, so the "
            "variable-free form cannot express it"
        )
    return term


def logical_form_from_varfree(tokens: Sequence[str], term: Term) -> LogicalForm:
    """Return the COGS logical form of a variable-free form, given the sentence.

    Raises TranslateError if the form does not fit the sentence, or if it is a single word other
    than a name, because such a word does not determine the logical form.
    """
    if len(tokens) == 1:
        if term.word != tokens[0] or term.arguments or term.definite:
            raise TranslateError(f"expected {tokens[0]!r} alone, found {str(term)!r}")
        if _is_name(term.word):
            return LogicalForm(name=term.word)
        raise TranslateError(f"{term.word!r} alone does not say which arguments it takes")
    with nesting(TranslateError, "a variable-free form nested too deeply"):
        return _Placing(tokens).logical_form(term)


def _is_name(word: str) -> bool:
    """Return True if a word begins with a capital and goes on in lower case: `Emma`, not `TV`."""
    return word[:1].isupper() and word[1:].islower()


@dataclass(eq=False)
class _Constant:
    """Constant of a sentence's logical form.

    Attributes:
        form: the first mention of the constant.
        place: position in the sentence, from 0; -1 if it is not known yet.
        arguments: roles with their arguments.
        own: the arguments that no earlier constant of the form has.
    """

    form: Term
    is_verb: bool
    place: int = -1
    arguments: list[tuple[tuple[str, ...], _Constant]] = field(default_factory=list)
    own: list[_Constant] = field(default_factory=list)

    @property
    def verb_count(self) -> int:
        return self.is_verb + sum(argument.verb_count for argument in self.own)

    @property
    def term(self) -> CogsTerm:
        if self.form.word == QUESTION:
            return Question()
        is_name = _is_name(self.form.word) and not (self.form.definite or self.form.arguments)
        return Name(self.form.word) if is_name else Variable(self.place)


class _Placing:
    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.nouns: dict[str, _Constant] = {}
        self.verbs: list[_Constant] = []
        self.prepositions: set[str] = set()

    def logical_form(self, term: Term) -> LogicalForm:
        root = self._constant(term)
        if not isinstance(root.term, Variable):
            raise TranslateError(f"{term.word!r} is not the meaning of {len(self.tokens)} tokens")
        for word, noun in self.nouns.items():
            noun.place = self._noun_place(word)
        nouns = self.nouns.values()
        # Unless it is a name, the first token is a determiner or a wh-word.
        taken = {noun.place for noun in nouns} | {0}
        taken |= {noun.place - 1 for noun in nouns if isinstance(noun.term, Variable)}
        others = self.prepositions | FUNCTION_WORDS
        places = [
            place
            for place, token in enumerate(self.tokens)
            if place not in taken and token not in others and token.isalpha()
        ]
        if len(places) != root.verb_count:
            found = " ".join(self.tokens[place] for place in places)
            raise TranslateError(
                f"expected {root.verb_count} verbs in the sentence, found {len(places)}: {found!r}"
            )
        self._place(root, places)
        # Sorting is stable, so a noun stays before its modifiers, and roles keep their order.
        constants = sorted([*nouns, *self.verbs], key=lambda constant: constant.place)
        definites = (c for c in constants if c.form.definite)
        return LogicalForm(
            tuple(atom for constant in constants for atom in _atoms(constant)),
            tuple(Atom((c.form.word,), (c.term,)) for c in definites),
        )

    def _constant(self, term: Term) -> _Constant:
        is_verb = any(role[0] != MODIFIER for role, _ in term.arguments)
        if not is_verb and term.word in self.nouns:
            first = self.nouns[term.word].form
            if term.definite != first.definite or term.arguments not in ((), first.arguments):
                raise TranslateError(f"{str(term)!r} contradicts {str(first)!r} before it")
            return self.nouns[term.word]
        if (is_verb and term.definite) or (term.word == QUESTION and term != Term(QUESTION)):
            raise TranslateError(f"no logical form for {str(term)!r}")
        constant = _Constant(term, is_verb)
        if is_verb:
            self.verbs.append(constant)
        else:
            self.nouns[term.word] = constant
        for role, value in term.arguments:
            known = len(self.nouns) + len(self.verbs)
            argument = self._constant(value)
            constant.arguments.append((role, argument))
            if len(self.nouns) + len(self.verbs) > known:
                constant.own.append(argument)
            self.prepositions.update(role[1:])
        return constant

    def _noun_place(self, word: str) -> int:
        if word == QUESTION:
            return 0
        places: list[int] = []
        for folded in (str, str.casefold):  # COGS writes `tv` for the token `TV`
            same = (p for p, token in enumerate(self.tokens) if folded(token) == folded(word))
            places = places or list(same)
        if len(places) != 1:
            raise TranslateError(
                f"expected {word!r} once in the sentence, found it {len(places)} times"
            )
        return places[0]

    def _place(self, constant: _Constant, places: Sequence[int]) -> None:
        """Assign positions to the verbs of a constituent.

        `places` has one position for each verb, in ascending order; `constant` is the head.
        """
        clauses = [own for own in constant.own if own.is_verb]
        phrases = [own for own in constant.own if not own.is_verb]
        if constant.is_verb:
            phrases.sort(key=lambda phrase: phrase.place)
        at = 0
        for phrase in phrases:
            if constant.is_verb and constant.place < 0 and places[at] < phrase.place:
                constant.place = places[at]
                at += 1
            self._place(phrase, places[at : at + phrase.verb_count])
            at += phrase.verb_count
        if constant.is_verb and constant.place < 0:
            constant.place = places[at]
            at += 1
        for clause in clauses:
            self._place(clause, places[at : at + clause.verb_count])
            at += clause.verb_count


def _atoms(constant: _Constant) -> list[Atom]:
    word, term = constant.form.word, constant.term
    if not isinstance(term, Variable):
        return []
    arguments = [Atom((word, *role), (term, c.term)) for role, c in constant.arguments]
    bare = not constant.is_verb and not constant.form.definite
    return [Atom((word,), (term,)), *arguments] if bare else arguments
