"""Semantic roles: the predicates and arguments in a graph, with glosses in plain language.

A *scheme* defines which edges of a corpus's graphs are roles, how a label is split into word and
sense, and how roles are glossed. Without a scheme, each edge is a role. Edges are skipped unless
both nodes are aligned to tokens.

The *phrase* of an argument is the longest span around its word in which the argument dominates all
aligned nodes. Node A dominates node B if every path from the top of the graph to B, ignoring the
direction of edges, goes through A (Lengauer & Tarjan 1979).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx

from amparser.graph.sgraph import Node, SGraph
from amparser.notations.negation import NO_NEGATION, NegationRules, negated_nodes
from amparser.notations.penman_labels import is_constant
from amparser.notations.registry import NOTATIONS
from amparser.registry import Registry

_PAIRS = ('""', "“”", "«»", "()", "[]", "{}")
"""Pairs of opening and closing quotes and brackets."""
_TOP = -1
"""Identifier of an artificial node above the tops of all connected components of a graph."""


class Span(NamedTuple):
    """Span of a sentence.

    Attributes:
        first, last: positions of the first and the last token, from 1.
        start, end: character offsets in the surrounding text, from 0; `end` is exclusive.
        text: the characters of the span.
    """

    first: int
    last: int
    start: int
    end: int
    text: str


class Role(NamedTuple):
    """Predicate with one of its arguments.

    Attributes:
        predicate: label of the predicate without its sense.
        sense: the sense of the predicate; empty if it has none.
        place: span of the predicate's word.
        role: name of the role in the corpus.
        gloss: plain-language description of the role; empty if unknown.
        argument: span of the argument's word.
        phrase: span of the argument's phrase; see the module's docstring.
        negated: True if the predicate is negated.
    """

    predicate: str
    sense: str
    place: Span
    role: str
    gloss: str
    argument: Span
    phrase: Span
    negated: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the role as JSON values."""
        value = self._asdict()
        return {k: v._asdict() if isinstance(v, Span) else v for k, v in value.items()}


@dataclass(frozen=True)
class RoleScheme:
    """Rules for the semantic roles in a corpus's graphs; each pattern must match a whole label.

    Attributes:
        name: pattern of labels with the group `word` and, if there are senses, the group `sense`.
        space: character in labels that stands for a space; empty if there is none.
        hidden: labels of edges that are not roles.
        silent: pattern of nodes that are neither predicates nor arguments. It is matched against
            the label followed by the strings below the node, separated by spaces.
        frames: pattern of nodes that only contain other nodes, such as boxes.
        relations: pattern of nodes that relate two others, such as `compound`. The node at the edge
            `ends[0]` is the predicate, the node at the edge `ends[1]` is its argument, and the
            label of the relation names the role. If the edge `ends[1]` is missing, the relation
            itself is the argument.
        ends: labels of the two edges of relations.
        glosses: for patterns of predicates, the gloss of each role; the first pattern that matches
            is used. The gloss of a relation is listed under its own label and the role "".
        unexplained: pattern of "ROLE LABEL", a role and the label of its argument. Matching roles
            have no gloss, because the usual gloss would be wrong.
        negation: rules of negation.
        repair: function of a graph and its tokens that adds missing nodes and edges; it is called
            before roles are listed.
    """

    name: str = "(?P<word>.+)"
    space: str = ""
    hidden: frozenset[str] = frozenset()
    silent: str = ""
    frames: str = ""
    relations: str = ""
    ends: tuple[str, str] = ("ARG1", "ARG2")
    glosses: tuple[tuple[str, Mapping[str, str]], ...] = ()
    unexplained: str = ""
    negation: NegationRules = NO_NEGATION
    repair: Callable[[SGraph, Sequence[str]], SGraph] | None = None

    def name_of(self, label: str) -> tuple[str, str]:
        """Return the word and the sense of a label.

        >>> RoleScheme(r"(?P<word>.+)-(?P<sense>\\d+)").name_of("want-01")
        ('want', '01')
        """
        match = re.fullmatch(self.name, label)
        if match is None:
            return label.strip("/\"'"), ""
        word = match["word"].replace(self.space, " ") if self.space else match["word"]
        return word, match.groupdict().get("sense") or ""

    def gloss(self, label: str, role: str) -> str:
        """Return the gloss of a predicate's role, or an empty string."""
        for pattern, words in self.glosses:
            if role in words and re.fullmatch(pattern, label):
                return words[role]
        return ""


ROLES: Registry[RoleScheme] = Registry(
    "scheme of roles",
    "amparser.roles",
    {
        "cogs": "amparser.notations.cogs_roles:ROLES",
        "eds": "amparser.benchmarks.eds.roles:ROLES",
        "pmb": "amparser.benchmarks.pmb.roles:ROLES",
    },
)
"""Schemes, registered by the name of a benchmark, a notation or a family of notations."""

PLAIN = RoleScheme()
"""Default scheme, in which every edge is a role."""


def glosses_of(path: Path) -> dict[str, str]:
    """Read glosses from a file; each line is a role, a tab and a gloss."""
    return dict(line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())


def scheme_name(benchmark: str, notation: str) -> str:
    """Return the name of the scheme for a benchmark or else a notation; empty if there is none."""
    families = (NOTATIONS[notation].family,) if notation in NOTATIONS else ()
    return next((name for name in (benchmark, notation, *families) if name in ROLES), "")


class _Link(NamedTuple):
    """Role between two nodes; `is_word`: the argument is itself a relation, such as `compound`."""

    head: int
    role: str
    dependent: int
    gloss: str
    is_word: bool


def roles_of(
    graph: SGraph, places: Sequence[tuple[int, int]], text: str, start: int, scheme: str = ""
) -> list[Role]:
    """Return the roles of a graph, in the order of the sentence.

    Args:
        graph: a graph aligned to tokens (from 1).
        places: character offsets of each token in the surrounding text.
        text: the characters of the sentence.
        start: character offset of the sentence in the surrounding text.
        scheme: name of the scheme; by default, every edge is a role.
    """
    rules = ROLES[scheme] if scheme else PLAIN
    if rules.repair is not None:
        graph = rules.repair(graph, [text[at - start : end - start] for at, end in places])
    phrase_of = _phrases(graph, rules)

    def span(first: int, last: int) -> Span:
        begin, end = places[first - 1][0], places[last - 1][1]
        begin, end = _without_half_pairs(text, begin - start, end - start)
        return Span(first, last, begin + start, end + start, text[begin:end])

    def is_inside(node: int, argument: int) -> bool:
        token = graph.nodes[node].token
        first, last = phrase_of(argument)
        return token is not None and first <= token <= last

    links = list(links_of(graph, rules))
    labels = {number: _spelled(node) for number, node in graph.nodes.items()}
    frames = {n for n, label in labels.items() if re.fullmatch(rules.frames, label)}
    pairs = [(link.head, link.dependent) for link in links]
    negated = negated_nodes(graph, pairs, labels, frames, rules.negation, is_inside)
    roles = []
    for link in links:
        head, dependent = graph.nodes[link.head], graph.nodes[link.dependent]
        assert head.token is not None
        assert dependent.token is not None
        word, sense = rules.name_of(_spelled(head))
        ends = (head.token, head.token), (dependent.token, dependent.token)
        # If the relation itself is the argument, the phrase is only the relation's word.
        whole = ends[1] if link.is_word else phrase_of(link.dependent)
        place, argument, phrase = (span(*pair) for pair in (*ends, whole))
        roles.append(
            Role(word, sense, place, link.role, link.gloss, argument, phrase, link.head in negated)
        )
    return sorted(roles, key=lambda role: (role.place, role.role, role.argument))


def _without_half_pairs(text: str, begin: int, end: int) -> tuple[int, int]:
    """Remove unpaired quotes and brackets from the ends of a span; return its new (begin, end).

    >>> _without_half_pairs('"I know," she said', 0, 2), _without_half_pairs("f(x) is", 0, 4)
    ((1, 2), (0, 4))
    """
    for pair in _PAIRS:
        opening, closing, part = pair[0], pair[1], text[begin:end]
        whole = part.count(opening) == part.count(closing) and (
            opening != closing or part.count(opening) % 2 == 0
        )
        if whole or len(part) < 2:
            continue
        if part[0] == opening:
            begin += 1
        elif part[-1] == closing:
            end -= 1
    return begin, end


def links_of(graph: SGraph, scheme: RoleScheme) -> Iterator[_Link]:
    """Yield the roles between nodes of a graph that are aligned to different tokens."""
    below: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for edge in graph.edges:
        below[edge.parent].append((edge.label, edge.child))
    labels = {number: _spelled(node) for number, node in graph.nodes.items()}
    spoken = {n for n in labels if not _is_silent(n, labels, below, scheme)}
    for number in graph.nodes:
        if number not in spoken:
            continue
        label = labels[number]
        roles = [(r, n) for r, n in below[number] if r not in scheme.hidden and n in spoken]
        ends = dict(roles)
        if re.fullmatch(scheme.relations, label) and ends.keys() <= {*scheme.ends}:
            head = ends.get(scheme.ends[0])
            links = [] if head is None else [(head, label, ends.get(scheme.ends[1], number), "")]
        else:
            links = [(number, role, child, role) for role, child in roles]
        for head, role, child, key in links:
            tokens = graph.nodes[head].token, graph.nodes[child].token
            if None not in tokens and tokens[0] != tokens[1]:
                is_odd = re.fullmatch(scheme.unexplained, f"{role} {labels[child]}")
                gloss = "" if is_odd else scheme.gloss(label, key)
                yield _Link(head, role, child, gloss, child == number)


def _spelled(node: Node) -> str:
    label = node.label or ""
    return label[2:-1] if label.startswith('/"') else label


def _is_silent(
    number: int,
    labels: Mapping[int, str],
    below: Mapping[int, list[tuple[str, int]]],
    scheme: RoleScheme,
) -> bool:
    strings = (labels[child] for _, child in below.get(number, ()) if is_constant(labels[child]))
    described = " ".join([labels[number], *strings])
    return any(re.fullmatch(pattern, described) for pattern in (scheme.silent, scheme.frames))


def _phrases(graph: SGraph, scheme: RoleScheme) -> Callable[[int], tuple[int, int]]:
    """Return a function from an aligned node to the first and last token of its phrase."""
    kept: nx.DiGraph[int] = nx.DiGraph()
    labels = {n: _spelled(node) for n, node in graph.nodes.items()}
    kept.add_nodes_from(n for n in labels if not re.fullmatch(scheme.frames, labels[n]))
    kept.add_edges_from((e.parent, e.child) for e in graph.edges if e.parent in kept)
    both = kept.to_undirected().to_directed()
    for part in list(nx.weakly_connected_components(kept)):
        both.add_edge(_TOP, _top(kept, part, graph.root))
    above = nx.immediate_dominators(both, _TOP)
    below: nx.DiGraph[int] = nx.DiGraph()
    below.add_edges_from((head, n) for n, head in above.items() if n != _TOP and head is not None)
    tokens = {n: graph.nodes[n].token for n in kept}
    nodes_at: dict[int | None, set[int]] = defaultdict(set)
    for n, token in tokens.items():
        nodes_at[token].add(n)

    def phrase(number: int) -> tuple[int, int]:
        within = {number, *nx.descendants(below, number)}
        middle = tokens[number]
        assert middle is not None
        ends = []
        for step in (-1, 1):
            end = token = middle
            while 1 <= token <= max(filter(None, nodes_at)):
                if nodes_at[token] & within:
                    end = token
                elif nodes_at[token]:
                    break
                token += step
            ends.append(end)
        return ends[0], ends[1]

    return phrase


def _top(graph: nx.DiGraph[int], part: set[int], root: int) -> int:
    """Return the root if it is in component `part`, or else the node with the most descendants."""
    if root in part:
        return root
    heads = [n for n in part if graph.in_degree(n) == 0] or list(part)
    return max(sorted(heads), key=lambda n: len(nx.descendants(graph, n)))
