"""Base classes of baselines: predictors, models and systems.

A predictor maps a sentence to a *target*: a meaning that is written word by word, or a label.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from amparser.baselines.settings import SearchSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, ConfigError, CorpusError, InputError, ModelError, located
from amparser.files import checksum_of_json
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
from amparser.learn.prediction_task import Part, PredictionTask
from amparser.learn.report import OnProgress, OnReport, TrainingReport
from amparser.learn.system import timed
from amparser.nn.device import device_from_name
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

Answer = TypeVar("Answer")
GREEDY = "greedy"
_BEAM = re.compile(r"beam-([1-9][0-9]{0,3})")


def beam_size_of(decoder: str) -> int:
    """Return the beam size of a decoder: 1 for `greedy`, N for `beam-N`. Raises InputError."""
    if decoder == GREEDY:
        return 1
    if match := _BEAM.fullmatch(decoder):
        return int(match[1])
    raise InputError(f"unknown decoder {decoder!r}, expected {GREEDY} or beam-N")


class Pair(NamedTuple):
    """Sentence with its target."""

    tokens: tuple[str, ...]
    target: str


class Predictor(ABC):
    """Network that is trained on pairs of sentence and target, and predicts answers."""

    step: str

    def __init__(self, network: nn.Module, size: int) -> None:
        self.network, self.size = network, size

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.network.parameters()).device

    @abstractmethod
    def row(self, pair: Pair) -> Any:
        """Encode a pair as a tuple that begins with two sequences; batching uses their lengths.

        Raises InputError if the pair cannot be encoded.
        """

    @abstractmethod
    def logits(self, rows: Sequence[Any]) -> tuple[Tensor, Tensor]:
        """Return logits `[B, m, V]` and gold classes `[B, m]` (IGNORED where there is none)."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the JSON values that a model folder stores under `content`."""

    @abstractmethod
    def answers(
        self, sentences: Sequence[Sequence[str]], search: SearchSettings
    ) -> Sequence[Result]:
        """Return the answers to a batch of sentences."""

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why a sentence cannot be read, or None."""
        return None

    def check(self, where: object) -> None:  # noqa: B027
        """Raise ModelError, naming the file `where`, if a loaded predictor does not work."""


@dataclass(frozen=True)
class PredictorModel:
    """Trained baseline, a `Model`. The notation is empty if answers are labels."""

    system: str
    settings: Any
    notation: str
    benchmark: str
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]
    predictor: Predictor

    @property
    def _search(self) -> SearchSettings:
        return getattr(self.settings, "decode", SearchSettings())

    @property
    def decoders(self) -> tuple[str, ...]:
        """The decoder in the settings, and `greedy`. Any other `beam-N` is accepted, too."""
        size = self._search.beam_size
        return (GREEDY,) if size == 1 else (f"beam-{size}", GREEDY)

    def with_settings(self, settings: Any) -> PredictorModel:
        """Return a model with other settings for decoding."""
        return replace(self, settings=settings)

    def with_notation(self, notation: str) -> PredictorModel:
        """Return the model itself. Raises InputError if its notation is different."""
        if NOTATIONS.check(notation) != self.notation:
            raise InputError(f"a {self.system} writes {self.notation or 'labels'}, not {notation}")
        return self

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why a sentence cannot be read, or None."""
        return self.predictor.problem(tokens)

    @torch.no_grad()
    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """See `Model`."""
        by_decoder: dict[str, list[Result]] = {}
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        for name in dict.fromkeys(decoders or self.decoders[:1]):
            search = replace(self._search, beam_size=beam_size_of(name))
            results: dict[int, Result] = {}
            with timed(seconds, f"{self.predictor.step} {name}"):
                for first in range(0, len(order), search.batch_size):
                    members = order[first : first + search.batch_size]
                    new = self.predictor.answers([sentences[i] for i in members], search)
                    results |= zip(members, new, strict=True)
            by_decoder[name] = [results[i] for i in range(len(sentences))]
        return by_decoder


def _each(
    work: Callable[[Any], Answer], items: Sequence[Any], corpus: Corpus, part: Part
) -> list[Answer]:
    examples = corpus.train if part == "train" else corpus.dev
    results = []
    for item, example in zip(items, examples, strict=True):
        try:
            results.append(work(item))
        except ConfigError:
            raise
        except AMParserError as error:
            place = corpus.places.get(part)
            raise CorpusError(located(str(error), path=place, line=example.line)) from None
    return results


class PredictorSystem(ABC):
    """Base class of `System`s that train a predictor."""

    def __init__(self, name: str, about: str, settings: Any) -> None:
        self.name, self.about, self.settings = name, about, settings

    @abstractmethod
    def notation(self, corpus: Corpus, named: str) -> str:
        """Return the notation of targets ('' for labels), given the notation in the settings."""

    @abstractmethod
    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """Return the target of an example. Raises AMParserError if the example has none."""

    def check_decoders(self, settings: Any, decoders: Sequence[str]) -> None:
        """See `System`."""
        for name in decoders:
            beam_size_of(name)

    def prefix(self, settings: Any) -> object:
        """Return a JSON value that identifies pretrained weights, or None."""
        return None

    @abstractmethod
    def fresh(self, settings: Any, pairs: Sequence[Pair]) -> Any:
        """Return an untrained predictor for the training pairs."""

    @abstractmethod
    def rebuilt(self, settings: Any, head: Head) -> Any:
        """Build the predictor of a model folder without loading weights. Raises ModelError."""

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> PredictorModel:
        """See `System`. Raises CorpusError, naming file and line, if an example has no target."""
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
        data = checksum_of_json([list(pairs.values()), self.prefix(settings)])

        def start(device: torch.device) -> PredictionTask:
            predictor = self.fresh(settings, pairs["train"])
            predictor.network.to(device)
            rows = {part: _each(predictor.row, of, corpus, part) for part, of in pairs.items()}
            if on_report is not None:
                report = TrainingReport(len(corpus.train), len(corpus.dev))
                on_report(report.with_faults(corpus))
            return PredictionTask(predictor, settings.train, rows)

        def finish(task: Any, metrics: MetricsJson) -> PredictorModel:
            content, tensors = task.predictor.to_dict(), trained_parameters(task.network)
            head = head_of(self.name, settings, corpus, metrics, content)
            write_model(folder, head, tensors)
            return _model(head, settings, task.predictor)

        def load() -> PredictorModel:
            return self.load(folder, settings.train.device)

        identity = identity_of(self.name, settings, data)
        training = Training(folder, identity, settings.train, load, start, finish, len(corpus.dev))
        return train(training, resume=resume, on_progress=on_progress)

    def load(self, folder: Path, device: str = "auto") -> PredictorModel:
        """See `System`. Raises ConfigError if a model with adapters lacks its checkpoint."""
        target = device_from_name(device)
        head, weights = read_model(folder, self.name)
        settings = settings_of_head(head, self.settings, folder)
        where = folder / f"{MODEL}.json"
        try:
            predictor = self.loaded(settings, head, weights, folder)
        except (ModelError, ConfigError) as error:
            named = str(error).startswith(str(folder))
            raise error if named else type(error)(f"{where}: {error}") from None
        predictor.network.to(target).eval()
        predictor.check(where)
        return _model(head, settings, predictor)

    def loaded(self, settings: Any, head: Head, weights: Mapping[str, Tensor], folder: Path) -> Any:
        """Return the predictor of a model folder with its weights."""
        return built(lambda: self.rebuilt(settings, head), weights, folder, trained_tensors)


def trained_tensors(predictor: Any) -> Mapping[str, Tensor]:
    """Return the tensors that a model folder stores for a predictor."""
    return trained_parameters(predictor.network)


def _model(head: Head, settings: Any, predictor: Predictor) -> PredictorModel:
    fields = (head.notation, head.benchmark, head.data, head.metrics)
    return PredictorModel(head.system, settings, *fields, predictor)
