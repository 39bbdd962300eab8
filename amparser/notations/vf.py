"""SyGNS's variable-free formulas in prefix notation, such as `EXIST DOG RUN`."""

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
    """Prefix terms; scope is given by nesting."""

    name = "vf"
    metrics: tuple[str, ...] = ("match", "polarity")

    def formula(self, text: str) -> Formula:
        """Return the formula of a term. Raises LogicError."""
        return fol_from_vf(vf_from_str(text))

    def from_formula(self, formula: Formula) -> str:
        """Return the term of the first reading of a formula."""
        for term in vf_readings(narrowed(formula)):
            return vf_to_str(term)
        raise LogicError("the formula has no variable-free form")

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the term as written."""
        with nesting(LogicError):
            return graph_from_vf(tokens, vf_from_str(text))

    def write(self, graph: SGraph) -> str:
        """Return the term of the graph."""
        with nesting(LogicError):
            return vf_to_str(vf_from_graph(graph))


VF = VfNotation()
