"""Classifiers of pairs: train, keep, load, ask.

model.json          the system, settings, vocabulary (or the checkpoint's configuration and
                    tokenizer), figures of each epoch, checksums
model.safetensors   the weights, of a pretrained model all of them
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from amparser.baselines.pretrained import fingerprint
from amparser.baselines.vocabulary import vocabulary_from_json, vocabulary_of
from amparser.benchmarks.monotonicity.classifiers.classifier import LABELS, PairClassifier, Row
from amparser.benchmarks.monotonicity.classifiers.pretrained import (
    classifier_from_dict,
    read_classifier,
)
from amparser.benchmarks.monotonicity.classifiers.settings import BertConfig, ScratchConfig
from amparser.benchmarks.monotonicity.classifiers.systems import classifier_of
from amparser.benchmarks.monotonicity.classifiers.words import read_vectors, words_of
from amparser.benchmarks.monotonicity.pairs import LabelledPair
from amparser.corpora.examples import checksum, tokenize
from amparser.errors import ConfigError, InputError, ModelError
from amparser.grammar.library import load_library
from amparser.learn.batches import IntArray
from amparser.learn.checkpoint import MODEL, write_pair
from amparser.learn.config import section_from_dict, to_dict
from amparser.learn.fit import (
    Part,
    checkpoints_of,
    fit,
    load_trained,
    read_trained,
    trained_parameters,
)
from amparser.learn.plan import cut
from amparser.learn.progress import OnProgress
from amparser.learn.randomness import restored_generators, seed_generators
from amparser.learn.resume import checksum_of_json
from amparser.nn.device import device_from_name

PROGRAM = "amparser-nli"

_BATCH = 128

NLIConfig = ScratchConfig | BertConfig


class PairError(InputError):
    """A training pair that cannot be taken, and the line of its file."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a classifier says of a pair: a label, and its probability."""

    label: str
    probability: float


@dataclass(frozen=True)
class NLIModel:
    """A trained classifier and what came with it.

    Attributes:
        classifier: in evaluation mode, on its device.
        config: the settings that it was trained with.
        data: what it was trained on, as the caller of `train_nli` gave it.
        metrics: `best_epoch`, `epochs` (the figures of each epoch) and `data` (a checksum).
    """

    classifier: PairClassifier
    config: NLIConfig
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The name of the system."""
        return self.config.system

    @torch.no_grad()
    def judgements(
        self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
    ) -> list[Judgement | InputError]:
        """What holds of tokenised pairs, in their order; or why a pair cannot be taken."""
        found: list[Judgement | InputError] = []
        rows: list[Row] = []
        places: list[int] = []
        for premise, hypothesis in pairs:
            try:
                rows.append(self.classifier.row(premise, hypothesis))
                places.append(len(found))
                found.append(Judgement("", 0.0))
            except InputError as error:
                found.append(error)
        lengths = _lengths(self.classifier, rows)
        for members in cut(lengths.sum(axis=1).argsort(kind="stable"), lengths, _BATCH, 0):
            logits = self.classifier.logits([rows[i] for i in members])
            best = logits.float().softmax(1).max(1)
            for i, p, label in zip(members, best.values.tolist(), best.indices, strict=True):
                found[places[i]] = Judgement(LABELS[int(label)], p)
        return found


class ClassifierTask:
    """A classifier, and its training pairs as numbers."""

    def __init__(
        self, classifier: PairClassifier, parts: Mapping[Part, tuple[list[Row], list[int]]]
    ) -> None:
        self.classifier = classifier
        self._parts = parts
        self._lengths = {part: _lengths(classifier, rows) for part, (rows, _) in parts.items()}

    @property
    def network(self) -> nn.Module:
        """As `Task` says."""
        return self.classifier.network

    def lengths(self, part: Part) -> IntArray:
        """As `Task` says; of premises and hypotheses."""
        return self._lengths[part]

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """`[B, 1, 2]`, and the gold labels `[B, 1]`."""
        rows, gold = self._parts[part]
        logits = self.classifier.logits([rows[i] for i in members])
        labels = torch.tensor([gold[i] for i in members], device=logits.device)
        return logits[:, None], labels[:, None]


def train_nli(
    train: Sequence[LabelledPair],
    dev: Sequence[LabelledPair],
    config: NLIConfig,
    output_dir: str | Path,
    *,
    data: Mapping[str, Any] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> NLIModel:
    """Train a classifier and write the model folder.

    Args:
        train: what to learn from; the vocabulary is theirs.
        dev: what is looked at after each epoch.
        config: all settings; `train.device` alone may change on resuming.
        output_dir: the model folder. A model that lies there is replaced at the end.
        data: kept in `model.json`: where the pairs are from.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each update.

    Raises:
        PairError: a pair cannot be taken.
        InputError: no pairs; the folder cannot be written, or holds another training; bad
            word vectors.
        ConfigError: no such checkpoint, an extra is not installed, or the loss has become
            infinite.
        ModelError: the checkpoint to resume from is damaged.
    """
    folder = Path(output_dir)
    device = device_from_name(config.train.device)
    pairs: dict[Part, Sequence[LabelledPair]] = {"train": train, "dev": dev}
    rows = [[pair[:3] for pair in part] for part in pairs.values()]
    digest = checksum_of_json([rows, _beginning(config)])
    checkpoints = checkpoints_of(folder, config, digest, (train, dev), program=PROGRAM)
    if resume and checkpoints.finished():
        return load_nli(folder, config.train.device)
    with restored_generators(device):
        seed_generators(config.train.seed, 0)
        classifier = _fresh(config, train)
    classifier.network.to(device)
    metrics = fit(
        ClassifierTask(classifier, {name: _numbers(classifier, pairs[name]) for name in pairs}),
        config.train,
        checkpoints,
        device=device,
        size=classifier.size,
        resume=resume,
        on_progress=on_progress,
    )
    model = NLIModel(classifier, config, data or {}, {**metrics, "data": digest})
    content = {
        "system": model.system,
        "config": to_dict(config),
        **classifier.to_dict(),
        "data": model.data,
        "metrics": model.metrics,
    }
    write_pair(folder, MODEL, content, trained_parameters(classifier.network), program=PROGRAM)
    checkpoints.clear()
    return model


def load_nli(folder: str | Path, device: str = "auto") -> NLIModel:
    """Read a model folder.

    Raises:
        ModelError: files are missing, truncated, of another program or version, or do
            not belong together; one line that names the folder.
        ConfigError: an extra is not installed.
        InputError: there is no such device.
    """
    folder = Path(folder)
    target_device = device_from_name(device)
    content, weights = read_trained(folder, program=PROGRAM)
    where = folder / f"{MODEL}.json"
    try:
        config = nli_from_dict(content["config"], where=str(where))
    except ConfigError as error:
        raise ModelError(str(error)) from None
    classifier: PairClassifier
    try:
        with torch.random.fork_rng(devices=[]):
            if isinstance(config, BertConfig):
                classifier = classifier_from_dict(content.get("pretrained"))
            else:
                words = vocabulary_from_json(content.get("vocabulary"))
                classifier = classifier_of(config.system, config.network, words)
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    load_trained(classifier.network, weights, folder / f"{MODEL}.safetensors")
    classifier.network.to(target_device).eval()
    return NLIModel(classifier, config, content["data"], content["metrics"])


def nli_from_dict(table: Mapping[str, object], *, where: str) -> NLIConfig:
    """The settings in nested dictionaries; raises ConfigError where they are none."""
    if table.get("system") == BertConfig().system:
        return section_from_dict(BertConfig(), table, where=where)
    return section_from_dict(ScratchConfig(), table, where=where)


def _fresh(config: NLIConfig, train: Iterable[LabelledPair]) -> PairClassifier:
    if isinstance(config, BertConfig):
        return read_classifier(config.pretrained)
    words = {
        word
        for pair in train
        for text in (pair.premise, pair.hypothesis)
        for word in words_of(tokenize(text))
    }
    sizes = config.network
    if not sizes.vectors:
        return classifier_of(config.system, sizes, vocabulary_of([words]))
    known = words | load_library("monotonicity").vocabulary
    vectors = read_vectors(sizes.vectors, known, sizes.embedding_size)
    classifier = classifier_of(config.system, sizes, vocabulary_of([words | vectors.keys()]))
    classifier.take_vectors(vectors)
    return classifier


def _beginning(config: NLIConfig) -> object:
    """What tells the weights or vectors that a training begins with from others."""
    if isinstance(config, BertConfig):
        return fingerprint(config.pretrained.path)
    return checksum(config.network.vectors) if config.network.vectors else None


def _numbers(
    classifier: PairClassifier, pairs: Sequence[LabelledPair]
) -> tuple[list[Row], list[int]]:
    rows = []
    for pair in pairs:
        try:
            rows.append(classifier.row(tokenize(pair.premise), tokenize(pair.hypothesis)))
        except InputError as error:
            raise PairError(str(error), pair.line) from None
    return rows, [LABELS.index(pair.label) for pair in pairs]


def _lengths(classifier: PairClassifier, rows: Sequence[Row]) -> IntArray:
    counts = [classifier.lengths(row) for row in rows]
    return np.array(counts, dtype=np.int64).reshape(-1, 2)
