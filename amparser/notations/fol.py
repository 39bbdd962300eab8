"""First-order formulas in NLTK's notation, such as `exists x1.(dog(x1) & run(x1))`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from amparser.errors import LogicError
from amparser.logic.fol import TOKEN, Formula, fol_from_str, fol_to_str, free_variables
from amparser.notations.scoped import ScopedNotation

_WORD = re.compile(r"\w+")
_SPACED = frozenset({"&", "|", "->"})


class FolNotation(ScopedNotation):
    """Formulas without free variables."""

    name = "fol"
    sample = "exists x1.(dog(x1) & bark(x1))"
    metrics = ("match", "entailment", "polarity")

    def formula(self, text: str) -> Formula:
        """Return the formula. Raises LogicError if it is malformed or has free variables."""
        formula = fol_from_str(text)
        if free := free_variables(formula):
            raise LogicError(f"free variables {', '.join(sorted(free))}")
        return formula

    def from_formula(self, formula: Formula) -> str:
        """Return the text of a formula; the inverse of `formula`."""
        return fol_to_str(formula)

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return the formula, which may have free variables; see `Notation`."""
        return fol_from_str(text)

    def split(self, text: str) -> Sequence[str]:
        """Return NLTK's tokens."""
        return TOKEN.findall(text)

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
