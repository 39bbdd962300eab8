"""What all baselines share: they write the text of a meaning word by word."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from amparser.baselines.settings import SearchSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.penman import graph_of
from amparser.errors import AMParserError, ConfigError, CorpusError, InputError, ModelError, located
from amparser.evaluation.metrics.malformed import malformed_kind
from amparser.files import checksum_of_json
from amparser.learn.batches import IntArray, sorted_batches
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import (
    MODEL,
    Head,
    MetricsJson,
    built,
    check_notation,
    head_of,
    read_model,
    settings_of_head,
    trained_parameters,
    write_model,
)
from amparser.learn.prediction_task import Part, PredictionTask, PredictionTrainSettings, lengths_of
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport, TrainingReport
from amparser.learn.system import timed
from amparser.nn.device import device_from_name
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS, family_of
from amparser.results import Result

PredictorType = TypeVar("PredictorType", bound="Predictor")
Answer = TypeVar("Answer")

GREEDY = "greedy"
_BEAM = re.compile(r"beam-([1-9][0-9]{0,3})")


class Pair(NamedTuple):
    """A sentence and the text of its meaning."""

    tokens: tuple[str, ...]
    target: str


class Output(NamedTuple):
    """The text that a model wrote, well-formed or not, and whether it ended before the length
    limit.
    """

    text: str
    logp: float
    finished: bool


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

    @abstractmethod
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """What the network writes for a batch of tokenised sentences."""

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
class TextModel:
    """A trained model; a `Model`."""

    system: str
    settings: Any
    notation: str
    benchmark: str
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]
    predictor: Predictor

    def with_settings(self, settings: Any) -> TextModel:
        """The same model with other settings of decoding."""
        return replace(self, settings=settings)

    @property
    def decoders(self) -> tuple[str, ...]:
        """The search of the settings, and greedy search; any `beam-N` is known too."""
        size = self.settings.decode.beam_size
        return (GREEDY,) if size == 1 else (f"beam-{size}", GREEDY)

    def with_notation(self, notation: str) -> TextModel:
        """The model itself; it writes only the notation that it was trained on."""
        if NOTATIONS.check(notation) != self.notation:
            raise InputError(f"a {self.system} writes {self.notation}, not {notation}")
        return self

    def problem(self, tokens: Sequence[str]) -> str | None:
        """None, since any word can be read."""
        return None

    def outputs(
        self, sentences: Sequence[Sequence[str]], decoder: str | None = None
    ) -> list[Output]:
        """What the model writes for tokenised sentences, in their order.

        Raises:
            InputError: there is no such decoder.
        """
        name = self.decoders[0] if decoder is None else decoder
        search = replace(self.settings.decode, beam_size=beam_size_of(name))
        return in_batches(
            [(len(tokens), 0) for tokens in sentences],
            search.batch_size,
            lambda members: self.predictor.write([sentences[i] for i in members], search),
        )

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """See `Model`; the failure of a malformed output is its kind.

        The steps of `seconds` are `writing NAME`.
        """
        answers: dict[str, list[Result]] = {}
        for name in dict.fromkeys(decoders or self.decoders[:1]):
            with timed(seconds, f"writing {name}"):
                outputs = self.outputs(sentences, name)
            answers[name] = [
                self._result(tokens, output)
                for tokens, output in zip(sentences, outputs, strict=True)
            ]
        return answers

    def _result(self, tokens: Sequence[str], output: Output) -> Result:
        notation = NOTATIONS[self.notation]
        failure = malformed_kind(
            notation.split(output.text),
            finished=output.finished,
            readable=notation.is_readable(output.text),
        )
        return Result(
            tuple(tokens),
            output.text if failure is None else None,
            self.notation,
            failure=failure,
            logp=output.logp,
            output=output.text,
        )


def beam_size_of(decoder: str) -> int:
    """The beam of a decoder's name; raises InputError if there is no such decoder.

    >>> beam_size_of("greedy"), beam_size_of("beam-5")
    (1, 5)
    """
    if decoder == GREEDY:
        return 1
    if match := _BEAM.fullmatch(decoder):
        return int(match[1])
    raise InputError(f"unknown decoder {decoder!r}, expected {GREEDY} or beam-N")


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


class TextSystem(ABC, Generic[PredictorType]):
    """A sequence-to-sequence system; a `System`."""

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

    def notation(self, corpus: Corpus, named: str) -> str:
        """The named one, or the corpus's own; ConfigError if neither is known."""
        if not named and not corpus.notation:
            known = ", ".join(NOTATIONS)
            raise ConfigError(f"data.notation = '': the corpus names none, expected one of {known}")
        return NOTATIONS.check(named or corpus.notation)

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """The meaning of an example in the notation, whose words make up the text."""
        chosen = NOTATIONS[notation]
        if example.meaning is None:
            text = chosen.write(graph_of(example))
        else:
            source = _notation_of(example.meaning, example.notation or corpus.notation, chosen)
            try:
                text = chosen.convert(example.tokens, example.meaning, source)
                chosen.read(text)
            except AMParserError as error:
                raise CorpusError(
                    f"expected a meaning in the notation {chosen.name!r}: {error}"
                ) from None
        if (again := chosen.join(chosen.split(text))) != text:
            raise CorpusError(f"expected {again!r}, found {text!r}")
        return text

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
                on_report(TrainingReport(len(corpus.train), len(corpus.dev)))
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
        check_notation(head, folder)
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
        return TextModel(head.system, settings, *fields, predictor)


def _notation_of(text: str, name: str, notation: Notation) -> Notation:
    """The notation of a text: a notation of the family of `notation` that can read it.

    Files that name no notation are assumed to have the one asked for; this function
    finds out if they do not.
    """
    source = NOTATIONS[name] if name else notation
    if source.name != notation.name or notation.is_readable(text):
        return source
    family = (NOTATIONS[other] for other in family_of(notation.name)[1:])
    return next((other for other in family if other.is_readable(text)), notation)
