"""Notations of the Parallel Meaning Bank: PENMAN (`drs-graph`) and sequences (`sbn`)."""

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
        """Return the meaning of a text. Raises LogicError."""
        return boxes_from_penman(text)[0]

    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """Return the text on one line."""
        return boxes_to_penman(boxes)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph, which stores its text. Concepts are aligned by `~e.N`."""
        boxes, aligned = boxes_from_penman(text, tokens)
        return graph_from_boxes(boxes, self.name, text, aligned)

    def split(self, text: str) -> Sequence[str]:
        """Return parentheses, slashes, variables, roles and so on; strings are cut at spaces."""
        return PENMAN.split(text)

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
