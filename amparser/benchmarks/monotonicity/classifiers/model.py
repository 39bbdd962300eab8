"""The systems that classify pairs of sentences.

The `content` of a model folder holds `vocabulary`, or the configuration and tokenizer of a
pretrained classifier (`pretrained`). The folder holds all weights.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

import torch
from torch import Tensor, nn

from amparser.baselines.pretrained import fingerprint
from amparser.baselines.vocabulary import vocabulary_from_json, vocabulary_of
from amparser.benchmarks.monotonicity.classifiers.classifier import LABELS, PairClassifier, Row
from amparser.benchmarks.monotonicity.classifiers.pretrained import (
    classifier_from_dict,
    read_classifier,
)
from amparser.benchmarks.monotonicity.classifiers.settings import BertSettings, ScratchSettings
from amparser.benchmarks.monotonicity.classifiers.systems import classifier_of
from amparser.benchmarks.monotonicity.classifiers.words import read_vectors, words_of
from amparser.benchmarks.monotonicity.pairs import BETWEEN, sides
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError, ModelError, located
from amparser.files import checksum, checksum_of_json
from amparser.grammar.library import load_library
from amparser.learn.batches import IntArray, sorted_batches
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import (
    MODEL,
    Head,
    built,
    checked_content,
    read_model,
    settings_of_head,
    trained_parameters,
    write_model,
)
from amparser.learn.prediction_task import Part, PredictionTask, PredictionTrainSettings, lengths_of
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport, TrainingReport
from amparser.learn.settings import to_dict
from amparser.nn.device import device_from_name
from amparser.results import Result

_BATCH = 128
_DECODER = "argmax"


@dataclass(frozen=True)
class PairModel:
    """A trained classifier; a `Model`.

    Its answers are labels. A sentence is a pair: `(*premise, "\\t", *hypothesis)`.

    Attributes:
        system: the name of its system.
        settings: the settings of its training.
        benchmark: the name of the benchmark that it was trained on, or empty.
        data: names and checksums of the files that it was trained on.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
        classifier: the classifier, in evaluation mode, on its device.
        notation: empty, since labels have no notation.
    """

    system: str
    settings: Any
    benchmark: str
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]
    classifier: PairClassifier
    notation: str = ""

    @property
    def decoders(self) -> tuple[str, ...]:
        """The only search: the likeliest label."""
        return (_DECODER,)

    def with_notation(self, notation: str) -> PairModel:
        """Raises InputError, since labels have no notation."""
        raise InputError(f"a {self.system} answers with labels, which have no notation {notation}")

    def with_settings(self, settings: Any) -> PairModel:
        """The same model; it has no settings of decoding."""
        return replace(self, settings=settings)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why a pair cannot be classified, or None."""
        try:
            self.classifier.row(*sides(tokens))
        except InputError as error:
            return str(error)
        return None

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The words of a sentence or pair that are read as `<unk>`, each once."""
        parts = sides(tokens) if BETWEEN in tokens else (tokens,)
        return list(dict.fromkeys(word for part in parts for word in self.classifier.unknown(part)))

    @torch.no_grad()
    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """See `Model`; `logp` is that of the label. The step of `seconds` is `classifying`."""
        if unknown := [name for name in decoders if name != _DECODER]:
            raise InputError(f"unknown decoder {unknown[0]!r}, expected {_DECODER}")
        started = time.perf_counter()
        rows = [self.classifier.row(*sides(tokens)) for tokens in sentences]
        results: list[Result | None] = [None] * len(rows)
        for members in sorted_batches(_lengths(self.classifier, rows), _BATCH, 0):
            logits = self.classifier.logits([rows[i] for i in members])
            best = logits.float().log_softmax(1).max(1)
            for i, logp, label in zip(members, best.values.tolist(), best.indices, strict=True):
                results[i] = Result(tuple(sentences[i]), LABELS[int(label)], logp=logp)
        if seconds is not None:
            elapsed = time.perf_counter() - started
            seconds["classifying"] = seconds.get("classifying", 0.0) + elapsed
        return {_DECODER: [result for result in results if result is not None]}


class PairTask(PredictionTask):
    """A classifier with its training pairs as numbers."""

    def __init__(
        self,
        classifier: PairClassifier,
        settings: PredictionTrainSettings,
        parts: Mapping[Part, tuple[list[Row], list[int]]],
    ) -> None:
        lengths = {part: _lengths(classifier, rows) for part, (rows, _) in parts.items()}
        super().__init__(settings, lengths)
        self.classifier = classifier
        self._parts = parts

    @property
    def network(self) -> nn.Module:
        """See `Task`."""
        return self.classifier.network

    @property
    def size(self) -> int:
        """Width of the states."""
        return self.classifier.size

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """Logits `[B, 1, 2]`, and the gold labels `[B, 1]`."""
        rows, gold = self._parts[part]
        logits = self.classifier.logits([rows[i] for i in members])
        labels = torch.tensor([gold[i] for i in members], device=logits.device)
        return logits[:, None], labels[:, None]


class PairContent(TypedDict, total=False):
    """What `model.json` has of these systems: the words, or the configuration of a checkpoint."""

    vocabulary: list[str]
    pretrained: dict[str, Any]


class PairSystem(ABC):
    """A kind of classifier; a `System`.

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

    @abstractmethod
    def beginning(self, settings: Any) -> object:
        """What identifies the initial weights or vectors of a training."""

    @abstractmethod
    def fresh(self, settings: Any, examples: Sequence[Example]) -> PairClassifier:
        """An untrained classifier for these pairs."""

    @abstractmethod
    def rebuilt(self, settings: Any, content: Mapping[str, Any]) -> PairClassifier:
        """The classifier of a model folder, with fresh weights; ModelError if there is none."""

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> PairModel:
        """See `System`; examples are pairs, their meanings labels.

        Raises:
            CorpusError: an example is not a labelled pair, or cannot be read; the message names
                file and line.
            InputError: there is nothing to learn from; the folder cannot be written, or holds
                another training; bad word vectors.
            ConfigError: no such checkpoint, an extra is not installed, or the loss has become
                infinite.
            ModelError: the checkpoint to resume from is damaged.
        """
        settings = replace(settings, data=replace(settings.data, notation=""))
        if not corpus.train:
            raise InputError("no examples to train on")
        parts: dict[Part, Sequence[Example]] = {"train": corpus.train, "dev": corpus.dev}
        labels = {part: _labels(corpus, part, examples) for part, examples in parts.items()}
        read = [[(e.tokens, e.meaning) for e in examples] for examples in parts.values()]
        data = checksum_of_json([read, self.beginning(settings)])

        def start(device: torch.device) -> PairTask:
            task = self._task(corpus, settings, labels, device)
            # All pairs have been read now.
            if on_report is not None:
                on_report(TrainingReport(len(corpus.train), len(corpus.dev)))
            return task

        def finish(task: Any, metrics: dict[str, Any]) -> PairModel:
            head = Head(
                self.name,
                to_dict(settings),
                "",
                corpus.benchmark,
                corpus.files,
                metrics,
                task.classifier.to_dict(),
            )
            write_model(folder, head, trained_parameters(task.network))
            return _model(head, settings, task.classifier)

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

    def _task(
        self,
        corpus: Corpus,
        settings: Any,
        labels: Mapping[Part, list[int]],
        device: torch.device,
    ) -> PairTask:
        """A fresh classifier with all pairs as numbers."""
        classifier = self.fresh(settings, corpus.train)
        classifier.network.to(device)
        rows: dict[Part, tuple[list[Row], list[int]]] = {
            "train": (_rows(classifier, corpus, "train", corpus.train), labels["train"]),
            "dev": (_rows(classifier, corpus, "dev", corpus.dev), labels["dev"]),
        }
        return PairTask(classifier, settings.train, rows)

    def load(self, folder: Path, device: str = "auto") -> PairModel:
        """See `System`."""
        target = device_from_name(device)
        head, weights = read_model(folder, self.name)
        settings = settings_of_head(head, self.settings, folder)
        content = checked_content(head, PairContent, folder)
        where = folder / f"{MODEL}.json"
        made: list[PairClassifier] = []

        def build() -> nn.Module:
            made[:] = [self.rebuilt(settings, content)]
            return made[0].network

        try:
            built(build, weights, folder, trained_parameters)
        except ModelError as error:
            named = str(error).startswith(str(folder))
            raise error if named else ModelError(f"{where}: {error}") from None
        [classifier] = made
        classifier.network.to(target).eval()
        classifier.check(where)
        return _model(head, settings, classifier)


class ScratchPairSystem(PairSystem):
    """A classifier that is trained from scratch."""

    @property
    def settings(self) -> ScratchSettings:
        """See `System`."""
        return ScratchSettings()

    def beginning(self, settings: ScratchSettings) -> object:
        """The checksum of the file of vectors."""
        return checksum(settings.network.vectors) if settings.network.vectors else None

    def fresh(self, settings: ScratchSettings, examples: Sequence[Example]) -> PairClassifier:
        """The vocabulary has the words of the pairs, and the grammar's words that have vectors."""
        words = {w for e in examples for part in sides(e.tokens) for w in words_of(part)}
        sizes = settings.network
        if not sizes.vectors:
            return classifier_of(self.name, sizes, vocabulary_of([words]))
        known = words | load_library("monotonicity").vocabulary
        vectors = read_vectors(sizes.vectors, known, sizes.embedding_size)
        classifier = classifier_of(self.name, sizes, vocabulary_of([words | vectors.keys()]))
        classifier.take_vectors(vectors)
        return classifier

    def rebuilt(self, settings: ScratchSettings, content: Mapping[str, Any]) -> PairClassifier:
        """See the base class."""
        vocabulary = vocabulary_from_json(content.get("vocabulary"))
        return classifier_of(self.name, settings.network, vocabulary)


class BertSystem(PairSystem):
    """A pretrained classifier that is fine-tuned."""

    @property
    def settings(self) -> BertSettings:
        """See `System`."""
        return BertSettings()

    def beginning(self, settings: BertSettings) -> object:
        """What identifies the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def fresh(self, settings: BertSettings, examples: Sequence[Example]) -> PairClassifier:
        """The checkpoint with a fresh head."""
        return read_classifier(settings.pretrained)

    def rebuilt(self, settings: BertSettings, content: Mapping[str, Any]) -> PairClassifier:
        """See the base class."""
        return classifier_from_dict(content.get("pretrained"))


def _model(head: Head, settings: Any, classifier: PairClassifier) -> PairModel:
    return PairModel(head.system, settings, head.benchmark, head.data, head.metrics, classifier)


def _labels(corpus: Corpus, part: Part, examples: Sequence[Example]) -> list[int]:
    labels = []
    for example in examples:
        if example.meaning not in LABELS:
            reason = f"label {example.meaning!r}, expected {' or '.join(LABELS)}"
            raise CorpusError(located(reason, path=corpus.places.get(part), line=example.line))
        labels.append(LABELS.index(example.meaning))
    return labels


def _rows(
    classifier: PairClassifier, corpus: Corpus, part: Part, examples: Sequence[Example]
) -> list[Row]:
    rows = []
    for example in examples:
        try:
            rows.append(classifier.row(*sides(example.tokens)))
        except InputError as error:
            place = corpus.places.get(part)
            raise CorpusError(located(str(error), path=place, line=example.line)) from None
    return rows


def _lengths(classifier: PairClassifier, rows: Sequence[Row]) -> IntArray:
    return lengths_of([classifier.lengths(row) for row in rows])


PAIR_LSTM = ScratchPairSystem("pair-lstm", "an LSTM over premise and hypothesis")
PAIR_TREELSTM = ScratchPairSystem("pair-treelstm", "a TreeLSTM over premise and hypothesis")
PAIR_BERT = BertSystem("pair-bert", "BERT fine-tuned on premise and hypothesis")
