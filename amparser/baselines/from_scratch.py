"""Sequence-to-sequence systems that are trained from scratch.

The `content` of a model folder holds `source_vocabulary` and `target_vocabulary`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from torch import Tensor

from amparser.baselines.networks import RecurrentNetwork, Seq2SeqNetwork, TransformerNetwork
from amparser.baselines.search import search
from amparser.baselines.settings import NetworkSettings, SearchSettings, Seq2SeqSettings
from amparser.baselines.system import Pair
from amparser.baselines.text import Output, TextPredictor, TextSystem, in_style
from amparser.baselines.vocabulary import (
    PADDING,
    TokenVocabulary,
    pair_batch,
    source_batch,
    vocabulary_from_json,
    vocabulary_of,
)
from amparser.errors import ConfigError, ModelError
from amparser.learn.model_folder import Head
from amparser.nn.heads.head import IGNORED
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS

Build = Callable[[NetworkSettings, int, int], Seq2SeqNetwork]
"""A network with fresh weights, drawn from torch's global generator, from its sizes and the numbers
of ids of both vocabularies; raises ConfigError for sizes that do not fit together."""


class ScratchPredictor(TextPredictor):
    """A network with the vocabularies of sentences and of targets."""

    network: Seq2SeqNetwork

    def __init__(
        self,
        build: Build,
        settings: NetworkSettings,
        source: TokenVocabulary,
        target: TokenVocabulary,
        notation: Notation,
    ) -> None:
        super().__init__(build(settings, len(source), len(target)), settings.hidden_size)
        self.source = source
        self.target = target
        self.notation = notation

    def row(self, pair: Pair) -> tuple[list[int], list[int]]:
        """The ids of the words of both sides."""
        words = self.notation.split(pair.target)
        return self.source.ids(pair.tokens), self.target.ids(words)

    def logits(self, rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
        """See the base class."""
        batch = pair_batch([source for source, _ in rows], [target for _, target in rows])
        batch = batch.to(self.device)
        gold = batch.target[:, 1:]
        logits = self.network(batch.source, batch.lengths, batch.target[:, :-1])
        return logits, gold.masked_fill(gold == PADDING, IGNORED)

    def write(self, sentences: Sequence[Sequence[str]], search_: SearchSettings) -> list[Output]:
        """See the base class."""
        rows, lengths = source_batch([self.source.ids(tokens) for tokens in sentences])
        found = search(self.network, rows.to(self.device), lengths.to(self.device), search_)
        return [
            Output(self.notation.join(self.target.tokens(one.words)), one.logp, one.finished)
            for one in found
        ]

    def to_dict(self) -> dict[str, Any]:
        """The vocabularies."""
        return {
            "source_vocabulary": list(self.source.words),
            "target_vocabulary": list(self.target.words),
        }


class ScratchSystem(TextSystem[ScratchPredictor]):
    """A system whose network is trained from scratch."""

    def __init__(self, name: str, about: str, build: Build) -> None:
        super().__init__(name, about)
        self.build = build

    @property
    def settings(self) -> Seq2SeqSettings:
        """See `System`."""
        return Seq2SeqSettings()

    def fresh(self, settings: Seq2SeqSettings, pairs: Sequence[Pair]) -> ScratchPredictor:
        """See the base class; the vocabularies are those of train."""
        notation = in_style(settings.data.notation, pairs)
        source = vocabulary_of(pair.tokens for pair in pairs)
        target = vocabulary_of(notation.split(pair.target) for pair in pairs)
        return ScratchPredictor(self.build, settings.network, source, target, notation)

    def rebuilt(self, settings: Seq2SeqSettings, head: Head) -> ScratchPredictor:
        """See the base class."""
        source = vocabulary_from_json(head.content, "source_vocabulary")
        target = vocabulary_from_json(head.content, "target_vocabulary")
        notation = NOTATIONS[head.notation].styled(head.style)
        try:
            return ScratchPredictor(self.build, settings.network, source, target, notation)
        except ConfigError as error:
            raise ModelError(str(error)) from None


TRANSFORMER = ScratchSystem("transformer", "a Transformer from scratch", TransformerNetwork)
LSTM = ScratchSystem(
    "lstm", "an LSTM with attention from scratch", partial(RecurrentNetwork, "lstm")
)
BILSTM = ScratchSystem(
    "bilstm",
    "an LSTM whose encoder reads in both directions, from scratch",
    partial(RecurrentNetwork, "bilstm"),
)
GRU = ScratchSystem("gru", "a GRU with attention from scratch", partial(RecurrentNetwork, "gru"))
