"""From a graph to its COGS logical form; `amparser.notations.cogs` describes both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, SGraph
from amparser.logic.cogs import (
    RESERVED,
    Atom,
    Bound,
    LogicalForm,
    Name,
    Question,
    Term,
    Variable,
)
from amparser.notations.cogs_encoding import (
    DEFINITE,
    EVENT,
    FIRST,
    IOTA,
    MARK,
    MODIFIER,
    QUESTION,
    SECOND,
    bound_variables,
    reach,
)


def plain_logical_form(tokens: Sequence[str], graph: SGraph) -> str | None:
    """The text of a graph's logical form, or None if that has to be found out by reading it.

    In one pass this writes what `logical_form_from_graph` writes, for those graphs alone of which
    it is certain that their text has the whole meaning: reading the text with the sentence gives
    the graph back. These are nearly all graphs of a parser. What the reader has to find again, and
    what is checked for it:

    - each node: no two are aligned to one token;
    - a name at its own token: it occurs once in the sentence, and something mentions it;
    - `the`: it stands right before its noun;
    - a preposition: it is the last word of its spelling before its object;
    - the root: no constant has it as an argument, and it leads to all constants.

    Args:
        tokens: the sentence.
        graph: a graph aligned to its tokens (from 1).
    """
    if graph.sources or len(graph.nodes) == 1:
        return None
    writer = _Writer(tokens, graph)
    return writer.text() if writer.constants() and writer.function_words() else None


class _Writer:
    """A graph on its way to its text."""

    def __init__(self, tokens: Sequence[str], graph: SGraph) -> None:
        self.tokens = tokens
        self.graph = graph
        self.outgoing: dict[int, list[tuple[str, int]]] = {node: [] for node in graph.nodes}
        self.function: list[int] = []
        self.children: set[int] = set()
        for parent, label, child in graph.edges:
            self.outgoing[parent].append((label, child))
            self.children.add(child)
        # What constants are written as in an argument place.
        self.terms: dict[int, str] = {}
        # The label and token of each predicate.
        self.predicates: dict[int, tuple[str, int]] = {}
        self.definites: set[int] = set()
        # Token and text of each atom that follows the roles of a predicate.
        self.modifiers: dict[int, list[tuple[int, str]]] = {}
        self.arguments: dict[int, list[int]] = {}

    def constants(self) -> bool:
        """Find the terms of all constants; False if one is not plain."""
        tokens, size = self.tokens, len(self.tokens)
        taken: set[int] = set()
        for node, (label, token, _) in self.graph.nodes.items():
            if label is None or token is None or not 1 <= token <= size or token in taken:
                return False
            taken.add(token)
            edges = self.outgoing[node]
            if any(_of_function_word(name) for name, _ in edges):
                self.function.append(node)
            elif label == QUESTION or label[:1] == '"':
                if edges or node not in self.children:
                    return False
                if label == QUESTION:
                    if token != 1:
                        return False
                    self.terms[node] = QUESTION
                    continue
                name = label[1:-1]
                if label[-1] != '"' or not _is_word(name):
                    return False
                if tokens[token - 1] != name or tokens.count(name) != 1:
                    return False
                self.terms[node] = name
            elif label[:1] == MARK or not _is_word(label):
                return False
            else:
                self.terms[node] = f"x _ {token - 1}"
                self.predicates[node] = label, token
        return True

    def function_words(self) -> bool:
        """Find definite nouns and prepositions; False if a word is not plain."""
        nodes, tokens = self.graph.nodes, self.tokens
        for node in self.function:
            label, token, _ = nodes[node]
            edges = self.outgoing[node]
            assert label is not None
            assert token is not None
            noun = edges[0][1]
            if node in self.children:
                return False
            if len(edges) == 1:
                if edges[0][0] != IOTA or label != DEFINITE or noun not in self.predicates:
                    return False
                before = self.predicates[noun][1] - 1
                if token != before or tokens[before - 1].lower() != DEFINITE:
                    return False
                if noun in self.definites:
                    return False
                self.definites.add(noun)
                continue
            if len(edges) != 2:
                return False
            relation = edges[0][0].rpartition(".")[0]
            ends = dict(edges)
            noun, other = ends.get(relation + FIRST, -1), ends.get(relation + SECOND, -1)
            if noun not in self.predicates or other not in self.terms:
                return False
            if not (_is_word(label) and _is_word(relation)):
                return False
            place = nodes[other].token or 0
            if not token < place or label in tokens[token : place - 1]:
                return False
            if tokens[token - 1] != label:
                return False
            head = self.predicates[noun][0]
            atom = f"{head} . {relation} . {label} ( {self.terms[noun]} , {self.terms[other]} )"
            self.modifiers.setdefault(noun, []).append((token, atom))
            self.arguments.setdefault(noun, []).append(other)
        return True

    def text(self) -> str | None:
        """The text of the whole, if the root leads everywhere; None if an edge is not plain."""
        nodes, terms = self.graph.nodes, self.terms
        definites: list[str] = []
        atoms: list[str] = []
        ordered = sorted(self.predicates, key=lambda node: self.predicates[node][1])
        for node in ordered:
            label, term = self.predicates[node][0], terms[node]
            is_definite = node in self.definites
            if is_definite:
                definites.append(f"* {label} ( {term} )")
            following = self.modifiers.get(node, [])
            arguments = self.arguments.setdefault(node, [])
            first = len(atoms)
            for name, child in self.outgoing[node]:
                if child not in terms or not _is_word(name):
                    return None
                arguments.append(child)
                atom = f"{label} . {name} ( {term} , {terms[child]} )"
                if name == MODIFIER:
                    following.append((nodes[child].token or 0, atom))
                else:
                    atoms.append(atom)
            if len(atoms) == first and not is_definite:
                atoms.append(f"{label} ( {term} )")
            if following:
                following.sort(key=_place)
                atoms += [atom for _, atom in following]
        if not self._root_leads_everywhere():
            return None
        if atoms:
            definites.append(" AND ".join(atoms))
        return " ; ".join(definites)

    def _root_leads_everywhere(self) -> bool:
        root = self.graph.root
        if root not in self.predicates:
            return False
        reached = [root]
        seen = {root}
        for node in reached:  # grows while it is read
            for child in self.arguments.get(node, ()):
                if child == root:
                    return False
                if child not in seen:
                    seen.add(child)
                    reached.append(child)
        return len(reached) == len(self.terms)


def _place(item: tuple[int, str]) -> int:
    return item[0]


@lru_cache(maxsize=1 << 10)
def _of_function_word(edge_label: str) -> bool:
    return edge_label == IOTA or edge_label.endswith((FIRST, SECOND))


@lru_cache(maxsize=1 << 16)
def _is_word(text: str) -> bool:
    """Whether a text can stand as one word of a logical form."""
    return text not in RESERVED and text.split() == [text]


def logical_form_from_graph(graph: SGraph) -> LogicalForm:
    """The logical form of a graph.

    Definites come first, by position. Then come the other atoms by the position of
    their first argument, a noun's own atom before its modifiers. A verb's
    roles keep the order of the graph's edges; modifiers of one node are
    ordered by the position of the preposition or verb. The open sources of a
    primitive get the names that COGS uses (`bound_variables`), unless
    they have these names already.

    Raises:
        TranslateError: the graph does not have the form described there.
    """
    label, token, _ = graph.nodes[graph.root]
    is_word = len(graph.nodes) == 1 and token == 1 and not (label or "").startswith(MARK)
    if graph.sources or is_word:
        return _primitive_from_graph(graph)
    return _Decoder(graph).logical_form()


def _primitive_from_graph(graph: SGraph) -> LogicalForm:
    label = graph.nodes[graph.root].label
    if label is None:
        raise TranslateError("the root has no label")
    sources = {node: source for source, node in graph.sources.items()}
    if len(sources) < len(graph.sources):
        raise TranslateError("two sources mark one node")
    if not sources:
        if graph.edges:
            raise TranslateError("an edge from a primitive noun or name to itself")
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
        raise TranslateError("open sources that are not the bare arguments of one word")
    variables = bound_variables(len(children))
    if set(sources.values()) == set(variables):
        variables = tuple(sources[child] for child in children)
    atoms = tuple(
        Atom((_word(label), _word(edge.label)), (Bound(EVENT), Bound(variable)))
        for edge, variable in zip(graph.edges, variables, strict=True)
    )
    return LogicalForm(atoms, bound=(*sorted(variables), EVENT))


class _Decoder:
    """One graph without sources on its way to a logical form."""

    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        self.outgoing: dict[int, list[Edge]] = {node: [] for node in graph.nodes}
        self.has_parent: set[int] = set()
        for edge in graph.edges:
            self.outgoing[edge.parent].append(edge)
            self.has_parent.add(edge.child)
        self.definites: dict[int, Atom] = {}
        # Atoms of a constant that follow its roles, with the position to sort by.
        self.modifiers: dict[int, list[tuple[int, Atom]]] = {}
        self.terms: dict[int, Term] = {}
        self.labels: dict[int, str] = {}

    def logical_form(self) -> LogicalForm:
        self._check_connected()
        words = [node for node in self.graph.nodes if not self._is_function_word(node)]
        for node in words:
            self._constant(node)
        places = Counter(self.graph.nodes[node].token for node in self.labels)
        if double := [token for token, count in places.items() if count > 1]:
            raise TranslateError(f"two predicates are aligned to token {double[0]}")
        for node in self.graph.nodes:
            if node not in self.terms:
                self._function_word(node)
        if not self.labels:
            raise TranslateError("no predicate in the graph")
        atoms = [
            atom for node in sorted(self.labels, key=self._token) for atom in self._atoms(node)
        ]
        definites = tuple(self.definites[node] for node in sorted(self.definites, key=self._token))
        return LogicalForm(tuple(atoms), definites)

    def _check_connected(self) -> None:
        neighbours: dict[int, list[int]] = {node: [] for node in self.graph.nodes}
        for edge in self.graph.edges:
            neighbours[edge.parent].append(edge.child)
            neighbours[edge.child].append(edge.parent)
        connected: set[int] = set()
        reach(self.graph.root, neighbours, connected, [])
        for node, (label, token, _) in self.graph.nodes.items():
            if node not in connected:
                raise TranslateError(f"{label!r} at token {token} is not connected to the root")

    def _is_function_word(self, node: int) -> bool:
        """Whether a node is not a constant but `the` or a preposition."""
        return any(
            edge.label == IOTA or edge.label.endswith((FIRST, SECOND))
            for edge in self.outgoing[node]
        )

    def _constant(self, node: int) -> None:
        label = self.graph.nodes[node].label
        if label is None:
            raise TranslateError(f"a node without a label, at token {self.graph.nodes[node].token}")
        if label == QUESTION or label[:1] == '"':
            if self.outgoing[node]:
                raise TranslateError(f"{label} has arguments of its own")
            self.terms[node] = Question() if label == QUESTION else Name(_name(label))
            return
        self.labels[node] = _word(label.removeprefix(MARK))
        self.terms[node] = Variable(self._token(node) - 1)
        if label.startswith(MARK):
            self.definites[node] = Atom((self.labels[node],), (self.terms[node],))

    def _token(self, node: int) -> int:
        label, token, _ = self.graph.nodes[node]
        if token is None or token < 1:
            raise TranslateError(f"{label!r} is not aligned to a token")
        return token

    def _function_word(self, node: int) -> None:
        label = self.graph.nodes[node].label
        edges = {edge.label: edge.child for edge in self.outgoing[node]}
        if label is None or node in self.has_parent or len(edges) < len(self.outgoing[node]):
            raise TranslateError(f"{label!r} is neither {DEFINITE!r} nor a preposition")
        if set(edges) == {IOTA} and label == DEFINITE:
            noun = edges[IOTA]
            if noun in self.definites:
                raise TranslateError(f"two {DEFINITE!r} at {self.labels[noun]!r}")
            self.definites[noun] = Atom((self._head(noun),), (self.terms[noun],))
            return
        relation = next(iter(edges)).rpartition(".")[0]
        if set(edges) != {relation + FIRST, relation + SECOND}:
            raise TranslateError(f"no logical form for {label!r} with edges {sorted(edges)}")
        noun, other = edges[relation + FIRST], edges[relation + SECOND]
        predicate = (self._head(noun), _word(relation), _word(label))
        atom = Atom(predicate, (self.terms[noun], self._term(other)))
        self.modifiers.setdefault(noun, []).append((self._token(node), atom))

    def _head(self, node: int) -> str:
        if node not in self.labels:
            raise TranslateError(f"{self.graph.nodes[node].label!r} cannot be modified")
        return self.labels[node]

    def _term(self, node: int) -> Term:
        if node not in self.terms:
            raise TranslateError(f"{self.graph.nodes[node].label!r} cannot be an argument")
        return self.terms[node]

    def _atoms(self, node: int) -> Iterable[Atom]:
        """A constant's atoms: its own if it is a noun, its roles, its modifiers."""
        label, term = self.labels[node], self.terms[node]
        modifiers = list(self.modifiers.get(node, ()))
        roles = []
        for edge in self.outgoing[node]:
            atom = Atom((label, _word(edge.label)), (term, self._term(edge.child)))
            if edge.label == MODIFIER:
                modifiers.append((self.graph.nodes[edge.child].token or 0, atom))
            else:
                roles.append(atom)
        if not roles and node not in self.definites:
            yield Atom((label,), (term,))
        yield from roles
        yield from (atom for _, atom in sorted(modifiers, key=lambda item: item[0]))


def _word(text: str) -> str:
    """A label or role, if it can stand as one token of a logical form."""
    if text in RESERVED or text.split() != [text]:
        raise TranslateError(f"{text!r} is not a word of a logical form")
    return text


def _name(label: str) -> str:
    """The name inside a quoted label."""
    if len(label) < 3 or label[-1] != '"':
        raise TranslateError(f"expected a name in quotes, found {label!r}")
    return _word(label[1:-1])
