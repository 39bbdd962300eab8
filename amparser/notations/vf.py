"""Variable-free formulas of SyGNS in prefix notation: `EXIST DOG RUN`."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.fol import Formula
from amparser.logic.scope import narrowed
from amparser.logic.vf import fol_from_vf, vf_from_str, vf_to_str
from amparser.logic.vf_from_fol import vf_readings
from amparser.notations.scoped import ScopedNotation
from amparser.notations.scoped_graph import graph_from_vf, vf_from_graph


class VfNotation(ScopedNotation):
    """Prefix terms, whose nesting is the scope."""

    name = "vf"
    metrics: tuple[str, ...] = ("match", "polarity")

    def formula(self, text: str) -> Formula:
        """The formula of a term; raises LogicError."""
        return fol_from_vf(vf_from_str(text))

    def from_formula(self, formula: Formula) -> str:
        """The term of the first reading of a formula."""
        for term in vf_readings(narrowed(formula)):
            return vf_to_str(term)
        raise LogicError("the formula has no variable-free form")

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The graph of the term itself."""
        with nesting(LogicError):
            return graph_from_vf(tokens, vf_from_str(text))

    def write(self, graph: SGraph) -> str:
        """The term of the graph."""
        with nesting(LogicError):
            return vf_to_str(vf_from_graph(graph))


VF = VfNotation()
