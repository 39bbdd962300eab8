"""Parsers with constants of one node: trained from meanings, graphs or trees, and loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from amparser.corpora.corpus import Corpus
from amparser.errors import InputError, ModelError
from amparser.files import checksum_of_json
from amparser.induction.inventory_codec import inventory_to_dict
from amparser.learn.composition import Induced
from amparser.learn.dataset import TrainingExample, check_examples, examples_checksum
from amparser.learn.decomposition import Source, decomposed
from amparser.learn.gold_trees import GoldTrees, gold_trees
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import Head
from amparser.learn.network_model import (
    NetworkModel,
    build_network,
    head_of,
    load_network,
    network_of,
    save_network,
)
from amparser.learn.parser_settings import RESTRICTIONS, ParserSettings
from amparser.learn.parser_task import ParserTask
from amparser.learn.processes import is_first_process
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport
from amparser.learn.streamed_trees import remove_rows
from amparser.learn.system import PARSER
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.thresholds import Thresholds
from amparser.nn.encoders.encoder import Encoder, encoder_of_train
from amparser.nn.scorer import Ensemble
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.nodes.model import NodeComposition
from amparser.nodes.tables import inventory_tables
from amparser.parser import Parser


class NodeConstants:
    """Constants of one node; see `Constants`."""

    name = "node"
    about = "each constant is one node with a type; searches find well-typed trees"
    settings = ParserSettings()
    streams = True
    decoding = (
        "decode",
        "train.device",
        *(f"lexicon.{name}" for name in (*RESTRICTIONS, *Thresholds._fields)),
    )

    def train(
        self,
        corpus: Corpus,
        settings: ParserSettings,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> Parser:
        """See `Constants`. Examples have a meaning in the corpus's notation, a graph or a tree.

        Raises:
            InputError: there is nothing to learn from; an example is too long for a pretrained
                encoder; the folder cannot be written, or holds another training.
            CorpusError: a meaning cannot be read; the message names file and line.
            ConfigError: the loss has become infinite, a layer is not installed, or there is no
                such pretrained encoder.
            ModelError: the checkpoint to resume from is damaged.
        """
        settings = replace(settings, data=replace(settings.data, notation=corpus.notation))
        gold = gold_trees(corpus, settings, folder)
        frequent = gold.thresholds._asdict()
        settings = replace(settings, lexicon=replace(settings.lexicon, **frequent))
        if on_report is not None:
            on_report(gold.report)
        model = train_network(
            gold, settings, folder, corpus=corpus, resume=resume, on_progress=on_progress
        )
        if is_first_process():
            remove_rows(folder)
        return Parser(head_of(model), composition_of(model, folder))

    def load(
        self, head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
    ) -> NodeComposition:
        """See `Constants`."""
        return composition_of(network_of(head, weights, folder, device), folder)

    def induced(self, corpus: Corpus, settings: ParserSettings) -> Induced:
        """See `Constants`."""
        gold = gold_trees(corpus, settings)
        return Induced(gold.report, lambda: inventory_tables(gold.inventory, gold.lexicon))

    def given_back(self, corpus: Corpus) -> float:
        """See `Constants`."""
        source = Source.of(replace(corpus, strict=False), "train")
        trees, _, _ = decomposed(corpus.train, source)
        return sum(tree is not None for tree in trees) / max(1, len(trees))


def composition_of(model: NetworkModel, folder: str | Path) -> NodeComposition:
    """A network with its lexicon; errors name the folder."""
    lexicon = Lexicon.from_dict(model.lexicon["lexicon"])
    needs = model.network.needs
    counts = (len(lexicon.supertags), len(lexicon.operations))
    if counts != (needs.tags.count, needs.arcs.operations):
        raise ModelError(f"{folder}: lexicon and network do not belong together")
    return NodeComposition(model, lexicon)


def train_network(
    gold: GoldTrees,
    settings: ParserSettings,
    folder: Path,
    *,
    corpus: Corpus,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> NetworkModel:
    """Train a network on gold trees and write the model folder.

    Args:
        gold: the training and dev trees.
        settings: all settings; only `train.device` may change on resuming.
        folder: the model folder.
        corpus: its notation, benchmark and files are kept in the folder.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each batch.

    Raises:
        AMTreeError: an example is not a tree over the lexicon.
        AMParserError: see `NodeConstants.train`.
    """
    lexicon = {"lexicon": gold.lexicon.to_dict(), "inventory": inventory_to_dict(gold.inventory)}
    data = _checked(gold, lexicon)

    def start(device: torch.device) -> ParserTask:
        network = _network(gold, settings).to(device)
        _check_lengths(network.encoder, {"training": gold.train, "dev": gold.dev})
        return ParserTask(network, gold.train, gold.dev, settings, gold.lexicon)

    def finish(task: Any, metrics: dict[str, Any]) -> NetworkModel:
        model = NetworkModel(
            task.network,
            settings,
            lexicon,
            metrics,
            corpus.notation,
            corpus.benchmark,
            corpus.files,
        )
        save_network(folder, model)
        return model

    training = Training(
        folder,
        identity_of(PARSER, settings, data),
        settings.train,
        lambda: load_network(folder, settings.train.device),
        start,
        finish,
        len(gold.dev),
    )
    return train(training, resume=resume, on_progress=on_progress)


def _network(gold: GoldTrees, settings: ParserSettings) -> Ensemble:
    """Scorers of the lexicon of gold trees, with fresh weights."""
    words = vocabulary_from_sentences(example.tokens for example in gold.train)
    return build_network(
        settings,
        lambda: encoder_of_train(settings.encoder, words),
        supertag_count=len(gold.lexicon.supertags),
        operation_count=len(gold.lexicon.operations),
        supertag_parts=gold.lexicon.supertag_parts if settings.supertag.composed else None,
    )


def _checked(gold: GoldTrees, lexicon: Mapping[str, Any]) -> str:
    """A checksum of the training data; raises AMTreeError if an example is not a tree."""
    counts = {
        "supertag_count": len(gold.lexicon.supertags),
        "operation_count": len(gold.lexicon.operations),
    }
    check_examples(gold.train, **counts, name="training")
    check_examples(gold.dev, **counts, name="dev")
    return checksum_of_json([examples_checksum(gold.train, gold.dev), counts, lexicon])


def _check_lengths(encoder: Encoder, parts: Mapping[str, Sequence[TrainingExample]]) -> None:
    if not encoder.limited:
        return
    for name, examples in parts.items():
        for number, example in enumerate(examples, 1):
            if problem := encoder.problem(example.tokens):
                raise InputError(f"{name} example {number}: {problem}")


NODE = NodeConstants()
