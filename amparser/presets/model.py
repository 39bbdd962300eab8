"""What depends on the constants of a parser: how they are scored, composed and shown.

The constants of a lexicon are single nodes with types (`node`), pieces of trees with ports
(`tree`), or pieces of graphs (`graph`). All else is the same for all parsers
(`amparser.parser`).
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
from amparser.decode.parse import Decoded
from amparser.decode.scores import Scores
from amparser.errors import InputError
from amparser.graph.sgraph import SGraph

if TYPE_CHECKING:
    from amparser.explanation import Explanation
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
class ParserModel(ABC):
    """Trained scorers and a lexicon of one preset.

    What `score` and `decode` give, one for each sentence, is only handed on.

    Attributes:
        settings: the settings of the training, with those of decoding as they are now.
        learned: what was induced (see `amparser.presets.preset`).
        network: the scorers, in evaluation mode.
        preset: a name in `amparser.presets.registry`.
        has_trees: whether its answers have AM dependency trees.
        longest: a sentence of more words is refused, since searches take long; None for no limit.
    """

    settings: Any
    learned: Any
    network: Ensemble

    preset: ClassVar[str]
    has_trees: ClassVar[bool] = True
    longest: ClassVar[int | None] = None

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
        """The best that a decoder finds for each sentence; the decoder fits the preset."""

    @abstractmethod
    def others(self, scores: Any, best: Any, decoder: str) -> Iterator[Any]:
        """What is next best for a sentence after the best one, if that is searched for."""

    @abstractmethod
    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """`[n]`: the natural log probabilities of constants and of the arcs above them."""

    @abstractmethod
    def derivation(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """Return the derivation of what was found, over the fragments of the lexicon."""

    def tree(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """Return the AM dependency tree of what was found, if `has_trees`."""
        return self.derivation(tokens, parse)

    @abstractmethod
    def graph(self, tokens: Sequence[str], parse: Any) -> SGraph:
        """The graph of what was found; raises AMParserError if it denotes none."""

    @abstractmethod
    def chosen(self, tokens: Sequence[str], parse: Any) -> Sequence[int]:
        """Return the number of the fragment of each word, or of what it does without one."""

    @abstractmethod
    def constant(self, number: int) -> Fragment | str:
        """Return a fragment by its number, or what a token does without one."""

    def explain(self, tokens: Sequence[str], parse: Any, failure: str | None) -> Explanation:
        """Explain the answer to a sentence; scores the sentence again."""
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
        """The derivation of a graph; raises AMParserError if it does not decompose."""
        raise InputError(f"a model of the preset {self.preset!r} has no AM dependency trees")


class Scored(NamedTuple):
    """A sentence as it is searched, and its scores.

    Attributes:
        words: its tokens, or the units that they are cut into.
        scores: one row for each word.
        parts: the same of its sentences, if it is a text of several.
    """

    words: tuple[Any, ...]
    scores: Scores
    parts: tuple[Scored, ...] = ()


class PieceModel(ParserModel):
    """See the module's docstring."""

    def certainty(self, scores: Any, parse: Any) -> NDArray[np.float64]:
        """See `ParserModel`."""
        derivation: Derivation = parse.analysis
        fragments = np.array([one is not None for one in derivation.fragments])
        tags, heads = self.chosen((), parse), np.array(derivation.heads) + 1
        at, logp = np.arange(len(heads)), scores.scores
        # Least log probability of an arc.
        arcs = np.maximum(np.where(fragments, logp.head_logp[at, heads], 0.0), -1e3)
        return np.asarray(logp.supertag_logp[at, tags].astype(np.float64) + arcs)

    def derivation(self, tokens: Sequence[str], parse: Any) -> Derivation:
        """See `ParserModel`."""
        derivation: Derivation = parse.analysis
        return derivation
