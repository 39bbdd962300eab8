"""Decomposition of the preset `graph`: derivations of graphs whose nodes are aligned with tokens.

The nodes that are aligned with a token, and the edges among them, are the token's fragment. If a
node's label expresses the token, the label becomes a lexical label, and the fragment has a slot
instead. An edge between two fragments becomes a *link* (`derivation.Link`) of the arc between their
tokens. Some of the arcs form a spanning tree; the others are re-entrant. Each token also has a box.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from amparser.algebra.derivation import (
    ARC,
    FIRST_BOX,
    PRECEDE,
    Arc,
    Derivation,
    Link,
    Links,
    Place,
    Scope,
)
from amparser.algebra.fragment import SLOT, Fragment
from amparser.algebra.types import IGNORE, ROOT
from amparser.errors import DecomposeError
from amparser.graph.boxes import Box, Layered
from amparser.lexicon.units import NO_SENSES, Senses, Unit


@dataclass(frozen=True)
class Row:
    """Training sentence with its derivation.

    Attributes:
        derivation: derivation over the units of the sentence (`lexicon.units`).
        auxiliary: for each auxiliary annotation layer, the item of each unit (None for no item).
        language: language of the sentence; empty if unknown.
    """

    units: tuple[Unit, ...]
    derivation: Derivation
    auxiliary: tuple[tuple[str | None, ...], ...] = ()
    language: str = ""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The text of each unit."""
        return self.derivation.tokens


def contract(
    layered: Layered,
    tokens: Sequence[int],
    box_tokens: Sequence[int],
    words: Sequence[str],
    slotted: Sequence[bool],
    joined: Sequence[int] = (),
    orientations: OrientationCounts | None = None,
    senses: Senses = NO_SENSES,
) -> Derivation:
    """Return the derivation of a graph.

    Args:
        tokens: token with which each node is aligned.
        box_tokens: token that introduces each box; the token of the first box is ignored.
        slotted: whether each node's label expresses its token; such a label becomes a slot.
        joined: tokens that form one unit with the next token.
        senses: separators between word and sense in labels.

    Raises:
        DecomposeError: if the graph is empty, or a token introduces boxes with different parents.
    """
    if not layered.labels:
        raise DecomposeError("the graph has no nodes")
    groups: dict[int, list[int]] = defaultdict(list)
    for node, token in enumerate(tokens):
        groups[token].append(node)
    length = len(words)
    constants: list[Fragment | None] = [None] * length
    operations = [IGNORE] * length
    fillers: list[tuple[str, ...]] = [()] * length
    place: dict[int, int] = {}
    for token, group in groups.items():
        order = _ordered(group, layered, slotted)
        place.update({node: i for i, node in enumerate(order)})
        constants[token] = _fragment(order, layered, slotted, senses)
        labels = (layered.labels[node] for node in order if slotted[node])
        fillers[token] = tuple("".join(senses.parts(label)[1:]) for label in labels)
    for token in joined:
        if not groups.get(token):
            operations[token] = PRECEDE
    orientations = orientations or OrientationCounts()
    rates = {token: orientations.rate(constants[token]) for token in groups}
    heads, links, beside = tree_of(layered, tokens, place, rates, orientations)
    for token, head in heads.items():
        operations[token] = ARC
        if head < 0:
            operations[token] = ROOT
            fragment = constants[token]
            constants[token] = fragment and fragment.rooted(place.get(layered.root, 0))
    return Derivation(
        tuple(words),
        tuple(constants),
        tuple(fillers),
        tuple(heads.get(token, -1) for token in range(length)),
        tuple(operations),
        links=tuple(links.get(token, ()) for token in range(length)),
        reentrant=tuple(beside),
        scope=_scope(layered, box_tokens, length, groups, place),
    )


def _ordered(group: Sequence[int], layered: Layered, slotted: Sequence[bool]) -> list[int]:
    inside = set(group)
    below: dict[int, int] = dict.fromkeys(group, 0)
    for parent, _, child in layered.edges:
        if parent in inside and child in inside:
            below[child] += 1
    return sorted(
        group,
        key=lambda n: (
            layered.constant[n],
            below[n],
            not slotted[n],
            "" if slotted[n] else layered.labels[n],
            n,
        ),
    )


def _fragment(
    order: Sequence[int], layered: Layered, slotted: Sequence[bool], senses: Senses
) -> Fragment:
    number = {node: i for i, node in enumerate(order)}
    labels = []
    for node in order:
        label = layered.labels[node]
        if slotted[node]:
            frame, _, sense_kind, _ = senses.parts(label)
            label = frame.replace(SLOT, SLOT + sense_kind)
        labels.append(label)
    edges = sorted(
        (number[p], label, number[c])
        for p, label, c in layered.edges
        if p in number and c in number
    )
    unboxed = frozenset(number[n] for n in order if layered.constant[n])
    return Fragment(tuple(labels), tuple(edges), unboxed=unboxed)


def _scope(
    layered: Layered,
    box_tokens: Sequence[int],
    length: int,
    groups: Mapping[int, Sequence[int]],
    place: Mapping[int, int],
) -> Scope:
    introduced, number_in, above = _boxes(layered.boxes, box_tokens, length)
    within = [FIRST_BOX] * length
    for token, group in groups.items():
        inside = [layered.box[n] for n in sorted(group, key=place.__getitem__)]
        box = next((b for b in inside if b >= 0), -1)
        if box < 0:
            box = _box_beside(group, layered)
        within[token] = FIRST_BOX if box <= 0 else (box_tokens[box], number_in[box])
    return Scope(tuple(map(tuple, introduced)), tuple(within), tuple(above))


def _boxes(
    boxes: Sequence[Box], box_tokens: Sequence[int], length: int
) -> tuple[list[list[tuple[int, str]]], dict[int, int], list[Place]]:
    introduced: list[list[tuple[int, str]]] = [[] for _ in range(length)]
    number_in: dict[int, int] = {0: 0}
    above = [FIRST_BOX] * length
    for number, box in enumerate(boxes):
        if box.parent < 0:
            continue
        token = box_tokens[number]
        number_in[number] = len(introduced[token])
        parent = box.parent
        if parent and box_tokens[parent] == token:
            introduced[token].append((number_in[parent], box.label))
            continue
        place = FIRST_BOX if not parent else (box_tokens[parent], number_in[parent])
        if not any(up < 0 for up, _ in introduced[token]):
            above[token] = place
        elif above[token] != place:
            raise DecomposeError("a token introduces boxes with different parents")
        introduced[token].append((-1, box.label))
    return introduced, number_in, above


def _box_beside(group: Sequence[int], layered: Layered) -> int:
    for parent, _, child in layered.edges:
        for node, other in ((parent, child), (child, parent)):
            if node in group and layered.box[other] >= 0:
                return layered.box[other]
    return 0


Roles = tuple[str, ...]
"""Labels of the links of an arc, in alphabetical order."""


class OrientationCounts:
    """Corpus statistics for choosing the spanning tree of a graph.

    They tell how often a fragment is the root of a derivation, and which arcs are weak. An arc is
    weak if arcs with its labels are often part of a cycle. Spanning trees avoid weak arcs.
    """

    def __init__(self, derivations: Iterable[Derivation] = ()) -> None:
        self._top: Counter[Fragment | None] = Counter()
        self._all: Counter[Fragment | None] = Counter()
        arcs: Counter[Roles] = Counter()
        cyclic: Counter[Roles] = Counter()
        for derivation in derivations:
            heads = derivation.heads
            for fragment, operation in zip(
                derivation.fragments, derivation.operations, strict=True
            ):
                known = fragment and fragment.rooted(0)
                self._all[known] += 1
                self._top[known] += operation == ROOT
            inside: set[int] = set()
            for parent, child, _ in derivation.reentrant:
                inside |= _path(heads, parent) ^ _path(heads, child)
            for parent, child, links in derivation.arcs():
                arcs[_roles(links)] += 1
                cyclic[_roles(links)] += heads[child] != parent or child in inside
        # Labels are weak if over 25 % of the arcs with these labels are in cycles.
        self._weak = {roles for roles, count in cyclic.items() if count > 0.25 * arcs[roles]}

    def rate(self, fragment: Fragment | None) -> float:
        """Return P(a token with this fragment is the root of its derivation), smoothed."""
        return (self._top[fragment] + 0.5) / (self._all[fragment] + 1.5)

    def is_weak(self, links: Links) -> bool:
        """Return whether an arc with these links is weak; their directions have no effect."""
        return _roles(links) in self._weak


def _path(heads: Sequence[int], token: int) -> set[int]:
    path = set()
    while heads[token] >= 0 and token not in path:
        path.add(token)
        token = heads[token]
    return path


def _roles(links: Links) -> Roles:
    return tuple(sorted(link.label for link in links))


def tree_of(
    layered: Layered,
    tokens: Sequence[int],
    place: Mapping[int, int],
    rates: Mapping[int, float],
    orientations: OrientationCounts,
) -> tuple[dict[int, int], dict[int, Links], list[Arc]]:
    """Return the heads (-1 for the root) and links of a spanning tree, and the re-entrant arcs.

    The tree is built from the root, breadth first. Weak arcs are used only if no others are left.

    Args:
        layered: the graph.
        tokens: token of each node.
        place: index of each node in its fragment.
        rates: P(root) of each token's fragment; see `OrientationCounts.rate`.
    """
    between: dict[tuple[int, int], list[Link]] = defaultdict(list)
    below: set[int] = set()
    for parent, label, child in layered.edges:
        upper, lower = tokens[parent], tokens[child]
        if upper != lower:
            between[upper, lower].append(Link(label, True, place[parent], place[child]))
            between[lower, upper].append(Link(label, False, place[child], place[parent]))
            below.add(lower)
    beside: dict[int, list[int]] = {token: [] for token in rates}
    for head, token in sorted(between, key=lambda edge: (abs(edge[0] - edge[1]), edge[1])):
        beside[head].append(token)

    heads: dict[int, int] = {}
    links: dict[int, Links] = {}
    while left := rates.keys() - heads.keys():
        # A token with an incoming edge is less likely to be the root.
        top = min(left, key=lambda t: (-rates[t] * (0.3 if t in below else 1.0), t))
        if not heads and layered.root >= 0:
            top = tokens[layered.root]
        heads[top] = next(iter(heads), -1)
        queue, weak = [(top, token) for token in beside[top]], list[tuple[int, int]]()
        while queue or weak:
            is_forced = not queue
            head, token = weak.pop(0) if is_forced else queue.pop(0)
            if token in heads:
                continue
            edge_links = tuple(sorted(between[head, token]))
            if not is_forced and orientations.is_weak(edge_links):
                weak.append((head, token))
                continue
            heads[token], links[token] = head, edge_links
            queue += [(token, other) for other in beside[token]]
    left_out = []
    for first, second in sorted(between):
        if first < second and heads[first] != second and heads[second] != first:
            is_down = between[first, second][0].down
            parent, child = (first, second) if is_down else (second, first)
            left_out.append(Arc(parent, child, tuple(sorted(between[parent, child]))))
    return heads, links, left_out
