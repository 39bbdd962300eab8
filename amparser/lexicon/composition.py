"""The parts of supertags, and the supertags that the parts seen in training can build.

The parts of a supertag are its template for the lexical label, each edge of its
constant with the source at the other end, each source at the root, and each
source's request. A scorer of parts can score a supertag that it never saw: after
"agent L1, theme R1" and "theme L1, agent by" the parts of "agent by, theme R1" are
known. `compositions` lists such supertags: all their slots (role, source and
request) were seen in constants with the same template, each pair of their roles was
seen together, and their sources differ.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from amparser.algebra.supertag import LEX, Supertag, supertag_from_graph
from amparser.algebra.types import AMType, Renaming
from amparser.graph.sgraph import Edge, Node, SGraph

Part = tuple[str, ...]


class _Slot(NamedTuple):
    """An edge from the root to a node that is only a source, with its request."""

    role: str
    source: str
    renamings: frozenset[Renaming]


def parts_of(supertag: Supertag, template: str | None) -> frozenset[Part]:
    """The parts of a constant; two supertags with the same parts are the same.

    >>> from amparser.algebra.types import type_from_str
    >>> eat = Supertag("(i1<root> / --LEX-- :agent (i2<L1>))", type_from_str("(L1())"))
    >>> sorted(parts_of(eat, "$LEMMA$"))
    [('edge', 'root --LEX--', 'agent', 'L1'), ('label', '$LEMMA$')]
    """
    graph, lexical_type = supertag.graph, supertag.lexical_type
    names = {node: _name(graph, node) for node in graph.nodes}
    parts: set[Part] = {("label", template or "")}
    parts |= {("edge", names[e.parent], e.label, names[e.child]) for e in graph.edges}
    parts |= {("root", s) for s, node in graph.sources.items() if node == graph.root}
    for source in lexical_type.sources:
        asked = sorted(edge for edge in lexical_type.renamings if edge.source == source)
        if asked:
            parts.add(("request", source, *(f"{edge.name} {edge.target}" for edge in asked)))
    return frozenset(parts)


def part_indices(
    supertags: Sequence[Supertag | None], templates: Sequence[str | None]
) -> list[list[int]]:
    """The parts of each supertag as numbers from 0; the empty supertag is a separate part."""
    found = [
        frozenset({("none",)}) if s is None else parts_of(s, t)
        for s, t in zip(supertags, templates, strict=True)
    ]
    number = {part: i for i, part in enumerate(dict.fromkeys(p for f in found for p in sorted(f)))}
    return [sorted(number[part] for part in parts) for parts in found]


def compositions(
    constants: Iterable[tuple[Supertag, str | None]],
) -> list[tuple[Supertag, str | None]]:
    """The supertags that the parts of these can build and that are not among them."""
    seen = list(dict.fromkeys(constants))
    by_template: dict[str | None, list[dict[str, _Slot]]] = defaultdict(list)
    for supertag, template in seen:
        pattern = _slots(supertag)
        if pattern is not None:
            by_template[template].append(pattern)
    known = {parts_of(s, t) for s, t in seen}
    built = []
    for template, patterns in by_template.items():
        # Beyond so many new supertags of one pattern, too little is known to list them.
        for slots in itertools.islice(_combined(patterns), 500):
            supertag = _supertag(slots)
            parts = parts_of(supertag, template)
            if parts not in known:
                known.add(parts)
                built.append((supertag, template))
    return built


def _combined(patterns: Sequence[dict[str, _Slot]]) -> Iterator[list[_Slot]]:
    """Every choice of slots that has all the properties shared by the patterns."""
    options: dict[str, dict[_Slot, None]] = {}
    together: set[tuple[str, str]] = set()
    for pattern in patterns:
        for role, slot in pattern.items():
            options.setdefault(role, {})[slot] = None
        together |= set(itertools.permutations(pattern, 2))
    role_sets = [set(pattern) for pattern in patterns]
    source_sets = [{slot.source for slot in pattern.values()} for pattern in patterns]
    needed_roles, needed_sources = _implied(role_sets), _implied(source_sets)
    largest = max(map(len, patterns))
    for size in range(1, largest + 1):
        for roles in itertools.combinations(options, size):
            paired = all(pair in together for pair in itertools.combinations(roles, 2))
            if paired and all(needed_roles[role] <= set(roles) for role in roles):
                for slots in itertools.product(*(options[role] for role in roles)):
                    sources = {slot.source for slot in slots}
                    needed = set().union(*(needed_sources[source] for source in sources))
                    if len(sources) == size and needed <= sources:
                        yield list(slots)


def _implied(sets: Sequence[set[str]]) -> dict[str, set[str]]:
    """For each element the intersection of the sets that contain it."""
    return {
        element: set.intersection(*(s for s in sets if element in s))
        for element in set().union(*sets)
    }


def _slots(supertag: Supertag) -> dict[str, _Slot] | None:
    """The slots of a constant, if it is a labelled root with one edge to each source."""
    graph, lexical_type = supertag.graph, supertag.lexical_type
    if graph.nodes[graph.root].label != LEX or len(graph.nodes) != len(graph.edges) + 1:
        return None
    names = {node: source for source, node in graph.sources.items()}
    slots: dict[str, _Slot] = {}
    for edge in graph.edges:
        if edge.parent != graph.root or edge.label in slots or edge.child not in names:
            return None
        if graph.nodes[edge.child].label is not None:
            return None
        source = names[edge.child]
        renamings = frozenset(r for r in lexical_type.renamings if r.source == source)
        slots[edge.label] = _Slot(edge.label, source, renamings)
    return slots if len(slots) == len(lexical_type.sources) else None


def _supertag(slots: Sequence[_Slot]) -> Supertag:
    nodes = {0: Node(LEX)} | {i: Node() for i in range(1, len(slots) + 1)}
    edges = tuple(Edge(0, slot.role, i) for i, slot in enumerate(slots, 1))
    sources = {slot.source: i for i, slot in enumerate(slots, 1)}
    lexical_type = AMType(
        frozenset(sources), frozenset(edge for slot in slots for edge in slot.renamings)
    )
    return supertag_from_graph(SGraph(nodes, edges, 0, sources), lexical_type)


def _name(graph: SGraph, node: int) -> str:
    """A name that is unique among the nodes of a constant."""
    names = sorted(source for source, marked in graph.sources.items() if marked == node)
    label = graph.nodes[node].label
    root = ["root"] if node == graph.root else []
    return " ".join([*root, *names, *([label] if label is not None else [])])
