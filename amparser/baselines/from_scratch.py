"""Sequence-to-sequence systems trained from scratch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from torch import Tensor

from amparser.baselines.networks import RecurrentNetwork, Seq2SeqNetwork, TransformerNetwork
from amparser.baselines.search import search
from amparser.baselines.settings import NetworkSettings, SearchSettings, Seq2SeqSettings
from amparser.baselines.system import Pair
from amparser.baselines.text import Output, TextPredictor, TextSystem, in_style, notation_of_head
from amparser.baselines.vocabulary import BEGIN, END, PADDING, padded, vocabulary_of, words_of
from amparser.learn.model_folder import Head
from amparser.nn.heads.head import IGNORED
from amparser.notations.notation import Notation

Build = Callable[[NetworkSettings, int, int], Seq2SeqNetwork]
"""Function from settings and vocabulary sizes (source, target) to a network; raises ConfigError."""


class ScratchPredictor(TextPredictor):
    """Network with source and target vocabularies."""

    network: Seq2SeqNetwork

    def __init__(
        self,
        build: Build,
        settings: NetworkSettings,
        content: Mapping[str, Any],
        notation: Notation,
    ) -> None:
        self.source = vocabulary_of(content, "source_vocabulary")
        self.target = vocabulary_of(content, "target_vocabulary")
        super().__init__(build(settings, len(self.source), len(self.target)), settings.hidden_size)
        self.notation = notation

    def to_dict(self) -> dict[str, Any]:
        """Return the vocabularies."""
        sides = {"source_vocabulary": self.source, "target_vocabulary": self.target}
        return {name: list(vocabulary.words) for name, vocabulary in sides.items()}

    def row(self, pair: Pair) -> tuple[list[int], list[int]]:
        """Return the word ids of the sentence and of the target."""
        words = self.notation.split(pair.target)
        return self.source.ids(pair.tokens), self.target.ids(words)

    def logits(self, rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
        """See the base class."""
        source = padded([source for source, _ in rows]).to(self.device)
        target = padded([[BEGIN, *target, END] for _, target in rows]).to(self.device)
        gold = target[:, 1:]
        logits = self.network(source, target[:, :-1])
        return logits, gold.masked_fill(gold == PADDING, IGNORED)

    def write(self, sentences: Sequence[Sequence[str]], settings: SearchSettings) -> list[Output]:
        """See the base class."""
        source = padded([self.source.ids(tokens) for tokens in sentences]).to(self.device)
        hypotheses = search(self.network, source, settings)
        return [
            Output(
                self.notation.join(self.target.tokens(hypothesis.words)),
                hypothesis.logp,
                hypothesis.finished,
            )
            for hypothesis in hypotheses
        ]


class ScratchSystem(TextSystem):
    """System whose network is trained from scratch."""

    def __init__(self, name: str, about: str, build: Build) -> None:
        super().__init__(name, about, Seq2SeqSettings())
        self.build = build

    def fresh(self, settings: Seq2SeqSettings, pairs: Sequence[Pair]) -> ScratchPredictor:
        """See the base class. The vocabularies consist of the words of train."""
        notation = in_style(settings.data.notation, pairs)
        content = {
            "source_vocabulary": words_of(pair.tokens for pair in pairs),
            "target_vocabulary": words_of(notation.split(pair.target) for pair in pairs),
        }
        return ScratchPredictor(self.build, settings.network, content, notation)

    def rebuilt(self, settings: Seq2SeqSettings, head: Head) -> ScratchPredictor:
        """See the base class."""
        notation = notation_of_head(head)
        return ScratchPredictor(self.build, settings.network, head.content, notation)


def _recurrent(name: Any, about: str) -> ScratchSystem:
    return ScratchSystem(name, about, partial(RecurrentNetwork, name))


TRANSFORMER = ScratchSystem("transformer", "a Transformer from scratch", TransformerNetwork)
LSTM = _recurrent("lstm", "an LSTM with attention from scratch")
BILSTM = _recurrent("bilstm", "an LSTM whose encoder reads in both directions, from scratch")
GRU = _recurrent("gru", "a GRU with attention from scratch")
