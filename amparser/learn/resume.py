"""The checkpoints of a training: after each epoch one, from which it can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor

from amparser.errors import InputError, ModelError
from amparser.learn.checkpoint import (
    MODEL,
    PROGRAM,
    format_of,
    read_json,
    read_pair,
    write_pair,
)
from amparser.learn.config import completed
from amparser.learn.trainer import below

_DEVICE = "train.device"


@dataclass
class TrainingState:
    """Where a training stands: the figures of each complete epoch."""

    epochs: list[dict[str, float]] = field(default_factory=list)

    @property
    def epoch(self) -> int:
        """The last complete epoch; 0 before the first."""
        return len(self.epochs)

    @property
    def best_epoch(self) -> int:
        """The epoch of the best dev figure; among equals that of the lowest dev loss."""
        if "dev_figure" not in self.epochs[-1]:
            return self.epoch
        merits = [(e["dev_figure"], -e.get("dev_loss", 0.0)) for e in self.epochs]
        return 1 + merits.index(max(merits))

    def stopped(self, patience: int) -> bool:
        """Whether the dev figure has not risen for `patience` epochs."""
        figures = [epoch.get("dev_figure", float(i)) for i, epoch in enumerate(self.epochs)]
        return bool(figures) and len(figures) - 1 - figures.index(max(figures)) >= patience


@dataclass(frozen=True)
class TrainingIdentity:
    """What must be the same for a training to go on.

    Attributes:
        config: all settings, as nested dictionaries.
        data: a checksum of examples, dev and lexicon.
    """

    config: Mapping[str, Any]
    data: str

    def check(self, config: Mapping[str, Any], data: str, folder: Path) -> None:
        """Raise InputError naming the settings that differ; the device may."""
        old, new = _flat(completed(config)), _flat(self.config)
        changed = [
            f"{key} was {old.get(key)!r} and is {new.get(key)!r}"
            for key in sorted(old.keys() | new.keys())
            if key != _DEVICE and old.get(key) != new.get(key)
        ]
        if not changed and data != self.data:
            changed = ["the training data or the lexicon has changed"]
        if changed:
            raise InputError(
                f"{folder}: cannot resume the training there: {'; '.join(changed)}. "
                "Start over without --resume, or in another folder"
            )


class Resumable(Protocol):
    """What a checkpoint must know of a trainer."""

    dev_figure: float | None

    def tensors(self) -> Mapping[str, Tensor]:
        """The weights, their names opening with `network.`, and the optimizer's state."""

    def restore(self, tensors: Mapping[str, Tensor], where: object) -> None:
        """The inverse of `tensors`; raises ModelError where they do not fit."""


class Checkpoints:
    """The checkpoints in a model folder: the last one, and that of the best epoch."""

    def __init__(self, folder: Path, identity: TrainingIdentity, *, program: str = PROGRAM) -> None:
        self.folder = folder
        self.identity = identity
        self.program = program

    def latest(self) -> str | None:
        """The name of the last complete checkpoint; its JSON file is written last."""
        names = (path.stem for path in self.folder.glob("checkpoint-*.json"))
        return max(names, key=lambda name: (len(name), name), default=None)

    def finished(self) -> bool:
        """Whether the folder holds the model of this very training, complete.

        Raises:
            InputError: when it holds that of another.
            ModelError: when it is damaged.
        """
        path = self.folder / f"{MODEL}.json"
        if self.latest() is not None or not path.exists():
            return False
        content = read_json(path, format_of(MODEL, self.program))
        data = content.get("metrics", {}).get("data", "")
        self.identity.check(content.get("config", {}), data, self.folder)
        return True

    def save(self, trainer: Resumable, state: TrainingState) -> None:
        """Write one, and remove those that are no longer needed."""
        identity = {"config": self.identity.config, "data": self.identity.data}
        content = {**identity, "epochs": state.epochs}
        name = _name(state.epoch)
        write_pair(self.folder, name, content, trainer.tensors(), program=self.program)
        self.clear(keep=frozenset({name, _name(state.best_epoch)}))

    def restore(self, trainer: Resumable) -> TrainingState:
        """Put the last checkpoint into the trainer; an empty state where there is none."""
        name = self.latest()
        if name is None:
            return TrainingState()
        content, tensors = read_pair(self.folder, name, program=self.program)
        self.identity.check(content.get("config", {}), content.get("data", ""), self.folder)
        if name != _name(len(content["epochs"])):
            raise ModelError(f"{self.folder / name}.json: belongs to another epoch")
        trainer.restore(tensors, self.folder / f"{name}.safetensors")
        state = TrainingState(content["epochs"])
        trainer.dev_figure = state.epochs[-1].get("dev_figure")
        return state

    def weights_of(self, epoch: int) -> tuple[dict[str, Tensor], Path]:
        """The network's weights after an epoch that was kept, and the file they are in."""
        _, tensors = read_pair(self.folder, _name(epoch), program=self.program)
        return below("network.", tensors), self.folder / f"{_name(epoch)}.safetensors"

    def clear(self, keep: frozenset[str] = frozenset()) -> None:
        """Remove checkpoints, JSON first, so that what is left is never taken for whole."""
        for pattern in ("checkpoint-*.json", "checkpoint-*.safetensors", ".*.partial"):
            for path in sorted(self.folder.glob(pattern)):
                if path.stem not in keep:
                    path.unlink()


def checksum_of_json(value: object) -> str:
    """A checksum of JSON values that ignores the order of keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _name(epoch: int) -> str:
    return f"checkpoint-{epoch:04d}"


def _flat(config: Mapping[str, Any]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for section, values in config.items():
        if isinstance(values, Mapping):
            flat |= {f"{section}.{key}": value for key, value in values.items()}
        else:
            flat[section] = values
    return flat
