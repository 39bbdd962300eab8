"""Train a parser: decompose the corpus, train the network, fit the confidence, write the folder."""

from __future__ import annotations

import json
from collections.abc import Set
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from amparser.calibration import calibrated, held_out
from amparser.corpora.corpus import Corpus
from amparser.errors import AMParserError, ConfigError, InputError
from amparser.files import checksum_of_json, checksum_of_rows
from amparser.learn.checkpoint import restored_generators, seed_generators
from amparser.learn.ensemble_task import EnsembleTask
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import Head, MetricsJson, head_of, write_model
from amparser.learn.processes import Processes
from amparser.learn.report import OnProgress, OnReport
from amparser.learn.reranker import Reranker
from amparser.learn.system import PARSER
from amparser.learn.trainer import Trainer
from amparser.lexicon.local_shapes import Attested, is_row, local_shapes, parts_of
from amparser.nn.device import device_from_name, one_thread
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.encoders.probe import probe_of
from amparser.nn.registry import AUTO, USUAL_ENCODER
from amparser.nn.vectors.known import chosen_sources
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.nn.warm_start import begin_with
from amparser.notations.value_trees import inside_of
from amparser.parser import Parser
from amparser.presets.registry import PRESETS
from amparser.presets.source import graph_of_example, notation_of
from amparser.schema import to_json

if TYPE_CHECKING:
    from amparser.graph.sgraph import SGraph
    from amparser.nn.scorer import Ensemble
    from amparser.notations.notation import Notation
    from amparser.presets.preset import TrainingSet

_MORE_ROWS = 6
"""Divisor of the number of epochs if training starts from another model (`train.start`)."""
_LEAST_COPIED = 0.5
"""Minimum share of the weights that are copied from the model `train.start`."""
_FINAL = 5
"""Divisor of the number of epochs of the final training, which includes held-out examples."""


def train_parser(
    corpus: Corpus,
    settings: Any,
    folder: Path,
    *,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    on_report: OnReport | None = None,
) -> Parser:
    """Train a parser and write its folder; see `ParserSystem.train`."""
    settings = replace(settings, data=replace(settings.data, notation=corpus.notation))
    vectors = chosen_sources(settings.encoder.vectors, (one.tokens for one in corpus.train))
    settings = replace(settings, encoder=replace(settings.encoder, vectors=vectors))
    older = _older(settings)
    data = PRESETS[settings.preset].training.training_set(corpus, settings)
    data, remarks = _with_encoder(data, older)
    held = held_out(corpus) if older is None or older.head.confidence is None else frozenset()
    if on_report is not None:
        if held:
            remarks.append(
                f"confidence: fitted on {len(held)} held-out sentences of train, which are learned "
                f"at the end in 1/{_FINAL} of the epochs"
            )
        on_report(data.announced(corpus, remarks))
    if older is not None:
        train = _shortened(data.settings.train, _MORE_ROWS)
        data = replace(data, settings=replace(data.settings, train=train))
    return trained(data, folder, corpus, held, older=older, resume=resume, on_progress=on_progress)


def trained(
    data: TrainingSet[Any, Any],
    folder: Path,
    corpus: Corpus,
    held: Set[tuple[str, ...]] = frozenset(),
    *,
    older: Parser | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Parser:
    """Train a parser on decomposed data and write its folder.

    Args:
        data: training set. Only its setting `train.device` may change when training resumes.
        held: held-out sentences; they are learned last, after the confidence is fitted on them.
        older: parser whose weights and confidence are the starting point, or None.

    Raises:
        AMParserError: see `ParserSystem.train`.
    """
    settings = data.settings
    preset = PRESETS[settings.preset]
    content = to_json(data.learned, preset.learned)

    part = data
    if held:
        kept = [row for row in data.train if tuple(row.tokens) not in held]
        part = replace(data, train=kept)

    def finish(task: Any, metrics: MetricsJson) -> Parser:
        head = head_of(PARSER, settings, corpus, metrics, content)
        known = None if older is None else older.head.confidence
        factor = 0.0 if held else _factor(older)
        head = replace(head, **_known(corpus, part, held, factor))
        parser = _written(folder, head, data, task.network)
        parser = calibrated(parser, corpus, held, known)
        if not held:
            return _written(folder, parser.head, data, task.network)
        head = replace(parser.head, **_known(corpus, data, factor=_factor(parser)))
        return _written(folder, head, data, _learned_all(parser, data, on_progress))

    checksum = checksum_of_json([content, checksum_of_rows(data.train, data.dev)])
    training: Training[Parser] = Training(
        folder,
        identity_of(PARSER, settings, checksum),
        settings.train,
        lambda: Parser.load(folder, settings.train.device),
        partial(_task, part, older=older),
        finish,
        len(data.dev),
    )
    with one_thread() if preset.one_thread else nullcontext():
        return train(training, resume=resume, on_progress=on_progress)


def _with_encoder(
    data: TrainingSet[Any, Any], older: Parser | None
) -> tuple[TrainingSet[Any, Any], list[str]]:
    """Return the data with the encoder `auto` replaced, and remarks for the user.

    The new encoder, pretrained or none, is the older parser's, or else the one that a probe
    chooses (`amparser.nn.encoders.probe`).
    """
    if data.settings.encoder.pretrained != AUTO:
        return data, []
    chosen, remarks = "", []
    if older is not None:
        chosen = older.model.settings.encoder.pretrained
    elif (probed := probe_of(data.train)) is not None:
        chosen = USUAL_ENCODER if probed.helps else ""
        remarks = [probed.remark(USUAL_ENCODER)]
    encoder = replace(data.settings.encoder, pretrained=chosen)
    return replace(data, settings=replace(data.settings, encoder=encoder)), remarks


def _factor(parser: Parser | None) -> float | None:
    reranker = None if parser is None else parser.head.reranker
    return None if reranker is None else reranker.factor


def _known(
    corpus: Corpus,
    data: TrainingSet[Any, Any],
    held: Set[tuple[str, ...]] = frozenset(),
    factor: float | None = None,
) -> dict[str, Any]:
    """Return the fields `shapes`, `attested` and `reranker`, which describe the meanings of train.

    The last two do not use held-out sentences. Only generic notations, such as nested terms, have
    `shapes` and `reranker`; for others, `attested` has only the words that train ignores. `factor`
    is the weight of the reranker; None leaves the reranker out.
    """
    notation = notation_of(corpus)
    graphs: dict[int, SGraph] = {}
    if notation is not None and notation.generic:
        for number, example in enumerate(corpus.train):
            with suppress(AMParserError):
                graphs[number] = notation.plain(graph_of_example(example, notation))
    shapes = local_shapes([*graphs.values(), *_of_schema(corpus, notation)]) if graphs else None
    if shapes is not None:
        shapes = replace(shapes, schema=corpus.schema)
    pairs = ((corpus.train[i].tokens, graph) for i, graph in graphs.items())
    kept = [pair for pair in pairs if tuple(pair[0]) not in held]
    rows = ((row.tokens, row.tags) for row in data.train if hasattr(row, "tags"))
    reranker = None
    if shapes is not None and factor is not None:
        # Leave out rows (all children of a node), because long meanings have rows that train lacks.
        parts = (
            (tokens, {part for part in parts_of(graph, shapes) if not is_row(part)})
            for tokens, graph in kept
        )
        reranker = Reranker.learned([*parts], factor)
    attested = Attested.of(shapes, kept, rows)
    return {"shapes": shapes, "attested": attested, "reranker": reranker}


def _of_schema(corpus: Corpus, notation: Notation | None) -> list[SGraph]:
    """Return graphs of the values that the corpus's JSON Schema, if any, gives as examples."""
    if corpus.schema is None or notation is None:
        return []
    values = (json.loads(example.meaning) for example in corpus.train if example.meaning)
    texts = {text for value in values for _, text in inside_of(value, "") if isinstance(text, str)}
    examples = corpus.schema.examples(texts)
    return [notation.plain(notation.graph((), json.dumps(example))) for example in examples]


def _written(folder: Path, head: Head, data: TrainingSet[Any, Any], network: Ensemble) -> Parser:
    head = replace(head, content={**head.content, "encoder": network.encoder.to_dict()})
    write_model(folder, head, network.state_dict())
    preset = PRESETS[data.settings.preset]
    return Parser(head, preset.model(data.settings, data.learned, network))


def _task(
    data: TrainingSet[Any, Any],
    device: torch.device,
    older: Parser | None = None,
) -> EnsembleTask:
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
                f"expected at least {_LEAST_COPIED:.0%}: its corpus or settings differ too much"
            )
    network.to(device)
    encoder = network.encoder
    for name, rows in (("training", data.train), ("dev", data.dev)):
        for number, row in enumerate(rows, 1):
            if problem := encoder.problem(row.tokens):
                raise InputError(f"{name} example {number}: {problem}")
    for scorer in network.scorers():
        scorer.encoder.prepare([row.tokens for row in data.train])
    model = preset.model(settings, data.learned, network)
    accuracy = partial(preset.training.accuracy, model, data.dev)
    return EnsembleTask(network, preset.training.samples(data), settings, accuracy)


def _older(settings: Any) -> Parser | None:
    if not settings.train.start:
        return None
    parser = Parser.load(settings.train.start, "cpu")
    if (preset := parser.model.preset) != settings.preset:
        raise ConfigError(
            f"train.start: {settings.train.start} has the preset {preset}, "
            f"expected {settings.preset}, which this corpus needs"
        )
    return parser


def _shortened(settings: Any, share: int) -> Any:
    steps = -(-settings.max_steps // share)
    return replace(settings, epochs=-(-settings.epochs // share), max_steps=steps)


def _learned_all(
    parser: Parser, data: TrainingSet[Any, Any], on_progress: OnProgress | None
) -> Ensemble:
    """Train on all examples for a fifth of the epochs, and return the network."""
    settings = _shortened(data.settings.train, _FINAL)
    data = replace(data, dev=(), settings=replace(data.settings, train=settings))
    device = device_from_name(settings.device)
    with restored_generators(device):
        seed_generators(settings.seed, 0)
        parser.model.network.cpu()
        task = _task(data, device, parser)
        trainer = Trainer(task, settings, on_progress, Processes(device))
        for number in range(1, trainer.plan.rounds + 1):
            trainer.run_round(number)
    task.network.eval()
    return task.network
