"""The training of all sequence-to-sequence systems."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from amparser.baselines.targets import Pair, target_notation, targets
from amparser.baselines.text_model import TextModel, beam_size_of
from amparser.corpora.corpus import Corpus
from amparser.errors import InputError
from amparser.files import checksum_of_json
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import Head, write_model
from amparser.learn.prediction_task import Part, PredictionTask, PredictionTrainSettings, lengths_of
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport, TrainingReport
from amparser.learn.settings import to_dict
from amparser.notations.notation import Notation

Rows = Sequence[Sequence[int]]
TaskType = TypeVar("TaskType", bound="TextTask")


class TextTask(PredictionTask):
    """A network with the ids of its training pairs.

    Args:
        settings: the settings of the training.
        parts: ids of sentences and of targets.
    """

    def __init__(
        self, settings: PredictionTrainSettings, parts: Mapping[Part, tuple[Rows, Rows]]
    ) -> None:
        lengths = {
            part: lengths_of([(len(s), len(t)) for s, t in zip(*rows, strict=True)])
            for part, rows in parts.items()
        }
        super().__init__(settings, lengths)
        self.parts = parts


class TextSystem(ABC, Generic[TaskType]):
    """A sequence-to-sequence system; a `System`.

    Attributes:
        name: the name of the system.
        about: a description in one line.
    """

    def __init__(self, name: str, about: str) -> None:
        self.name = name
        self.about = about

    @property
    @abstractmethod
    def settings(self) -> Any:
        """See `System`."""

    def check_decoders(self, settings: Any, decoders: Sequence[str]) -> None:
        """See `System`."""
        for name in decoders:
            beam_size_of(name)

    @abstractmethod
    def load(self, folder: Path, device: str = "auto") -> TextModel:
        """See `System`."""

    @abstractmethod
    def beginning(self, settings: Any) -> object:
        """What identifies the initial weights of a training, as JSON values."""

    @abstractmethod
    def task(
        self,
        pairs: Mapping[Part, Sequence[Pair]],
        notation: Notation,
        settings: Any,
        device: torch.device,
    ) -> TaskType:
        """A network with fresh weights and the ids of all pairs."""

    @abstractmethod
    def content(self, task: TaskType, settings: Any) -> dict[str, Any]:
        """What the model folder must hold in addition to settings and weights."""

    @abstractmethod
    def model(self, task: TaskType, head: Head, settings: Any) -> TextModel:
        """The model of a trained task."""

    @abstractmethod
    def tensors(self, task: TaskType) -> Mapping[str, Tensor]:
        """The weights that are kept."""

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> TextModel:
        """See `System`; the model writes `data.notation`, by default the corpus's notation.

        Raises:
            InputError: there is nothing to learn from; the folder cannot be written, or holds
                another training.
            CorpusError: an example has no meaning in the notation; the message names file and line.
            ConfigError: sizes do not fit together, a checkpoint or an extra is missing, or
                the loss has become infinite.
            ModelError: the checkpoint to resume from is damaged.
        """
        notation = target_notation(corpus, settings.data.notation)
        settings = replace(settings, data=replace(settings.data, notation=notation.name))
        if not corpus.train:
            raise InputError("no examples to train on")
        pairs: dict[Part, list[Pair]] = {
            "train": targets(corpus, "train", notation),
            "dev": targets(corpus, "dev", notation),
        }
        if on_report is not None:
            on_report(TrainingReport(len(pairs["train"]), len(pairs["dev"])))
        data = checksum_of_json([list(pairs.values()), self.beginning(settings)])

        def finish(task: Any, metrics: dict[str, Any]) -> TextModel:
            head = Head(
                self.name,
                to_dict(settings),
                notation.name,
                corpus.benchmark,
                corpus.files,
                metrics,
                self.content(task, settings),
            )
            write_model(folder, head, self.tensors(task))
            return self.model(task, head, settings)

        training = Training(
            folder,
            identity_of(self.name, settings, data),
            settings.train,
            lambda: self.load(folder, settings.train.device),
            lambda device: self.task(pairs, notation, settings, device),
            finish,
            len(pairs["dev"]),
        )
        return train(training, resume=resume, on_progress=on_progress)
