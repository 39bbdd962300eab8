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

from amparser.algebra.fragment import LEX, SLOT, Fragment, Port
from amparser.algebra.types import AMType, Renaming

Part = tuple[str, ...]


class _Slot(NamedTuple):
    """An edge from the root to a node that is only a source, with its request."""

    role: str
    source: str
    renamings: frozenset[Renaming]


def parts_of(supertag: Fragment, template: str | None) -> frozenset[Part]:
    """The parts of a constant; two supertags with the same parts are the same.

    >>> from amparser.algebra.fragment import supertag_from_str
    >>> eat = supertag_from_str("(i1<root> / --LEX-- :agent (i2<L1>)) (L1())")
    >>> sorted(parts_of(eat, "$LEMMA$"))
    [('edge', 'root --LEX--', 'agent', 'L1'), ('label', '$LEMMA$')]
    """
    names = [_name(supertag, node) for node in range(len(supertag.labels))]
    parts: set[Part] = {("label", template or "")}
    parts |= {("edge", names[parent], role, names[child]) for parent, role, child in supertag.edges}
    parts |= {("root", port.name) for port in supertag.ports if port.node == supertag.root}
    for source in supertag.type.sources:
        asked = sorted(edge for edge in supertag.type.renamings if edge.source == source)
        if asked:
            parts.add(("request", source, *(f"{edge.name} {edge.target}" for edge in asked)))
    return frozenset(parts)


def part_indices(
    supertags: Sequence[Fragment | None], templates: Sequence[str | None]
) -> list[list[int]]:
    """The parts of each supertag as numbers from 0; the empty supertag is a separate part."""
    found = [
        frozenset({("none",)}) if s is None else parts_of(s, t)
        for s, t in zip(supertags, templates, strict=True)
    ]
    number = {part: i for i, part in enumerate(dict.fromkeys(p for f in found for p in sorted(f)))}
    return [sorted(number[part] for part in parts) for parts in found]


def compositions(
    constants: Iterable[tuple[Fragment, str | None]],
) -> list[tuple[Fragment, str | None]]:
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


def _slots(supertag: Fragment) -> dict[str, _Slot] | None:
    """The slots of a constant, if it is a labelled root with one edge to each source."""
    labels, root = supertag.labels, supertag.root
    if labels[root] != SLOT or len(labels) != len(supertag.edges) + 1:
        return None
    names = {port.node: port.name for port in supertag.ports}
    slots: dict[str, _Slot] = {}
    for parent, role, child in supertag.edges:
        if parent != root or role in slots or child not in names or labels[child] is not None:
            return None
        source = names[child]
        renamings = frozenset(r for r in supertag.type.renamings if r.source == source)
        slots[role] = _Slot(role, source, renamings)
    return slots if len(slots) == len(supertag.type.sources) else None


def _supertag(slots: Sequence[_Slot]) -> Fragment:
    sources = [slot.source for slot in slots]
    renamings = frozenset(edge for slot in slots for edge in slot.renamings)
    return Fragment(
        (SLOT, *[None] * len(slots)),
        tuple((0, slot.role, i) for i, slot in enumerate(slots, 1)),
        0,
        tuple(Port(source, i) for i, source in enumerate(sources, 1)),
        AMType(frozenset(sources), renamings),
    )


def _name(supertag: Fragment, node: int) -> str:
    """A name that is unique among the nodes of a constant."""
    names = sorted(port.name for port in supertag.ports if port.node == node)
    label = LEX if node in supertag.slots else supertag.labels[node]
    root = ["root"] if node == supertag.root else []
    return " ".join([*root, *names, *([label] if label is not None else [])])
