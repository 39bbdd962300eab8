"""What depends on the constants of a parser: how they are scored, composed and shown.

The constants of a lexicon are single nodes with types (`node`), pieces of trees with ports
(`tree`), or pieces of graphs (`graph`). All else is the same for all parsers
(`amparser.parser`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.decode.parse import Decoded
from amparser.errors import InputError
from amparser.explanation import Explanation
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.learn.report import TrainingReport
from amparser.learn.task import Mean, Share
from amparser.nn.scorer import Ensemble

Alignment = tuple[tuple[int, ...], ...]
"""For each token the nodes that it is aligned to."""


class InventoryTable(NamedTuple):
    """A table of what was induced: its title, the names of its columns, its rows, and a note."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


@dataclass(frozen=True)
class Composition(ABC):
    """Trained scorers and a lexicon of one kind of constants.

    What `score` and `decode` give, one for each sentence, is only handed on.

    Attributes:
        settings: the settings of the training, with those of decoding as they are now.
        learned: what was induced (see `amparser.compositions.constants`).
        network: the scorers, in evaluation mode.
        constants: what its constants are, a name in `amparser.compositions.kinds`.
        has_trees: whether its answers have AM dependency trees.
        longest: a sentence of more words is refused, since searches take long; None for no limit.
        tables: makes the tables of what was induced.
    """

    settings: Any
    learned: Any
    network: Ensemble

    constants: ClassVar[str]
    has_trees: ClassVar[bool] = True
    longest: ClassVar[int | None] = None
    tables: ClassVar[Any]

    def with_settings(self, settings: Any) -> Self:
        """The same with other settings of decoding."""
        return replace(self, settings=settings)

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence that train does not have, in any case of letters."""
        return self.network.encoder.unknown(tokens)

    def words(self, tokens: Sequence[str]) -> Sequence[str]:
        """What a sentence is scored as."""
        return tokens

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why a sentence cannot be scored, or None."""
        if not tokens:
            return "empty, expected a sentence"
        words = self.words(tokens)
        if self.longest is not None and len(words) > self.longest:
            return f"{len(words)} tokens, expected at most {self.longest}"
        return self.network.encoder.problem(words)

    @abstractmethod
    def score(self, sentences: Sequence[Sequence[str]]) -> Sequence[Any]:
        """The scores of tokenised sentences, in order."""

    @abstractmethod
    def decode(self, scores: Sequence[Any], decoder: str) -> Sequence[Decoded]:
        """The best that a decoder finds for each sentence; the decoder fits the constants."""

    @abstractmethod
    def others(self, scores: Any, best: Any, decoder: str) -> Iterator[Any]:
        """What is next best for a sentence after the best one, if that is searched for."""

    @abstractmethod
    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """`[n]`: the natural log probabilities of constants and of the arcs above them."""

    def tree(self, tokens: Sequence[str], parse: Any) -> Derivation | None:
        """The derivation of what was found; None if `has_trees` is false."""
        return None

    @abstractmethod
    def graph(self, tokens: Sequence[str], parse: Any) -> SGraph:
        """The graph of what was found; raises AMParserError if it denotes none."""

    def accuracy(self, dev: Sequence[Any], share: Share) -> dict[str, Mean]:
        """`dev_accuracy`: of a share of sentences, how many get their graphs, up to isomorphism.

        Args:
            dev: as `Gold.dev` has it.
            share: of it.
        """
        if not dev:
            return {}
        rows = share.of(dev)
        scores = self.score([tokens for tokens, _ in rows])
        parses = self.decode(scores, self.settings.decode.decoder)
        right = sum(
            parse.found and isomorphic(self.graph(tokens, parse), graph)
            for (tokens, graph), parse in zip(rows, parses, strict=True)
        )
        return {"dev_accuracy": Mean(right, len(rows))}

    @abstractmethod
    def explain(self, tokens: Sequence[str], parse: Any, failure: str | None) -> Explanation:
        """Explain the answer to a sentence; scores the sentence again."""

    def tree_of(
        self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None
    ) -> Derivation:
        """The derivation of a graph; raises AMParserError if it does not decompose."""
        raise InputError(
            f"a model whose constants are {self.constants}s has no AM dependency trees"
        )

    def inventory_tables(self) -> list[InventoryTable]:
        """What was induced, for people to read."""
        tables: list[InventoryTable] = self.tables(self.learned)
        return tables


class Induced(NamedTuple):
    """What a corpus becomes before anything is trained.

    Attributes:
        report: how much there is to learn from.
        tables: makes the tables of what was induced.
    """

    report: TrainingReport
    tables: Callable[[], list[InventoryTable]]
