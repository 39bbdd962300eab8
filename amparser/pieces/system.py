"""The system `pieces`: parsers over pieces, trained from meanings, graphs or trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from amparser.corpora.corpus import Corpus
from amparser.errors import ModelError
from amparser.files import checksum_of_json
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
from amparser.nn.device import device_from_name, one_thread
from amparser.nn.encoders.encoder import encoder_from_dict, encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.pieces.codec import (
    PiecesContent,
    check_pieces,
    evidence_from_json,
    evidence_to_json,
    inventory_from_json,
    inventory_to_json,
    sorts_from_json,
    sorts_to_json,
)
from amparser.pieces.gold import GoldDerivations, gold_derivations
from amparser.pieces.model import SYSTEM, PiecesParser, check_decoders
from amparser.pieces.network import build_network
from amparser.pieces.search import Search
from amparser.pieces.settings import PiecesSettings
from amparser.pieces.task import PiecesTask


class PiecesSystem:
    """Parsers over pieces; a `System`."""

    name = SYSTEM
    about = "a parser over constants of several nodes, for real questions and small corpora"
    settings = PiecesSettings()
    decoding = ("decode", "train.device")

    def check_decoders(self, settings: PiecesSettings, decoders: Sequence[str]) -> None:
        """As `System` says."""
        check_decoders(decoders)

    def train(
        self,
        corpus: Corpus,
        settings: PiecesSettings,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> PiecesParser:
        """As `System` says. Examples have a meaning in the corpus's notation, a graph or a tree.

        Raises:
            InputError: there is nothing to learn from; the folder cannot be written, or holds
                another training.
            CorpusError: a meaning cannot be read; names file and line.
            ConfigError: the loss has become infinite.
            ModelError: the checkpoint to resume from is damaged.
        """
        settings = replace(settings, data=replace(settings.data, notation=corpus.notation))
        gold = gold_derivations(corpus, settings)
        if on_report is not None:
            on_report(gold.report)
        words = vocabulary_from_sentences(d.tokens for d in gold.train)

        def start(device: torch.device) -> PiecesTask:
            network = build_network(
                settings, gold.inventory, lambda: encoder_of_train(settings.encoder, words)
            )
            return PiecesTask(network.to(device), gold, settings)

        def finish(task: Any, metrics: dict[str, Any]) -> PiecesParser:
            content = {**_content(gold), "encoder": task.network.encoder.to_dict()}
            head = Head(
                self.name,
                to_dict(settings),
                corpus.notation,
                corpus.benchmark,
                corpus.files,
                metrics,
                content,
            )
            write_model(folder, head, task.network.state_dict())
            induced = gold.inventory, gold.sorts, gold.evidence
            return PiecesParser(head, corpus.notation, settings, *induced, task.network)

        training = Training(
            folder,
            identity_of(self.name, settings, checksum_of_json(gold.identity())),
            settings.train,
            lambda: self.load(folder, settings.train.device),
            start,
            finish,
            len(gold.dev),
        )
        with one_thread():
            return train(training, resume=resume, on_progress=on_progress)

    def load(self, folder: Path, device: str = "auto") -> PiecesParser:
        """As `System` says."""
        target = device_from_name(device)
        head, weights = read_model(folder, self.name)
        where = folder / f"{MODEL}.json"
        if "words" in head.content:
            raise ModelError(
                f"{where}: a parser of an earlier version; train it anew: "
                "amparser train BENCHMARK --system pieces --output DIR"
            )
        settings = settings_of_head(head, self.settings, folder)
        content = checked_content(head, PiecesContent, folder)
        check_pieces(content, where)
        try:
            inventory = inventory_from_json(content)
            sorts = sorts_from_json(content["sorts"])
            evidence = evidence_from_json(content.get("evidence"), len(content["sorts"]["tag"]))
            # Whether each piece has its sorts is found as the search is prepared.
            Search(inventory, sorts, evidence, settings.decode)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ModelError(f"{where}: content.pieces cannot be read: {error!r}") from None
        network = built(
            lambda: build_network(
                settings,
                inventory,
                lambda: encoder_from_dict(settings.encoder, content["encoder"], where),
            ),
            weights,
            folder,
            lambda network: network.state_dict(),
        )
        network.to(target).eval()
        network.encoder.check(where)
        return PiecesParser(head, head.notation, settings, inventory, sorts, evidence, network)


def _content(gold: GoldDerivations) -> dict[str, Any]:
    """What was induced, as JSON values."""
    return {
        **inventory_to_json(gold.inventory),
        "sorts": sorts_to_json(gold.sorts),
        "evidence": evidence_to_json(gold.evidence),
        "cut": dict(gold.cut),
    }


PIECES = PiecesSystem()
