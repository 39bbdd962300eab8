"""Parsers with constants that are pieces of trees: trained from meanings, graphs or trees."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError, ModelError
from amparser.files import checksum_of_json
from amparser.induction.constants import Hole
from amparser.induction.derivation import FIRST_PIECE, Derivation
from amparser.induction.derivations import Inventory
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
from amparser.learn.report import OnReport
from amparser.learn.settings import to_dict
from amparser.learn.system import PARSER
from amparser.nn.device import device_from_name, one_thread
from amparser.nn.encoders.encoder import encoder_from_dict, encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
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
from amparser.pieces.gold import (
    GoldDerivations,
    derived_train,
    gold_derivations,
    graph_of_example,
)
from amparser.pieces.model import TreeComposition
from amparser.pieces.network import build_network
from amparser.pieces.search import Search
from amparser.pieces.settings import PiecesSettings
from amparser.pieces.tables import inventory_tables
from amparser.pieces.task import PiecesTask


class TreeConstants:
    """Constants that are pieces of trees with holes; see `Constants`."""

    name = "tree"
    about = "constants of several nodes with holes and sorts, for real questions and small corpora"
    settings = PiecesSettings()
    streams = False
    decoding = ("decode", "train.device")

    def train(
        self,
        corpus: Corpus,
        settings: PiecesSettings,
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

        def finish(task: Any, metrics: dict[str, Any]) -> Parser:
            content = {**_content(gold), "encoder": task.network.encoder.to_dict()}
            head = Head(
                PARSER,
                to_dict(settings),
                corpus.notation,
                corpus.benchmark,
                corpus.files,
                metrics,
                content,
            )
            write_model(folder, head, task.network.state_dict())
            learned = gold.inventory, gold.sorts, gold.evidence, task.network, gold.cut
            return Parser(head, TreeComposition(settings, *learned))

        training = Training(
            folder,
            identity_of(PARSER, settings, checksum_of_json(gold.identity())),
            settings.train,
            lambda: Parser.load(folder, settings.train.device),
            start,
            finish,
            len(gold.dev),
        )
        with one_thread():
            return train(training, resume=resume, on_progress=on_progress)

    def load(
        self, head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
    ) -> TreeComposition:
        """See `Constants`."""
        target = device_from_name(device)
        settings = settings_of_head(head, self.settings, folder)
        where = folder / f"{MODEL}.json"
        content = checked_content(head, PiecesContent, folder)
        check_pieces(content, where)
        try:
            inventory = inventory_from_json(content)
            sorts = sorts_from_json(content["sorts"])
            evidence = evidence_from_json(content["evidence"])
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
        cut = content.get("cut", {})
        return TreeComposition(settings, inventory, sorts, evidence, network, cut)

    def induced(self, corpus: Corpus, settings: PiecesSettings) -> Induced:
        """See `Constants`."""
        gold = gold_derivations(corpus, settings)
        return Induced(gold.report, lambda: inventory_tables(gold.inventory, gold.sorts, gold.cut))

    def given_back(self, corpus: Corpus) -> float:
        """See `Constants`. An edge that closes a cycle is lost, so trees alone can come back."""
        trees = [example for example in corpus.train if _is_tree(example, corpus.notation)]
        if not trees:
            return 0.0
        try:
            derived = derived_train(replace(corpus, train=trees, dev=()))
        except CorpusError:
            raise
        except AMParserError:
            return 0.0
        whole = sum(_is_composed(one, derived.inventory) for one in derived.derivations)
        return max(0, whole - len(derived.cuts)) / len(corpus.train)


def _is_composed(derivation: Derivation, inventory: Inventory) -> bool:
    """Whether there are several pieces, or one of a single node."""
    pieces = [inventory.piece(tag) for tag in derivation.tags if tag >= FIRST_PIECE]
    return len(pieces) > 1 or all(isinstance(sub, Hole) for p in pieces for _, sub in p.arguments)


def _is_tree(example: Example, notation: str) -> bool:
    with suppress(AMParserError):
        graph = graph_of_example(example, notation)
        return len(graph.edges) == len(graph.nodes) - 1
    return False


def _content(gold: GoldDerivations) -> dict[str, Any]:
    """What was induced, as JSON values."""
    return {
        **inventory_to_json(gold.inventory),
        "sorts": sorts_to_json(gold.sorts),
        "evidence": evidence_to_json(gold.evidence),
        "cut": dict(gold.cut),
    }


TREE = TreeConstants()
