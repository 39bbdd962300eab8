"""Notations of the Parallel Meaning Bank: PENMAN (`drs-graph`) and sequences (`sbn`).

Their graphs are described in `amparser.notations.box_graph`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.logic.clf import Clause, clauses_from_boxes
from amparser.logic.concept_boxes import ConceptBoxes
from amparser.logic.sbn import boxes_from_sbn, boxes_to_sbn
from amparser.notations.box_graph import (
    FAMILY,
    boxes_from_graph,
    graph_from_boxes,
    text_of_graph,
)
from amparser.notations.boxes_penman import (
    aligned_penman,
    boxes_from_penman,
    boxes_to_penman,
)
from amparser.notations.notation import Equality, Notation
from amparser.notations.penman import PENMAN

LENGTHS = (4, 8, 12)
"""Upper bounds of the groups by sentence length; longer sentences form a last group."""
MOST_BOXES = 3
"""Number of boxes from which meanings form one group."""


class BoxedNotation(Notation):
    """Base of notations whose graphs are graphs of boxes."""

    family = FAMILY
    also = (PENMAN.family,)
    metrics = ("smatch", "counter", "match")
    needs_alignment = False

    @abstractmethod
    def read(self, text: str) -> ConceptBoxes:
        """Return the meaning of a text. Raises LogicError."""

    @abstractmethod
    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """Return the text of a meaning on one line. Raises LogicError if it has none."""

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph, which stores its text."""
        return graph_from_boxes(self.read(text), self.name, text)

    def write(self, graph: SGraph) -> str:
        """Return the text from which the graph was read, or a text on one line."""
        text = text_of_graph(graph, self.name)
        if text is not None:
            return text
        try:
            return self.from_boxes(boxes_from_graph(graph))
        except LogicError as error:
            raise TranslateError(str(error)) from None

    def as_read(self, graph: SGraph) -> SGraph:
        """Return the graph of the meaning, with this family's labels."""
        return graph_from_boxes(boxes_from_graph(graph))

    def penman_text(self, graph: SGraph) -> tuple[str, list[int | None]]:
        """Return the graph in the bank's layout (one edge per line) and the token of each node."""
        return aligned_penman(graph)

    def clauses(self, text: str) -> list[Clause]:
        """Return the clauses of a text. Raises LogicError if it has none."""
        with nesting(LogicError, "boxes nested too deeply"):
            return clauses_from_boxes(self.read(text))

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the boxes; see `Notation`."""
        return self.read(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare boxes up to names, order, and the end at which a role is written."""
        equal = wanted == found or isomorphic(graph_from_boxes(wanted), graph_from_boxes(found))
        return Equality(equal, equal)

    def groups(self, tokens: Sequence[str], text: str) -> tuple[str, ...]:
        """Return groups by sentence length, number of boxes and reentrancy."""
        boxes = self.read(text)
        first = 1
        length = f"length {LENGTHS[-1] + 1} or more"
        for last in LENGTHS:
            if len(tokens) <= last:
                length = f"length {first}-{last}"
                break
            first = last + 1
        more = " or more" if boxes.box_count >= MOST_BOXES else ""
        reentrant = "reentrant" if boxes.reentrant() else "not reentrant"
        return length, f"boxes {min(boxes.box_count, MOST_BOXES)}{more}", reentrant

    def is_constant(self, label: str | None) -> bool:
        """Return True if a label is quoted."""
        return label is not None and label.startswith('"')


class DrsGraphNotation(BoxedNotation):
    """PENMAN graphs whose nodes are boxes, concepts and constants."""

    name = "drs-graph"
    word = PENMAN.word

    def read(self, text: str) -> ConceptBoxes:
        """Return the meaning of a text. Raises LogicError."""
        return boxes_from_penman(text)[0]

    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """Return the text on one line."""
        return boxes_to_penman(boxes)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph, which stores its text. Concepts are aligned by `~e.N`."""
        boxes, aligned = boxes_from_penman(text, tokens)
        return graph_from_boxes(boxes, self.name, text, aligned)

    def join(self, words: Sequence[str]) -> str:
        """Return the text on one line."""
        return PENMAN.join(words)


class SbnNotation(BoxedNotation):
    """The Parallel Meaning Bank's sequence box notation."""

    name = "sbn"

    def read(self, text: str) -> ConceptBoxes:
        """Return the meaning of a text. Raises LogicError."""
        return boxes_from_sbn(text)

    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """Return the text on one line."""
        return boxes_to_sbn(boxes)


DRS_GRAPH, SBN = DrsGraphNotation(), SbnNotation()
