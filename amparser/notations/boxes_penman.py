"""Convert boxes of concepts to and from PENMAN text as in the Parallel Meaning Bank.

    (b0 / "box" :member (s0 / "person.n.01" :EQU "speaker") :NEGATION (b1 / "box" :member ...))

Boxes are `b0`, `b1`, ..., concepts `s0`, `s1`, ... in the order of the text; `b0` is always the
outermost box. A box lists its members first, then the boxes below it. Concepts and boxes are
written out at their first mention.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from amparser.errors import LogicError, TranslateError
from amparser.graph.penman_codec import write_out
from amparser.graph.sgraph import SGraph
from amparser.logic.concept_boxes import BoxTarget, ConceptBoxes
from amparser.notations.box_graph import BOX, MEMBER, aligned_boxes
from amparser.notations.penman import graph_of_penman


def boxes_from_penman(
    text: str, tokens: Sequence[str] = ()
) -> tuple[ConceptBoxes, tuple[int | None, ...]]:
    """Read a graph; return its meaning and the token (from 1) of each concept with `~e.N`.

    Raises:
        LogicError: the text is not PENMAN (the message names the column), or the graph is not a
            graph of boxes.
        TranslateError: an alignment names a token that the sentence does not have.
    """
    graph = graph_of_penman(text, tokens)
    try:
        boxes, aligned = aligned_boxes(graph)
    except TranslateError as error:
        raise LogicError(str(error)) from None
    return boxes, aligned


def boxes_to_penman(boxes: ConceptBoxes, *, lines: bool = False) -> str:
    """Return the text of a meaning on one line, or with one edge per line, indented by tabs.

    >>> from amparser.logic.sbn import boxes_from_sbn
    >>> boxes_to_penman(boxes_from_sbn("person.n.01 EQU hearer leave.v.01 Theme -1"))
    '(b0 / "box" :member (s0 / "person.n.01" :EQU "hearer") :member (s1 / "leave.v.01" :Theme s0))'
    """
    return _written(boxes, lines=lines)[0]


_Key = tuple[str, int]
"""A node: `b` with the number of a box, `s` with a concept's, or `""` with a role's."""


def _written(boxes: ConceptBoxes, *, lines: bool) -> tuple[str, list[_Key]]:
    numbers = range(boxes.box_count)
    order = sorted(numbers, key=lambda number: number != boxes.outermost)
    mentions = {("b", box): f"b{at}" for at, box in enumerate(order)}
    labels = {("b", box): BOX for box in numbers}
    below: dict[_Key, list[tuple[str, _Key]]] = defaultdict(list)
    for number, concept in enumerate(boxes.concepts):
        mentions["s", number], labels["s", number] = f"s{number}", concept.sense
        below["b", concept.box].append((f":{MEMBER}", ("s", number)))
    for number, link in enumerate(boxes.links, 1):
        if link.above != number:
            below["b", link.above].append((f":{link.relation}", ("b", number)))
    constants = {}
    for number, role in enumerate(boxes.roles):
        key, inverse = ("", number), "-of" if role.inverse else ""
        if isinstance(role.target, BoxTarget):
            key, inverse = ("b", role.target.box), ""
        elif isinstance(role.target, int):
            key = ("s", role.target)
        else:
            mentions[key] = constants[key] = f'"{role.target}"'
        below["s", role.owner].append((f":{role.label}{inverse}", key))
    return write_out(
        ("b", boxes.outermost),
        lambda key: below[key],
        lambda key: f'{mentions[key]} / "{labels[key]}"',
        mentions.__getitem__,
        constants,
        lines=lines,
    )


def aligned_penman(graph: SGraph) -> tuple[str, list[int | None]]:
    """Return the text of a graph with one edge per line, and the token of each node in order.

    Raises TranslateError if the graph is not a graph of boxes.
    """
    boxes, tokens = aligned_boxes(graph)
    text, order = _written(boxes, lines=True)
    return text, [tokens[number] if letter == "s" else None for letter, number in order]
