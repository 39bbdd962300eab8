"""Results of decoders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

Analysis = TypeVar("Analysis")

NO_TREE = "no well-typed tree"
BUDGET = "item budget exhausted"


@dataclass(frozen=True, slots=True)
class Best(Generic[Analysis]):
    """Best analysis of a sentence, or the reason for its absence.

    Attributes:
        margins: for each choice, the estimated loss of score in nats if the choice had its
            second-best value.
    """

    analysis: Analysis | None = None
    logp: float = float("-inf")
    failure: str | None = None
    fallback: str | None = None
    margins: Mapping[Any, float] = field(default_factory=dict, compare=False)

    @property
    def found(self) -> bool:
        """True if there is an analysis."""
        return self.analysis is not None


@dataclass(frozen=True, slots=True)
class Parse:
    """A decoded tree as indices into the lexicon, or the reason for its absence.

    `supertags[i]`, `heads[i]` and `operations[i]` belong to token i + 1; an ignored token has
    supertag 0, head 0 and operation 0. `logp` is the sum of the natural-log scores of all supertags
    and edges. `popped_count` counts the items taken from the agenda (A*) or the cells filled (fixed
    tree). `fallback` is set if the tree is not the best one of the requested search: it names the
    smaller search that found the tree after the requested one had exhausted its budget, or is
    `tree K` if the K - 1 better trees have no meaning.
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
        """True if there is a tree."""
        return self.failure is None


Decoded: TypeAlias = Best[Any] | Parse
"""Result of any search, for all lexicon types."""
