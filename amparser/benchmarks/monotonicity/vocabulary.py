"""Lexical knowledge for inference: an order of words from narrower to wider.

The order is stored in the column `wider` of a lexicon. For example, `dog` is narrower than
`animal`, `ran` than `moved`, and `more than three` than `at least three`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import networkx as nx

from amparser.errors import GrammarError, located
from amparser.grammar.templates import read_lexicon
from amparser.logic.fol import All, Atom, Formula, Implies, atoms_of
from amparser.resources import package_data

_VARIABLE = "x1"


class Vocabulary:
    """Partial order of predicates; `wider` maps each predicate to those directly above it."""

    def __init__(self, wider: Mapping[str, Iterable[str]]) -> None:
        direct: nx.DiGraph[str] = nx.DiGraph()
        direct.add_edges_from((narrow, wide) for narrow, few in wider.items() for wide in few)
        self._wider = {narrow: nx.descendants(direct, narrow) for narrow in direct}

    def follows(self, narrow: str, wide: str) -> bool:
        """Return True if `wide` is wider than `narrow` or equal to it."""
        return narrow == wide or wide in self._wider.get(narrow, ())

    def axioms(self, formulas: Iterable[Formula]) -> list[Formula]:
        """Return axioms such as `all x1.(dog(x1) -> animal(x1))` for the predicates of formulas."""
        atoms = (atom for formula in formulas for atom in atoms_of(formula))
        predicates = sorted({atom.predicate for atom in atoms if len(atom.arguments) == 1})
        return [
            All(_VARIABLE, Implies(Atom(narrow, (_VARIABLE,)), Atom(wide, (_VARIABLE,))))
            for narrow in predicates
            for wide in predicates
            if narrow != wide and self.follows(narrow, wide)
        ]


def read_vocabulary(path: Path | None = None) -> Vocabulary:
    """Read the order from the lexicon columns `predicate` and `wider`. Raises GrammarError."""
    path = path or package_data("grammars/monotonicity.tsv")
    rows = [row for rows in read_lexicon(path).values() for row in rows]
    known = {row.get("predicate") for row in rows}
    wider: dict[str, list[str]] = {}
    for row in rows:
        words = row.get("wider", "").split()
        if unknown := set(words) - known:
            message = f"{min(unknown)!r} is wider than {row['predicate']!r}, but not a predicate"
            raise GrammarError(located(message, path=path))
        wider.setdefault(row["predicate"], []).extend(words)
    return Vocabulary(wider)
