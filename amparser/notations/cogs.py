"""The notation of COGS and SLOG: logical forms <-> s-graphs (Weissenhorn et al. 2022, section 3).

Each constant has a node, labelled with its predicate and aligned to its
token: `boy`, `cook`, the name `"Emma"` in quotes, `?` at the wh-word, which is
the first token. Atoms become edges and further nodes:

    cook . agent ( x _ 2 , x _ 1 )          cook -agent-> boy
    * boy ( x _ 1 )                         the -iota-> boy, `the` at the token before
    boy . nmod ( x _ 1 , x _ 4 )            boy -nmod-> verb of the relative clause
    boy . nmod . in ( x _ 1 , x _ 4 )       in -nmod.op1-> boy, in -nmod.op2-> house
    LAMBDA a . LAMBDA e . cry . agent ( e , a )   cry -agent-> an unlabelled source `a`

A node's edges keep the order of the logical form, so that the string can be
restored exactly. Words and roles come from the data. This module knows by name only
what the notation fixes: `nmod`, `iota`, `the`, `op1`, `op2`.
"""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError
from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import (
    LogicalForm,
    logical_form_from_str,
    logical_form_to_str,
    reformatted,
)
from amparser.logic.equivalence import equivalent
from amparser.notations.cogs_from_graph import logical_form_from_graph
from amparser.notations.graph_from_cogs import graph_from_logical_form
from amparser.notations.notation import Equality, Notation


class CogsNotation(Notation):
    """Conjunctions of atoms whose constants are positions in the sentence."""

    name = "cogs"
    family = "cogs"

    def read(self, text: str) -> LogicalForm:
        """The logical form; raises LogicError."""
        return logical_form_from_str(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The graph, as the module's docstring describes it."""
        return graph_from_logical_form(tokens, logical_form_from_str(text))

    def write(self, graph: SGraph) -> str:
        """The logical form; the exact inverse of `graph`."""
        return logical_form_to_str(logical_form_from_graph(graph))

    def equality(self, tokens: Sequence[str], gold: str, predicted: str | None) -> Equality:
        """`reformatted` sorts conjuncts and renumbers variables (Li et al. 2023, section 4)."""
        if predicted == gold:
            return Equality(True, True)
        wanted = logical_form_from_str(gold)
        try:
            found = logical_form_from_str(predicted or "")
        except LogicError:
            return Equality()
        if reformatted(str(found)) == reformatted(gold):
            return Equality(True, True)
        return Equality(False, equivalent(wanted, found))


COGS = CogsNotation()
