"""Constants of tokens: the pieces of graph that tokens stand for, and how they are put together.

    Layered --contract--> Analysis --expand--> Layered

`contract` groups the nodes by their tokens. A token's nodes with the edges among them are its
*constant*; its *tag* is the constant with open places (`SLOT`) where a label shows the word.
Edges between constants become arcs: a spanning tree, and the arcs that are left over. An arc's
label has all edges between two tokens, with the places of their ends in both constants. Boxes go
to tokens too: the boxes that a token introduces, the box in which its nodes are, and the box
above those that it introduces.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amparser.errors import DecomposeError
from amparser.layered.graphs import Box, Layered

SLOT = "\x00"
"""Stands for the text in a label that is filled in for each word."""

ROOT = -1
"""The head of the token at the top; the token of the first box."""

UNLINKED = ""
"""The label of an arc that only makes a tree of an unconnected graph."""

_LABEL = re.compile(r"^([\"'/]*)(\S.*?)(\.[a-z]\.|(?<=[a-z])-)(\d\d)([\"'/]*)$", re.DOTALL)

Place = tuple[int, int]
"""A token and the number of a box that it introduces; (`ROOT`, 0) is the first box."""

FIRST_BOX: Place = (ROOT, 0)


def parts_of(label: str) -> tuple[str, str, str, str]:
    """A label as what stands before its text, the text, the kind of sense, and its number.

    What stands behind the sense is part of the first, after `SLOT`.

    >>> parts_of('/"fry.v.02"')
    ('/"\\x00"', 'fry', '.v.', '02')
    >>> parts_of("want-01"), parts_of('"Tom"')
    (('\\x00', 'want', '-', '01'), ('"\\x00"', 'Tom', '', ''))
    """
    if match := _LABEL.match(label):
        before, text, kind, number, behind = match.groups()
    else:
        text, kind, number = label.strip("\"'/"), "", ""
        before, _, behind = label.partition(text) if text else (label, "", "")
    return f"{before}{SLOT}{behind}", text, kind, number


@dataclass(frozen=True)
class Tag:
    """A constant whose labels may have `SLOT`s.

    Attributes:
        labels: of the nodes; the first is the one that arcs usually reach.
        constant: whether each node is a constant, in no box.
        edges: parent, label, child.
    """

    labels: tuple[str, ...] = ()
    constant: tuple[bool, ...] = ()
    edges: tuple[tuple[int, str, int], ...] = ()

    @property
    def slots(self) -> int:
        """How many nodes have open places."""
        return sum(SLOT in label for label in self.labels)


JOINED = Tag(("\x01",), (True,))
"""The tag of a token that belongs to a word of several tokens, but for its last one."""

EMPTY = Tag()


_BELOW = 0.3
"""A token with an edge above is so much less likely to be the top."""


_WEAK = 0.25
"""Labels of which a larger share of arcs stands in cycles are weak."""


class Habits:
    """What trees of a corpus are like: which tags are at the top, and which arcs are weak.

    An arc is weak if arcs with its label often stand in cycles: a tree does better without it.
    """

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self._top: Counter[Tag] = Counter()
        self._all: Counter[Tag] = Counter()
        arcs: Counter[str] = Counter()
        cyclic: Counter[str] = Counter()
        for analysis in analyses:
            heads, labels = analysis.heads, analysis.labels
            for tag, head, label in zip(analysis.tags, heads, labels, strict=True):
                self._all[tag] += 1
                self._top[tag] += head == ROOT and label != UNLINKED
            inside: set[int] = set()
            for parent, child, label in analysis.extra:
                inside |= _path(heads, parent) ^ _path(heads, child)
                arcs[_undirected(label)] += 1
                cyclic[_undirected(label)] += 1
            for token, head in enumerate(heads):
                if head != ROOT:
                    arcs[_undirected(labels[token])] += 1
                    cyclic[_undirected(labels[token])] += token in inside
        self._weak = {label for label, count in cyclic.items() if count > _WEAK * arcs[label]}

    def rate(self, tag: Tag) -> float:
        """The share of a tag's tokens that are at the top, smoothed."""
        return (self._top[tag] + 0.5) / (self._all[tag] + 1.5)

    def is_weak(self, label: str) -> bool:
        """Whether arcs with a label, in either direction, mostly stand in cycles."""
        return _undirected(label) in self._weak


def _path(heads: Sequence[int], token: int) -> set[int]:
    """The tokens from a token up to the top, without the top itself."""
    found = set()
    while heads[token] != ROOT and token not in found:
        found.add(token)
        token = heads[token]
    return found


def _undirected(label: str) -> str:
    return " ".join(sorted(edge[0] for edge in edges_of_arc(label)))


@dataclass(frozen=True)
class Analysis:
    """A sentence with all that makes its graph.

    Attributes:
        tags: of each token.
        fillers: what fills the slots of each token's tag.
        introduced: of each token, the boxes that it introduces: the number of the one above
            among them (-1: the box of `above`), and its label.
        scope: the box in which each token's nodes are.
        above: the box above those that it introduces.
        heads: the head of each token whose tag has nodes, `ROOT` for the top; others have `ROOT`.
        labels: of the arcs to the heads; that of the root names the node that is the top.
        extra: parent token, child token and label of the arcs that are not in the tree.
    """

    tags: tuple[Tag, ...]
    fillers: tuple[tuple[str, ...], ...]
    introduced: tuple[tuple[tuple[int, str], ...], ...]
    scope: tuple[Place, ...]
    above: tuple[Place, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    extra: tuple[tuple[int, int, str], ...]


def arc_label(edges: Sequence[tuple[str, bool, int, int]]) -> str:
    """The label of an arc: for each edge its label, whether it leads down, and its places."""
    return " ".join(
        f"{label}{'>' if down else '<'}{above}{below}"
        if above < 10 and below < 10
        else f"{label}{'>' if down else '<'}{above},{below}"
        for label, down, above, below in sorted(edges)
    )


def edges_of_arc(label: str) -> list[tuple[str, bool, int, int]]:
    """The inverse of `arc_label`.

    >>> edges_of_arc("Agent>00 Time<01")
    [('Agent', True, 0, 0), ('Time', False, 0, 1)]
    """
    found = []
    for part in label.split():
        match = re.fullmatch(r"(.*)([<>])(?:(\d)(\d)|(\d+),(\d+))", part)
        assert match is not None
        above, below = match[3] or match[5], match[4] or match[6]
        found.append((match[1], match[2] == ">", int(above), int(below)))
    return found


def contract(
    layered: Layered,
    tokens: Sequence[int],
    box_tokens: Sequence[int],
    length: int,
    slotted: Sequence[bool],
    joined: Sequence[int] = (),
    habits: Habits | None = None,
) -> Analysis:
    """The analysis of a graph.

    Args:
        layered: the graph.
        tokens: of each node.
        box_tokens: of each box; that of the first is not looked at.
        length: the number of tokens.
        slotted: whether the label of each node shows its token.
        joined: the tokens that belong to the next one.
        habits: what trees are like; None if that is not known yet.

    Raises:
        DecomposeError: a box stands in a cycle of tokens, or there are no nodes.
    """
    if not layered.labels:
        raise DecomposeError("the graph has no nodes")
    groups: dict[int, list[int]] = defaultdict(list)
    for node, token in enumerate(tokens):
        groups[token].append(node)
    tags: list[Tag] = [EMPTY] * length
    fillers: list[tuple[str, ...]] = [()] * length
    place: dict[int, int] = {}
    for token, group in groups.items():
        order = _ordered(group, layered, slotted)
        place.update({node: i for i, node in enumerate(order)})
        tags[token] = _tag(order, layered, slotted)
        fillers[token] = tuple(_text(layered.labels[n]) for n in order if slotted[n])
    for token in joined:
        if not groups.get(token):
            tags[token] = JOINED
    introduced, number_in, above = _boxes(layered.boxes, box_tokens, length)
    scope = [FIRST_BOX] * length
    for token, group in groups.items():
        inside = [layered.box[n] for n in sorted(group, key=place.__getitem__)]
        box = next((b for b in inside if b >= 0), -1)
        if box < 0:
            box = _box_beside(group, layered)
        scope[token] = FIRST_BOX if box <= 0 else (box_tokens[box], number_in[box])
    rates = {token: habits.rate(tags[token]) if habits else 0.5 for token in groups}
    heads, labels, extra = _tree(layered, tokens, place, rates, habits)
    all_heads, all_labels = [ROOT] * length, [UNLINKED] * length
    for token, head in heads.items():
        all_heads[token], all_labels[token] = head, labels[token]
    return Analysis(
        tuple(tags),
        tuple(fillers),
        tuple(map(tuple, introduced)),
        tuple(scope),
        tuple(above),
        tuple(all_heads),
        tuple(all_labels),
        tuple(extra),
    )


def _text(label: str) -> str:
    _, text, kind, number = parts_of(label)
    return f"{text}{kind}{number}"


def _ordered(group: Sequence[int], layered: Layered, slotted: Sequence[bool]) -> list[int]:
    """The nodes of a constant in a canonical order."""
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


def _tag(order: Sequence[int], layered: Layered, slotted: Sequence[bool]) -> Tag:
    number = {node: i for i, node in enumerate(order)}
    labels = []
    for node in order:
        label = layered.labels[node]
        if slotted[node]:
            frame, _, kind, _ = parts_of(label)
            label = frame.replace(SLOT, SLOT + kind)
        labels.append(label)
    edges = sorted(
        (number[p], label, number[c])
        for p, label, c in layered.edges
        if p in number and c in number
    )
    return Tag(tuple(labels), tuple(layered.constant[n] for n in order), tuple(edges))


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
            raise DecomposeError("a token introduces boxes in different boxes")
        introduced[token].append((-1, box.label))
    return introduced, number_in, above


def _box_beside(group: Sequence[int], layered: Layered) -> int:
    """The box of a neighbour of a constant that is in no box itself."""
    for parent, _, child in layered.edges:
        for node, other in ((parent, child), (child, parent)):
            if node in group and layered.box[other] >= 0:
                return layered.box[other]
    return 0


def _tree(
    layered: Layered,
    tokens: Sequence[int],
    place: Mapping[int, int],
    rates: Mapping[int, float],
    habits: Habits | None,
) -> tuple[dict[int, int], dict[int, str], list[tuple[int, int, str]]]:
    """Heads and labels of a spanning tree of the tokens, and the arcs that it leaves out."""
    between: dict[tuple[int, int], list[tuple[str, int, int, int]]] = defaultdict(list)
    beside: dict[int, set[int]] = {token: set() for token in rates}
    below: set[int] = set()
    for parent, label, child in layered.edges:
        upper, lower = tokens[parent], tokens[child]
        if upper != lower:
            key = (min(upper, lower), max(upper, lower))
            between[key].append((label, upper, place[parent], place[child]))
            beside[upper].add(lower)
            beside[lower].add(upper)
            below.add(lower)

    def label_of(head: int, token: int) -> str:
        return arc_label(
            [
                (label, True, at_upper, at_lower)
                if upper == head
                else (label, False, at_lower, at_upper)
                for label, upper, at_upper, at_lower in between[min(head, token), max(head, token)]
            ]
        )

    def top_of(left: Sequence[int]) -> int:
        return min(left, key=lambda t: (-rates[t] * (_BELOW if t in below else 1.0), t))

    heads: dict[int, int] = {}
    labels: dict[int, str] = {}
    left = sorted(rates)
    while left:
        given = not heads and layered.root >= 0
        top = tokens[layered.root] if given else top_of(left)
        place_of_root = place[layered.root] if layered.root >= 0 else 0
        labels[top] = str(place_of_root) if not heads else UNLINKED
        heads[top] = ROOT if not heads else next(iter(heads))
        _grow(top, heads, labels, beside, label_of, habits)
        left = [token for token in left if token not in heads]
    extra = []
    for first, second in sorted(between):
        if heads[first] != second and heads[second] != first:
            source = between[first, second][0][1]
            target = second if source == first else first
            extra.append((source, target, label_of(source, target)))
    return heads, labels, extra


def _grow(
    top: int,
    heads: dict[int, int],
    labels: dict[int, str],
    beside: Mapping[int, set[int]],
    label_of: Callable[[int, int], str],
    habits: Habits | None,
) -> None:
    """Reach all tokens from the top, breadth first; by weak arcs only where no others are left."""
    queue = [top]
    weak: list[tuple[int, int]] = []
    while queue or weak:
        forced = not queue
        if queue:
            head = queue.pop(0)
            rows = [(head, t) for t in sorted(beside[head], key=lambda t: (abs(t - head), t))]
        else:
            rows = [weak.pop(0)]
        for head, token in rows:
            if token in heads:
                continue
            label = label_of(head, token)
            if not forced and habits is not None and habits.is_weak(label):
                weak.append((head, token))
                continue
            heads[token], labels[token] = head, label
            queue.append(token)


def expand(analysis: Analysis) -> Layered:
    """The graph of an analysis; it is well formed for any analysis whose heads make a tree.

    An edge whose place is not in its constant goes to the constant's first node.
    """
    boxes, box_number = _all_boxes(analysis)
    labels: list[str] = []
    constant: list[bool] = []
    box: list[int] = []
    edges: list[tuple[int, str, int]] = []
    first: dict[int, int] = {}
    size: dict[int, int] = {}
    for token, tag in enumerate(analysis.tags):
        if not tag.labels or tag is JOINED or tag == JOINED:
            continue
        first[token], size[token] = len(labels), len(tag.labels)
        texts = iter(analysis.fillers[token])
        for label, is_constant in zip(tag.labels, tag.constant, strict=True):
            labels.append(_filled(label, texts))
            constant.append(is_constant)
            box.append(-1 if is_constant else box_number[analysis.scope[token]])
        edges += [(first[token] + p, label, first[token] + c) for p, label, c in tag.edges]

    def node(token: int, place: int) -> int:
        return first[token] + (place if place < size[token] else 0)

    root = -1
    arcs = [
        (h, t, label)
        for t, (h, label) in enumerate(zip(analysis.heads, analysis.labels, strict=True))
    ]
    for head, token, label in [*arcs, *analysis.extra]:
        if token not in first:
            continue
        if head == ROOT:
            root = node(token, int(label or 0))
            continue
        for role, down, above, below in edges_of_arc(label):
            upper, lower = node(head, above), node(token, below)
            edge = (upper, role, lower) if down else (lower, role, upper)
            if edge not in edges:
                edges.append(edge)
    return Layered(tuple(labels), tuple(constant), tuple(edges), tuple(box), boxes, root)


def _filled(label: str, texts: Iterator[str]) -> str:
    if SLOT not in label:
        return label
    start = label.index(SLOT)
    match = re.match(r"(\.[a-z]\.|-)?", label[start + 1 :])
    assert match is not None
    return f"{label[:start]}{next(texts)}{label[start + 1 + match.end() :]}"


def _all_boxes(analysis: Analysis) -> tuple[tuple[Box, ...], dict[Place, int]]:
    """The tree of boxes, parents first; a cycle is cut below the first box."""
    boxes = [Box(-1, "")]
    number: dict[Place, int] = {FIRST_BOX: 0}
    left = [t for t, introduced in enumerate(analysis.introduced) if introduced]
    while left:
        ready = next((t for t in left if analysis.above[t] in number), None)
        token = left[0] if ready is None else ready
        left.remove(token)
        parent = 0 if ready is None else number[analysis.above[token]]
        for i, (up, label) in enumerate(analysis.introduced[token]):
            boxes.append(Box(parent if up < 0 else number[token, up], label))
            number[token, i] = len(boxes) - 1
    return tuple(boxes), number
