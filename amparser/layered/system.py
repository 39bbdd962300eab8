"""Parsers with constants that are pieces of graphs: trained from meanings or graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from amparser.corpora.corpus import Corpus
from amparser.errors import AMParserError, CorpusError, ModelError
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
from amparser.layered.inventory import Inventory
from amparser.layered.model import GraphComposition
from amparser.layered.network import LayeredNetwork, Sizes
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
from amparser.nn.pretrained import PretrainedEncoder, pretrained_from_dict, read_pretrained
from amparser.nn.tagger import WordIndex
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
        words = WordIndex.of(forms, settings.encoder.buckets)
        seen = Counter(form.lower() for row in forms for form in row)
        counts = [seen[word] for word in words.numbers]

        def start(device: torch.device) -> LayeredTask:
            learned = settings, gold.inventory, words, counts, gold.auxiliary_counts
            networks = _networks(*learned, None)
            networks.to(device)
            return LayeredTask(networks, gold, settings)

        def finish(task: Any, metrics: dict[str, Any]) -> Parser:
            content = _content(gold, words, counts)
            pretrained = task.network[0].pretrained
            if pretrained is not None:
                content["pretrained"] = pretrained.to_dict()
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
        words = WordIndex.from_words(content["words"], settings.encoder.buckets)
        pretrained = content.get("pretrained")
        if settings.encoder.pretrained and pretrained is None:
            raise ModelError(f"{where}: 'content.pretrained' is missing")
        try:
            networks = built(
                lambda: _networks(
                    settings,
                    inventory,
                    words,
                    content["counts"],
                    content.get("auxiliary", []),
                    pretrained,
                ),
                weights,
                folder,
                lambda networks: networks.state_dict(),
            )
        except ModelError as error:
            named = str(error).startswith(str(folder))
            raise error if named else ModelError(f"{where}: {error}") from None
        networks.to(target).eval()
        encoder = networks[0].pretrained
        if isinstance(encoder, PretrainedEncoder):
            encoder.check(where)
        return GraphComposition(settings, scheme, splitter, inventory, networks)

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


def _content(gold: Gold, words: WordIndex, counts: Sequence[int]) -> dict[str, Any]:
    """What a model folder holds beside the weights."""
    return {
        "inventory": inventory_to_json(gold.inventory),
        "scheme": scheme_to_json(gold.scheme),
        "endings": list(gold.splitter.endings),
        "words": list(words.numbers),
        "counts": list(counts),
        "auxiliary": gold.auxiliary_counts,
    }


def _networks(
    settings: LayeredSettings,
    inventory: Inventory,
    words: WordIndex,
    counts: Sequence[int],
    auxiliary: Sequence[int],
    stored: Mapping[str, Any] | None,
) -> nn.ModuleList:
    """Networks with fresh weights; a pretrained encoder has those of its folder.

    Args:
        settings: all settings.
        inventory: has the numbers of classes.
        words: the words of train.
        counts: how often train has each.
        auxiliary: how many items each layer has that is learned beside.
        stored: what a model folder says of its pretrained encoder; None before training.
    """
    sizes = Sizes(
        len(inventory.tags),
        len(inventory.labels),
        len(inventory.introduced),
        len(inventory.fillers),
        len(inventory.text_number),
        len(inventory.scripts),
        auxiliary,
    )
    texts = inventory.text_numbers()
    return nn.ModuleList(
        LayeredNetwork(words, counts, sizes, settings.encoder, texts, _pretrained(settings, stored))
        for _ in range(settings.train.members)
    )


def _pretrained(
    settings: LayeredSettings, stored: Mapping[str, Any] | None
) -> PretrainedEncoder | None:
    encoder = settings.encoder
    if not encoder.pretrained:
        return None
    frozen = not encoder.pretrained_learning_rate
    if stored is None:
        return read_pretrained(encoder.pretrained, frozen=frozen)
    return pretrained_from_dict(stored, frozen=frozen)


def _identity(gold: Gold) -> list[Any]:
    """All that is learned from, as JSON values."""
    return [
        [[*row.forms, repr(row.analysis), repr(row.auxiliary)] for row in gold.train],
        [[*tokens, repr(graph)] for tokens, graph in gold.dev],
    ]


GRAPH = GraphConstants()
