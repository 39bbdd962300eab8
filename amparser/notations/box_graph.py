"""Graphs of boxes, concepts, roles and constants of the Parallel Meaning Bank.

The nodes of a meaning (`amparser.logic.concept_boxes`) are its boxes, labelled `box`; its concepts
(`fry.v.02`); and its constants with quoted labels (`"now"`), one node per use. Edges:

    box -member-> concept       the concept belongs to the box
    box -NEGATION-> box         a relation between boxes; the root is the outermost box
    concept -Agent-> concept    a role; `PartOf` is `Part` in the opposite direction
    concept -EQU-> constant     a role; `PartOf` leads from the constant to the concept
    concept -Proposition-> box  a role; such a box need not be below another one

Nodes are in the order of boxes and concepts. A graph does not record at which end a role was
written, so a graph that was read from a text also stores its meaning to reproduce the text. In
other graphs, concepts are ordered by token if all are aligned, and by node otherwise;
`written_inversely` guesses the end of each role.

Graphs that were read as AMR are accepted as well. Their labels are `/"box"` and `/"fry.v.02"`, and
the numbers in their variables (`s0`, `s1`) give the order of the concepts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NoReturn

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.concept_boxes import (
    INVERTIBLE,
    SELDOM_INVERSE,
    BoxTarget,
    Concept,
    ConceptBoxes,
    Link,
    Role,
    checked_relation,
    is_concept,
    role_from_str,
    sorted_roles,
)
from amparser.notations.notation import LaidOutGraph
from amparser.notations.penman import PenmanLayout
from amparser.notations.penman_labels import is_constant, text_of_label

FAMILY = "boxes"
"""Family of the notations that write these graphs."""
BOX = "box"
MEMBER = "member"
_DETACHED = "CONTINUATION"
"""The relation that the bank writes for a detached box."""
_AMR_CONCEPT = "/"
_NUMBER = re.compile(r"[^\W\d]*(\d{1,9})")


@dataclass(frozen=True)
class BoxLayout:
    """The text from which a graph was read."""

    text: str
    boxes: ConceptBoxes


def graph_from_boxes(
    boxes: ConceptBoxes,
    notation: str = "",
    text: str = "",
    tokens: Sequence[int | None] = (),
) -> SGraph:
    """Return the graph of a meaning.

    Nodes are numbered from 1: each box is followed by its concepts, and each concept by its
    constants.

    Args:
        tokens: the token of each concept (from 1 or None), or an empty sequence.
    """
    nodes: dict[int, Node] = {}
    edges: list[Edge] = []
    constants_of: dict[int, list[int]] = {}
    for at, role in enumerate(boxes.roles):
        if isinstance(role.target, str):
            constants_of.setdefault(role.owner, []).append(at)
    box_nodes: list[int] = []
    concept_nodes: list[int] = []
    constants: dict[int, int] = {}

    def added(label: str, token: int | None = None) -> int:
        nodes[len(nodes) + 1] = Node(label, token)
        return len(nodes)

    for box in range(boxes.box_count):
        box_nodes.append(added(BOX))
        if box and (link := boxes.links[box - 1]).above != box:
            edges.append(Edge(box_nodes[link.above], link.relation, box_nodes[box]))
        while (number := len(concept_nodes)) < len(boxes.concepts):
            if boxes.concepts[number].box != box:
                break
            token = tokens[number] if tokens else None
            concept_nodes.append(added(boxes.concepts[number].sense, token))
            edges.append(Edge(box_nodes[box], MEMBER, concept_nodes[number]))
            for at in constants_of.get(number, ()):
                constants[at] = added(f'"{boxes.roles[at].target}"')
    for at, role in enumerate(boxes.roles):
        owner = concept_nodes[role.owner]
        if isinstance(role.target, BoxTarget):
            other = box_nodes[role.target.box]
        else:
            other = constants[at] if isinstance(role.target, str) else concept_nodes[role.target]
        ends = (other, owner) if role.inverse else (owner, other)
        edges.append(Edge(ends[0], role.label, ends[1]))
    root = box_nodes[boxes.outermost]
    if not notation:
        return SGraph(nodes, tuple(edges), root)
    return LaidOutGraph(nodes, tuple(edges), root, {}, notation, BoxLayout(text, boxes))


def text_of_graph(graph: SGraph, notation: str) -> str | None:
    """Return the text from which a notation read a graph, or None if the graph has changed."""
    layout = _layout_of(graph)
    if layout is None or not isinstance(graph, LaidOutGraph) or graph.notation != notation:
        return None
    return layout.text


def _layout_of(graph: SGraph) -> BoxLayout | None:
    """Return the layout of a graph that still has the meaning of its text."""
    if not isinstance(graph, LaidOutGraph) or not isinstance(graph.layout, BoxLayout):
        return None
    plain = graph_from_boxes(graph.layout.boxes)
    same = (
        plain.edges == graph.edges
        and plain.root == graph.root
        and plain.nodes.keys() == graph.nodes.keys()
        and all(node.label == graph.nodes[n].label for n, node in plain.nodes.items())
    )
    return graph.layout if same else None


def boxes_from_graph(graph: SGraph) -> ConceptBoxes:
    """Return the meaning of a graph.

    Raises:
        TranslateError: the graph is not a graph of boxes. For example, a concept does not belong to
            exactly one box, or a box is below two boxes, below itself or not connected to the root.
            The message names node and reason.
        LogicError: a relation between boxes is unknown, or the result is not a meaning.
    """
    layout = _layout_of(graph)
    return _Reader(graph).boxes() if layout is None else layout.boxes


def aligned_boxes(graph: SGraph) -> tuple[ConceptBoxes, tuple[int | None, ...]]:
    """Return the meaning of a graph and the token of each of its concepts, in order.

    Raises TranslateError or LogicError, see `boxes_from_graph`.
    """
    layout = _layout_of(graph)
    reader = _Reader(graph)
    boxes = reader.boxes() if layout is None else layout.boxes
    return boxes, tuple(graph.nodes[concept].token for concept in reader.concepts)


def written_inversely(label: str, parent: str, child: str, *, child_first: bool) -> bool:
    """Return True if the bank likely writes a role at the child, as `AttributeOf`.

    The rules describe the bank's train split: a noun gets attributes, parts and so on from the
    other concept; `Colour` is written at the first concept; `Sub` and roles that are seldom inverse
    are written at the parent.

    Args:
        label: the role.
        parent, child: the concepts.
        child_first: True if the child precedes the parent in the text.

    >>> written_inversely("Attribute", "house.n.01", "red.a.01", child_first=True)
    True
    >>> written_inversely("Agent", "bark.v.01", "dog.n.01", child_first=True)
    False
    """
    if label not in INVERTIBLE or label in SELDOM_INVERSE or label == "Sub":
        return False
    if label == "Colour":
        return not child_first
    pair = parent.split(".")[-2], child.split(".")[-2]
    return pair[0] in ("n", "v") and pair != ("v", "n")


def _text_of_label(label: str | None) -> str | None:
    if label is None or not label.startswith(_AMR_CONCEPT):
        return label
    text = label.removeprefix(_AMR_CONCEPT)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _beginnings(
    tops: Sequence[int], below: Mapping[int, Sequence[int]], begins: Mapping[int, int]
) -> dict[int, int]:
    """Return the position of the first concept in or below each box; 0 if there is none."""
    order = list(tops)
    for box in order:
        order += below[box]
    first_at: dict[int, int] = {}
    for box in reversed(order):
        inside = [first_at[child] for child in below[box]]
        if box in begins:
            inside.append(begins[box])
        first_at[box] = min(inside, default=0)
    return first_at


class _Reader:
    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        layout = graph.layout if isinstance(graph, LaidOutGraph) else None
        self.layout = layout if isinstance(layout, PenmanLayout) else None
        if graph.sources:
            raise TranslateError(f"the graph has open sources {', '.join(sorted(graph.sources))}")
        self.label: dict[int, str] = {}
        self.box_nodes: list[int] = []
        self.concepts: list[int] = []
        self.constants: dict[int, str] = {}
        for node, value in graph.nodes.items():
            text = _text_of_label(value.label)
            if text is None:
                raise TranslateError(f"node {node} has no label")
            self.label[node] = text
            if text == BOX:
                self.box_nodes.append(node)
            elif value.label == text and len(text) > 1 and text[0] == text[-1] == '"':
                self.constants[node] = text[1:-1]
            elif is_concept(text):
                self.concepts.append(node)
            elif is_constant(value.label):
                self.constants[node] = text_of_label(value.label or "")
            else:
                self._fail(node, "expected a box, a quoted constant or a concept LEMMA.POS.NUMBER")
        if graph.root not in self.box_nodes:
            self._fail(graph.root, "the root is not a box")

    def boxes(self) -> ConceptBoxes:
        member_of = self._members()
        place = self._order(self.concepts)
        begins: dict[int, int] = {}
        for concept, box in member_of.items():
            begins[box] = min(place[concept], begins.get(box, place[concept]))
        order, links = self._boxes(begins)
        number_of_box = {box: number for number, box in enumerate(order)}
        self.concepts.sort(key=lambda c: (number_of_box[member_of[c]], place[c]))
        number = {concept: at for at, concept in enumerate(self.concepts)}
        roles = sorted_roles(self._roles(number, number_of_box))
        concepts = tuple(Concept(self.label[c], number_of_box[member_of[c]]) for c in self.concepts)
        return ConceptBoxes(tuple(links), concepts, roles)

    def _order(self, nodes: Sequence[int]) -> Mapping[int, int]:
        if self.layout is not None:
            variables = self.layout.variables
            matches = {n: _NUMBER.fullmatch(variables.get(n, "")) for n in nodes}
            numbers = {n: int(match[1]) for n, match in matches.items() if match}
            if len(set(numbers.values())) == len(nodes):
                return numbers
        tokens = {n: token for n in nodes if (token := self.graph.nodes[n].token)}
        if len(tokens) == len(nodes):
            return tokens
        return {node: at for at, node in enumerate(nodes)}

    def _boxes(self, begins: Mapping[int, int]) -> tuple[list[int], list[Link]]:
        """Return the boxes, each before the boxes below it, and their links.

        The outermost box comes first, unless a box that is reached only by roles begins before it.

        Args:
            begins: the position of the first concept of each box that has concepts.
        """
        boxes = set(self.box_nodes)
        above: dict[int, Edge] = {}
        below: dict[int, list[int]] = {box: [] for box in self.box_nodes}
        for edge in self.graph.edges:
            if edge.parent not in boxes or edge.child not in boxes:
                continue
            checked_relation(edge.label)
            if edge.child in above:
                self._fail(edge.child, "it is below two boxes, expected one")
            above[edge.child] = edge
            below[edge.parent].append(edge.child)
        if self.graph.root in above:
            self._fail(self.graph.root, "it is below itself, a cycle of boxes")
        place = self._order(self.box_nodes)
        pointed = {edge.child for edge in self.graph.edges if edge.child in boxes}
        tops = [self.graph.root, *sorted(pointed - above.keys() - {self.graph.root})]
        key = place if len(tops) == 1 else _beginnings(tops, below, begins)
        order: list[int] = []
        agenda = sorted((key[top], place[top], top) for top in tops)
        while agenda:
            *_, box = heappop(agenda)
            order.append(box)
            for child in below[box]:
                heappush(agenda, (key[child], place[child], child))
        for box in sorted(boxes.difference(order)):
            self._unreachable(box, above)
        number = {box: at for at, box in enumerate(order)}
        links = [
            Link(above[box].label, number[above[box].parent])
            if box in above
            else Link(_DETACHED, number[box])
            for box in order[1:]
        ]
        return order, links

    def _unreachable(self, box: int, above: Mapping[int, Edge]) -> NoReturn:
        seen = set()
        while box in above and box not in seen:
            seen.add(box)
            box = above[box].parent
        reason = "it is below itself, a cycle of boxes" if box in seen else "no box is above it"
        self._fail(box, f"{reason}; it is not connected to the root")

    def _members(self) -> dict[int, int]:
        box_of: dict[int, int] = {}
        boxes, concepts = set(self.box_nodes), set(self.concepts)
        for edge in self.graph.edges:
            if edge.label != MEMBER:
                continue
            if edge.parent not in boxes or edge.child not in concepts:
                self._fail(edge.child, "expected an edge 'member' from a box to a concept")
            if edge.child in box_of:
                self._fail(edge.child, "it belongs to two boxes, expected one")
            box_of[edge.child] = edge.parent
        for concept in self.concepts:
            if concept not in box_of:
                self._fail(concept, "it belongs to no box, expected an edge 'member' to it")
        return box_of

    def _roles(self, number: Mapping[int, int], number_of_box: Mapping[int, int]) -> Sequence[Role]:
        roles: list[Role] = []
        used: set[int] = set()
        boxes = set(self.box_nodes)
        inverted = () if self.layout is None else self.layout.inverted
        if len(inverted) != len(self.graph.edges):
            inverted = ()
        for at, edge in enumerate(self.graph.edges):
            ends = (edge.parent, edge.child)
            if edge.label == MEMBER or (edge.parent in boxes and edge.child in boxes):
                continue
            if edge.parent in boxes or (edge.child in boxes and edge.parent in self.constants):
                box = edge.parent if edge.parent in boxes else edge.child
                self._fail(box, f"the role {edge.label} joins a box, expected one from a concept")
            if edge.child in boxes:
                target = BoxTarget(number_of_box[edge.child])
                roles.append(role_from_str(number[edge.parent], edge.label, target))
                continue
            for end in ends:
                if end in used:
                    self._fail(end, "a constant with two roles, expected one")
            used.update(end for end in ends if end in self.constants)
            roles.append(self._role(edge, number, inverted[at] if inverted else None))
        for constant in self.constants:
            if constant not in used:
                self._fail(constant, "a constant without a role; it is not connected")
        return roles

    def _role(self, edge: Edge, number: Mapping[int, int], inverse: bool | None) -> Role:
        if edge.parent in self.constants:
            if edge.child in self.constants:
                self._fail(edge.child, f"the role {edge.label} joins two constants")
            if edge.label not in INVERTIBLE:
                self._fail(edge.parent, f"a constant has no role {edge.label}")
            return Role(number[edge.child], edge.label, self.constants[edge.parent], True)
        if edge.child in self.constants:
            return role_from_str(number[edge.parent], edge.label, self.constants[edge.child])
        parent, child = number[edge.parent], number[edge.child]
        if inverse is None:
            senses = self.label[edge.parent], self.label[edge.child]
            inverse = written_inversely(edge.label, *senses, child_first=child < parent)
        if inverse and edge.label in INVERTIBLE:
            return Role(child, edge.label, parent, True)
        # `AttributeOf` and `Attribute-of` are equivalent.
        return role_from_str(parent, edge.label, child)

    def _fail(self, node: int, problem: str) -> NoReturn:
        name = str(node) if self.layout is None else self.layout.variables.get(node, str(node))
        label = self.label.get(node) or self.graph.nodes[node].label
        raise TranslateError(f"node {name} ({label}): {problem}")
