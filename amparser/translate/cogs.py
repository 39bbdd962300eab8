"""COGS logical form <-> s-graph, after Weissenhorn et al. 2022, section 3.

A node for each constant, labelled with its predicate and aligned to its
token: `boy`, `cook`, the name `"Emma"` in quotes, `?` at the wh-word, which is
the first token. On top of these,

    cook . agent ( x _ 2 , x _ 1 )          cook -agent-> boy
    * boy ( x _ 1 )                         the -iota-> boy, `the` at the token before
    boy . nmod ( x _ 1 , x _ 4 )            boy -nmod-> verb of the relative clause
    boy . nmod . in ( x _ 1 , x _ 4 )       in -nmod.op1-> boy, in -nmod.op2-> house
    LAMBDA a . LAMBDA e . cry . agent ( e , a )   cry -agent-> an unlabelled source `a`

A node's edges keep the order of the logical form, so that it comes back to
the very string. Words and roles are those of the data; what this module knows
by name is what the notation fixes: `nmod`, `iota`, `the`, `op1`, `op2`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
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

DEFINITE = "the"
IOTA = "iota"
MODIFIER = "nmod"
FIRST, SECOND = ".op1", ".op2"
QUESTION = "?"
EVENT = "e"
"""The lambda variable of a primitive verb itself."""


def graph_from_logical_form(tokens: Sequence[str], logical_form: LogicalForm) -> SGraph:
    """The graph of a sentence's logical form.

    An aligned node's identifier is its token (from 1); the open sources of a
    primitive have the identifiers behind. The root is the leftmost constant
    that no constant outside its own cycle has as an argument: the main verb,
    or the head of a noun phrase.

    Args:
        tokens: the sentence.
        logical_form: its meaning; `x _ i` is the token at 0-based position i.

    Raises:
        TranslateError: the logical form does not fit the sentence, is not
            connected, or could not be told from another one by its graph.
    """
    if not tokens:
        raise TranslateError("a sentence without tokens has no graph")
    if logical_form.name is not None:
        if tuple(tokens) != (logical_form.name,):
            raise TranslateError(f"the sentence is not the name {logical_form.name!r} alone")
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
        raise TranslateError("a form with LAMBDA needs its bound variables, and only these")
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
        raise TranslateError(f"the predicate {predicate!r} would look like a name")


def _role(atom: Atom) -> str:
    role = atom.predicate[1]
    if role == IOTA or role.endswith((FIRST, SECOND)):
        raise TranslateError(f"the role of {str(atom)!r} has another meaning in graphs")
    return role


class _Encoder:
    """One sentence and its logical form on their way to a graph."""

    def __init__(self, tokens: Sequence[str], logical_form: LogicalForm) -> None:
        self.tokens = tokens
        self.logical_form = logical_form
        self.nodes: dict[int, Node] = {}
        self.edges: list[Edge] = []
        # Predicate -> argument, between constants.
        self.arguments: dict[int, list[int]] = {}
        self.names: dict[str, list[int]] = {}

    def graph(self) -> SGraph:
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
        for atom in self.logical_form.definites:
            noun = self._place(atom.terms[0], unused)
            if noun == 1:
                raise TranslateError(f"no token before the definite {str(atom)!r}")
            self._add(noun - 1, DEFINITE)
            self.edges.append(Edge(noun - 1, IOTA, noun))
        if len(self.nodes) == 1 and 1 in self.nodes:
            raise TranslateError("a noun alone at position 0 is written as a form with LAMBDA")
        nodes = {token: self.nodes[token] for token in sorted(self.nodes)}
        return SGraph(nodes, tuple(self.edges), self._root())

    def _constants(self) -> None:
        """Make the nodes of all constants, checking that the graph can be undone."""
        labels: dict[Variable, str] = {}
        nouns: set[Variable] = set()
        events: set[Variable] = set()
        terms: list[Term] = []
        for atom in (*self.logical_form.definites, *self.logical_form.atoms):
            head = atom.terms[0]
            if not isinstance(head, Variable):
                raise TranslateError(f"expected a variable as first argument of {str(atom)!r}")
            label = labels.setdefault(head, atom.predicate[0])
            if label != atom.predicate[0]:
                raise TranslateError(
                    f"'{head}' belongs to two predicates, {label!r} and {atom.predicate[0]!r}"
                )
            arity = len(atom.terms)
            if arity == 1 == len(atom.predicate):
                if head in nouns:
                    raise TranslateError(f"'{head}' is introduced twice, again by {str(atom)!r}")
                nouns.add(head)
            elif arity == 2 and len(atom.predicate) in (2, 3):
                terms.append(atom.terms[1])
                if len(atom.predicate) == 2 and atom.predicate[1] != MODIFIER:
                    events.add(head)
            else:
                raise TranslateError(f"no graph for {str(atom)!r}")
        for atom in self.logical_form.definites:
            if len(atom.terms) != 1:
                raise TranslateError(f"no graph for {str(atom)!r} as a definite")
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
        for term in terms:
            if isinstance(term, Name):
                counts[term.name] += 1
            elif isinstance(term, Bound):
                raise TranslateError(f"no LAMBDA binds {str(term)!r}")
            elif isinstance(term, Variable) and term not in labels:
                raise TranslateError(f"no predicate introduces '{term}'")
            elif isinstance(term, Question) and 1 not in self.arguments:
                self._add(1, QUESTION)
                self.arguments[1] = []
        for name, count in counts.items():
            places = [token for token, word in enumerate(self.tokens, 1) if word == name]
            if len(places) not in (1, count):
                found = f"{len(places)} times" if places else "not"
                raise TranslateError(
                    f"{name!r} occurs {found} in the sentence and {count} times in the form"
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

    def _place(self, term: Term, unused: Mapping[str, Iterable[int]]) -> int:
        """The node of a constant; each mention of a name takes the next of its tokens."""
        if isinstance(term, Variable):
            return term.position + 1
        if isinstance(term, Name):
            return next(iter(unused[term.name]))
        return 1

    def _word_before(self, word: str, token: int) -> int:
        for place in range(token - 1, 0, -1):
            if self.tokens[place - 1] == word:
                return place
        raise TranslateError(f"no token {word!r} before its object at position {token - 1}")

    def _root(self) -> int:
        """The leftmost constant of a source component of the predicate -> argument graph."""
        order: list[int] = []
        seen: set[int] = set()
        for start in self.arguments:
            _reach(start, self.arguments, seen, order)
        inverse: dict[int, list[int]] = {node: [] for node in self.arguments}
        for parent, children in self.arguments.items():
            for child in children:
                inverse[child].append(parent)
        # In order of falling finishing time, what no earlier one reaches
        # belongs to a component without predecessors (Kosaraju).
        reached: set[int] = set()
        root = len(self.tokens) + 1
        for node in reversed(order):
            if node not in reached:
                members: set[int] = set()
                _reach(node, inverse, members, [])
                root = min(root, *members)
                _reach(node, self.arguments, reached, [])
        both = {node: [*self.arguments[node], *inverse[node]] for node in self.arguments}
        connected: set[int] = set()
        _reach(root, both, connected, [])
        if len(connected) < len(both):
            raise TranslateError("the logical form falls into unconnected parts")
        return root


def _reach(
    start: int, successors: Mapping[int, Sequence[int]], seen: set[int], order: list[int]
) -> None:
    """Depth-first search: adds to `seen`, and to `order` by finishing time."""
    if start in seen:
        return
    seen.add(start)
    stack = [(start, iter(successors[start]))]
    while stack:
        node, remaining = stack[-1]
        for successor in remaining:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors[successor])))
                break
        else:
            order.append(node)
            stack.pop()


def logical_form_from_graph(graph: SGraph) -> LogicalForm:
    """The logical form of a graph.

    Definites come first, by position; then the other atoms by the position of
    their first argument, a noun's own atom before its modifiers. A verb's
    roles keep the order of the graph's edges; modifiers of one node are
    ordered by the position of the preposition or verb. The open sources of a
    primitive are named by the convention of COGS (`bound_variables`), unless
    they carry the names that it would use.

    Raises:
        TranslateError: the graph is not of the form that this module describes.
    """
    if graph.sources or (len(graph.nodes) == 1 and graph.nodes[graph.root].token == 1):
        return _primitive_from_graph(graph)
    return _Decoder(graph).logical_form()


def bound_variables(count: int) -> tuple[str, ...]:
    """The lambda variables of a primitive verb's roles, in the order of its atoms.

    >>> [bound_variables(count) for count in (1, 2, 3)]
    [('a',), ('b', 'a'), ('b', 'a', 'c')]
    """
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1) if chr(code) != EVENT]
    if count > len(letters):
        raise TranslateError(f"no names for {count} open sources")
    if count > 1:
        letters[:2] = reversed(letters[:2])
    return tuple(letters[:count])


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
        # Atoms at a constant that stand behind its roles, with the position to sort by.
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
        _reach(self.graph.root, neighbours, connected, [])
        for node, (label, token) in self.graph.nodes.items():
            if node not in connected:
                raise TranslateError(f"{label!r} at token {token} is not connected to the root")

    def _is_function_word(self, node: int) -> bool:
        """Whether a node stands for no constant: `the`, or a preposition."""
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
        self.labels[node] = _word(label)
        self.terms[node] = Variable(self._token(node) - 1)

    def _token(self, node: int) -> int:
        label, token = self.graph.nodes[node]
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
        raise TranslateError(f"{text!r} is no word of a logical form")
    return text


def _name(label: str) -> str:
    """The name that a quoted label quotes."""
    if len(label) < 3 or label[-1] != '"':
        raise TranslateError(f"expected a name in quotes, found {label!r}")
    return _word(label[1:-1])
