"""Pretrained models fine-tuned on sentences and targets: train, keep, load, ask.

    model.json          the system, settings, figures of each round, checksums; configuration
                        and tokenizer, or with LoRA what the checkpoint below it must be
    model.safetensors   what was trained: all weights, or with LoRA the adapters alone

A model with LoRA needs the checkpoint that it was begun from, where `pretrained.path` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from amparser.baselines.from_scratch import Output, Pair, Rows
from amparser.baselines.notation import Notation, notation_of
from amparser.baselines.pretrained import (
    PretrainedSeq2Seq,
    fingerprint,
    pretrained_from_dict,
    read_pretrained,
)
from amparser.baselines.settings import FinetuneConfig, SearchSettings
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

PROGRAM = "amparser-pretrained"


@dataclass(frozen=True)
class FinetunedModel:
    """A fine-tuned model and what came with it.

    Attributes:
        pretrained: the pretrained model, in evaluation mode, on its device.
        config: the settings that it was trained with.
        data: what it was trained on, as the caller of `finetune` gave it.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
    """

    pretrained: PretrainedSeq2Seq
    config: FinetuneConfig
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

    def with_search(self, settings: SearchSettings) -> FinetunedModel:
        """The same model with other settings of search."""
        return replace(self, config=replace(self.config, decode=settings))

    def outputs(self, sentences: Sequence[Sequence[str]]) -> list[Output]:
        """What the model writes for tokenised sentences, in their order."""
        settings, notation = self.config.decode, self.notation
        found: list[Output | None] = [None] * len(sentences)
        lengths = np.array([[len(tokens), 0] for tokens in sentences], dtype=np.int64)
        lengths = lengths.reshape(-1, 2)
        order = lengths[:, 0].argsort(kind="stable")
        for members in cut(order, lengths, settings.batch_size, 0):
            written = self.pretrained.generate([sentences[i] for i in members], settings)
            for i, (text, logp, finished) in zip(members, written, strict=True):
                found[i] = Output(notation.join(notation.split(text)), logp, finished)
        return [output for output in found if output is not None]


class FinetuneTask:
    """A pretrained model, and the ids of its training pairs."""

    def __init__(
        self, pretrained: PretrainedSeq2Seq, parts: Mapping[Part, tuple[Rows, Rows]]
    ) -> None:
        self.pretrained = pretrained
        self._parts = parts

    @property
    def network(self) -> nn.Module:
        """As `Task` says."""
        return self.pretrained.network

    def lengths(self, part: Part) -> IntArray:
        """As `Task` says."""
        pairs = zip(*self._parts[part], strict=True)
        counts = [(len(read), len(written)) for read, written in pairs]
        return np.array(counts, dtype=np.int64).reshape(-1, 2)

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """As `Task` says."""
        read, written = self._parts[part]
        return self.pretrained.logits([read[i] for i in members], [written[i] for i in members])


def finetune(
    train: Sequence[Pair],
    dev: Sequence[Pair],
    config: FinetuneConfig,
    output_dir: str | Path,
    *,
    data: Mapping[str, Any] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> FinetunedModel:
    """Fine-tune a pretrained model and write the model folder.

    Args are those of `amparser.baselines.from_scratch.train_pairs`.

    Raises:
        InputError: no pairs; the folder cannot be written, or holds another training.
        ConfigError: there is no such checkpoint, its tokenizer cannot write a target, an
            extra is not installed, or the loss has become infinite.
        ModelError: the checkpoint to resume from is damaged.
    """
    folder = Path(output_dir)
    device = device_from_name(config.train.device)
    base = fingerprint(config.pretrained.path)
    pairs: dict[Part, Sequence[Pair]] = {"train": train, "dev": dev}
    rows = [[[pair.tokens, pair.target] for pair in part] for part in pairs.values()]
    checksum = checksum_of_json([rows, base])
    checkpoints = checkpoints_of(folder, config, checksum, (train, dev), program=PROGRAM)
    if resume and checkpoints.finished():
        return load_finetuned(folder, config.train.device)
    with restored_generators(device):
        seed_generators(config.train.seed, 0)
        pretrained = read_pretrained(config.system, config.pretrained)
    pretrained.network.to(device)
    parts: dict[Part, tuple[Rows, Rows]] = {
        name: (
            [pretrained.source_ids(pair.tokens) for pair in part],
            [pretrained.target_ids(pair.target) for pair in part],
        )
        for name, part in pairs.items()
    }
    metrics = fit(
        FinetuneTask(pretrained, parts),
        config.train,
        checkpoints,
        device=device,
        size=pretrained.size,
        resume=resume,
        on_progress=on_progress,
    )
    model = FinetunedModel(pretrained, config, data or {}, {**metrics, "data": checksum})
    content: dict[str, Any] = {
        "system": model.system,
        "config": to_dict(config),
        "data": model.data,
        "metrics": model.metrics,
    }
    if config.pretrained.lora_rank:
        content["base"] = base
    else:
        content["pretrained"] = pretrained.to_dict()
    write_pair(folder, MODEL, content, trained_parameters(pretrained.network), program=PROGRAM)
    checkpoints.clear()
    return model


def load_finetuned(folder: str | Path, device: str = "auto") -> FinetunedModel:
    """Read a model folder.

    Raises:
        ModelError: files are missing, truncated, of another program or version, or do
            not belong together, or the checkpoint below an adapter is another one.
        ConfigError: an extra is not installed, or there is no such checkpoint.
        InputError: there is no such device.
    """
    folder = Path(folder)
    target_device = device_from_name(device)
    content, weights = read_trained(folder, program=PROGRAM)
    where = folder / f"{MODEL}.json"
    try:
        config = section_from_dict(FinetuneConfig(), content["config"], where=str(where))
    except ConfigError as error:
        raise ModelError(str(error)) from None
    settings = config.pretrained
    with torch.random.fork_rng(devices=[]):
        if not settings.lora_rank:
            try:
                pretrained = pretrained_from_dict(
                    config.system, content.get("pretrained"), settings
                )
            except ModelError as error:
                raise ModelError(f"{where}: {error}") from None
        else:
            pretrained = read_pretrained(config.system, settings)
            if content.get("base") != fingerprint(settings.path):
                raise ModelError(
                    f"{where}: {settings.path!r} is not the checkpoint it was begun from"
                )
    load_trained(pretrained.network, weights, folder / f"{MODEL}.safetensors")
    pretrained.network.to(target_device).eval()
    return FinetunedModel(pretrained, config, content["data"], content["metrics"])
