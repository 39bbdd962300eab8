"""Results of decoders: the best analysis or tree of a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

Analysis = TypeVar("Analysis")

NO_TREE = "no well-typed tree"
BUDGET = "item budget exhausted"


@dataclass(frozen=True, slots=True)
class Best(Generic[Analysis]):
    """Best analysis of a sentence, or the reason why there is none.

    Attributes:
        analysis: the analysis, or None.
        logp: score of the analysis (natural log).
        failure: reason why `analysis` is None.
        margins: for each choice, by how many nats the score would be lower, approximately, with the
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
    """Decoded tree as indices of the lexicon, or the reason why there is none.

    `supertags[i]`, `heads[i]` and `operations[i]` belong to token i + 1; an ignored token has
    supertag 0, head 0 and operation 0. `logp` is the sum of the scores (natural log) of all
    supertags and edges. `popped_count` is the number of popped items (A*) or filled cells (fixed
    tree). `fallback` is empty if the tree is the best one of the requested search. Otherwise, it
    names the smaller search that found the tree after the requested search had exhausted its
    budget, or is `tree K` if the K - 1 better trees have no meaning.
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
"""Result of a search in any preset."""
