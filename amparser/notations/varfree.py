"""SLOG's variable-free notation; it shares its graphs with the COGS notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import equivalent
from amparser.logic.varfree import Term, varfree_from_str, varfree_to_str
from amparser.notations.cogs_encoding import without_determiners
from amparser.notations.cogs_from_graph import logical_form_from_graph
from amparser.notations.graph_from_cogs import graph_from_logical_form
from amparser.notations.notation import Equality, Notation
from amparser.notations.varfree_conversion import (
    logical_form_from_varfree,
    varfree_from_logical_form,
)


class VarfreeNotation(Notation):
    """Nested terms without variables, such as `give ( agent = Emma , theme = * cake )`."""

    name = "varfree"
    family = "cogs"

    def read(self, text: str) -> Term:
        """Return the term of a text. Raises LogicError."""
        return varfree_from_str(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the COGS logical form determined by the term and the sentence."""
        return graph_from_logical_form(
            tokens, logical_form_from_varfree(tokens, varfree_from_str(text))
        )

    def write(self, graph: SGraph) -> str:
        """Return the variable-free form of the graph's COGS logical form."""
        return varfree_to_str(varfree_from_logical_form(logical_form_from_graph(graph)))

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Return the checked text of a graph; see `Notation`.

        A single word is the form of a primitive, which omits its arguments.
        """
        if len(tokens) == 1 and (text := self.write(graph)) == tokens[0]:
            return text
        return super().written(tokens, graph)

    def content(self, graph: SGraph) -> Counter[str | None]:
        """Return the labels as `cogs` does."""
        return without_determiners(super().content(graph))

    def value(self, tokens: Sequence[str], text: str) -> Term:
        """Return the variable-free form; see `Notation`."""
        return varfree_from_str(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare up to order of arguments (`reformatted`) or by COGS form (`graph`)."""
        if _sorted(wanted) == _sorted(found):
            return Equality(True, True)
        forms = [logical_form_from_varfree(tokens, term) for term in (wanted, found)]
        return Equality(False, equivalent(*forms))


def _sorted(term: Term) -> Term:
    """Return the term with the arguments of each word sorted."""
    arguments = [(role, _sorted(value)) for role, value in term.arguments]
    return Term(term.word, tuple(sorted(arguments, key=lambda a: (a[0], str(a[1])))), term.definite)


VARFREE = VarfreeNotation()
