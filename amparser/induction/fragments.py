"""From graphs to analyses and back.

Layered --contract--> Analysis --expand--> Layered
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from amparser.algebra.derivation import ARC, PRECEDE, Arc, Derivation, Link, Scope
from amparser.algebra.expand import layered
from amparser.algebra.fragment import Fragment
from amparser.algebra.operations import IGNORE
from amparser.algebra.operations import ROOT as OF_ROOT
from amparser.errors import DecomposeError
from amparser.graph.boxes import Box, Layered
from amparser.induction.spanning_trees import Habits, tree_of
from amparser.lexicon.analysis import (
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
    fragment_of_tag,
)
from amparser.lexicon.senses import NO_SENSES, Senses


def contract(
    layered: Layered,
    tokens: Sequence[int],
    box_tokens: Sequence[int],
    length: int,
    slotted: Sequence[bool],
    joined: Sequence[int] = (),
    habits: Habits | None = None,
    senses: Senses = NO_SENSES,
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
        senses: what is a word and what its sense in labels.

    Raises:
        DecomposeError: a box stands in a cycle of tokens, or there are no nodes.
    """
    if not layered.labels:
        raise DecomposeError("the graph has no nodes")
    groups = _groups(tokens)
    tags: list[Tag] = [EMPTY] * length
    fillers: list[tuple[str, ...]] = [()] * length
    place: dict[int, int] = {}
    for token, group in groups.items():
        order = _ordered(group, layered, slotted)
        place.update({node: i for i, node in enumerate(order)})
        tags[token] = _tag(order, layered, slotted, senses)
        fillers[token] = tuple(_text(layered.labels[n], senses) for n in order if slotted[n])
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


def _groups(tokens: Sequence[int]) -> dict[int, list[int]]:
    """The nodes of each token that has some."""
    groups: dict[int, list[int]] = defaultdict(list)
    for node, token in enumerate(tokens):
        groups[token].append(node)
    return groups


def _text(label: str, senses: Senses) -> str:
    return "".join(senses.parts(label)[1:])


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


def _tag(order: Sequence[int], layered: Layered, slotted: Sequence[bool], senses: Senses) -> Tag:
    number = {node: i for i, node in enumerate(order)}
    labels = []
    for node in order:
        label = layered.labels[node]
        if slotted[node]:
            frame, _, kind, _ = senses.parts(label)
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
    return layered(derivation_of(analysis))


def derivation_of(analysis: Analysis, forms: Sequence[str] = ()) -> Derivation:
    """An analysis of a sentence as a derivation; `expand` says where its edges go."""
    size = len(analysis.tags)
    tags = [EMPTY if tag == JOINED else tag for tag in analysis.tags]
    constants: list[Fragment | None] = [
        fragment_of_tag(tag) if tag.labels else None for tag in tags
    ]
    operations = [IGNORE] * size
    links: list[tuple[Link, ...]] = [()] * size
    for token, constant in enumerate(constants):
        head, label = analysis.heads[token], analysis.labels[token]
        if constant is None:
            operations[token] = PRECEDE if analysis.tags[token] == JOINED else IGNORE
        elif head == ROOT:
            operations[token] = OF_ROOT
            top = _inside(int(label or 0), tags[token])
            constants[token] = replace(constant, root=top) if top else constant
        else:
            operations[token] = ARC
            links[token] = _links(label, tags[head], tags[token])
    return Derivation(
        tuple(forms) or ("",) * size,
        tuple(constants),
        analysis.fillers,
        tuple(h if c else ROOT for h, c in zip(analysis.heads, constants, strict=True)),
        tuple(operations),
        (),
        tuple(links),
        tuple(
            Arc(parent, child, _links(label, tags[parent], tags[child]))
            for parent, child, label in analysis.extra
            if tags[parent].labels and tags[child].labels
        ),
        Scope(analysis.introduced, analysis.scope, analysis.above),
    )


def _links(label: str, upper: Tag, lower: Tag) -> tuple[Link, ...]:
    return tuple(
        Link(role, down, _inside(above, upper), _inside(below, lower))
        for role, down, above, below in edges_of_arc(label)
    )


def _inside(place: int, tag: Tag) -> int:
    return place if place < len(tag.labels) else 0
