"""Notations of SyGNS: NLTK's formulas (`fol`), variable-free terms (`vf`), clauses (`clf`)."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from amparser.errors import LogicError, TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.clf import (
    Clause,
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import Box, drs_equivalent, drs_from_fol, fol_from_drs
from amparser.logic.fol import (
    TOKEN,
    Formula,
    alpha_equivalent,
    atoms_of,
    equivalent_up_to_order,
    fol_from_str,
    free_variables,
)
from amparser.logic.scope import narrowed
from amparser.logic.vf import fol_from_vf, vf_from_str, vf_readings
from amparser.notations.notation import Equality, Notation
from amparser.notations.scoped_graph import graph_from_readings, graph_from_vf, vf_from_graph


class ScopedNotation(Notation):
    """Base class of the notations that share scoped graphs (`amparser.notations.scoped_graph`)."""

    family = "scoped"

    @abstractmethod
    def formula(self, text: str) -> Formula:
        """Return the first-order formula of a text. Raises LogicError if the text is malformed."""

    @abstractmethod
    def from_formula(self, formula: Formula) -> str:
        """Return the text of a formula. Raises LogicError if the notation cannot express it."""

    def clauses(self, text: str) -> list[Clause]:
        """Return the clauses of the box of a text. Raises LogicError if the text is malformed."""
        return clauses_from_drs(drs_from_fol(self.formula(text)))

    def read(self, text: str) -> object:
        """Return the meaning of a text, by default its formula. Raises LogicError if malformed."""
        with nesting(LogicError):
            return self.formula(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the formula's first variable-free term that fits the sentence."""
        with nesting(LogicError):
            formula = self.formula(text)
            count = len(list(atoms_of(formula)))
            # A sentence has at most two predicates per token. Longer formulas have too many
            # readings to try.
            if count > 2 * len(tokens):
                raise TranslateError(f"{count} predicates for {len(tokens)} tokens")
            return graph_from_readings(tokens, vf_readings(narrowed(formula)))

    def write(self, graph: SGraph) -> str:
        """Return the text of the graph's formula."""
        try:
            with nesting(LogicError):
                return self.from_formula(fol_from_vf(vf_from_graph(graph)))
        except LogicError as error:
            raise TranslateError(str(error)) from None

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the formula that `equal` compares."""
        return self.read(text)

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare formulas up to names; `Equality.graph` also ignores the order of conjuncts."""
        named = alpha_equivalent(wanted, found)
        return Equality(named, named or equivalent_up_to_order(wanted, found))


_WORD = re.compile(r"\w+")
_SPACED = frozenset({"&", "|", "->"})


class FolNotation(ScopedNotation):
    """First-order formulas without free variables, as NLTK writes them."""

    name = "fol"
    sample = "exists x1.(dog(x1) & bark(x1))"
    metrics = ("match", "entailment")
    word = TOKEN

    def formula(self, text: str) -> Formula:
        """Return the formula. Raises LogicError if it is malformed or has free variables."""
        formula = fol_from_str(text)
        if free := free_variables(formula):
            raise LogicError(f"free variables {', '.join(sorted(free))}")
        return formula

    def from_formula(self, formula: Formula) -> str:
        """Return the text of a formula; the inverse of `formula`."""
        return str(formula)

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the formula, which `equal` compares; it may have free variables."""
        return fol_from_str(text)

    def join(self, words: Sequence[str]) -> str:
        """Join the words of a formula as NLTK writes them.

        >>> FOL.join(["exists", "x1", ".", "(", "dog", "(", "x1", ")", "&", "-", "run", "(", "x1"])
        'exists x1.(dog(x1) & -run(x1'
        """
        text = "".join(words[:1])
        for left, right in pairwise(words):
            both = _WORD.fullmatch(left) and _WORD.fullmatch(right)
            text += f" {right}" if both or left in _SPACED or right in _SPACED else right
        return text


FOL = FolNotation()


class VfNotation(ScopedNotation):
    """Variable-free terms in prefix notation, such as `EXIST CAT RUN`; nesting expresses scope."""

    name = "vf"

    def formula(self, text: str) -> Formula:
        """Return the formula of a term. Raises LogicError."""
        return fol_from_vf(vf_from_str(text))

    def from_formula(self, formula: Formula) -> str:
        """Return the first variable-free term of a formula."""
        for term in vf_readings(narrowed(formula)):
            return str(term)
        raise LogicError("the formula has no variable-free form")

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of the term that the text contains."""
        with nesting(LogicError):
            return graph_from_vf(tokens, vf_from_str(text))

    def write(self, graph: SGraph) -> str:
        """Return the term of the graph."""
        with nesting(LogicError):
            return str(vf_from_graph(graph))


VF = VfNotation()


class ClfNotation(ScopedNotation):
    """Discourse representation structures (boxes) as clauses, joined by ` [SEP] `."""

    name = "clf"
    metrics = ("match", "counter")

    def formula(self, text: str) -> Formula:
        """Return the first-order formula of the box. Raises LogicError if the text is malformed."""
        return fol_from_drs(drs_from_clauses(clauses_from_str(text)))

    def from_formula(self, formula: Formula) -> str:
        """Return the text of the clauses that describe the formula's box."""
        return clauses_to_str(clauses_from_drs(drs_from_fol(formula)))

    def clauses(self, text: str) -> list[Clause]:
        """Return the clauses in text order. Raises LogicError if they do not describe a box."""
        clauses = clauses_from_str(text)
        drs_from_clauses(clauses)
        return clauses

    def value(self, tokens: Sequence[str], text: str) -> Box:
        """Return the box, which `equal` compares."""
        return drs_from_clauses(clauses_from_str(text))

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """Compare boxes up to names of referents and order of conditions."""
        equal = drs_equivalent(wanted, found)
        return Equality(equal, equal)


CLF = ClfNotation()
