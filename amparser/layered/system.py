"""Parsers with constants that are pieces of graphs: trained from meanings or graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from amparser.corpora.corpus import Corpus
from amparser.errors import AMParserError, CorpusError
from amparser.files import checksum_of_json
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.layered.analysis import EMPTY, JOINED
from amparser.layered.codec import (
    LayeredContent,
    check_layered,
    inventory_from_json,
    inventory_to_json,
    scheme_from_json,
    scheme_to_json,
)
from amparser.layered.fragments import expand
from amparser.layered.gold import Gold, gold_of
from amparser.layered.graphs import join
from amparser.layered.model import GraphComposition
from amparser.layered.network import build_network
from amparser.layered.settings import LayeredSettings
from amparser.layered.tables import inventory_tables
from amparser.layered.task import LayeredTask
from amparser.layered.units import Splitter
from amparser.learn.composition import Induced
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import (
    MODEL,
    Head,
    built,
    checked_content,
    settings_of_head,
    write_model,
)
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport, TrainingReport
from amparser.learn.settings import to_dict
from amparser.learn.system import PARSER
from amparser.nn.device import device_from_name
from amparser.nn.encoders.encoder import encoder_from_dict, encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
from amparser.pieces.gold import graph_of_example


class GraphConstants:
    """Constants that are pieces of graphs; see `Constants`."""

    name = "graph"
    about = "constants of several nodes, edges and boxes beside the tree, for graphs of real text"
    settings = LayeredSettings()
    streams = False
    decoding = ("decode", "train.device")

    def train(
        self,
        corpus: Corpus,
        settings: LayeredSettings,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> Parser:
        """See `Constants`. Examples have a meaning in the corpus's notation, a graph or a tree.

        Raises:
            InputError: there is nothing to learn from; the folder cannot be written, or holds
                another training.
            CorpusError: a meaning cannot be read; names file and line.
            ConfigError: the loss has become infinite, or there is no such pretrained encoder.
            ModelError: the checkpoint to resume from is damaged.
        """
        settings = replace(settings, data=replace(settings.data, notation=corpus.notation))
        gold = gold_of(corpus, settings.data)
        if on_report is not None:
            on_report(_report(gold))
        forms = [row.forms for row in gold.train]
        words = vocabulary_from_sentences(forms)

        def start(device: torch.device) -> LayeredTask:
            network = build_network(
                settings,
                gold.inventory,
                gold.auxiliary_counts,
                lambda: encoder_of_train(settings.encoder, words),
            )
            return LayeredTask(network.to(device), gold, settings)

        def finish(task: Any, metrics: dict[str, Any]) -> Parser:
            content = {**_content(gold), "encoder": task.network.encoder.to_dict()}
            told = (corpus.notation, corpus.benchmark, corpus.files, metrics, content)
            head = Head(PARSER, to_dict(settings), *told)
            write_model(folder, head, task.network.state_dict())
            learned = (gold.scheme, gold.splitter, gold.inventory, task.network)
            return Parser(head, GraphComposition(settings, *learned))

        training = Training(
            folder,
            identity_of(PARSER, settings, checksum_of_json(_identity(gold))),
            settings.train,
            lambda: Parser.load(folder, settings.train.device),
            start,
            finish,
            len(gold.dev),
        )
        return train(training, resume=resume, on_progress=on_progress)

    def load(
        self, head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
    ) -> GraphComposition:
        """See `Constants`."""
        target = device_from_name(device)
        settings = settings_of_head(head, self.settings, folder)
        where = folder / f"{MODEL}.json"
        content = checked_content(head, LayeredContent, folder)
        check_layered(content, where)
        inventory = inventory_from_json(content["inventory"])
        scheme = scheme_from_json(content["scheme"])
        splitter = Splitter(tuple(content["endings"]))
        network = built(
            lambda: build_network(
                settings,
                inventory,
                content.get("auxiliary", []),
                lambda: encoder_from_dict(settings.encoder, content["encoder"], where),
            ),
            weights,
            folder,
            lambda network: network.state_dict(),
        )
        network.to(target).eval()
        network.encoder.check(where)
        return GraphComposition(settings, scheme, splitter, inventory, network)

    def induced(self, corpus: Corpus, settings: LayeredSettings) -> Induced:
        """See `Constants`."""
        gold = gold_of(corpus, settings.data)
        return Induced(_report(gold), lambda: inventory_tables(gold.inventory, gold.scheme))

    def given_back(self, corpus: Corpus) -> float:
        """See `Constants`."""
        settings = replace(self.settings.data, texts=0.0)
        try:
            gold = gold_of(replace(corpus, dev=()), settings)
        except CorpusError:
            raise
        except AMParserError:
            return 0.0
        # The rows are those of the examples in their order, of which some have none.
        graphs = list(_graphs(corpus))
        place = found = 0
        for left, row in zip(range(len(gold.train), 0, -1), gold.train, strict=True):
            graph = join(expand(row.analysis), gold.scheme)
            for other in range(place, len(graphs) - left + 1):
                if isomorphic(graph, graphs[other]):
                    constants = sum(tag not in (EMPTY, JOINED) for tag in row.analysis.tags)
                    found += constants > 1 or len(graph.nodes) == 1
                    place = other
                    break
            place += 1
        return found / max(1, len(corpus.train))


def _report(gold: Gold) -> TrainingReport:
    """The report of what is learned from, and how many examples have edges beside their trees."""
    beside = sum(bool(row.analysis.extra) for row in gold.train)
    remark = f"edges beside the tree in {beside} of {len(gold.train)} examples"
    return replace(gold.report, remarks=(*gold.report.remarks, remark))


def _graphs(corpus: Corpus) -> Iterator[SGraph]:
    """The graphs of train, of the examples that have one."""
    for example in corpus.train:
        if example.failure is None and example.tokens:
            with suppress(AMParserError):
                yield graph_of_example(example, corpus.notation)


def _content(gold: Gold) -> dict[str, Any]:
    """What a model folder holds beside the encoder and the weights."""
    return {
        "inventory": inventory_to_json(gold.inventory),
        "scheme": scheme_to_json(gold.scheme),
        "endings": list(gold.splitter.endings),
        "auxiliary": gold.auxiliary_counts,
    }


def _identity(gold: Gold) -> list[Any]:
    """All that is learned from, as JSON values."""
    return [
        [[*row.forms, repr(row.analysis), repr(row.auxiliary)] for row in gold.train],
        [[*tokens, repr(graph)] for tokens, graph in gold.dev],
    ]


GRAPH = GraphConstants()
