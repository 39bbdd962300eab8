"""Boxes of concepts <-> PENMAN text, laid out as the Parallel Meaning Bank's graphs are.

    (b0 / "box" :member (s0 / "person.n.01" :EQU "speaker") :NEGATION (b1 / "box" :member ...))

Boxes are `b0`, `b1`, ..., concepts `s0`, `s1`, ... in the order of the text; `b0` is the outermost
box wherever it stands in the text. A box has its members first, then the boxes below it. A concept
or box is written out where it is mentioned first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.concept_boxes import BoxTarget, ConceptBoxes, Role
from amparser.notations.box_graph import BOX, MEMBER, aligned_boxes
from amparser.notations.penman import graph_of_text
from amparser.notations.penman_reading import read_penman

_TAB = "\t"


def boxes_from_penman(
    text: str, tokens: Sequence[str] = ()
) -> tuple[ConceptBoxes, tuple[int | None, ...]]:
    """Read a graph: its meaning, and the token (from 1) of each concept that has `~e.N`.

    Raises:
        LogicError: the text is not PENMAN (the message names the column), or the graph is not
            one of boxes.
        TranslateError: an alignment names a token that the sentence does not have.
    """
    graph: SGraph = graph_of_text(tokens, read_penman(text))
    try:
        boxes, aligned = aligned_boxes(graph)
    except TranslateError as error:
        raise LogicError(str(error)) from None
    return boxes, aligned


def boxes_to_penman(boxes: ConceptBoxes, *, lines: bool = False) -> str:
    """The text of a meaning on one line, or with one edge a line, indented by tabs.

    >>> from amparser.logic.sbn import boxes_from_sbn
    >>> boxes_to_penman(boxes_from_sbn("person.n.01 EQU hearer leave.v.01 Theme -1"))
    '(b0 / "box" :member (s0 / "person.n.01" :EQU "hearer") :member (s1 / "leave.v.01" :Theme s0))'
    """
    return _Writer(boxes).text(lines=lines)


_Item = tuple[str, str, int | str]
"""The edge's label, and what stands behind it: `b` or `s` and a number, or a constant."""


class _Writer:
    def __init__(self, boxes: ConceptBoxes) -> None:
        self.boxes = boxes
        self.below_box: list[list[_Item]] = [[] for _ in range(boxes.box_count)]
        for number, concept in enumerate(boxes.concepts):
            self.below_box[concept.box].append((MEMBER, "s", number))
        for number, link in enumerate(boxes.links, 1):
            if link.above != number:
                self.below_box[link.above].append((link.relation, "b", number))
        others = [number for number in range(boxes.box_count) if number != boxes.outermost]
        self.names = {box: f"b{at}" for at, box in enumerate([boxes.outermost, *others])}
        self.below_concept: list[list[_Item]] = [[] for _ in boxes.concepts]
        for role in boxes.roles:
            self.below_concept[role.owner].append(_item(role))

    def text(self, *, lines: bool) -> str:
        written: list[str] = [f'(b0 / "{BOX}"']
        introduced: set[int] = set()
        # For each open node what is still to be written below it.
        opened = {self.boxes.outermost}
        stack: list[Iterator[_Item]] = [iter(self.below_box[self.boxes.outermost])]
        while stack:
            item = next(stack[-1], None)
            if item is None:
                stack.pop()
                written.append(")")
                continue
            label, kind, target = item
            written.append(f"\n{_TAB * len(stack)}:{label} " if lines else f" :{label} ")
            if isinstance(target, str):
                written.append(f'"{target}"')
            elif kind == "b" and target in opened:
                written.append(self.names[target])
            elif kind == "b":
                opened.add(target)
                written.append(f'({self.names[target]} / "{BOX}"')
                stack.append(iter(self.below_box[target]))
            elif target in introduced:
                written.append(f"s{target}")
            else:
                introduced.add(target)
                written.append(f'(s{target} / "{self.boxes.concepts[target].sense}"')
                stack.append(iter(self.below_concept[target]))
        return "".join(written)


def _item(role: Role) -> _Item:
    if isinstance(role.target, BoxTarget):
        return role.label, "b", role.target.box
    return f"{role.label}-of" if role.inverse else role.label, "s", role.target


def aligned_penman(graph: SGraph) -> tuple[str, list[int | None]]:
    """The text of a graph with one edge a line, and the token of each node, in its order.

    Raises:
        TranslateError: the graph is not one of boxes.
    """
    boxes, tokens = aligned_boxes(graph)
    text = boxes_to_penman(boxes, lines=True)
    found = read_penman(text)
    names = found.layout.variables
    order = (names.get(node, "") for node in found.graph.nodes)
    return text, [tokens[int(name[1:])] if name.startswith("s") else None for name in order]
