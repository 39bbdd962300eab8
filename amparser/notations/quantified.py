"""Variable-free formulas with upward and downward quantifiers."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.vf import vf_from_str, vf_to_str
from amparser.notations.quantified_graph import (
    form_from_graph,
    graph_from_quantified,
    ordered,
)
from amparser.notations.vf import VfNotation


class QuantifiedNotation(VfNotation):
    """The notation `vf` with quantifiers such as `few` and `at_most_three`."""

    name = "quantified"
    family = "quantified"
    metrics = ("match",)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the term (`amparser.notations.quantified_graph`)."""
        with nesting(LogicError):
            return graph_from_quantified(tokens, vf_from_str(text))

    def write(self, graph: SGraph) -> str:
        """Return the term of the graph, with conjuncts in a fixed order."""
        with nesting(LogicError):
            return vf_to_str(ordered(form_from_graph(graph).term))


QUANTIFIED = QuantifiedNotation()
