"""Variable-free formula <-> scoped s-graph, aligned to the sentence.

A node for each token that means something, and these edges:

    TWO CAT NOT RUN               two -restr-> cat, two -scope-> not, not -op-> run
    EXIST CHRIS RUN               "chris" -scope-> run
    AND CAT SMALL, AND RUN SLOWLY small -mod-> cat, slowly -mod-> run
    OR RUN SWIM                   or -op1-> run, or -op2-> swim
    ... ALL DOG CHASE             all -restr-> dog, all -scope-> chase, chase -theme-> dog
    ... EXIST CHRIS CHASE         chase -theme-> "chris"
    AND CAT RUN                   cat -rel-> run       (a cat that ran)
    AND CAT ALL DOG INV CHASE     cat -rel-> all, all -scope-> chase, chase -theme-> cat

Scope is in the graph as it is in the formula; `theme` says whose variable is a verb's
second one. So INV has no node: it is where the theme is not bound next to the verb. Nouns
and verbs are in lower case, names in quotes. First-order formulas, boxes and clauses come
from the term (`amparser.logic`).

Of the monotonicity benchmark (Yanaka et al. 2020) there are more:

    NOT EXIST CAT RUN             not exist -restr-> cat, ...      (no cat ran)
    FEW CAT RUN                   "a" -next-> "few", "a" -restr-> cat, ...  (a few cats ran)
    AND RUN NEAR_THE_SHORE        "near" -next-> "the" -next-> "shore", "near" -mod-> run
    in front of the sentence      ... -mod-> the subject's quantifier

What is known here by name are the words that the grammars of the fragments put between
terms (Yanaka et al. 2021, Table 12; 2020, Table 6), and their quantifiers of several words.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.vf import QUANTIFIERS, Term

RESTRICTION, SCOPE, BODY = "restr", "scope", "op"
FIRST, SECOND = "op1", "op2"
MODIFIER, RELATIVE, THEME, NEXT = "mod", "rel", "theme", "next"
_DID, _NOT = "did", "not"
_PRONOUNS = ("that", "which")
# Quantifiers of several words, and what they say.
_PHRASES = {
    "AT_LEAST_THREE": "AT_LEAST_THREE",
    "AT_MOST_THREE": "NOT MORE_THAN_THREE",
    "MORE_THAN_THREE": "MORE_THAN_THREE",
    "LESS_THAN_THREE": "NOT AT_LEAST_THREE",
    "A_FEW": "FEW",
}


@dataclass(frozen=True, slots=True)
class AlignedTerm:
    """A term, its parts, and the tokens (from 1) that its symbol stands for."""

    symbol: str
    parts: tuple[AlignedTerm, ...]
    tokens: tuple[int, ...]

    def term(self) -> Term:
        """The term alone; raises LogicError where a symbol has another number of parts."""
        return Term(self.symbol, tuple(part.term() for part in self.parts))


def graph_from_vf(tokens: Sequence[str], term: Term) -> SGraph:
    """The graph of a sentence's formula; a node's identifier is its token (from 1).

    Raises:
        TranslateError: the formula does not fit the sentence; the message names the token.
    """
    aligner = _Aligner(tokens)
    root = aligner.sentence(term)
    return SGraph(aligner.nodes, tuple(aligner.edges), root)


def graph_from_readings(tokens: Sequence[str], terms: Iterable[Term]) -> SGraph:
    """The graph of the first of some terms that fits the sentence.

    Raises:
        TranslateError: none does; the message is that of the first.
    """
    problem: TranslateError | None = None
    for term in terms:
        try:
            return graph_from_vf(tokens, term)
        except TranslateError as error:
            problem = problem or error
    raise problem or TranslateError("no reading")


def _is_quantified(term: Term) -> bool:
    """Whether a term is a noun phrase with its scope; "no dog ran" is NOT EXIST DOG RUN."""
    return (_below_not(term) if term.symbol == "NOT" else term).symbol in QUANTIFIERS


def _below_not(term: Term) -> Term:
    return term.terms[0]


class _Aligner:
    """Reads the sentence from left to right along a formula."""

    def __init__(self, tokens: Sequence[str]) -> None:
        words = [token.lower() for token in tokens]
        self.tokens = words[:-1] if words[-1:] == ["."] else words
        self.at = 0
        self.nodes: dict[int, Node] = {}
        self.edges: list[Edge] = []

    def sentence(self, term: Term) -> int:
        front = self.tokens.index(",") if "," in self.tokens else None
        fronted = None if front is None else self._front(front)
        subject, _, scope = self._noun_phrase(term)
        if fronted is not None:
            scope = self._without_front(scope, fronted)
            self._edge(fronted, MODIFIER, subject)
        self._edge(subject, SCOPE, self._verb_phrase(scope))
        if self.at < len(self.tokens):
            self._fail("the end")
        return subject

    def _front(self, end: int) -> int:
        """What stands before a comma."""
        first = self._words(end) if end > 1 else self._node(self._next())
        self.at += 1
        return first

    def _without_front(self, scope: Term, fronted: int) -> Term:
        symbol = "_".join(self.tokens[fronted - 1 : self.tokens.index(",")]).upper()
        if scope.symbol != "AND" or scope.terms[1] != Term(symbol):
            raise TranslateError(f"token 1: expected what is in front as {symbol} in the formula")
        return scope.terms[0]

    def _noun_phrase(self, term: Term) -> tuple[int, int, Term]:
        """The quantifier and its noun (a name is both), and the term of its scope."""
        if not _is_quantified(term):
            self._fail(f"a noun phrase for {term.symbol}")
        negated = term.symbol == "NOT"
        if negated:
            term = _below_not(term)
        restriction, scope = term.terms
        if not restriction.terms and self._next().upper() == restriction.symbol:
            name = self._node(f'"{self._next()}"')
            return name, name, scope
        quantifier = self._quantifier(f"{'NOT ' * negated}{term.symbol}")
        noun, modifiers = restriction, []
        while noun.symbol == "AND":
            noun, modifier = noun.terms
            modifiers.append(modifier)
        if noun.terms:
            self._fail(f"a noun for {noun.symbol}")
        adjectives = []
        while modifiers and not modifiers[0].terms and self._next().upper() == modifiers[0].symbol:
            adjectives.append(self._leaf(modifiers.pop(0)))
        while (
            modifiers and not modifiers[-1].terms and self._next().upper() == modifiers[-1].symbol
        ):
            adjectives.append(self._leaf(modifiers.pop()))
        head = self._node(noun.symbol.lower())
        for adjective in adjectives:
            self._edge(adjective, MODIFIER, head)
        for modifier in reversed(modifiers):
            self._modified(head, modifier)
        self._edge(quantifier, RESTRICTION, head)
        return quantifier, head, scope

    def _quantifier(self, symbol: str) -> int:
        for phrase, said in _PHRASES.items():
            words = phrase.lower().split("_")
            if said == symbol and self.tokens[self.at : self.at + len(words)] == words:
                return self._words(self.at + len(words))
        return self._node(symbol.lower())

    def _modified(self, noun: int, term: Term) -> None:
        """What stands behind a noun: a place, or a relative clause."""
        if not term.terms and "_" in term.symbol:
            self.at += self._next() in _PRONOUNS
            self._edge(self._leaf(term), MODIFIER, noun)
            return
        self.at += self._next() in _PRONOUNS
        self._edge(noun, RELATIVE, self._relative(noun, term))

    def _relative(self, noun: int, term: Term) -> int:
        """A clause in which the noun is the subject or the object."""
        if not _is_quantified(term):
            return self._verb_phrase(term)
        inner = _below_not(term) if term.symbol == "NOT" else term
        scope = inner.terms[1]
        if (_below_not(scope) if scope.symbol == "NOT" else scope).symbol != "INV":
            return self._verb_phrase(term)
        subject, _, scope = self._noun_phrase(term)
        top = None
        if scope.symbol == "NOT":
            top, scope = self._negation(), _below_not(scope)
        verb = self._leaf(scope.terms[0])
        self._edge(verb, THEME, noun)
        if top is not None:
            self._edge(top, BODY, verb)
        self._edge(subject, SCOPE, verb if top is None else top)
        return subject

    def _verb_phrase(self, term: Term) -> int:
        if term.symbol == "NOT" and self._next() == _DID:
            negation = self._negation()
            self._edge(negation, BODY, self._verb_phrase(_below_not(term)))
            return negation
        if _is_quantified(term):
            inner = _below_not(term) if term.symbol == "NOT" else term
            verb = self._leaf(inner.terms[1])
            quantifier, noun, _ = self._noun_phrase(term)
            self._edge(verb, THEME, noun)
            if quantifier == noun:
                return verb
            self._edge(quantifier, SCOPE, verb)
            return quantifier
        if term.symbol in ("AND", "OR"):
            left, right = term.terms
            first = self._verb_phrase(left)
            if self._next() != term.symbol.lower():
                self._edge(self._leaf(right), MODIFIER, first)
                return first
            junction = self._node(term.symbol.lower())
            self._edge(junction, FIRST, first)
            self._edge(junction, SECOND, self._leaf(right))
            return junction
        return self._leaf(term)

    def _negation(self) -> int:
        if self._next() != _DID or self._next(1) != _NOT:
            self._fail(f"'{_DID} {_NOT}'")
        self.at += 1
        return self._node(_NOT)

    def _leaf(self, term: Term) -> int:
        if term.terms:
            self._fail(f"a word for {term.symbol}")
        words = term.symbol.lower().split("_")
        if len(words) > 1 and self.tokens[self.at : self.at + len(words)] == words:
            return self._words(self.at + len(words))
        return self._node(term.symbol.lower())

    def _words(self, end: int) -> int:
        """The first of a chain of words up to a position."""
        chain = [self._node(f'"{self._next()}"') for _ in range(end - self.at)]
        for left, right in itertools.pairwise(chain):
            self._edge(left, NEXT, right)
        return chain[0]

    def _node(self, label: str) -> int:
        if self._next() in ("", _DID, *_PRONOUNS):
            self._fail(f"a word for {label}")
        self.at += 1
        self.nodes[self.at] = Node(label, self.at)
        return self.at

    def _edge(self, parent: int, label: str, child: int) -> None:
        self.edges.append(Edge(parent, label, child))

    def _next(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def _fail(self, wanted: str) -> NoReturn:
        found = repr(self._next()) if self._next() else "the end"
        raise TranslateError(f"token {self.at + 1}: expected {wanted}, found {found}")


def vf_from_graph(graph: SGraph) -> Term:
    """The formula that a graph stands for.

    Raises:
        TranslateError: it stands for none; the message names the node.
    """
    try:
        return aligned_from_graph(graph).term()
    except LogicError as error:
        raise TranslateError(str(error)) from None


def aligned_from_graph(graph: SGraph) -> AlignedTerm:
    """The same with the tokens of each symbol; raises TranslateError as above."""
    return _Writer(graph).term(graph.root, None)


class _Writer:
    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        self.below: dict[int, dict[str, int]] = {node: {} for node in graph.nodes}
        self.modifiers: dict[int, list[int]] = {}
        self.open: set[int] = set()
        for edge in graph.edges:
            if edge.label == MODIFIER:
                self.modifiers.setdefault(edge.child, []).append(edge.parent)
            elif edge.label in self.below[edge.parent]:
                self._fail(edge.parent, f"two edges {edge.label}")
            else:
                self.below[edge.parent][edge.label] = edge.child

    def term(self, node: int, above: int | None) -> AlignedTerm:
        """The term of a node, given the one whose scope it is in directly."""
        if node in self.open:
            self._fail(node, "it is below itself")
        self.open.add(node)
        below = {label: child for label, child in self.below[node].items() if label != NEXT}
        modifiers = sorted(self.modifiers.get(node, ()))
        match sorted(below):
            case ["restr", "scope"]:
                scope = self._with(modifiers, self.term(below[SCOPE], node))
                words = self._phrase(node)
                said = _PHRASES.get(words.symbol, words.symbol)
                negated, _, symbol = said.rpartition(" ")
                restriction = self.term(below[RESTRICTION], None)
                quantified = AlignedTerm(symbol, (restriction, scope), words.tokens)
                found = AlignedTerm("NOT", (quantified,), ()) if negated else quantified
                modifiers = []
            case ["scope"]:
                name = self._word(node)
                found = AlignedTerm("EXIST", (name, self.term(below[SCOPE], None)), ())
            case ["op"]:
                found = self._made(node, self._label(node), self.term(below[BODY], None))
            case ["op1", "op2"]:
                parts = (self.term(below[name], None) for name in (FIRST, SECOND))
                found = self._made(node, self._label(node), *parts)
            case ["rel"]:
                # What stands between the noun and its clause is the nearer.
                clause = self.term(below[RELATIVE], None)
                noun = self._with(modifiers, self._word(node))
                found = AlignedTerm("AND", (noun, clause), ())
                modifiers = []
            case ["theme"]:
                found = self._verb(node, below[THEME], above)
            case []:
                found = self._word(node)
            case names:
                self._fail(node, f"no term for edges {', '.join(names)}")
        found = self._with(modifiers, found)
        self.open.remove(node)
        return found

    def _with(self, modifiers: Sequence[int], term: AlignedTerm) -> AlignedTerm:
        for modifier in modifiers:
            term = AlignedTerm("AND", (term, self._phrase(modifier)), ())
        return term

    def _phrase(self, node: int) -> AlignedTerm:
        """A modifier, which may be a chain of words."""
        chain = [node]
        while NEXT in self.below[chain[-1]]:
            following = self.below[chain[-1]][NEXT]
            if following in chain:
                self._fail(node, "it is below itself")
            chain.append(following)
        tokens = [t for n in chain for t in self._tokens(n)]
        return AlignedTerm("_".join(map(self._label, chain)), (), tuple(tokens))

    def _verb(self, node: int, theme: int, above: int | None) -> AlignedTerm:
        verb = self._word(node)
        if (self.graph.nodes[theme].label or "").startswith('"'):
            return AlignedTerm("EXIST", (self._word(theme), verb), ())
        bound = above is not None and self.below[above].get(RESTRICTION) == theme
        return verb if bound else AlignedTerm("INV", (verb,), ())

    def _word(self, node: int) -> AlignedTerm:
        return self._made(node, self._label(node))

    def _made(self, node: int, symbol: str, *parts: AlignedTerm) -> AlignedTerm:
        return AlignedTerm(symbol, parts, self._tokens(node))

    def _tokens(self, node: int) -> tuple[int, ...]:
        token = self.graph.nodes[node].token
        return () if token is None else (token,)

    def _label(self, node: int) -> str:
        return (self.graph.nodes[node].label or "").strip('"').upper()

    def _fail(self, node: int, problem: str) -> NoReturn:
        raise TranslateError(f"node {self.graph.nodes[node].label or node!r}: {problem}")
