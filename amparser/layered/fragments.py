"""From graphs to analyses and back.

Layered --contract--> Analysis --expand--> Layered
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from amparser.errors import DecomposeError
from amparser.layered.analysis import (
    EMPTY,
    FIRST_BOX,
    JOINED,
    ROOT,
    SLOT,
    UNLINKED,
    Analysis,
    Place,
    Tag,
    edges_of_arc,
    parts_of,
)
from amparser.layered.graphs import Box, Layered
from amparser.layered.trees import Habits, tree_of


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
    heads, labels, extra = tree_of(layered, tokens, place, rates, habits)
    return Analysis(
        tuple(tags),
        tuple(fillers),
        tuple(map(tuple, introduced)),
        tuple(scope),
        tuple(above),
        tuple(heads.get(token, ROOT) for token in range(length)),
        tuple(labels.get(token, UNLINKED) for token in range(length)),
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
    found = Layered(tuple(labels), tuple(constant), tuple(edges), tuple(box), boxes, root)
    return with_settled_constants(found)


def with_settled_constants(graph: Layered) -> Layered:
    """The graph with one edge for each constant, which leads to a node that is none.

    There are copies for further edges; a constant without such an edge goes, but at the root.
    """
    wrong = [edge for edge in graph.edges if graph.constant[edge[0]] and graph.constant[edge[2]]]
    if wrong:
        edges_left = tuple(edge for edge in graph.edges if edge not in wrong)
        graph = replace(graph, edges=edges_left)
    degree = Counter(node for parent, _, child in graph.edges for node in (parent, child))
    loose = [
        node
        for node, constant in enumerate(graph.constant)
        if constant and degree[node] != 1 and node != graph.root
    ]
    if not loose:
        return graph
    labels, constant, box = list(graph.labels), list(graph.constant), list(graph.box)
    edges: list[tuple[int, str, int]] = []
    again: set[int] = set()
    for parent, label, child in graph.edges:
        ends = [parent, child]
        for i, node in enumerate(ends):
            if node in loose and node in again:
                labels.append(labels[node])
                constant.append(True)
                box.append(-1)
                ends[i] = len(labels) - 1
            again.add(node)
        edges.append((ends[0], label, ends[1]))
    kept = [node for node in range(len(labels)) if node not in loose or degree[node]]
    number = {node: i for i, node in enumerate(kept)}
    return Layered(
        tuple(labels[node] for node in kept),
        tuple(constant[node] for node in kept),
        tuple((number[parent], label, number[child]) for parent, label, child in edges),
        tuple(box[node] for node in kept),
        graph.boxes,
        number.get(graph.root, -1),
    )


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
