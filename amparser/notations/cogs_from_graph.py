"""Convert graphs to COGS logical forms; see `amparser.notations.cogs` for the graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from operator import itemgetter

import networkx as nx

from amparser.errors import TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import (
    RESERVED,
    Atom,
    Bound,
    LogicalForm,
    logical_form_from_str,
)
from amparser.notations.graph_from_cogs import (
    DEFINITE,
    EVENT,
    FIRST,
    IOTA,
    MARK,
    MODIFIER,
    QUESTION,
    SECOND,
    bound_variables,
    reached,
    undirected,
)


def plain_logical_form(tokens: Sequence[str], graph: SGraph) -> str | None:
    """Return a graph's logical form, or None if it might be read as another graph.

    These checks are faster than reading the text, and nearly all predicted graphs pass them:

    - no two nodes are aligned to the same token;
    - each name occurs once in the sentence and is an argument;
    - each `the` directly precedes its noun;
    - the word of a preposition does not occur again between the preposition and its object;
    - the root is not an argument, and all constants can be reached from it.
    """
    if graph.sources or len(graph.nodes) == 1:
        return None
    writer = _Writer(graph)
    with suppress(TranslateError):
        text = writer.text()
        return text if writer.is_plain(tokens) else None
    return None


def logical_form_from_graph(graph: SGraph) -> LogicalForm:
    """Return the logical form of a graph; raises as `text_from_graph` does."""
    return logical_form_from_str(text_from_graph(graph))


def text_from_graph(graph: SGraph) -> str:
    """Return the text of a graph's logical form.

    Definite nouns (`* boy ( x _ 1 )`) come first, ordered by position. The other atoms are
    ordered by the position of their first argument. Atoms with the same first argument are
    ordered as follows:

    - the atom of a noun, or the roles of a verb in the order of the graph's edges;
    - modifiers, ordered by the position of their preposition or verb.

    The open sources of a primitive get the names that COGS uses (`bound_variables`). Raises
    TranslateError if the graph does not have the form that `amparser.notations.cogs` describes.
    """
    label, token, _ = graph.nodes[graph.root]
    is_word = len(graph.nodes) == 1 and token == 1 and not (label or "").startswith(MARK)
    if graph.sources or is_word:
        return str(_primitive_from_graph(graph))
    writer = _Writer(graph)
    writer.check_connected()
    return writer.text()


def _primitive_from_graph(graph: SGraph) -> LogicalForm:
    label = graph.nodes[graph.root].label
    if label is None:
        raise TranslateError("the root has no label")
    sources = {node: source for source, node in graph.sources.items()}
    if len(sources) < len(graph.sources):
        raise TranslateError("two sources mark one node")
    if not sources:
        if graph.edges:
            raise TranslateError("a primitive noun or name has an edge to itself")
        if label[:1] == '"':
            return LogicalForm(name=_name(label))
        return LogicalForm((Atom((_word(label),), (Bound("a"),)),), bound=("a",))
    children = [edge.child for edge in graph.edges if edge.parent == graph.root]
    if (
        len(children) != len(graph.edges)
        or sorted(children) != sorted(sources)
        or len(graph.nodes) != len(sources) + 1
        or any(graph.nodes[node].label is not None for node in sources)
    ):
        raise TranslateError("expected each open source at an unlabelled argument of the root")
    variables = bound_variables(len(children))
    if set(sources.values()) == set(variables):
        variables = tuple(sources[child] for child in children)
    atoms = tuple(
        Atom((_word(label), _word(edge.label)), (Bound(EVENT), Bound(variable)))
        for edge, variable in zip(graph.edges, variables, strict=True)
    )
    return LogicalForm(atoms, bound=(*sorted(variables), EVENT))


class _Writer:
    def __init__(self, graph: SGraph) -> None:
        self.nodes = graph.nodes
        self.root = graph.root
        self.outgoing: dict[int, list[tuple[str, int]]] = {node: [] for node in graph.nodes}
        self.children: set[int] = set()
        for parent, label, child in graph.edges:
            self.outgoing[parent].append((label, child))
            self.children.add(child)
        # Text of each constant as an argument (`x _ 1`), and label of each predicate.
        self.terms: dict[int, str] = {}
        self.labels: dict[int, str] = {}
        # Token of each definite noun's determiner; None if the noun has the mark `*` instead.
        self.definites: dict[int, int | None] = {}
        # Token, label and object of each preposition.
        self.prepositions: list[tuple[int, str, int]] = []
        # (token, atom) of the modifiers of each predicate.
        self.modifiers: dict[int, list[tuple[int, str]]] = {}
        self.arguments: dict[int, list[int]] = {}

    def check_connected(self) -> None:
        below = {node: [child for _, child in edges] for node, edges in self.outgoing.items()}
        connected = nx.node_connected_component(undirected(below), self.root)
        for node, (label, token, _) in self.nodes.items():
            if node not in connected:
                raise TranslateError(f"{label!r} at token {token} is not connected to the root")

    def text(self) -> str:
        function_words = []
        for node, edges in self.outgoing.items():
            if any(_is_of_function_word(label) for label, _ in edges):
                function_words.append(node)
            else:
                self._constant(node)
        places = Counter(self.nodes[node].token for node in self.labels)
        if len(places) < len(self.labels):
            token = next(token for token, count in places.items() if count > 1)
            raise TranslateError(f"two predicates are aligned to token {token}")
        for node in function_words:
            self._function_word(node)
        if not self.labels:
            raise TranslateError("the graph has no predicate")
        definites: list[str] = []
        atoms: list[str] = []
        for node in sorted(self.labels, key=self._token):
            if node in self.definites:
                definites.append(f"* {self.labels[node]} ( {self.terms[node]} )")
            atoms += self._atoms(node)
        return " ; ".join([*definites, " AND ".join(atoms)] if atoms else definites)

    def _constant(self, node: int) -> None:
        label, token, _ = self.nodes[node]
        if label is None:
            raise TranslateError(f"the node at token {token} has no label")
        if label == QUESTION or label[:1] == '"':
            if self.outgoing[node]:
                raise TranslateError(f"{label} cannot have arguments")
            self.terms[node] = QUESTION if label == QUESTION else _name(label)
            self.arguments[node] = []
            return
        self.labels[node] = _word(label.removeprefix(MARK))
        self.terms[node] = f"x _ {self._token(node) - 1}"
        if label[:1] == MARK:
            self.definites[node] = None

    def _token(self, node: int) -> int:
        label, token, _ = self.nodes[node]
        if token is None or token < 1:
            raise TranslateError(f"{label!r} is not aligned to a token")
        return token

    def _function_word(self, node: int) -> None:
        label = self.nodes[node].label
        edges = dict(self.outgoing[node])
        if label is None or node in self.children or len(edges) < len(self.outgoing[node]):
            raise TranslateError(f"{label!r} is neither {DEFINITE!r} nor a preposition")
        if label == DEFINITE and list(edges) == [IOTA]:
            noun = edges[IOTA]
            if noun in self.definites:
                raise TranslateError(f"two {DEFINITE!r} at {self.labels[noun]!r}")
            self._head(noun)
            self.definites[noun] = self.nodes[node].token
            return
        relation = next(iter(edges)).rpartition(".")[0]
        if edges.keys() != {relation + FIRST, relation + SECOND}:
            raise TranslateError(f"no logical form for {label!r} with edges {sorted(edges)}")
        noun, other = edges[relation + FIRST], edges[relation + SECOND]
        predicate = f"{self._head(noun)} . {_word(relation)} . {_word(label)}"
        atom = f"{predicate} ( {self.terms[noun]} , {self._term(other)} )"
        token = self._token(node)
        self.modifiers.setdefault(noun, []).append((token, atom))
        self.prepositions.append((token, label, other))
        self.arguments.setdefault(noun, []).append(other)

    def _head(self, node: int) -> str:
        if node not in self.labels:
            raise TranslateError(f"{self.nodes[node].label!r} cannot be modified")
        return self.labels[node]

    def _term(self, node: int) -> str:
        if node not in self.terms:
            raise TranslateError(f"{self.nodes[node].label!r} cannot be an argument")
        return self.terms[node]

    def _atoms(self, node: int) -> list[str]:
        label, term = self.labels[node], self.terms[node]
        modifiers = self.modifiers.get(node, [])
        arguments = self.arguments.setdefault(node, [])
        atoms = []
        for role, child in self.outgoing[node]:
            atom = f"{label} . {_word(role)} ( {term} , {self._term(child)} )"
            arguments.append(child)
            if role == MODIFIER:
                modifiers.append((self.nodes[child].token or 0, atom))
            else:
                atoms.append(atom)
        if not atoms and node not in self.definites:
            atoms.append(f"{label} ( {term} )")
        return [*atoms, *(atom for _, atom in sorted(modifiers, key=itemgetter(0)))]

    def is_plain(self, tokens: Sequence[str]) -> bool:
        """Return True if the graph passes the checks that `plain_logical_form` lists."""
        token_of = {node: token or 0 for node, (_, token, _) in self.nodes.items()}
        places = set(token_of.values())
        if len(places) < len(token_of) or min(places) < 1 or max(places) > len(tokens):
            return False
        for node, term in self.terms.items():
            if node in self.labels:
                continue
            token = token_of[node]
            known = token == 1 if term == QUESTION else tokens[token - 1] == term
            if not known or node not in self.children:
                return False
            if term != QUESTION and tokens.count(term) > 1:
                return False
        for noun, the in self.definites.items():
            if the is None or the != token_of[noun] - 1 or tokens[the - 1].lower() != DEFINITE:
                return False
        for token, word, other in self.prepositions:
            place = token_of[other]
            if token >= place or tokens[token - 1] != word or word in tokens[token : place - 1]:
                return False
        if self.root not in self.labels or any(self.root in a for a in self.arguments.values()):
            return False
        return len(reached(self.root, self.arguments)) == len(self.terms)


@lru_cache(maxsize=1 << 10)
def _is_of_function_word(edge_label: str) -> bool:
    return edge_label == IOTA or edge_label.endswith((FIRST, SECOND))


@lru_cache(maxsize=1 << 16)
def _word(text: str) -> str:
    if text in RESERVED or text.split() != [text]:
        raise TranslateError(f"{text!r} is not a word of a logical form")
    return text


def _name(label: str) -> str:
    if len(label) < 3 or label[-1] != '"':
        raise TranslateError(f"expected a name in quotes, found {label!r}")
    return _word(label[1:-1])
