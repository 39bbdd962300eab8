"""The notation of COGS and SLOG (graphs of Weissenhorn et al. 2022, section 3).

Each constant of the logical form is a node, labelled with its predicate and aligned to its token:
`boy`, `cook`, the quoted name `"Emma"`, or `?` at the wh-word, which is the first token. Atoms
become edges and further nodes:

    cook . agent ( x _ 2 , x _ 1 )          cook -agent-> boy
    * boy ( x _ 1 )                         the -iota-> boy, `the` aligned to its own token
    * hund ( x _ 0 )                          *hund, if no word corresponds to `the`
    boy . nmod ( x _ 1 , x _ 4 )            boy -nmod-> verb of the relative clause
    boy . nmod . in ( x _ 1 , x _ 4 )       in -nmod.op1-> boy, in -nmod.op2-> house
    LAMBDA a . LAMBDA e . cry . agent ( e , a )   cry -agent-> an unlabelled source `a`

A node's edges keep the order of the logical form, so the form can be restored exactly. Words and
roles come from the data; only `nmod`, `iota`, `the`, `*`, `op1` and `op2` are fixed names.

The determiner of a definite noun is the word `the` before the noun; adjectives may come between the
two. In languages other than English, the graph has no node for the determiner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import (
    equivalent,
    logical_form_from_str,
    reformatted,
)
from amparser.notations.cogs_from_graph import plain_logical_form, text_from_graph
from amparser.notations.graph_from_cogs import graph_from_logical_form, without_determiners
from amparser.notations.notation import Equality, Notation


class CogsNotation(Notation):
    """Conjunctions of atoms; the constants are positions of tokens (`x _ 1`)."""

    name = "cogs"
    family = "cogs"

    def read(self, text: str) -> Any:
        """Return the logical form of a text. Raises LogicError."""
        return logical_form_from_str(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of a logical form; see the module's docstring."""
        return graph_from_logical_form(tokens, self.read(text))

    def write(self, graph: SGraph) -> str:
        """Return the logical form of a graph; the inverse of the method `graph`."""
        return text_from_graph(graph)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Implement `Notation.written`."""
        return plain_logical_form(tokens, graph) or super().written(tokens, graph)

    def content(self, graph: SGraph) -> Counter[str | None]:
        """Implement `Notation.content`; `*hund` counts as the two labels `hund` and `the`."""
        return without_determiners(super().content(graph))

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the logical form that `equal` compares."""
        return self.read(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare logical forms.

        `Equality.reformatted` ignores the order of conjuncts and the names of variables (Li et al.
        2023, section 4).
        """
        if reformatted(str(found)) == reformatted(str(wanted)):
            return Equality(True, True)
        return Equality(False, equivalent(wanted, found))


COGS = CogsNotation()
