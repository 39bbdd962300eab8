"""What all baselines share: a predictor learns targets of sentences, and is kept in a model folder.

A target is a text: a meaning that is written word by word, or a label.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, ConfigError, CorpusError, InputError, ModelError, located
from amparser.files import checksum_of_json
from amparser.learn.batches import IntArray, lengths_of, sorted_batches
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import (
    MODEL,
    Head,
    MetricsJson,
    built,
    head_of,
    read_model,
    settings_of_head,
    trained_parameters,
    write_model,
)
from amparser.learn.prediction_task import Part, PredictionTask, PredictionTrainSettings
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport, TrainingReport
from amparser.nn.device import device_from_name

PredictorType = TypeVar("PredictorType", bound="Predictor")
ModelType = TypeVar("ModelType", bound="PredictorModel[Any]")
Answer = TypeVar("Answer")


class Pair(NamedTuple):
    """A sentence and what is to be predicted."""

    tokens: tuple[str, ...]
    target: str


class Predictor(ABC):
    """A network with what turns pairs into its input.

    Attributes:
        network: the network; its parameters with a gradient are trained.
    """

    def __init__(self, network: nn.Module, size: int) -> None:
        self.network = network
        self.size = size

    @abstractmethod
    def row(self, pair: Pair) -> Any:
        """A pair as numbers; raises InputError if it cannot be taken."""

    @abstractmethod
    def lengths(self, row: Any) -> tuple[int, int]:
        """The sizes of both sides of a row; rows of similar sizes make good batches."""

    @abstractmethod
    def logits(self, rows: Sequence[Any]) -> tuple[Tensor, Tensor]:
        """Logits `[B, m, V]`, and the gold classes `[B, m]`, IGNORED for none."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """What a model folder must hold in addition to settings and weights, as JSON values."""

    def check(self, where: object) -> None:  # noqa: B027
        """Raise ModelError, which names the file, if a predictor that was loaded fails."""

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.network.parameters()).device


class PredictorTask(PredictionTask):
    """A predictor with its training pairs as numbers."""

    def __init__(
        self,
        predictor: Predictor,
        settings: PredictionTrainSettings,
        rows: Mapping[Part, Sequence[Any]],
    ) -> None:
        lengths = {part: lengths_of([*map(predictor.lengths, of)]) for part, of in rows.items()}
        super().__init__(settings, lengths)
        self.predictor = predictor
        self.rows = rows

    @property
    def network(self) -> nn.Module:
        """See `Task`."""
        return self.predictor.network

    @property
    def size(self) -> int:
        """Width of the states."""
        return self.predictor.size

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """See the base class."""
        return self.predictor.logits([self.rows[part][i] for i in members])


@dataclass(frozen=True)
class PredictorModel(Generic[PredictorType]):
    """What all trained baselines have; the base of a `Model`, whose attributes it has.

    Attributes:
        notation: the name of the notation of its answers; empty for labels.
    """

    system: str
    settings: Any
    notation: str
    benchmark: str
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]
    predictor: PredictorType

    def with_settings(self: ModelType, settings: Any) -> ModelType:
        """The same model with other settings of decoding."""
        return replace(self, settings=settings)


def in_batches(
    lengths: Sequence[tuple[int, int]], size: int, work: Callable[[IntArray], Sequence[Answer]]
) -> list[Answer]:
    """The answers to all sentences; `work` gets the numbers of a batch of similar lengths."""
    found: dict[int, Answer] = {}
    for members in sorted_batches(lengths_of(lengths), size, 0):
        found |= dict(zip(members.tolist(), work(members), strict=True))
    return [found[i] for i in range(len(lengths))]


def _each(
    work: Callable[[Any], Answer], items: Sequence[Any], corpus: Corpus, part: Part
) -> list[Answer]:
    """The results of work on what belongs to each example of a part of a corpus.

    Raises:
        CorpusError: one cannot be taken; the message names file and line.
    """
    examples = corpus.train if part == "train" else corpus.dev
    found = []
    for item, example in zip(items, examples, strict=True):
        try:
            found.append(work(item))
        except ConfigError:
            raise
        except AMParserError as error:
            place = corpus.places.get(part)
            raise CorpusError(located(str(error), path=place, line=example.line)) from None
    return found


class PredictorSystem(ABC, Generic[PredictorType]):
    """A kind of predictor; a `System`."""

    kind: type[PredictorModel[Any]]

    def __init__(self, name: str, about: str) -> None:
        self.name = name
        self.about = about

    @property
    @abstractmethod
    def settings(self) -> Any:
        """See `System`."""

    @abstractmethod
    def notation(self, corpus: Corpus, named: str) -> str:
        """The notation of targets, given the one that the settings name; empty for labels."""

    @abstractmethod
    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """What is to be predicted for an example; AMParserError if there is nothing."""

    def beginning(self, settings: Any) -> object:
        """What identifies the initial weights of a training beside the seed, as JSON values."""
        return None

    @abstractmethod
    def fresh(self, settings: Any, pairs: Sequence[Pair]) -> PredictorType:
        """An untrained predictor for the pairs of train."""

    @abstractmethod
    def rebuilt(self, settings: Any, head: Head) -> PredictorType:
        """The predictor of a model folder, with any weights; ModelError if there is none."""

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> Any:
        """See `System`; the model predicts `data.notation`, by default the corpus's notation.

        Raises:
            CorpusError: an example has no target, or cannot be taken; the message names file and
                line.
        """
        notation = self.notation(corpus, settings.data.notation)
        settings = replace(settings, data=replace(settings.data, notation=notation))
        if not corpus.train:
            raise InputError("no examples to train on")

        def pair(example: Example) -> Pair:
            return Pair(example.tokens, self.target(example, corpus, notation))

        pairs: dict[Part, list[Pair]] = {
            "train": _each(pair, corpus.train, corpus, "train"),
            "dev": _each(pair, corpus.dev, corpus, "dev"),
        }
        data = checksum_of_json([list(pairs.values()), self.beginning(settings)])

        def start(device: torch.device) -> PredictorTask:
            predictor = self.fresh(settings, pairs["train"])
            predictor.network.to(device)
            rows = {part: _each(predictor.row, of, corpus, part) for part, of in pairs.items()}
            if on_report is not None:
                report = TrainingReport(len(corpus.train), len(corpus.dev))
                on_report(report.with_faults(corpus))
            return PredictorTask(predictor, settings.train, rows)

        def finish(task: Any, metrics: MetricsJson) -> Any:
            content, tensors = task.predictor.to_dict(), trained_parameters(task.network)
            head = head_of(self.name, settings, corpus, metrics, content)
            write_model(folder, head, tensors)
            return self._model(head, settings, task.predictor)

        training = Training(
            folder,
            identity_of(self.name, settings, data),
            settings.train,
            lambda: self.load(folder, settings.train.device),
            start,
            finish,
            len(corpus.dev),
        )
        return train(training, resume=resume, on_progress=on_progress)

    def load(self, folder: Path, device: str = "auto") -> Any:
        """See `System`.

        Raises:
            ModelError: see `System`.
            ConfigError: an extra is not installed, or a checkpoint below adapters is missing.
            InputError: there is no such device.
        """
        target = device_from_name(device)
        head, weights = read_model(folder, self.name)
        self.check_head(head, folder)
        settings = settings_of_head(head, self.settings, folder)
        where = folder / f"{MODEL}.json"
        try:
            predictor = self.loaded(settings, head, weights, folder)
        except (ModelError, ConfigError) as error:
            named = str(error).startswith(str(folder))
            raise error if named else type(error)(f"{where}: {error}") from None
        predictor.network.to(target).eval()
        predictor.check(where)
        return self._model(head, settings, predictor)

    def check_head(self, head: Head, folder: Path) -> None:
        """Raise ModelError, which names the file, if a folder is of none of these models."""

    def loaded(
        self, settings: Any, head: Head, weights: Mapping[str, Tensor], folder: Path
    ) -> PredictorType:
        """The predictor of a model folder with its weights."""
        made: list[PredictorType] = []

        def build() -> nn.Module:
            made[:] = [self.rebuilt(settings, head)]
            return made[0].network

        built(build, weights, folder, trained_parameters)
        return made[0]

    def _model(self, head: Head, settings: Any, predictor: PredictorType) -> Any:
        fields = (head.notation, head.benchmark, head.data, head.metrics)
        return self.kind(head.system, settings, *fields, predictor)
