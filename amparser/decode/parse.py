"""The result of a decoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

Analysis = TypeVar("Analysis")

NO_TREE = "no well-typed tree"
BUDGET = "item budget exhausted"


@dataclass(frozen=True, slots=True)
class Best(Generic[Analysis]):
    """The best analysis of a sentence; None, and the reason, if there is none."""

    analysis: Analysis | None = None
    logp: float = float("-inf")
    failure: str | None = None
    fallback: str | None = None

    @property
    def found(self) -> bool:
        """Whether there is an analysis."""
        return self.analysis is not None


@dataclass(frozen=True, slots=True)
class Parse:
    """A decoded tree as indices into the lexicon, or the reason for having none.

    `supertags[i]`, `heads[i]` and `operations[i]` belong to token i + 1; an
    ignored token has supertag 0, head 0 and operation 0. `logp` is the sum of
    the natural-log scores of all supertags and edges. `popped_count` counts
    the items taken from the agenda (A*) or the cells filled (fixed tree). `fallback` says that
    the tree is not the best one of the search asked for: it names the smaller search that found
    it after that one had exhausted its budget, or is `tree K` if the better ones have no meaning.
    """

    supertags: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    operations: tuple[int, ...] = ()
    logp: float = float("-inf")
    popped_count: int = 0
    failure: str | None = None
    fallback: str | None = None

    @property
    def found(self) -> bool:
        """Whether there is a tree."""
        return self.failure is None


Decoded: TypeAlias = Best[Any] | Parse
"""Result of any search, whatever constants its trees have."""
