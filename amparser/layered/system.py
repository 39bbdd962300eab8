"""The system `layered`: parsers for graphs with boxes, trained from meanings or graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from amparser.corpora.corpus import Corpus
from amparser.errors import ModelError
from amparser.files import checksum_of_json
from amparser.layered.codec import (
    LayeredContent,
    check_layered,
    inventory_from_json,
    inventory_to_json,
    scheme_from_json,
    scheme_to_json,
)
from amparser.layered.gold import Gold, gold_of
from amparser.layered.model import SYSTEM, LayeredParser, check_decoders
from amparser.layered.network import build_network
from amparser.layered.settings import LayeredSettings
from amparser.layered.task import LayeredTask
from amparser.layered.units import Splitter
from amparser.learn.loop import Training, identity_of, train
from amparser.learn.model_folder import (
    MODEL,
    Head,
    built,
    checked_content,
    read_model,
    settings_of_head,
    write_model,
)
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport
from amparser.learn.settings import to_dict
from amparser.nn.device import device_from_name
from amparser.nn.encoders.encoder import encoder_from_dict, encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences


class LayeredSystem:
    """Parsers for graphs with boxes; a `System`."""

    name = SYSTEM
    about = "a parser for graphs of real text, with boxes and scope beside the tree"
    settings = LayeredSettings()
    decoding = ("decode", "train.device")

    def check_decoders(self, settings: LayeredSettings, decoders: Sequence[str]) -> None:
        """As `System` says."""
        check_decoders(decoders)

    def train(
        self,
        corpus: Corpus,
        settings: LayeredSettings,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> LayeredParser:
        """As `System` says. Examples have a meaning in the corpus's notation, a graph or a tree.

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
            on_report(gold.report)
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

        def finish(task: Any, metrics: dict[str, Any]) -> LayeredParser:
            content = {**_content(gold), "encoder": task.network.encoder.to_dict()}
            told = (corpus.notation, corpus.benchmark, corpus.files, metrics, content)
            head = Head(self.name, to_dict(settings), *told)
            write_model(folder, head, task.network.state_dict())
            learned = (gold.scheme, gold.splitter, gold.inventory, task.network)
            return LayeredParser(head, corpus.notation, settings, *learned)

        training = Training(
            folder,
            identity_of(self.name, settings, checksum_of_json(_identity(gold))),
            settings.train,
            lambda: self.load(folder, settings.train.device),
            start,
            finish,
            len(gold.dev),
        )
        return train(training, resume=resume, on_progress=on_progress)

    def load(self, folder: Path, device: str = "auto") -> LayeredParser:
        """As `System` says."""
        target = device_from_name(device)
        head, weights = read_model(folder, self.name)
        where = folder / f"{MODEL}.json"
        if "words" in head.content:
            raise ModelError(
                f"{where}: a parser of an earlier version; train it anew: "
                "amparser train BENCHMARK --system layered --output DIR"
            )
        settings = settings_of_head(head, self.settings, folder)
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
        learned = (scheme, splitter, inventory, network)
        return LayeredParser(head, head.notation, settings, *learned)


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


LAYERED = LayeredSystem()
