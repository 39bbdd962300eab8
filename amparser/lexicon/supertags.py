"""Supertags that training lacks: polymorphic supertags, and new combinations of known parts.

The types of two constants may differ only in the name of an open source in a request, such as
`(C(L1_UNIFY_M), M())` and `(C(R1_UNIFY_M), M())`. The difference is redundant, because the
argument's type determines the source. `generalise` replaces both supertags by a *polymorphic* one,
`(C(*_UNIFY_M), M())`, which accepts any source. `instantiate` replaces the polymorphic supertags of
a decoded derivation by ordinary ones.

The *parts* of a supertag are the template of its lexical label, each edge with the source at its
other end, each source at the root, and the request of each source. A model that scores parts can
score unseen supertags: if training has "agent L1, theme R1" and "theme L1, agent by", all parts of
"agent by, theme R1" are known. `compositions` lists such supertags. In training, each role with its
source and request (a *slot*) must occur with the same template, and each pair of roles must occur
together. Each source occurs at most once.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from amparser.algebra.derivation import Derivation, bottom_up
from amparser.algebra.fragment import LEX, SLOT, Fragment, Port
from amparser.algebra.joining import meeting
from amparser.algebra.types import ANY, APP, AMType, Renaming, source_of


def generalise(supertags: Iterable[Fragment]) -> dict[Fragment, Fragment]:
    """Map each supertag to its polymorphic form if it can be merged with another, or to itself.

    Two supertags can be merged if they differ only in the names of open sources in requests.
    """
    forms = {supertag: polymorphic_form(supertag) for supertag in dict.fromkeys(supertags)}
    kin = Counter(forms.values())
    return {s: form if kin[form] > 1 else s for s, form in forms.items()}


@lru_cache(maxsize=1 << 16)
def polymorphic_form(supertag: Fragment) -> Fragment:
    """Return the supertag with `*` in each request that has a single, renamed source."""
    lexical_type = supertag.type
    asked = [edge.source for edge in lexical_type.renamings]
    renamings = frozenset(
        edge._replace(name=ANY)
        if edge.name != edge.target and asked.count(edge.source) == 1
        else edge
        for edge in lexical_type.renamings
    )
    return replace(supertag, type=AMType(lexical_type.sources, renamings))


def instantiate(derivation: Derivation) -> Derivation:
    """Replace polymorphic requests by the requests that the arguments fulfil.

    A polymorphic request gets the name of its argument's open source. An open source that a request
    does not mention becomes an open source of the head; it is renamed if the head has a source of
    this name. The derivation must be well typed in all other respects.
    """
    constants = list(derivation.fragments)
    open_types: dict[int, AMType] = {}
    children = derivation.children()
    for token in bottom_up(children, children[-1]):
        constant = constants[token]
        assert constant is not None
        current, filled = constant.type, set[str]()
        for child in children[token]:
            if (operation := derivation.operations[child]).startswith(APP):
                filled.add(source := source_of(operation))
                current = meeting(current, source, open_types[child])
        if current != constant.type:
            constants[token] = replace(constant, type=current)
        while ready := filled & current.origins:
            for source in ready:
                current = current.without(source)
        open_types[token] = current
    return replace(derivation, fragments=tuple(constants))


Part = tuple[str, ...]


class _Slot(NamedTuple):
    """Edge from the root of a supertag to an unlabelled source, with the source's request."""

    role: str
    source: str
    renamings: frozenset[Renaming]


def parts_of(supertag: Fragment, template: str | None) -> frozenset[Part]:
    """Return the parts of a supertag; supertags with equal parts are equal.

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
    """Return the indices (from 0) of each supertag's parts; the empty supertag has its own part."""
    found = [
        frozenset({("none",)}) if s is None else parts_of(s, t)
        for s, t in zip(supertags, templates, strict=True)
    ]
    number = {part: i for i, part in enumerate(dict.fromkeys(p for f in found for p in sorted(f)))}
    return [sorted(number[part] for part in parts) for parts in found]


def compositions(
    constants: Iterable[tuple[Fragment, str | None]],
) -> list[tuple[Fragment, str | None]]:
    """Return the unseen (supertag, template) pairs that combine parts of the given pairs."""
    seen = list(dict.fromkeys(constants))
    by_template: dict[str | None, list[dict[str, _Slot]]] = defaultdict(list)
    for supertag, template in seen:
        pattern = _slots(supertag)
        if pattern is not None:
            by_template[template].append(pattern)
    known = {parts_of(s, t) for s, t in seen}
    built = []
    for template, patterns in by_template.items():
        # At most 500 combinations for each template, because their number grows exponentially.
        for slots in itertools.islice(_combined(patterns), 500):
            supertag = _supertag(slots)
            parts = parts_of(supertag, template)
            if parts not in known:
                known.add(parts)
                built.append((supertag, template))
    return built


def _combined(patterns: Sequence[dict[str, _Slot]]) -> Iterator[list[_Slot]]:
    """Yield combinations of slots, given the slots of known supertags by role.

    If known supertags have a role (or source) only together with another, so do the combinations.
    """
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
    """Map each element to the intersection of the sets that contain it."""
    return {
        element: set.intersection(*(s for s in sets if element in s))
        for element in set().union(*sets)
    }


def _slots(supertag: Fragment) -> dict[str, _Slot] | None:
    """Return the slots by role; None if a node other than the root has a label or children."""
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
    names = sorted(port.name for port in supertag.ports if port.node == node)
    label = LEX if node in supertag.slots else supertag.labels[node]
    root = ["root"] if node == supertag.root else []
    return " ".join([*root, *names, *([label] if label is not None else [])])
