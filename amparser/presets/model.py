"""Parser models: how a preset scores, combines and displays its constants.

Constants are single nodes with types (preset `node`), fragments of trees with ports (`tree`), or
fragments of graphs (`graph`). `amparser.parser` uses all of them through the same methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment
from amparser.decode.next_best import SLACK
from amparser.decode.parse import Decoded
from amparser.decode.scores import Scores
from amparser.errors import InputError
from amparser.graph.sgraph import SGraph

if TYPE_CHECKING:
    from amparser.explanation import Explanation
    from amparser.nn.scorer import Ensemble


Alignment = tuple[tuple[int, ...], ...]
"""Graph nodes aligned to each token."""


class InventoryTable(NamedTuple):
    """Table that displays induced knowledge: title, column names, rows and a note."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


@dataclass(frozen=True)
class ParserModel(ABC):
    """Trained scorers and induced knowledge of one preset.

    Callers pass the results of `score` and `decode` to the other methods without looking inside.

    Attributes:
        settings: settings of training, with the current settings of decoding.
        preset: name of the preset in `amparser.presets.registry`.
        has_trees: whether answers have AM dependency trees.
        longest: maximum number of words in a sentence, which limits the time of the search, or
            None for no limit.
    """

    settings: Any
    learned: Any
    network: Ensemble

    preset: ClassVar[str]
    has_trees: ClassVar[bool] = True
    longest: ClassVar[int | None] = None

    def with_settings(self, settings: Any) -> Self:
        """Return a copy with other settings of decoding."""
        return replace(self, settings=settings)

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens that do not occur in training, ignoring case."""
        return self.network.encoder.unknown(tokens)

    def words(self, tokens: Sequence[str]) -> Sequence[str]:
        """Return the words of a sentence that get scores: its tokens or their units."""
        return tokens

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why a sentence cannot be scored, or None."""
        if not tokens:
            return "empty, expected a sentence"
        words = self.words(tokens)
        if self.longest is not None and len(words) > self.longest:
            return f"{len(words)} tokens, expected at most {self.longest}"
        return self.network.encoder.problem(words)

    @abstractmethod
    def score(self, sentences: Sequence[Sequence[str]]) -> Sequence[Any]:
        """Score tokenised sentences, in order."""

    @abstractmethod
    def decode(self, scores: Sequence[Any], decoder: str) -> Sequence[Decoded]:
        """Return a decoder's best result for each sentence; the decoder must fit the preset."""

    @abstractmethod
    def others(self, scores: Any, best: Any, decoder: str, slack: float = SLACK) -> Iterator[Any]:
        """Yield the next best results for a sentence, at most `slack` nats below the best one."""

    @abstractmethod
    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """Return the log-probability (natural log) of each word's constant and edge, `[n]`."""

    @abstractmethod
    def derivation(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """Return the derivation of a result, over the fragments of the lexicon."""

    def tree(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """Return the AM dependency tree of a result, if `has_trees`."""
        return self.derivation(tokens, parse)

    @abstractmethod
    def graph(self, tokens: Sequence[str], parse: Any) -> SGraph:
        """Return the graph of a result; raise AMParserError if the result denotes no graph."""

    @abstractmethod
    def chosen(self, tokens: Sequence[str], parse: Any) -> Sequence[int]:
        """Return the index of the fragment or operation (see `constant`) of each word."""

    @abstractmethod
    def constant(self, number: int) -> Fragment | str:
        """Return the fragment with an index, or the operation of words without a fragment."""

    def explain(self, tokens: Sequence[str], parse: Any, failure: str | None) -> Explanation:
        """Score a sentence again, and explain the model's answer."""
        from amparser.explanation import explanation_of

        [scored] = self.score([tokens])
        logp = getattr(scored, "scores", scored).supertag_logp
        derivation, chosen = None, logp.argmax(axis=1).tolist()
        if parse.found:
            derivation, chosen = self.derivation(tokens, parse), self.chosen(tokens, parse)
        words = self.words(tokens)
        return explanation_of(words, derivation, logp, chosen, self.constant, failure)

    def tree_of(
        self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None
    ) -> Derivation:
        """Return the derivation of a graph; raise AMParserError if the graph has none."""
        raise InputError(f"a model of the preset {self.preset!r} has no AM dependency trees")


class Scored(NamedTuple):
    """Sentence or text as input of the search, and its scores.

    Attributes:
        words: the words, or units, that have scores.
        scores: scores with one row per word.
        parts: for a text of several sentences, each sentence with its own scores.
    """

    words: tuple[Any, ...]
    scores: Scores
    parts: tuple[Scored, ...] = ()


class PieceModel(ParserModel):
    """Parser model of a preset whose constants are fragments."""

    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """Implement `ParserModel.certainty`."""
        derivation: Derivation = parse.analysis
        fragments = np.array([fragment is not None for fragment in derivation.fragments])
        tags, heads = self.chosen((), parse), np.array(derivation.heads) + 1
        at, logp = np.arange(len(heads)), scores.scores
        # -1000 nats is the floor of the log-probabilities of edges.
        arcs = np.maximum(np.where(fragments, logp.head_logp[at, heads], 0.0), -1e3)
        return np.asarray(logp.supertag_logp[at, tags].astype(np.float64) + arcs)

    def derivation(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """Implement `ParserModel.derivation`."""
        derivation: Derivation = parse.analysis
        return derivation
