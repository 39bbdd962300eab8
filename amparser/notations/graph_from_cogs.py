"""Convert COGS logical forms to graphs; see `amparser.notations.cogs` for the graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase

import networkx as nx

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.cogs import (
    Atom,
    Bound,
    LogicalForm,
    Name,
    Question,
    Term,
    Variable,
)


def graph_from_logical_form(
    tokens: Sequence[str],
    logical_form: LogicalForm,
) -> SGraph:
    """Return the graph of a sentence's logical form.

    The identifier of an aligned node is its token (from 1); the nodes of a primitive's open sources
    have the numbers after it. The root is the main verb, or the head of a noun phrase (see
    `leftmost_source`).

    Args:
        logical_form: the meaning of the sentence; `x _ i` is the token at 0-based position i.

    Raises:
        TranslateError: the logical form does not fit the sentence, is not connected, or cannot be
            recovered from its graph.
    """
    if not (logical_form.name or logical_form.atoms or logical_form.definites):
        raise TranslateError("an empty logical form has no graph")
    if not tokens:
        raise TranslateError("a sentence without tokens has no graph")
    if logical_form.name is not None:
        if tuple(tokens) != (logical_form.name,):
            raise TranslateError(f"expected a sentence with the single word {logical_form.name!r}")
        return SGraph({1: Node(f'"{logical_form.name}"', 1)}, (), 1)
    if logical_form.bound:
        return _graph_of_primitive(tokens, logical_form)
    return _Encoder(tokens, logical_form).graph()


def _graph_of_primitive(tokens: Sequence[str], logical_form: LogicalForm) -> SGraph:
    heads = {(atom.predicate[0], atom.terms[0]) for atom in logical_form.atoms}
    terms = {term for atom in logical_form.atoms for term in atom.terms}
    if len(tokens) != 1 or len(heads) != 1 or logical_form.definites:
        raise TranslateError("a form with LAMBDA belongs to a sentence of one token")
    if terms != {Bound(name) for name in logical_form.bound}:
        raise TranslateError("expected all bound variables and no other arguments below LAMBDA")
    ((label, head),) = heads
    _check_label(label)
    nodes = {1: Node(label, 1)}
    edges: list[Edge] = []
    sources: dict[str, int] = {}
    for atom in logical_form.atoms:
        if len(atom.predicate) == len(atom.terms) == 1 and len(logical_form.atoms) == 1:
            continue
        if len(atom.predicate) != 2 or len(atom.terms) != 2 or atom.terms[1] == head:
            raise TranslateError(f"no graph for {str(atom)!r} in a form with LAMBDA")
        source = str(atom.terms[1])
        if source in sources:
            raise TranslateError(f"the bound variable {source!r} has two roles")
        sources[source] = len(nodes) + 1
        nodes[sources[source]] = Node()
        edges.append(Edge(1, _role(atom), sources[source]))
    return SGraph(nodes, tuple(edges), 1, sources)


def _check_label(predicate: str) -> None:
    if predicate.startswith('"'):
        raise TranslateError(f"the predicate {predicate!r} looks like a name")
    if predicate.startswith(MARK):
        raise TranslateError(f"the predicate {predicate!r} looks like a definite noun")


def _role(atom: Atom) -> str:
    role = atom.predicate[1]
    if role == IOTA or role.endswith((FIRST, SECOND)):
        raise TranslateError(f"the role of {str(atom)!r} is reserved in graphs")
    return role


class _Encoder:
    def __init__(self, tokens: Sequence[str], logical_form: LogicalForm) -> None:
        self.tokens = tokens
        self.logical_form = logical_form
        self.nodes: dict[int, Node] = {}
        self.edges: list[Edge] = []
        # For each constant, the constants that are its arguments.
        self.arguments: dict[int, list[int]] = {}
        self.names: dict[str, list[int]] = {}
        self.root = 0
        # The root and all arguments; other constants are modifiers.
        self.heads: set[int] = set()

    def graph(self) -> SGraph:
        self._connect()
        for atom in self.logical_form.definites:
            self._define(atom)
        if len(self.nodes) == 1 and 1 in self.nodes and not self.logical_form.definites:
            raise TranslateError("a single noun at position 0 must be a form with LAMBDA")
        nodes = {token: self.nodes[token] for token in sorted(self.nodes)}
        return SGraph(nodes, tuple(self.edges), self.root)

    def _connect(self) -> None:
        self._constants()
        unused = {name: iter(places) for name, places in self.names.items()}
        for atom in self.logical_form.atoms:
            if len(atom.terms) == 1:
                continue
            parent, child = self._place(atom.terms[0], unused), self._place(atom.terms[1], unused)
            self.arguments[parent].append(child)
            if len(atom.predicate) == 2:
                self.edges.append(Edge(parent, _role(atom), child))
            else:
                _, relation, word = atom.predicate
                token = self._word_before(word, child)
                self._add(token, word)
                self.edges.append(Edge(token, relation + FIRST, parent))
                self.edges.append(Edge(token, relation + SECOND, child))
        self.root = leftmost_source(self.arguments)
        self.heads = {self.root, *(child for below in self.arguments.values() for child in below)}

    def _define(self, atom: Atom) -> None:
        """Add a node for a noun's determiner, or mark a noun without a determiner with `*`."""
        assert isinstance(atom.terms[0], Variable)
        noun = atom.terms[0].position + 1
        token = self._determiner(noun)
        if token is None:
            label = self.nodes[noun].label
            self.nodes[noun] = Node(f"{MARK}{label}", noun)
            return
        self._add(token, DEFINITE)
        self.edges.append(Edge(token, IOTA, noun))

    def _determiner(self, noun: int) -> int | None:
        """Return the token of the nearest `the` before a noun, or None.

        This `the` must not have a node yet. Nodes between it and the noun must belong to the noun
        phrase: they are descendants of the noun, or modifiers that have the noun as their only
        argument, such as adjectives.
        """
        phrase = reached(noun, self.arguments)
        phrase |= {n for n, arguments in self.arguments.items() if arguments == [noun]} - self.heads
        for token in range(noun - 1, 0, -1):
            if token in self.nodes:
                if token not in phrase:
                    break
            elif self.tokens[token - 1].lower() == DEFINITE:
                return token
        return None

    def _constants(self) -> None:
        labels: dict[Variable, str] = {}
        nouns: set[Variable] = set()
        events: set[Variable] = set()
        terms: list[Term] = []
        for atom in (*self.logical_form.definites, *self.logical_form.atoms):
            head, word = atom.terms[0], atom.predicate[0]
            if not isinstance(head, Variable):
                raise TranslateError(f"expected a variable as first argument of {str(atom)!r}")
            if (label := labels.setdefault(head, word)) != word:
                raise TranslateError(f"'{head}' belongs to two predicates, {label!r} and {word!r}")
            shape = len(atom.predicate), len(atom.terms)
            if shape not in ((1, 1), (2, 2), (3, 2)):
                raise TranslateError(f"no graph for {str(atom)!r}")
            if shape == (1, 1) and head in nouns:
                raise TranslateError(f"'{head}' is introduced twice, again by {str(atom)!r}")
            if shape == (1, 1):
                nouns.add(head)
            elif shape == (2, 2) and atom.predicate[1] != MODIFIER:
                events.add(head)
            terms += atom.terms[1:]
        for atom in self.logical_form.definites:
            if len(atom.terms) != 1:
                raise TranslateError(f"no graph for {str(atom)!r} as a definite noun")
        definite = {atom.terms[0] for atom in self.logical_form.definites}
        for head, label in labels.items():
            if (head in events) == (head in nouns) and not (head in events and head in definite):
                state = "a noun and a verb" if head in nouns else "neither a noun nor a verb"
                raise TranslateError(f"'{head}' ({label}) is {state}")
            _check_label(label)
            self._add(head.position + 1, label)
            self.arguments[head.position + 1] = []
        self._other_constants(terms, labels)

    def _other_constants(self, terms: Iterable[Term], labels: Mapping[Variable, str]) -> None:
        counts: Counter[str] = Counter()
        has_question = False
        for term in terms:
            if isinstance(term, Name):
                counts[term.name] += 1
            elif isinstance(term, Bound):
                raise TranslateError(f"no LAMBDA binds {str(term)!r}")
            elif isinstance(term, Variable) and term not in labels:
                raise TranslateError(f"no predicate introduces '{term}'")
            elif isinstance(term, Question) and not has_question:
                has_question = True
                self._add(1, QUESTION)
                self.arguments[1] = []
        for name, count in counts.items():
            places = [token for token, word in enumerate(self.tokens, 1) if word == name]
            if len(places) not in (1, count):
                occurrences = f"{len(places)} times" if places else "not"
                raise TranslateError(
                    f"{name!r} occurs {occurrences} in the sentence and {count} times in the form"
                )
            self.names[name] = places if len(places) > 1 else places * count
            for token in places:
                self._add(token, f'"{name}"')
                self.arguments[token] = []

    def _add(self, token: int, label: str) -> None:
        if not 1 <= token <= len(self.tokens):
            raise TranslateError(
                f"{label!r} is at position {token - 1} of a sentence of {len(self.tokens)} tokens"
            )
        if token in self.nodes:
            raise TranslateError(
                f"{label!r} and {self.nodes[token].label!r} are both aligned to token {token}"
            )
        self.nodes[token] = Node(label, token)

    def _place(self, term: Term, unused: Mapping[str, Iterator[int]]) -> int:
        """Return the node of a constant; repeated mentions of a name use its tokens in turn."""
        if isinstance(term, Name):
            return next(unused[term.name])
        return term.position + 1 if isinstance(term, Variable) else 1

    def _word_before(self, word: str, token: int) -> int:
        for place in range(token - 1, 0, -1):
            if self.tokens[place - 1] == word:
                return place
        raise TranslateError(f"no token {word!r} before its object at position {token - 1}")


DEFINITE = "the"
MARK = "*"
"""Prefix of the label of a definite noun without a determiner, such as Swedish `hunden`."""
IOTA = "iota"
MODIFIER = "nmod"
FIRST, SECOND = ".op1", ".op2"
QUESTION = "?"
EVENT = "e"
"""Lambda variable of the event of a primitive verb."""


def without_determiners(labels: Counter[str | None]) -> Counter[str | None]:
    """Return the counts with each label `*noun` replaced by the labels `noun` and `the`.

    >>> without_determiners(Counter(["*hund"])) == without_determiners(Counter(["hund", "the"]))
    True
    """
    found = labels.copy()
    for label, count in labels.items():
        if label is not None and label.startswith(MARK):
            found += Counter({DEFINITE: count, label.removeprefix(MARK): count})
            del found[label]
    return found


def bound_variables(count: int) -> tuple[str, ...]:
    """Return the lambda variables of a primitive verb's roles, in the order of its atoms.

    >>> [bound_variables(count) for count in (1, 2, 3)]
    [('a',), ('b', 'a'), ('b', 'a', 'c')]
    """
    letters = [*ascii_lowercase.replace(EVENT, "")]
    if count > len(letters):
        raise TranslateError(f"no names for {count} open sources")
    if count > 1:
        letters[:2] = reversed(letters[:2])
    return tuple(letters[:count])


def reached(start: int, successors: Mapping[int, Sequence[int]]) -> set[int]:
    """Return a node and all its descendants."""
    found = {start}
    agenda = [start]
    while agenda:
        new = [node for node in successors[agenda.pop()] if node not in found]
        found.update(new)
        agenda += new
    return found


def undirected(successors: Mapping[int, Sequence[int]]) -> nx.Graph[int]:
    """Return a graph without the directions of its edges."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(successors)
    graph.add_edges_from((node, other) for node, below in successors.items() for other in below)
    return graph


def leftmost_source(arguments: Mapping[int, Sequence[int]]) -> int:
    """Return the leftmost node without ancestors (except ancestors on a cycle through the node).

    Raises TranslateError if the graph is not connected.
    """
    tops = [*arguments.keys() - {child for below in arguments.values() for child in below}]
    if len(tops) == 1 and len(reached(tops[0], arguments)) == len(arguments):
        return tops[0]
    below = {node: reached(node, arguments) for node in sorted(arguments)}
    top = next(n for n in below if all(m in below[n] for m in below if n in below[m]))
    if not nx.is_connected(undirected(arguments)):
        raise TranslateError("the logical form is not connected")
    return top
