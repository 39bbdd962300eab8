"""Train a parser on a corpus: decompose it, learn scorers, fit the confidence, write the folder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from amparser.calibration import HELD_OUT, calibrated, is_rehearsed
from amparser.corpora.corpus import Corpus
from amparser.errors import AMParserError, ConfigError, InputError
from amparser.files import checksum_of_json, checksum_of_rows
from amparser.learn.ensemble_task import EnsembleTask
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import MetricsJson, head_of, write_model
from amparser.learn.processes import Processes
from amparser.learn.randomness import restored_generators, seed_generators
from amparser.learn.report import OnProgress, OnReport
from amparser.learn.system import PARSER
from amparser.learn.trainer import Trainer
from amparser.lexicon.local_shapes import LocalShapes, local_shapes
from amparser.nn.device import device_from_name, one_thread
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.nn.warm_start import begin_with
from amparser.parser import Parser
from amparser.presets.registry import PRESETS
from amparser.presets.source import graph_of_example, notation_of
from amparser.schema import to_json

if TYPE_CHECKING:
    from amparser.presets.preset import TrainingSet

REHEARSED = (
    f"confidence: asked about {HELD_OUT:.0%} of train, which a second training, of half of the "
    "epochs, leaves out"
)
"""The remark on a training that is rehearsed."""
_MORE_ROWS = 6
"""By how much the epochs are divided if a training begins with the weights of another one."""
_LEAST_COPIED = 0.5
"""The least share of the weights that must fit then."""


def train_parser(
    corpus: Corpus,
    settings: Any,
    folder: Path,
    *,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    on_report: OnReport | None = None,
) -> Parser:
    """Train a parser as `ParserSystem.train` says, and write its folder."""
    settings = replace(settings, data=replace(settings.data, notation=corpus.notation))
    older = _older(settings)
    data = PRESETS[settings.preset].training.training_set(corpus, settings)
    if on_report is not None:
        known = older is not None and older.head.confidence is not None
        on_report(data.announced(corpus, [REHEARSED] if is_rehearsed(corpus) and not known else []))
    if older is not None:
        train = _shortened(data.settings.train, _MORE_ROWS)
        data = replace(data, settings=replace(data.settings, train=train))
    return trained(data, folder, corpus, older=older, resume=resume, on_progress=on_progress)


def trained(
    data: TrainingSet[Any, Any],
    folder: Path,
    corpus: Corpus,
    *,
    older: Parser | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Parser:
    """Train a parser and write its folder.

    Args:
        data: what it learns from; of its settings only `train.device` may change on resuming.
        folder: the model folder.
        corpus: its notation, benchmark and files are kept in the folder.
        older: the parser with whose weights and confidence the training begins, if any.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each batch.

    Raises:
        AMParserError: see `ParserSystem.train`.
    """
    settings = data.settings
    preset = PRESETS[settings.preset]
    content = to_json(data.learned, preset.learned)

    def finish(task: Any, metrics: MetricsJson) -> Parser:
        kept = {**content, "encoder": task.network.encoder.to_dict()}
        head = head_of(PARSER, settings, corpus, metrics, kept)
        head = replace(head, shapes=_shapes(corpus))
        parser = Parser(head, preset.model(settings, data.learned, task.network))
        known = None if older is None else older.head.confidence
        parser = calibrated(parser, corpus, partial(_rehearsed, parser, data, on_progress), known)
        write_model(folder, parser.head, task.network.state_dict())
        return parser

    checksum = checksum_of_json([content, checksum_of_rows(data.train, data.dev)])
    training: Training[Parser] = Training(
        folder,
        identity_of(PARSER, settings, checksum),
        settings.train,
        lambda: Parser.load(folder, settings.train.device),
        partial(_task, data, older=older),
        finish,
        len(data.dev),
    )
    with one_thread() if preset.one_thread else nullcontext():
        return train(training, resume=resume, on_progress=on_progress)


def _shapes(corpus: Corpus) -> LocalShapes | None:
    """Return the local shapes of train's meanings, if their notation is one of many languages."""
    notation = notation_of(corpus)
    if notation is None or not notation.generic:
        return None
    graphs = []
    for example in corpus.train:
        with suppress(AMParserError):
            graphs.append(notation.plain(graph_of_example(example, notation)))
    return local_shapes(graphs)


def _task(
    data: TrainingSet[Any, Any], device: torch.device, older: Parser | None = None
) -> EnsembleTask:
    """Return the task of a network that knows the words of its rows.

    Its weights are fresh, or come from an older parser where they fit.

    Raises:
        ConfigError: few weights of the older parser fit.
        InputError: an example is too long for the encoder.
    """
    settings = data.settings
    words = vocabulary_from_sentences(row.tokens for row in data.train)
    preset = PRESETS[settings.preset]
    network = preset.network(
        settings, data.learned, lambda: encoder_of_train(settings.encoder, words)
    )
    if older is not None:
        tags, given = preset.training.tags, older.model
        share = begin_with(network, tags(data.learned), given.network, tags(given.learned))
        if share < _LEAST_COPIED:
            raise ConfigError(
                f"train.start: {share:.0%} of the weights of {settings.train.start} fit, "
                f"expected {_LEAST_COPIED:.0%}: it learned something else, or with other settings"
            )
    network.to(device)
    encoder = network.encoder
    for name, rows in (("training", data.train), ("dev", data.dev)):
        for number, row in enumerate(rows if encoder.limited else (), 1):
            if problem := encoder.problem(row.tokens):
                raise InputError(f"{name} example {number}: {problem}")
    model = preset.model(settings, data.learned, network)
    accuracy = partial(preset.training.accuracy, model, data.dev)
    return EnsembleTask(network, preset.training.samples(data), settings, accuracy)


def _older(settings: Any) -> Parser | None:
    """Return the parser that `train.start` names, if any.

    Raises:
        ModelError: it is missing or damaged.
        ConfigError: it has another preset.
    """
    if not settings.train.start:
        return None
    parser = Parser.load(settings.train.start, "cpu")
    if (kind := parser.model.preset) != settings.preset:
        raise ConfigError(
            f"train.start: {settings.train.start} has the preset {kind}, "
            f"expected {settings.preset}, which this corpus needs"
        )
    return parser


def _shortened(settings: Any, share: int) -> Any:
    """Return the settings of a training with the epochs and steps divided by `share`."""
    steps = -(-settings.max_steps // share)
    return replace(settings, epochs=-(-settings.epochs // share), max_steps=steps)


def _rehearsed(
    parser: Parser,
    data: TrainingSet[Any, Any],
    on_progress: OnProgress | None,
    held: Collection[Sequence[str]],
) -> Parser:
    """Return a parser with the same lexicon, trained without some sentences in half the epochs."""
    half = _shortened(data.settings.train, 2)
    settings = replace(data.settings, train=half)
    kept = [row for row in data.train if tuple(row.tokens) not in held]
    part = replace(data, train=kept, dev=(), settings=settings)
    device = device_from_name(half.device)
    with restored_generators(device):
        seed_generators(half.seed, 0)
        task = _task(part, device)
        trainer = Trainer(task, half, on_progress, Processes(device))
        for number in range(1, trainer.plan.rounds + 1):
            trainer.run_round(number)
    task.network.eval()
    model = PRESETS[settings.preset].model(settings, data.learned, task.network)
    return Parser(parser.head, model)
