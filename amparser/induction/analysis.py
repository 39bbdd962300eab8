"""Decomposition of the preset `node`: aligned graphs to AM dependency trees.

aligned graphs -> skeletons -> inventory of markers and sources -> derivations

A *marker* is an unaligned word before an argument or a clause ("to", "that"). A source is *open* if
its argument is not a dependent of the word (a gap). See `induce` and `skeleton`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import LEX, Fragment, fragment_from_graph
from amparser.algebra.types import APP, IGNORE, MOD, ROOT, AMType, type_of
from amparser.errors import DecomposeError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.induction.induce import (
    MODIFIED,
    Occurrence,
    SourceInventory,
    frame_of,
    induce,
    marker_index,
    occurrence_of,
)
from amparser.induction.skeleton import Attachment, Skeleton, skeleton_of

CONTENT = "C"
"""Source of every marker; the constituent after the marker fills it."""


class _Phrase(NamedTuple):
    """Constituent: its head token (from 1), and the graph node that fills each open source."""

    token: int
    open_sources: dict[str, int]


class _Word(NamedTuple):
    constant: Fragment | None = None
    fillers: tuple[str, ...] = ()
    head: int = -1
    operation: str = IGNORE


class _Decomposition:
    """Decomposition of one graph, bottom up.

    Each aligned node becomes a graph constant with the edges that it owns. A marker before an
    argument becomes the identity `(i1<root,C>)`. A marker before a modifying clause becomes the
    edge from the modified head to the clause, so the clause gets the same constants as a main
    clause. Each constant above an open source requests it and thus has an open source, too. This
    ends at a constant with a source for the same node (control), or at the head that a relative
    clause modifies.
    """

    def __init__(
        self, inventory: SourceInventory, skeleton: Skeleton, occurrences: Mapping[int, Occurrence]
    ) -> None:
        self._inventory = inventory
        self._skeleton = skeleton
        self._occurrences = occurrences
        self._words = [_Word() for _ in skeleton.tokens]
        self._phrases: dict[int, _Phrase] = {}
        self._children: dict[int, list[int]] = defaultdict(list)

    def derivation(self) -> Derivation:
        """Return the derivation; raise DecomposeError if an open source cannot be filled."""
        skeleton, words = self._skeleton, self._words
        for node in reversed(skeleton.order):
            supertag, phrase = self._constant(node)
            token = phrase.token
            above = skeleton.parent.get(node)
            marker = self._marker(node)
            head, operation = -1, ROOT
            if marker is not None:
                head, operation = marker - 1, APP + CONTENT
                phrase = self._introduce(node, marker, phrase)
            elif skeleton.attachment[node] in (Attachment.MODIFIER, Attachment.CLAUSE):
                assert above is not None
                head, operation = skeleton.token(above) - 1, MOD + MODIFIED
            label = skeleton.graph.nodes[node].label or ""
            words[token - 1] = _Word(supertag, (label,), head, operation)
            self._phrases[node] = phrase
            if above is not None:
                self._children[above].append(node)
        constants, fillers, heads, operations = zip(*words, strict=True)
        return Derivation(tuple(skeleton.tokens), constants, fillers, heads, operations)

    def _arguments(self, node: int) -> list[int]:
        attachment = self._skeleton.attachment
        return [c for c in self._children[node] if attachment[c] is Attachment.ARGUMENT]

    def _marker(self, node: int) -> int | None:
        skeleton = self._skeleton
        if skeleton.attachment[node] not in (Attachment.ARGUMENT, Attachment.CLAUSE):
            return None
        before = skeleton.edge_words[node]
        words = [skeleton.tokens[t - 1].lower() for t in before]
        at = marker_index(words, skeleton.nesting[node], self._inventory.markers)
        return None if at is None else before[at]

    def _constant(self, node: int) -> tuple[Fragment, _Phrase]:
        skeleton, occurrence = self._skeleton, self._occurrences[node]
        sources = self._inventory.sources(occurrence)
        frame = frame_of(occurrence.places, sources)
        slots: dict[int, str] = {}
        clause_edges: tuple[Edge, ...] = ()
        if self._marker(node) is None and node in skeleton.clause_edges:
            slots[skeleton.parent[node]] = MODIFIED
            clause_edges = skeleton.clause_edges[node]
        edges: dict[tuple[str, int], tuple[str, str, bool]] = {}
        for edge, place, source in zip(
            skeleton.owned[node], occurrence.places, sources, strict=True
        ):
            slots.setdefault(edge.child, source)
            edges[place.role] = (edge.label, slots[edge.child], False)
        roles = self._inventory.written.get(frame) or occurrence.written
        ordered = [edges[role] for role in roles]
        ordered += [(edge.label, MODIFIED, True) for edge in clause_edges]
        filled = self._arguments(node)
        renamings = self._requests(node, slots)
        lexical_type = type_of(slots.values(), renamings)
        open_sources = {
            source: target
            for target, source in slots.items()
            if target not in filled and source != MODIFIED
        }
        supertag = _constant_of(False, tuple(ordered), lexical_type)
        return supertag, _Phrase(skeleton.token(node), open_sources)

    def _requests(self, node: int, slots: dict[int, str]) -> list[tuple[str, str, str]]:
        """Attach a node's arguments; return the requests in the type of its constant.

        A request (A, S, B) means: the argument at source A has an open source S, which is unified
        with the node's source B. If the node has no source for the filler of S, it gets B.
        """
        token, renamings = self._skeleton.token, []
        arguments = self._arguments(node)
        for child in self._children[node]:
            phrase, is_argument = self._phrases[child], child in arguments
            where = f"token {token(child)}: a modifier leaves its source"
            if is_argument:
                word = self._words[phrase.token - 1]
                self._words[phrase.token - 1] = word._replace(
                    head=token(node) - 1, operation=APP + slots[child]
                )
            for name, target in phrase.open_sources.items():
                if target == node:
                    if is_argument:
                        raise DecomposeError(f"token {token(node)}: it is its argument's argument")
                    continue
                if target not in slots:
                    if not is_argument:
                        raise DecomposeError(f"{where} {name} open")
                    slots[target] = _fresh(name, slots.values())
                if is_argument:
                    renamings.append((slots[child], name, slots[target]))
                elif slots[target] != name:
                    raise DecomposeError(f"{where} {name} open, its head calls it {slots[target]}")
        return renamings

    def _introduce(self, node: int, marker: int, phrase: _Phrase) -> _Phrase:
        """Add the constant of a marker before `phrase`; return the marker's constituent."""
        above = self._skeleton.parent[node]
        clause_edges = self._skeleton.clause_edges.get(node)
        renamings = []
        open_sources: dict[str, int] = {}
        for name, target in phrase.open_sources.items():
            if clause_edges is not None and target == above:
                renamings.append((CONTENT, name, MODIFIED))
            else:
                kept = _fresh(name, (CONTENT, MODIFIED, *open_sources))
                renamings.append((CONTENT, name, kept))
                open_sources[kept] = target
        edges = tuple((edge.label, MODIFIED, True) for edge in clause_edges or ())
        sources: tuple[str, ...] = (CONTENT,)
        head, operation = -1, ROOT
        if clause_edges is not None:
            sources, operation = (CONTENT, MODIFIED), MOD + MODIFIED
            head = self._skeleton.token(above) - 1
        constant = _constant_of(True, edges, type_of(sources, renamings))
        self._words[marker - 1] = _Word(constant, (), head, operation)
        return _Phrase(marker, open_sources)


def _fresh(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    number = 1
    fresh = name
    while fresh in names:
        number += 1
        fresh = f"{name}_{number}"
    return fresh


@cache
def _constant_of(
    marker: bool, edges: tuple[tuple[str, str, bool], ...], lexical_type: AMType
) -> Fragment:
    """Return the constant with edges `(label, source, inverse)`.

    An inverse edge points from the source to the root. A marker has the source CONTENT at its root.
    """
    nodes = {0: Node(None if marker else LEX)}
    sources = {CONTENT: 0} if marker else {}
    drawn = []
    for label, source, inverse in edges:
        if source not in sources:
            sources[source] = len(nodes)
            nodes[len(nodes)] = Node()
        other = sources[source]
        drawn.append(Edge(other, label, 0) if inverse else Edge(0, label, other))
    return fragment_from_graph(SGraph(nodes, tuple(drawn), 0, sources), lexical_type)


@dataclass(frozen=True)
class Analysis:
    """Decomposed corpus.

    Attributes:
        inventory: induced markers and frames.
        trees: derivation of each graph, in order; None if decomposition failed.
        failures: (index in the corpus, reason) for each graph without a derivation.
    """

    inventory: SourceInventory
    trees: tuple[Derivation | None, ...]
    failures: tuple[tuple[int, str], ...]


def analyse(
    graphs: Sequence[tuple[Sequence[str], SGraph]], inventory: SourceInventory | None = None
) -> Analysis:
    """Decompose a corpus of (tokens, aligned graph).

    Args:
        graphs: the corpus.
        inventory: names of sources; by default induced from this corpus.
    """
    skeletons: dict[int, Skeleton] = {}
    failures: dict[int, str] = {}
    for number, (tokens, graph) in enumerate(graphs):
        try:
            skeletons[number] = skeleton_of(tokens, graph)
        except DecomposeError as error:
            failures[number] = str(error)
    occurrences = {
        number: {node: occurrence_of(skeleton, node) for node in skeleton.order}
        for number, skeleton in skeletons.items()
    }
    if inventory is None:
        inventory = induce(item for row in occurrences.values() for item in row.values())
    trees: list[Derivation | None] = [None] * len(graphs)
    for number, skeleton in skeletons.items():
        try:
            decomposition = _Decomposition(inventory, skeleton, occurrences[number])
            trees[number] = decomposition.derivation()
        except DecomposeError as error:
            failures[number] = str(error)
    return Analysis(inventory, tuple(trees), tuple(sorted(failures.items())))
