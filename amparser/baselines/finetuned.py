"""Pretrained sequence-to-sequence systems, fine-tuned.

The `content` of a model folder holds configuration and tokenizer (`pretrained`), and the
folder holds all weights. With LoRA, `content` holds what identifies the checkpoint below the
adapters (`base`), and the weights are those of the adapters. Such a model needs the checkpoint
that training started from, at `pretrained.path`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from amparser.baselines.pretrained import (
    SETTING,
    PretrainedSeq2Seq,
    fingerprint,
    pretrained_from_dict,
    read_pretrained,
)
from amparser.baselines.settings import FinetuneSettings, SearchSettings
from amparser.baselines.targets import Pair
from amparser.baselines.text_model import Output, TextModel, fields_of
from amparser.baselines.text_system import Rows, TextSystem, TextTask
from amparser.errors import ConfigError, ModelError
from amparser.learn.batches import IntArray
from amparser.learn.model_folder import (
    MODEL,
    Head,
    check_notation,
    load_tensors,
    read_model,
    settings_of_head,
    trained_parameters,
)
from amparser.learn.prediction_task import Part, PredictionTrainSettings
from amparser.nn.device import device_from_name
from amparser.nn.transformers_library import TRIAL, tried
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS


@dataclass(frozen=True)
class FinetunedModel(TextModel):
    """A fine-tuned model.

    Attributes:
        pretrained: the pretrained model, in evaluation mode, on its device.
    """

    pretrained: PretrainedSeq2Seq

    def write(self, sentences: Sequence[Sequence[str]], search_: SearchSettings) -> list[Output]:
        """See the base class."""
        notation = NOTATIONS[self.notation]
        return [
            Output(notation.join(notation.split(text)), logp, finished)
            for text, logp, finished in self.pretrained.generate(sentences, search_)
        ]


class FinetuneTask(TextTask):
    """A pretrained model, and the ids of its training pairs."""

    def __init__(
        self,
        pretrained: PretrainedSeq2Seq,
        settings: PredictionTrainSettings,
        parts: Mapping[Part, tuple[Rows, Rows]],
    ) -> None:
        super().__init__(settings, parts)
        self.pretrained = pretrained

    @property
    def network(self) -> nn.Module:
        """See `Task`."""
        return self.pretrained.network

    @property
    def size(self) -> int:
        """Width of the states."""
        return self.pretrained.size

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """See the base class."""
        read, written = self.parts[part]
        return self.pretrained.logits([read[i] for i in members], [written[i] for i in members])


class FinetunedSystem(TextSystem[FinetuneTask]):
    """A system that starts from a checkpoint of Hugging Face's transformers."""

    def __init__(self, name: Literal["t5", "llama"], about: str) -> None:
        super().__init__(name, about)
        self.kind = name

    @property
    def settings(self) -> FinetuneSettings:
        """See `System`."""
        return FinetuneSettings()

    def beginning(self, settings: FinetuneSettings) -> object:
        """What identifies the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def task(
        self,
        pairs: Mapping[Part, Sequence[Pair]],
        notation: Notation,
        settings: FinetuneSettings,
        device: torch.device,
    ) -> FinetuneTask:
        """See the base class."""
        pretrained = read_pretrained(self.kind, settings.pretrained)
        pretrained.network.to(device)
        parts: dict[Part, tuple[Rows, Rows]] = {
            name: (
                [pretrained.source_ids(pair.tokens) for pair in part],
                [pretrained.target_ids(pair.target) for pair in part],
            )
            for name, part in pairs.items()
        }
        return FinetuneTask(pretrained, settings.train, parts)

    def content(self, task: FinetuneTask, settings: FinetuneSettings) -> dict[str, Any]:
        """Configuration and tokenizer, or with LoRA what identifies the checkpoint."""
        if settings.pretrained.lora_rank:
            return {"base": fingerprint(settings.pretrained.path)}
        return {"pretrained": task.pretrained.to_dict()}

    def tensors(self, task: FinetuneTask) -> Mapping[str, Tensor]:
        """What was trained: all weights, or only the adapters."""
        return trained_parameters(task.network)

    def model(self, task: FinetuneTask, head: Head, settings: FinetuneSettings) -> FinetunedModel:
        """See the base class."""
        return FinetunedModel(**fields_of(head, settings), pretrained=task.pretrained)

    def load(self, folder: Path, device: str = "auto") -> FinetunedModel:
        """See `System`.

        Raises:
            ModelError: see `System`; or the checkpoint below the adapters is another one.
            ConfigError: an extra is not installed, or there is no such checkpoint.
            InputError: there is no such device.
        """
        target_device = device_from_name(device)
        head, weights = read_model(folder, self.name)
        check_notation(head, folder)
        settings = settings_of_head(head, self.settings, folder)
        with torch.random.fork_rng(devices=[]):
            pretrained = self._pretrained(head, settings, folder / f"{MODEL}.json")
        parameters = trained_parameters(pretrained.network)
        load_tensors(parameters, weights, folder / f"{MODEL}.safetensors")
        pretrained.network.to(target_device).eval()
        short = SearchSettings(max_length=2)
        tried(lambda: pretrained.generate([TRIAL], short), folder / f"{MODEL}.json")
        return FinetunedModel(**fields_of(head, settings), pretrained=pretrained)

    def _pretrained(self, head: Head, settings: FinetuneSettings, where: Path) -> PretrainedSeq2Seq:
        """The model that receives the trained weights."""
        checkpoint = settings.pretrained
        if checkpoint.lora_rank:
            try:
                pretrained = read_pretrained(self.kind, checkpoint)
            except ConfigError as error:
                raise ConfigError(f"{where}: {error}") from None
            if head.content.get("base") != fingerprint(checkpoint.path):
                raise ModelError(
                    f"{where}: settings.{SETTING} = {checkpoint.path!r} is not the checkpoint "
                    "that training started from"
                )
            return pretrained
        try:
            return pretrained_from_dict(self.kind, head.content.get("pretrained"), checkpoint)
        except (ModelError, ConfigError) as error:
            raise type(error)(f"{where}: {error}") from None


T5 = FinetunedSystem("t5", "T5, fine-tuned")
LLAMA = FinetunedSystem("llama", "LLaMA, fine-tuned; with LoRA if pretrained.lora_rank is not 0")
