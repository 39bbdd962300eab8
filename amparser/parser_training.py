"""Train a parser on a corpus: decompose it, learn scorers, fit the confidence, write the folder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from amparser.calibration import HELD_OUT, calibrated, is_rehearsed
from amparser.compositions.constants import TrainingSet
from amparser.compositions.kinds import CONSTANTS
from amparser.corpora.corpus import Corpus
from amparser.files import checksum_of_json, checksum_of_rows
from amparser.learn.ensemble_task import EnsembleTask
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import MetricsJson, head_of, write_model
from amparser.learn.processes import Processes
from amparser.learn.progress import OnProgress
from amparser.learn.randomness import restored_generators, seed_generators
from amparser.learn.report import OnReport
from amparser.learn.system import PARSER
from amparser.learn.trainer import Trainer
from amparser.nn.device import device_from_name, one_thread
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
from amparser.schema import to_json

REHEARSED = (
    f"confidence: asked about {HELD_OUT:.0%} of train, which a second training, of half of the "
    "epochs, leaves out"
)
"""The remark on a training that is rehearsed."""


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
    data = CONSTANTS[settings.constants].training.training_set(corpus, settings)
    if on_report is not None:
        on_report(data.announced(corpus, [REHEARSED] if is_rehearsed(corpus) else []))
    return trained(data, folder, corpus, resume=resume, on_progress=on_progress)


def trained(
    data: TrainingSet[Any, Any],
    folder: Path,
    corpus: Corpus,
    *,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Parser:
    """Train a parser and write its folder.

    Args:
        data: what it learns from; of its settings only `train.device` may change on resuming.
        folder: the model folder.
        corpus: its notation, benchmark and files are kept in the folder.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each batch.

    Raises:
        AMParserError: see `ParserSystem.train`.
    """
    settings = data.settings
    constants = CONSTANTS[settings.constants]
    content = to_json(data.learned, constants.learned)

    def finish(task: Any, metrics: MetricsJson) -> Parser:
        kept = {**content, "encoder": task.network.encoder.to_dict()}
        head = head_of(PARSER, settings, corpus, metrics, kept)
        parser = Parser(head, constants.composition(settings, data.learned, task.network))
        parser = calibrated(parser, corpus, partial(_rehearsed, parser, data, on_progress))
        write_model(folder, parser.head, task.network.state_dict())
        return parser

    checksum = checksum_of_json([content, checksum_of_rows(data.train, data.dev)])
    training: Training[Parser] = Training(
        folder,
        identity_of(PARSER, settings, checksum),
        settings.train,
        lambda: Parser.load(folder, settings.train.device),
        partial(_task, data),
        finish,
        len(data.dev),
    )
    with one_thread() if constants.one_thread else nullcontext():
        return train(training, resume=resume, on_progress=on_progress)


def _task(data: TrainingSet[Any, Any], device: torch.device) -> EnsembleTask:
    """Return the task of a network that knows the words of its rows."""
    settings = data.settings
    words = vocabulary_from_sentences(row.tokens for row in data.train)
    constants = CONSTANTS[settings.constants]
    network = constants.network(
        settings, data.learned, lambda: encoder_of_train(settings.encoder, words)
    )
    return constants.task(network.to(device), data)


def _rehearsed(
    parser: Parser,
    data: TrainingSet[Any, Any],
    on_progress: OnProgress | None,
    held: Collection[Sequence[str]],
) -> Parser:
    """Return a parser with the same lexicon, trained without some sentences in half the epochs."""
    whole = data.settings.train
    half = replace(whole, epochs=-(-whole.epochs // 2), max_steps=-(-whole.max_steps // 2))
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
    composition = CONSTANTS[settings.constants].composition(settings, data.learned, task.network)
    return Parser(parser.head, composition)
