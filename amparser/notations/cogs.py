"""The notation of COGS and SLOG: logical forms <-> s-graphs (Weissenhorn et al. 2022, section 3).

Each constant has a node, labelled with its predicate and aligned to its
token: `boy`, `cook`, the name `"Emma"` in quotes, `?` at the wh-word, which is
the first token. Atoms become edges and further nodes:

    cook . agent ( x _ 2 , x _ 1 )          cook -agent-> boy
    * boy ( x _ 1 )                         the -iota-> boy, `the` at its own token
    * hund ( x _ 0 )                          *hund, where no word stands for `the`
    boy . nmod ( x _ 1 , x _ 4 )            boy -nmod-> verb of the relative clause
    boy . nmod . in ( x _ 1 , x _ 4 )       in -nmod.op1-> boy, in -nmod.op2-> house
    LAMBDA a . LAMBDA e . cry . agent ( e , a )   cry -agent-> an unlabelled source `a`

A node's edges keep the order of the logical form, so that it comes back to
the very string. Words and roles are those of the data; what this module knows
by name is what the notation fixes: `nmod`, `iota`, `the`, `*`, `op1`, `op2`.

The word for `the` is `the`, else one of those that a corpus has for it (`for_corpus`), else,
without a corpus, the word before the noun. Adjectives may stand between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import (
    LogicalForm,
    equivalent,
    logical_form_from_str,
    reformatted,
)
from amparser.notations.cogs_encoding import DEFINITE, MARK, without_determiners
from amparser.notations.cogs_from_graph import plain_logical_form, text_from_graph
from amparser.notations.graph_from_cogs import determiners_of, graph_from_logical_form
from amparser.notations.notation import Equality, Notation


class CogsNotation(Notation):
    """Conjunctions of atoms whose constants are positions in the sentence."""

    name = "cogs"
    family = "cogs"

    def __init__(self, determiners: Mapping[str, int] | None = None) -> None:
        self.determiners = determiners

    def for_corpus(
        self, rows: Iterable[tuple[Sequence[str], str]], unordered: Sequence[str] = ()
    ) -> CogsNotation:
        """The notation with the corpus's words for `the`; itself where all are `the`."""
        if all(MARK not in text or DEFINITE in map(str.lower, tokens) for tokens, text in rows):
            return self
        return CogsNotation(determiners_of(rows))

    def read(self, text: str) -> LogicalForm:
        """The logical form; raises LogicError."""
        return logical_form_from_str(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """As in the module's docstring."""
        form = logical_form_from_str(text)
        return graph_from_logical_form(tokens, form, self.determiners)

    def write(self, graph: SGraph) -> str:
        """The logical form; the exact inverse of `graph`."""
        return text_from_graph(graph)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """As `Notation.written`; most graphs are checked without reading the text again."""
        return plain_logical_form(tokens, graph) or super().written(tokens, graph)

    def content(self, graph: SGraph) -> Counter[str | None]:
        """The labels, with the mark of a definite noun for its `the`, wherever that stands."""
        return without_determiners(super().content(graph))

    def value(self, tokens: Sequence[str], text: str) -> LogicalForm:
        """See `Notation`: the logical form."""
        return logical_form_from_str(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """`reformatted` sorts conjuncts and renumbers variables (Li et al. 2023, section 4)."""
        if reformatted(str(found)) == reformatted(str(wanted)):
            return Equality(True, True)
        return Equality(False, equivalent(wanted, found))


COGS = CogsNotation()
