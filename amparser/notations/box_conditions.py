"""What `clf` and `drs` share: boxes of formulas have scoped graphs, those of concepts their own.

A text is taken for a box of concepts if it has a sense such as `fry.v.02` or a relation such as
`CONTINUATION` (`amparser.logic.concept_boxes`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from amparser.errors import LogicError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.clf import Clause, clauses_from_drs
from amparser.logic.concept_boxes_drs import boxes_from_drs, has_concepts
from amparser.logic.drs import Box, fol_from_drs
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.fol import Formula
from amparser.notations.box_graph import (
    FAMILY,
    boxes_from_graph,
    graph_from_boxes,
    is_box_graph,
    text_of_graph,
)
from amparser.notations.boxes_penman import aligned_penman
from amparser.notations.notation import Equality
from amparser.notations.penman import PENMAN
from amparser.notations.scoped import ScopedNotation


class BoxNotation(ScopedNotation):
    """A notation whose texts are boxes."""

    also = (FAMILY, PENMAN.family)
    metrics = ("match", "counter")

    @abstractmethod
    def box(self, text: str) -> Box:
        """The box; raises LogicError."""

    def formula(self, text: str) -> Formula:
        """The formula of the box; raises LogicError."""
        return fol_from_drs(self.box(text))

    def clauses(self, text: str) -> list[Clause]:
        """The clauses of the box; raises LogicError."""
        return clauses_from_drs(self.box(text))

    def read(self, text: str) -> Box:
        """The box; raises LogicError, also if it is one of a formula and has none."""
        with nesting(LogicError):
            box = self.box(text)
            if not has_concepts(box):
                fol_from_drs(box)
        return box

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The graph of the box: one of boxes if it has concepts, else a scoped one."""
        with nesting(LogicError):
            box = self.box(text)
            if has_concepts(box):
                return graph_from_boxes(boxes_from_drs(box), self.name, text)
        return super().graph(tokens, text)

    def write(self, graph: SGraph) -> str:
        """The text from which a graph of boxes was read here, or that of the graph's meaning."""
        text = text_of_graph(graph, self.name)
        return super().write(graph) if text is None else text

    def as_read(self, graph: SGraph) -> SGraph:
        """The graph itself; one of boxes with the labels of its family."""
        return graph_from_boxes(boxes_from_graph(graph)) if is_box_graph(graph) else graph

    def penman_text(self, graph: SGraph) -> tuple[str, list[int | None]] | None:
        """A graph of boxes as the notations of its family write it; others are s-graphs."""
        return aligned_penman(graph) if is_box_graph(graph) else None

    def value(self, tokens: Sequence[str], text: str) -> Box:
        """See `Notation`: the box."""
        with nesting(LogicError):
            return self.box(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Up to names and order."""
        equal = drs_equivalent(wanted, found)
        return Equality(equal, equal)
