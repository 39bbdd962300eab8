"""Sequence-to-sequence models that are trained from scratch: train, keep, load, ask.

model.json          the system, settings, vocabularies, figures of each round, checksums
model.safetensors   the weights
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from amparser.baselines.network import Seq2SeqNetwork
from amparser.baselines.notation import Notation, notation_of
from amparser.baselines.search import search
from amparser.baselines.settings import SearchSettings, Seq2SeqConfig
from amparser.baselines.systems import network_of
from amparser.baselines.vocabulary import (
    IGNORED,
    PADDING,
    TokenVocabulary,
    pair_batch,
    source_batch,
    vocabulary_from_json,
    vocabulary_of,
)
from amparser.errors import ConfigError, ModelError
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

PROGRAM = "amparser-seq2seq"

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and the text of its target."""

    tokens: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Output:
    """What a model wrote for a sentence.

    Attributes:
        text: in the notation of its targets, well-formed or not.
        logp: natural logarithm of its probability.
        finished: whether it ended before the length limit.
    """

    text: str
    logp: float
    finished: bool


@dataclass(frozen=True)
class Seq2SeqModel:
    """A trained network and what came with it.

    Attributes:
        network: in evaluation mode, on its device.
        config: the settings that it was trained with.
        source, target: the vocabularies.
        data: what it was trained on, as the caller of `train_pairs` gave it.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
    """

    network: Seq2SeqNetwork
    config: Seq2SeqConfig
    source: TokenVocabulary
    target: TokenVocabulary
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The name of the system."""
        return self.config.system

    @property
    def notation(self) -> Notation:
        """The notation of its outputs."""
        return notation_of(self.config.data.target)

    def with_search(self, settings: SearchSettings) -> Seq2SeqModel:
        """The same model with other settings of search."""
        return replace(self, config=replace(self.config, decode=settings))

    def outputs(self, sentences: Sequence[Sequence[str]]) -> list[Output]:
        """What the model writes for tokenised sentences, in their order."""
        settings, device = self.config.decode, self.network.device
        rows = [self.source.ids(tokens) for tokens in sentences]
        found: list[Output | None] = [None] * len(rows)
        lengths = np.array([[len(row), 0] for row in rows], dtype=np.int64).reshape(-1, 2)
        order = lengths[:, 0].argsort(kind="stable")
        for members in cut(order, lengths, settings.batch_size, 0):
            source, counts = source_batch([rows[i] for i in members])
            for i, one in zip(
                members,
                search(self.network, source.to(device), counts.to(device), settings),
                strict=True,
            ):
                text = self.notation.join(self.target.tokens(one.words))
                found[i] = Output(text, one.logp, one.finished)
        return [output for output in found if output is not None]


class PairTask:
    """A network from scratch, and the ids of its training pairs."""

    def __init__(
        self,
        network: Seq2SeqNetwork,
        parts: Mapping[Part, tuple[Rows, Rows]],
    ) -> None:
        self.network = network
        self._parts = parts

    def lengths(self, part: Part) -> IntArray:
        """As `Task` says."""
        pairs = zip(*self._parts[part], strict=True)
        counts = [(len(source), len(target)) for source, target in pairs]
        return np.array(counts, dtype=np.int64).reshape(-1, 2)

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """As `Task` says."""
        sources, targets = self._parts[part]
        batch = pair_batch([sources[i] for i in members], [targets[i] for i in members])
        batch = batch.to(self.network.device)
        gold = batch.target[:, 1:]
        logits = self.network(batch.source, batch.lengths, batch.target[:, :-1])
        return logits, gold.masked_fill(gold == PADDING, IGNORED)


def train_pairs(
    train: Sequence[Pair],
    dev: Sequence[Pair],
    config: Seq2SeqConfig,
    output_dir: str | Path,
    *,
    data: Mapping[str, Any] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Seq2SeqModel:
    """Train a network and write the model folder.

    Args:
        train: what to learn from; the vocabularies are theirs.
        dev: what is looked at.
        config: all settings; `train.device` alone may change on resuming.
        output_dir: the model folder. A model that lies there is replaced at the end.
        data: kept in `model.json`: where the pairs are from.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each update.

    Raises:
        InputError: no pairs; the folder cannot be written, or holds another training.
        ConfigError: sizes that do not go together, or the loss has become infinite.
        ModelError: the checkpoint to resume from is damaged.
    """
    folder = Path(output_dir)
    device = device_from_name(config.train.device)
    checksum = checksum_of_json([[[p.tokens, p.target] for p in part] for part in (train, dev)])
    checkpoints = checkpoints_of(folder, config, checksum, (train, dev), program=PROGRAM)
    if resume and checkpoints.finished():
        return load_pairs_model(folder, config.train.device)
    split = notation_of(config.data.target).split
    source = vocabulary_of(pair.tokens for pair in train)
    target = vocabulary_of(split(pair.target) for pair in train)
    with restored_generators(device):
        seed_generators(config.train.seed, 0)
        network = network_of(config.system, config.network, len(source), len(target)).to(device)
    pairs: dict[Part, Sequence[Pair]] = {"train": train, "dev": dev}
    parts: dict[Part, tuple[Rows, Rows]] = {
        name: (
            [source.ids(pair.tokens) for pair in part],
            [target.ids(split(pair.target)) for pair in part],
        )
        for name, part in pairs.items()
    }
    metrics = fit(
        PairTask(network, parts),
        config.train,
        checkpoints,
        device=device,
        size=config.network.hidden_size,
        resume=resume,
        on_progress=on_progress,
    )
    model = Seq2SeqModel(network, config, source, target, data or {}, {**metrics, "data": checksum})
    save_pairs_model(folder, model)
    checkpoints.clear()
    return model


def save_pairs_model(folder: Path, model: Seq2SeqModel) -> None:
    """Write `model.safetensors` and `model.json`."""
    content = {
        "system": model.system,
        "config": to_dict(model.config),
        "source_vocabulary": list(model.source.words),
        "target_vocabulary": list(model.target.words),
        "data": model.data,
        "metrics": model.metrics,
    }
    write_pair(folder, MODEL, content, trained_parameters(model.network), program=PROGRAM)


def load_pairs_model(folder: str | Path, device: str = "auto") -> Seq2SeqModel:
    """Read a model folder.

    Raises:
        ModelError: files are missing, truncated, of another program or version, or do
            not belong together; one line that names the folder.
        InputError: there is no such device.
    """
    folder = Path(folder)
    target_device = device_from_name(device)
    content, weights = read_trained(folder, program=PROGRAM)
    where = folder / f"{MODEL}.json"
    try:
        config = section_from_dict(Seq2SeqConfig(), content["config"], where=str(where))
        source, target = (
            vocabulary_from_json(content.get(f"{side}_vocabulary")) for side in ("source", "target")
        )
        with torch.random.fork_rng(devices=[]):
            network = network_of(config.system, config.network, len(source), len(target))
    except ConfigError as error:
        raise ModelError(str(error)) from None
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    load_trained(network, weights, folder / f"{MODEL}.safetensors")
    network.to(target_device).eval()
    return Seq2SeqModel(network, config, source, target, content["data"], content["metrics"])
