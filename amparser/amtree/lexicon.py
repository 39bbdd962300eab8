"""The lexicon: supertags, operations, and which word may carry which label.

Learned from decomposed training trees; everything a model needs to know of
the algebra stands in it. Supertag 0 is the empty one; operations 0 and 1 are
IGNORE and ROOT.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from amparser.algebra.supertag import Supertag
from amparser.decode.type_table import TypeTable, type_table


@dataclass(frozen=True)
class Lexicon:
    """Inventory of supertags and operations."""

    supertags: tuple[Supertag | None, ...]
    operations: tuple[str, ...]

    @cached_property
    def table(self) -> TypeTable:
        """The types compiled for the decoders."""
        return type_table(
            [None if s is None else s.lexical_type for s in self.supertags], self.operations
        )
