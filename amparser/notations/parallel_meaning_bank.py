"""The notations of the Parallel Meaning Bank: PENMAN (`drs-graph`) and sequences (`sbn`)."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.graph.sgraph import SGraph
from amparser.logic.concept_boxes import ConceptBoxes
from amparser.logic.sbn import boxes_from_sbn, boxes_to_sbn
from amparser.notations.box_graph import graph_from_boxes
from amparser.notations.boxed import BoxedNotation
from amparser.notations.boxes_penman import boxes_from_penman, boxes_to_penman
from amparser.notations.penman import PENMAN


class DrsGraphNotation(BoxedNotation):
    """PENMAN graphs whose nodes are boxes, concepts and constants."""

    name = "drs-graph"

    def read(self, text: str) -> ConceptBoxes:
        """The meaning; raises LogicError."""
        return boxes_from_penman(text)[0]

    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """The text on one line."""
        return boxes_to_penman(boxes)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The graph; it remembers its text. Concepts are aligned by `~e.N`."""
        boxes, aligned = boxes_from_penman(text, tokens)
        return graph_from_boxes(boxes, self.name, text, aligned)

    def split(self, text: str) -> Sequence[str]:
        """Parentheses, slashes, variables, roles and so on; a string is cut at its spaces."""
        return PENMAN.split(text)

    def join(self, words: Sequence[str]) -> str:
        """The text on one line."""
        return PENMAN.join(words)


class SbnNotation(BoxedNotation):
    """The Parallel Meaning Bank's sequence box notation."""

    name = "sbn"

    def read(self, text: str) -> ConceptBoxes:
        """The meaning; raises LogicError."""
        return boxes_from_sbn(text)

    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """The text on one line."""
        return boxes_to_sbn(boxes)


DRS_GRAPH, SBN = DrsGraphNotation(), SbnNotation()
