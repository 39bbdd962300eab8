"""Convert variable-free SyGNS formulas to and from scoped, aligned s-graphs.

Each meaningful token has a node, with these edges:

    TWO CAT NOT RUN               two -restr-> cat, two -scope-> not, not -op-> run
    EXIST CHRIS RUN               "chris" -scope-> run
    AND CAT SMALL, AND RUN SLOWLY small -mod-> cat, slowly -mod-> run
    OR RUN SWIM                   or -op1-> run, or -op2-> swim
    ... ALL DOG CHASE             all -restr-> dog, all -scope-> chase, chase -theme-> dog
    ... EXIST CHRIS CHASE         chase -theme-> "chris"
    AND CAT RUN                   cat -rel-> run       (a cat that ran)
    AND CAT ALL DOG INV CHASE     cat -rel-> all, all -scope-> chase, chase -theme-> cat

The edges `scope` encode the formula's scope. INV, which exchanges the two variables of a verb, has
no node: it is written if the quantifier directly above the verb does not bind the verb's `theme`.
Labels of nouns and verbs are in lower case, names in quotes. First-order formulas, boxes and
clauses are derived from the term (`amparser.logic`).

The only English words in the module are `that`, `did`, `not`, `and` and `or`, the function words of
the SyGNS grammar (Yanaka et al. 2021, Table 12).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import NoReturn

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.vf import QUANTIFIERS, Form, Term

RESTRICTION, SCOPE, BODY = "restr", "scope", "op"
FIRST, SECOND = "op1", "op2"
MODIFIER, RELATIVE, THEME = "mod", "rel", "theme"
_THAT, _DID, _NOT = "that", "did", "not"


def graph_from_vf(tokens: Sequence[str], term: Term) -> SGraph:
    """Return the graph of a sentence's formula; a node's identifier is its token (from 1).

    Raises TranslateError if the formula does not fit the sentence; the message names the token.
    """
    return _Aligner(tokens).graph(term)


def graph_from_readings(tokens: Sequence[str], terms: Iterable[Term]) -> SGraph:
    """Return the graph of the first term that fits the sentence. Raises TranslateError."""
    problem: TranslateError | None = None
    for term in terms:
        try:
            return graph_from_vf(tokens, term)
        except TranslateError as error:
            problem = problem or error
    raise problem or TranslateError("no reading")


def without_final_signs(tokens: Sequence[str]) -> Sequence[str]:
    """Return a sentence up to its last token with a letter or digit.

    >>> without_final_signs(["two", "dogs", "ran", "."])
    ['two', 'dogs', 'ran']
    """
    end = len(tokens)
    while end and not any(map(str.isalnum, tokens[end - 1])):
        end -= 1
    return tokens[:end]


class SentenceAligner(ABC):
    """Converter of a formula to a graph; it reads formula and sentence together, left to right.

    Attributes:
        no_nodes: words of the sentence that get no node.
    """

    no_nodes: Collection[str] = ()

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = without_final_signs(tokens)
        self.at = 0
        self.nodes: dict[int, Node] = {}
        self.edges: list[Edge] = []

    def graph(self, term: Term) -> SGraph:
        """Return the graph of the sentence's formula. Raises TranslateError."""
        root = self._sentence(term)
        if self.at < len(self.tokens):
            self._fail("the end")
        return SGraph(self.nodes, tuple(self.edges), root)

    def _sentence(self, term: Term) -> int:
        subject, _, scope = self._noun_phrase(term)
        self._edge(subject, SCOPE, self._verb_phrase(scope))
        return subject

    @abstractmethod
    def _noun_phrase(self, term: Term) -> tuple[int, int, Term]:
        """Add a noun phrase; return the nodes of its quantifier and noun, and its scope.

        A name is both quantifier and noun.
        """

    @abstractmethod
    def _verb_phrase(self, term: Term) -> int:
        """Add a verb phrase; return its topmost node."""

    def _with_object(self, verb: Term, term: Term) -> int:
        """Add a verb and its object (the noun phrase `term`); return the topmost node."""
        node = self._leaf(verb)
        quantifier, noun, _ = self._noun_phrase(term)
        self._edge(node, THEME, noun)
        if quantifier == noun:
            return node
        self._edge(quantifier, SCOPE, node)
        return quantifier

    def _junction(self, first: int, term: Term) -> int:
        """Add the next word, such as `or`, as the parent of `first` and of the word for `term`."""
        junction = self._node(self._next())
        self._edge(junction, FIRST, first)
        self._edge(junction, SECOND, self._leaf(term))
        return junction

    def _leaf(self, term: Term) -> int:
        if term.terms:
            self._fail(f"a word for {term.symbol}")
        return self._node(term.symbol.lower())

    def _node(self, label: str) -> int:
        if self._next() == "" or self._next() in self.no_nodes:
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
        token = repr(self._next()) if self._next() else "the end"
        raise TranslateError(f"token {self.at + 1}: expected {wanted}, found {token}")


class _Aligner(SentenceAligner):
    no_nodes = (_THAT, _DID)

    def _noun_phrase(self, term: Term) -> tuple[int, int, Term]:
        if term.symbol not in QUANTIFIERS:
            self._fail(f"a noun phrase for {term.symbol}")
        restriction, scope = term.terms
        if not restriction.terms and self._next().upper() == restriction.symbol:
            name = self._node(f'"{self._next()}"')
            return name, name, scope
        quantifier = self._node(term.symbol.lower())
        noun, modifier = restriction, None
        if restriction.symbol == "AND":
            noun, modifier = restriction.terms
        if noun.terms:
            self._fail(f"a noun for {noun.symbol}")
        if modifier is None:
            head = self._node(noun.symbol.lower())
        elif self._next(1) == _THAT:
            head = self._node(noun.symbol.lower())
            self.at += 1
            self._edge(head, RELATIVE, self._relative(head, modifier))
        else:
            adjective = self._leaf(modifier)
            head = self._node(noun.symbol.lower())
            self._edge(adjective, MODIFIER, head)
        self._edge(quantifier, RESTRICTION, head)
        return quantifier, head, scope

    def _relative(self, noun: int, term: Term) -> int:
        scope = term.terms[1] if term.symbol in QUANTIFIERS else term
        negated = scope.symbol == "NOT"
        if negated:
            [scope] = scope.terms
        if term.symbol not in QUANTIFIERS or scope.symbol != "INV":
            return self._verb_phrase(term)
        subject, *_ = self._noun_phrase(term)
        negation = self._negation() if negated else None
        verb = self._leaf(scope.terms[0])
        self._edge(verb, THEME, noun)
        if negation is not None:
            self._edge(negation, BODY, verb)
        self._edge(subject, SCOPE, negation or verb)
        return subject

    def _verb_phrase(self, term: Term) -> int:
        if term.symbol == "NOT":
            negation = self._negation()
            self._edge(negation, BODY, self._verb_phrase(term.terms[0]))
            return negation
        if term.symbol in ("AND", "OR"):
            first = self._leaf(term.terms[0])
            if self._next() != term.symbol.lower():
                self._edge(self._leaf(term.terms[1]), MODIFIER, first)
                return first
            return self._junction(first, term.terms[1])
        if term.symbol not in QUANTIFIERS:
            return self._leaf(term)
        return self._with_object(term.terms[1], term)

    def _negation(self) -> int:
        if self._next() != _DID or self._next(1) != _NOT:
            self._fail(f"'{_DID} {_NOT}'")
        self.at += 1
        return self._node(_NOT)


def vf_from_graph(graph: SGraph) -> Term:
    """Return the formula of a graph. Raises TranslateError if the graph has no formula."""
    return ScopedWriter(graph).form(graph.root, None).term


class ScopedWriter:
    """Converter of a scoped graph to a formula that is aligned with tokens (from 0).

    Attributes:
        has_names: True if graphs may have nodes for names and negations.
        open: nodes whose formulas are not complete yet; they are used to detect cycles.
    """

    has_names = True

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

    def form(self, node: int, above: int | None) -> Form:
        """Return the formula of a node and the nodes below it.

        Args:
            node: the node.
            above: innermost quantifier that has scope over the node, or None.
        """
        if node in self.open:
            self._fail(node, "it is below itself")
        self.open.add(node)
        below = self.below[node]
        others = [self._leaf(modifier) for modifier in self.modifiers.get(node, ())]
        match sorted(below):
            case ["restr", "scope"]:
                scope = self.form(below[SCOPE], node)
                if not self.has_names:
                    scope, others = self._conjoined(scope, others), []
                result = self._quantified(node, (self.form(below[RESTRICTION], None), scope))
            case ["scope"] if self.has_names:
                result = self._made("EXIST", (self._leaf(node), self.form(below[SCOPE], None)))
            case ["op"] if self.has_names:
                result = self._made(self._label(node), (self.form(below[BODY], None),), node)
            case ["op1", "op2"]:
                parts = (self.form(below[FIRST], None), self.form(below[SECOND], None))
                result = self._made(self._label(node), parts, node)
            case ["rel"]:
                result = self._leaf(node)
                others.insert(0, self.form(below[RELATIVE], None))
            case ["theme"]:
                result = self._verb(node, below[THEME], above)
            case []:
                result = self._leaf(node)
            case names:
                self._fail(node, f"no term for edges {', '.join(names)}")
        self.open.remove(node)
        return self._conjoined(result, others)

    def _verb(self, node: int, theme: int, above: int | None) -> Form:
        verb = self._leaf(node)
        if self.has_names and (self.graph.nodes[theme].label or "").startswith('"'):
            return self._made("EXIST", (self._leaf(theme), verb))
        bound = above is not None and self.below[above].get(RESTRICTION) == theme
        return verb if bound else self._made("INV", (verb,))

    def _quantified(self, node: int, parts: tuple[Form, ...]) -> Form:
        return self._made(self._label(node), parts, node)

    def _conjoined(self, head: Form, others: Sequence[Form]) -> Form:
        for other in others:
            head = self._made("AND", (head, other))
        return head

    def _label(self, node: int) -> str:
        label = (self.graph.nodes[node].label or "").upper()
        return label.strip('"') if self.has_names else label

    def _leaf(self, node: int) -> Form:
        return self._made(self._label(node), (), node)

    def _made(self, symbol: str, parts: tuple[Form, ...], node: int | None = None) -> Form:
        token = None if node is None else self.graph.nodes[node].token
        words = () if token is None else (token - 1,)
        try:
            return Form(Term(symbol, tuple(part.term for part in parts)), parts, words)
        except LogicError as error:
            raise TranslateError(str(error)) from None

    def _fail(self, node: int, problem: str) -> NoReturn:
        raise TranslateError(f"node {self.graph.nodes[node].label or node!r}: {problem}")
