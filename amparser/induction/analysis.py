"""Decomposition of the preset `node`: aligned graphs to AM dependency trees.

aligned graphs -> skeletons -> inventory of markers and sources -> derivations
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, TypeVar

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
"""Source of a marker for the constituent that it introduces."""

Step = TypeVar("Step")


@dataclass
class _Phrase:
    """Constituent as its head sees it: its token and its open sources.

    `open_sources` maps each open source to the graph node that will fill it.
    """

    token: int
    open_sources: dict[str, int]
    source: str | None = None


class _Word(NamedTuple):
    """Token of a derivation; heads count from 0, -1 for none."""

    constant: Fragment | None = None
    fillers: tuple[str, ...] = ()
    head: int = -1
    operation: str = IGNORE


@dataclass(frozen=True)
class _Decomposer:
    """Decomposer of graphs under one inventory.

    Each aligned node becomes a graph constant with the edges that it owns, and each marker becomes
    a constant, too. Before an argument, the marker is the identity `(i1<root,C>)`; before a
    modifying clause, it carries the edge from the modified head to the clause, so that the clause
    itself looks like any other. An open place appears in the request of every constant above it
    until a constant with the same argument unifies it (control) or the modified head fills it
    (relative clause).
    """

    inventory: SourceInventory

    def decompose(self, skeleton: Skeleton, occurrences: Mapping[int, Occurrence]) -> Derivation:
        """Return the derivation; raise DecomposeError if no constant can request an open place."""
        words = [_Word() for _ in skeleton.tokens]
        phrases: dict[int, _Phrase] = {}
        children: dict[int, list[int]] = defaultdict(list)
        for node in reversed(skeleton.order):
            below = children[node]
            supertag, phrase = self._constant(skeleton, node, occurrences[node], below, phrases)
            token = phrase.token
            above = skeleton.parent.get(node)
            marker = self._marker(skeleton, node)
            head, operation = -1, ROOT
            if marker is not None:
                head, operation = marker - 1, APP + CONTENT
                phrase = self._introduce(skeleton, node, marker, phrase, words)
            elif skeleton.attachment[node] in (Attachment.MODIFIER, Attachment.CLAUSE):
                assert above is not None
                head, operation = skeleton.token(above) - 1, MOD + MODIFIED
            label = skeleton.graph.nodes[node].label or ""
            words[token - 1] = _Word(supertag, (label,), head, operation)
            phrases[node] = phrase
            if above is not None:
                children[above].append(node)
            for child in below:
                if skeleton.attachment[child] is Attachment.ARGUMENT:
                    at, source = phrases[child].token - 1, phrases[child].source
                    words[at] = words[at]._replace(head=token - 1, operation=f"{APP}{source}")
        constants, fillers, heads, operations = zip(*words, strict=True)
        return Derivation(tuple(skeleton.tokens), constants, fillers, heads, operations)

    def _marker(self, skeleton: Skeleton, node: int) -> int | None:
        """Return the marker (token from 1) that introduces a constituent, or None."""
        if skeleton.attachment[node] not in (Attachment.ARGUMENT, Attachment.CLAUSE):
            return None
        before = skeleton.edge_words[node]
        words = [skeleton.tokens[t - 1].lower() for t in before]
        at = marker_index(words, skeleton.nesting[node], self.inventory.markers)
        return None if at is None else before[at]

    def _constant(
        self,
        skeleton: Skeleton,
        node: int,
        occurrence: Occurrence,
        children: list[int],
        phrases: Mapping[int, _Phrase],
    ) -> tuple[Fragment, _Phrase]:
        sources = self.inventory.sources(occurrence)
        frame = frame_of(occurrence.places, sources)
        above = skeleton.parent.get(node)
        bare_clause = (
            skeleton.attachment[node] is Attachment.CLAUSE and self._marker(skeleton, node) is None
        )
        slots: dict[int, str] = {}
        if bare_clause and above is not None:
            slots[above] = MODIFIED
        edges: dict[tuple[str, int], tuple[str, str, bool]] = {}
        for edge, place, source in zip(
            skeleton.owned[node], occurrence.places, sources, strict=True
        ):
            slots.setdefault(edge.child, source)
            edges[place.role] = (edge.label, slots[edge.child], False)
        roles = self.inventory.written.get(frame) or occurrence.written
        ordered = [edges[role] for role in roles]
        if bare_clause:
            ordered += [(e.label, MODIFIED, True) for e in skeleton.clause_edges[node]]

        filled = {c for c in children if skeleton.attachment[c] is Attachment.ARGUMENT}
        renamings = self._requests(skeleton, node, children, phrases, slots)
        lexical_type = type_of(slots.values(), renamings)
        open_sources = {
            source: target
            for target, source in slots.items()
            if target not in filled and source != MODIFIED
        }
        supertag = _constant_of(False, tuple(ordered), lexical_type)
        return supertag, _Phrase(skeleton.token(node), open_sources)

    def _requests(
        self,
        skeleton: Skeleton,
        node: int,
        children: list[int],
        phrases: Mapping[int, _Phrase],
        slots: dict[int, str],
    ) -> list[tuple[str, str, str]]:
        """Return the requests of a node's sources: (source, open source, its name above).

        An open source below the node that the node lacks becomes a source of its own.
        """
        renamings: list[tuple[str, str, str]] = []
        for child in children:
            phrase = phrases[child]
            is_argument = skeleton.attachment[child] is Attachment.ARGUMENT
            where = f"token {skeleton.token(child)}: a modifier leaves"
            if is_argument:
                phrase.source = slots[child]
            for name, target in phrase.open_sources.items():
                if target == node:
                    if is_argument:
                        message = f"token {skeleton.token(node)}: its own argument asks for it"
                        raise DecomposeError(message)
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

    def _introduce(
        self, skeleton: Skeleton, node: int, marker: int, phrase: _Phrase, words: list[_Word]
    ) -> _Phrase:
        above = skeleton.parent[node]
        clause = skeleton.attachment[node] is Attachment.CLAUSE
        renamings = []
        open_sources: dict[str, int] = {}
        for name, target in phrase.open_sources.items():
            if clause and target == above:
                renamings.append((CONTENT, name, MODIFIED))
            else:
                kept = _fresh(name, (CONTENT, MODIFIED, *open_sources))
                renamings.append((CONTENT, name, kept))
                open_sources[kept] = target
        edges = [(e.label, MODIFIED, True) for e in skeleton.clause_edges.get(node, ())]
        sources = (CONTENT, MODIFIED) if clause else (CONTENT,)
        words[marker - 1] = _Word(
            _constant_of(True, tuple(edges), type_of(sources, renamings)),
            (),
            skeleton.token(above) - 1 if clause else -1,
            MOD + MODIFIED if clause else ROOT,
        )
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
    """Return the constant with edges `(label, source, inverse)`; a marker's root is its content."""
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
        failures: (index into the corpus, reason) of each graph without a derivation.
    """

    inventory: SourceInventory
    trees: tuple[Derivation | None, ...]
    failures: tuple[tuple[int, str], ...]


def analyse(
    graphs: Sequence[tuple[Sequence[str], SGraph]],
    inventory: SourceInventory | None = None,
) -> Analysis:
    """Decompose a corpus of (tokens, aligned graph).

    Args:
        graphs: the corpus.
        inventory: names of sources; by default induced from this corpus.
    """
    skeletons = [_attempt(partial(skeleton_of, tokens, graph)) for tokens, graph in graphs]
    occurrences = [
        {}
        if isinstance(skeleton, DecomposeError)
        else {node: occurrence_of(skeleton, node) for node in skeleton.order}
        for skeleton in skeletons
    ]
    if inventory is None:
        inventory = induce(item for row in occurrences for item in row.values())
    decomposer = _Decomposer(inventory)
    results = [
        skeleton
        if isinstance(skeleton, DecomposeError)
        else _attempt(partial(decomposer.decompose, skeleton, row))
        for skeleton, row in zip(skeletons, occurrences, strict=True)
    ]
    trees = (None if isinstance(item, DecomposeError) else item for item in results)
    failures = ((i, str(e)) for i, e in enumerate(results) if isinstance(e, DecomposeError))
    return Analysis(inventory, tuple(trees), tuple(failures))


def _attempt(step: Callable[[], Step]) -> Step | DecomposeError:
    try:
        return step()
    except DecomposeError as error:
        return error
