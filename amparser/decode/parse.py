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
        fallback: see `Parse`.
        margins: for each choice, about how many nats the score is lower with the second-best value.
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

    Attributes:
        supertags, heads, operations: values of token i + 1 at index i. They are 0 for an ignored
            token; the root has the head 0 and the operation 1.
        logp: sum of the scores (natural log) of all supertags and edges.
        popped_count: number of popped items (A*) or filled cells (fixed tree).
        failure: why no tree was found, or None.
        fallback: smaller search that found the tree after the requested search had exhausted its
            budget, or `tree K` if the K - 1 better trees have no meaning; otherwise None.
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
