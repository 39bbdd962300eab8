"""The notation `sbn`: sequences of concepts, roles and relations (`amparser.logic.sbn`)."""

from __future__ import annotations

from amparser.logic.concept_boxes import ConceptBoxes
from amparser.logic.sbn import boxes_from_sbn, boxes_to_sbn
from amparser.notations.boxed import BoxedNotation


class SbnNotation(BoxedNotation):
    """The Parallel Meaning Bank's sequence box notation."""

    name = "sbn"

    def read(self, text: str) -> ConceptBoxes:
        """The meaning; raises LogicError."""
        return boxes_from_sbn(text)

    def from_boxes(self, boxes: ConceptBoxes) -> str:
        """The text on one line."""
        return boxes_to_sbn(boxes)


SBN = SbnNotation()
