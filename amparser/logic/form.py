"""Forms: variable-free formulas with alignments of their symbols to words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from amparser.errors import InputError
from amparser.logic.vf import Term


@dataclass(frozen=True, slots=True)
class Form:
    """A term (see `amparser.logic.vf`) with alignments.

    Attributes:
        parts: the forms of its terms, in order.
        words: the positions (from 0) of the words to which the symbol itself is aligned.
    """

    term: Term
    parts: tuple[Form, ...] = field(compare=False)
    words: tuple[int, ...] = field(compare=False)

    @property
    def symbol(self) -> str:
        """The symbol of the term."""
        return self.term.symbol

    def positions(self) -> tuple[int, ...]:
        """The positions of all words of the form, from left to right."""
        found = set(self.words)
        for part in self.parts:
            found.update(part.positions())
        return tuple(sorted(found))


Reading: TypeAlias = Callable[[Sequence[Sequence[str]]], Sequence[Form | InputError]]
"""From the tokens of sentences to their forms, or to the reasons why they have none."""


def phrase(tokens: Sequence[str], positions: Sequence[int]) -> str:
    """The words from the first to the last of some positions."""
    return " ".join(tokens[positions[0] : positions[-1] + 1]) if positions else ""
