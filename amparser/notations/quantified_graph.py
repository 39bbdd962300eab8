"""Convert formulas of the notation `quantified` to and from scoped s-graphs.

The graphs are as in `amparser.notations.scoped_graph`, with these differences:

    NOT FEW CAT RUN           not_few -restr-> cat, not_few -scope-> run
    AND CAT IN_THE_AREA       in_the_area -mod-> cat
    AND AND CAT SMALL c       small -mod-> cat, cat -rel-> c      (`c` is a clause)
    Slowly, ... CAT AND RUN SLOWLY      slowly -mod-> the quantifier of the subject

A modifier at the beginning of a sentence has the same formula as a modifier after the verb. In the
graph, it is attached to the subject's quantifier, which keeps AM trees projective.

A downward monotone quantifier such as `not_few` is one node. A multi-word expression is one token,
joined by underscores (`at_most_three`, `in_the_area`, `ate_dinner`). Conjuncts are written in a
fixed order: the noun or verb, then modifiers in alphabetical order, then a relative clause.
"""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.vf import QUANTIFIERS, Form, Term, vf_from_str
from amparser.notations.scoped import VfNotation
from amparser.notations.scoped_graph import (
    MODIFIER,
    RELATIVE,
    RESTRICTION,
    SCOPE,
    THEME,
    ScopedWriter,
    SentenceAligner,
)

_NOT = "not_"
_PRONOUNS = ("that", "which")
_COMMA = ","


def graph_from_quantified(tokens: Sequence[str], term: Term) -> SGraph:
    """Return the graph of a sentence's formula; a node's identifier is its token (from 1).

    Raises TranslateError if the formula does not fit the sentence; the message names the token.
    """
    return _Aligner(tokens).graph(term)


class _Aligner(SentenceAligner):
    no_nodes = _PRONOUNS

    def _sentence(self, term: Term) -> int:
        if self._next(1) != _COMMA:
            return super()._sentence(term)
        front = self._node(self._next().lower())
        self.at += 1
        subject, _, scope = self._noun_phrase(term)
        self._edge(front, MODIFIER, subject)
        self._edge(subject, SCOPE, self._verb_phrase(self._without(scope, front)))
        return subject

    def _without(self, scope: Term, front: int) -> Term:
        head, *conjuncts = _conjuncts(scope)
        modifier = Term((self.nodes[front].label or "").upper())
        if modifier not in conjuncts:
            raise TranslateError(f"token {front}: expected {modifier} in the scope of the subject")
        conjuncts.reverse()
        conjuncts.remove(modifier)
        for part in reversed(conjuncts):
            head = Term("AND", (head, part))
        return head

    def _noun_phrase(self, term: Term) -> tuple[int, int, Term]:
        negation = ""
        if term.symbol == "NOT":
            negation, [term] = _NOT, term.terms
        if term.symbol not in QUANTIFIERS:
            self._fail(f"a noun phrase for {term.symbol}")
        quantifier = self._node(negation + term.symbol.lower())
        restriction, scope = term.terms
        head, *conjuncts = _conjuncts(restriction)
        words = [part.symbol for part in conjuncts if not part.terms]
        clauses = [part for part in conjuncts if part.terms]
        before = []
        while self._next().upper() in words:
            before.append(self._modifier(words))
        noun = self._leaf(head)
        for modifier in before:
            self._edge(modifier, MODIFIER, noun)
        while words:
            self.at += self._next() in _PRONOUNS
            self._edge(self._modifier(words), MODIFIER, noun)
        for part in clauses:
            self.at += self._next() in _PRONOUNS
            self._edge(noun, RELATIVE, self._clause(noun, part))
        self._edge(quantifier, RESTRICTION, noun)
        return quantifier, noun, scope

    def _clause(self, noun: int, term: Term) -> int:
        quantified = term.terms[0] if term.symbol == "NOT" else term
        if not quantified.terms:
            raise TranslateError(
                f"token {self.at + 1}: expected a relative clause, found {quantified.symbol}"
            )
        scope = quantified.terms[-1]
        if scope.symbol != "INV":
            return self._verb_phrase(term)
        subject, _, scope = self._noun_phrase(term)
        verb = self._leaf(scope.terms[0])
        self._edge(verb, THEME, noun)
        self._edge(subject, SCOPE, verb)
        return subject

    def _verb_phrase(self, term: Term) -> int:
        quantified = term.terms[0] if term.symbol == "NOT" else term
        if quantified.symbol in QUANTIFIERS:
            return self._with_object(quantified.terms[1], term)
        if term.symbol == "OR":
            return self._junction(self._leaf(term.terms[0]), term.terms[1])
        head, *conjuncts = _conjuncts(term)
        if len(conjuncts) == 1 and self._next(1) == "and":
            return self._junction(self._leaf(head), conjuncts[0])
        verb = self._leaf(head)
        words = [part.symbol for part in conjuncts]
        while words:
            self._edge(self._modifier(words), MODIFIER, verb)
        return verb

    def _modifier(self, symbols: list[str]) -> int:
        """Add a node for the next word, and remove its symbol from `symbols`."""
        symbol = self._next().upper()
        if symbol not in symbols:
            self._fail(f"a word for {min(symbols)}")
        symbols.remove(symbol)
        return self._node(symbol.lower())


def form_from_graph(graph: SGraph) -> Form:
    """Return the formula of a graph, aligned with the tokens of its nodes (from 0).

    Raises TranslateError if the graph has no formula; the message names the node.
    """
    return _Writer(graph).form(graph.root, None)


def ordered(term: Term) -> Term:
    """Return a formula with its conjuncts in the order in which the notation writes them."""
    if term.symbol != "AND":
        return Term(term.symbol, tuple(map(ordered, term.terms)))
    head, *others = map(ordered, _conjuncts(term))
    for part in sorted(others, key=_place):
        head = Term("AND", (head, part))
    return head


def _place(conjunct: Term) -> tuple[bool, str]:
    return bool(conjunct.terms), conjunct.symbol


def _conjunct_forms(form: Form, words: tuple[int, ...]) -> list[tuple[Form, tuple[int, ...]]]:
    """Return pairs of a conjunct and the positions of the words aligned with its AND."""
    if form.symbol != "AND":
        return [(form, words)]
    left, right = form.parts
    return [*_conjunct_forms(left, words), *_conjunct_forms(right, form.words)]


def _conjuncts(term: Term) -> list[Term]:
    if term.symbol != "AND":
        return [term]
    return [part for below in term.terms for part in _conjuncts(below)]


class _Writer(ScopedWriter):
    has_names = False

    def _quantified(self, node: int, parts: tuple[Form, ...]) -> Form:
        label = self._label(node)
        form = self._made(label.removeprefix(_NOT.upper()), parts, node)
        return self._made("NOT", (form,)) if label.startswith(_NOT.upper()) else form

    def _conjoined(self, head: Form, others: Sequence[Form]) -> Form:
        if not others:
            return head
        (first, _), *rest = _conjunct_forms(head, ())
        rest += [(other, ()) for other in others]
        for part, words in sorted(rest, key=lambda pair: _place(pair[0].term)):
            first = Form(Term("AND", (first.term, part.term)), (first, part), words)
        return first


class QuantifiedNotation(VfNotation):
    """The notation `vf` with quantifiers such as `few` and `at_most_three`."""

    name = "quantified"
    family = "quantified"
    metrics = ("match",)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the term (`amparser.notations.quantified_graph`)."""
        with nesting(LogicError):
            return graph_from_quantified(tokens, vf_from_str(text))

    def write(self, graph: SGraph) -> str:
        """Return the term of the graph, with conjuncts in a fixed order."""
        with nesting(LogicError):
            return str(ordered(form_from_graph(graph).term))


QUANTIFIED = QuantifiedNotation()
