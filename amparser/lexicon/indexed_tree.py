"""AM dependency trees as ids of a lexicon."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.algebra.derivation import is_projective


@dataclass(frozen=True, slots=True)
class IndexedTree:
    """A sentence with its AM dependency tree, as ids of a lexicon.

    Attributes:
        tokens: n words.
        supertags: n ids; 0 is the empty supertag of an ignored token.
        heads: n positions (1-based); 0 is the artificial root.
        operations: n ids; 0 is IGNORE and 1 is ROOT, both with head 0.
    """

    tokens: tuple[str, ...]
    supertags: tuple[int, ...]
    heads: tuple[int, ...]
    operations: tuple[int, ...]

    @property
    def projective(self) -> bool:
        """Whether no two edges cross, without ignored tokens."""
        pairs = zip(self.heads, self.operations, strict=True)
        return is_projective([-1 if operation == 0 else head for head, operation in pairs])
