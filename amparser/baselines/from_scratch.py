"""Sequence-to-sequence systems that are trained from scratch.

The `content` of a model folder holds `source_vocabulary` and `target_vocabulary`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import torch
from torch import Tensor

from amparser.baselines.network import Seq2SeqNetwork
from amparser.baselines.recurrent import RecurrentNetwork
from amparser.baselines.search import search
from amparser.baselines.settings import NetworkSettings, SearchSettings, Seq2SeqSettings
from amparser.baselines.targets import Pair
from amparser.baselines.text_model import Output, TextModel, fields_of
from amparser.baselines.text_system import Rows, TextSystem, TextTask
from amparser.baselines.transformer import TransformerNetwork
from amparser.baselines.vocabulary import (
    PADDING,
    TokenVocabulary,
    pair_batch,
    source_batch,
    vocabulary_from_json,
    vocabulary_of,
)
from amparser.errors import ConfigError, ModelError
from amparser.learn.batches import IntArray
from amparser.learn.model_folder import (
    MODEL,
    Head,
    built,
    check_notation,
    checked_content,
    read_model,
    settings_of_head,
    trained_parameters,
)
from amparser.learn.prediction_task import IGNORED, Part, PredictionTrainSettings
from amparser.nn.device import device_from_name
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS


@dataclass(frozen=True)
class Seq2SeqModel(TextModel):
    """A trained network with its vocabularies.

    Attributes:
        network: the network, in evaluation mode, on its device.
        source: the vocabulary of sentences.
        target: the vocabulary of targets.
    """

    network: Seq2SeqNetwork
    source: TokenVocabulary
    target: TokenVocabulary

    def write(self, sentences: Sequence[Sequence[str]], search_: SearchSettings) -> list[Output]:
        """See the base class."""
        join = NOTATIONS[self.notation].join
        rows, lengths = source_batch([self.source.ids(tokens) for tokens in sentences])
        device = self.network.device
        return [
            Output(join(self.target.tokens(one.words)), one.logp, one.finished)
            for one in search(self.network, rows.to(device), lengths.to(device), search_)
        ]


class ScratchTask(TextTask):
    """A network from scratch, its vocabularies, and the ids of its training pairs."""

    def __init__(
        self,
        network: Seq2SeqNetwork,
        vocabularies: tuple[TokenVocabulary, TokenVocabulary],
        size: int,
        settings: PredictionTrainSettings,
        parts: Mapping[Part, tuple[Rows, Rows]],
    ) -> None:
        super().__init__(settings, parts)
        self._network = network
        self._size = size
        self.source, self.target = vocabularies

    @property
    def network(self) -> Seq2SeqNetwork:
        """See `Task`."""
        return self._network

    @property
    def size(self) -> int:
        """Width of the states."""
        return self._size

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """See the base class."""
        sources, targets = self.parts[part]
        batch = pair_batch([sources[i] for i in members], [targets[i] for i in members])
        batch = batch.to(self.network.device)
        gold = batch.target[:, 1:]
        logits = self.network(batch.source, batch.lengths, batch.target[:, :-1])
        return logits, gold.masked_fill(gold == PADDING, IGNORED)


class ScratchContent(TypedDict):
    """What `model.json` has of these systems."""

    source_vocabulary: list[str]
    target_vocabulary: list[str]


class ScratchSystem(TextSystem[ScratchTask]):
    """A system whose network is trained from scratch.

    Args:
        name: the name of the system.
        about: one line.
        build: builds a network with fresh weights, drawn from torch's global generator, from its
            sizes and the numbers of ids of both vocabularies; raises
            ConfigError for sizes that do not fit together.
    """

    def __init__(
        self, name: str, about: str, build: Callable[[NetworkSettings, int, int], Seq2SeqNetwork]
    ) -> None:
        super().__init__(name, about)
        self.build = build

    @property
    def settings(self) -> Seq2SeqSettings:
        """See `System`."""
        return Seq2SeqSettings()

    def beginning(self, settings: Seq2SeqSettings) -> object:
        """Nothing, since the seed is one of the settings."""
        return None

    def task(
        self,
        pairs: Mapping[Part, Sequence[Pair]],
        notation: Notation,
        settings: Seq2SeqSettings,
        device: torch.device,
    ) -> ScratchTask:
        """See the base class; the vocabularies are those of train."""
        split = notation.split
        source = vocabulary_of(pair.tokens for pair in pairs["train"])
        target = vocabulary_of(split(pair.target) for pair in pairs["train"])
        network = self.build(settings.network, len(source), len(target)).to(device)
        parts: dict[Part, tuple[Rows, Rows]] = {
            name: (
                [source.ids(pair.tokens) for pair in part],
                [target.ids(split(pair.target)) for pair in part],
            )
            for name, part in pairs.items()
        }
        size = settings.network.hidden_size
        return ScratchTask(network, (source, target), size, settings.train, parts)

    def content(self, task: ScratchTask, settings: Seq2SeqSettings) -> dict[str, Any]:
        """The vocabularies."""
        return {
            "source_vocabulary": list(task.source.words),
            "target_vocabulary": list(task.target.words),
        }

    def tensors(self, task: ScratchTask) -> Mapping[str, Tensor]:
        """All weights; tied weights occur once."""
        return trained_parameters(task.network)

    def model(self, task: ScratchTask, head: Head, settings: Seq2SeqSettings) -> Seq2SeqModel:
        """See the base class."""
        fields = fields_of(head, settings)
        return Seq2SeqModel(**fields, network=task.network, source=task.source, target=task.target)

    def load(self, folder: Path, device: str = "auto") -> Seq2SeqModel:
        """See `System`."""
        target_device = device_from_name(device)
        head, weights = read_model(folder, self.name)
        check_notation(head, folder)
        settings = settings_of_head(head, self.settings, folder)
        where = folder / f"{MODEL}.json"
        content = checked_content(head, ScratchContent, folder)
        try:
            source = vocabulary_from_json(content["source_vocabulary"])
            target = vocabulary_from_json(content["target_vocabulary"])
        except ModelError as error:
            raise ModelError(f"{where}: content: {error}") from None
        try:
            network = built(
                lambda: self.build(settings.network, len(source), len(target)),
                weights,
                folder,
                trained_parameters,
            )
        except ConfigError as error:
            raise ModelError(f"{where}: {error}") from None
        network.to(target_device).eval()
        fields = fields_of(head, settings)
        return Seq2SeqModel(**fields, network=network, source=source, target=target)


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
