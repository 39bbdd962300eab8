"""Checkpoints of a training run, from which it can be resumed.

A *round* ends with an evaluation on dev and a checkpoint; it is usually an epoch.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from amparser.conditions import Filled
from amparser.errors import InputError, ModelError
from amparser.learn.model_folder import (
    MODEL,
    is_ours,
    read_head,
    read_pair,
    read_pair_json,
    write_pair,
)
from amparser.schema import from_json
from amparser.working_folder import WORKING

_Epochs: Any = Annotated[list[dict[str, float]], Filled()]
_FREE = ("train.device",)
"""Settings that may change when a run is resumed, because the weights do not depend on them."""


@dataclass
class TrainingState:
    """State of a training run: the figures, such as `loss`, of each complete round."""

    epochs: list[dict[str, float]] = field(default_factory=list)

    @property
    def epoch(self) -> int:
        """Last complete round; 0 before the first."""
        return len(self.epochs)

    @property
    def best_epoch(self) -> int:
        """Round with the best dev figure; the dev loss decides between equal figures."""
        if "dev_figure" not in self.epochs[-1]:
            return self.epoch
        merits = [(e["dev_figure"], -e.get("dev_loss", 0.0)) for e in self.epochs]
        return 1 + merits.index(max(merits))

    def stopped(self, patience: int) -> bool:
        """Return whether the dev figure has not improved for `patience` rounds (0: no limit)."""
        figures = [epoch.get("dev_figure", float(i)) for i, epoch in enumerate(self.epochs)]
        if not patience or not figures:
            return False
        return len(figures) - 1 - figures.index(max(figures)) >= patience


@dataclass(frozen=True)
class TrainingIdentity:
    """Properties of a training run that must not change when the run is resumed."""

    system: str
    settings: Mapping[str, Any]
    data: str

    def check(self, other: TrainingIdentity, folder: Path) -> None:
        """Raise InputError, listing changed settings, if settings or data have changed."""
        old, new = other._flat(), self._flat()
        changed = [
            f"{key} was {old.get(key)!r} and is {new.get(key)!r}"
            for key in sorted(old.keys() | new.keys())
            if key not in _FREE and old.get(key) != new.get(key)
        ]
        if not changed and other.data != self.data:
            changed = ["the training data or the lexicon has changed"]
        if changed:
            raise InputError(
                f"{folder}: cannot resume the training there: {'; '.join(changed)}. "
                "Start over without --resume, or in another folder"
            )

    def _flat(self) -> dict[str, object]:
        flat: dict[str, object] = {"system": self.system}
        for section, values in self.settings.items():
            if isinstance(values, Mapping):
                flat |= {f"{section}.{key}": value for key, value in values.items()}
            else:
                flat[section] = values
        return flat


class Checkpoints:
    """Checkpoints of the last and of the best round in a model folder."""

    def __init__(self, folder: Path, identity: TrainingIdentity) -> None:
        self.folder = folder
        self.identity = identity
        self._place = folder / WORKING

    def latest(self) -> str | None:
        """Return the name of the last complete checkpoint, or None."""
        return _latest(self._place)

    def finished(self) -> bool:
        """Return whether the folder contains the complete model of this training run.

        Raises:
            InputError: the folder contains the model of another training run.
            ModelError: the model is damaged.
        """
        if self.latest() is not None or not (self.folder / f"{MODEL}.json").exists():
            return False
        head = read_head(self.folder)
        other = TrainingIdentity(head.system, head.settings, head.metrics.get("data", ""))
        self.identity.check(other, self.folder)
        return True

    def save(self, state: TrainingState, tensors: Mapping[str, Tensor]) -> None:
        """Write the checkpoint of a round, and remove checkpoints that are no longer needed."""
        content = {**asdict(self.identity), "epochs": state.epochs}
        name = _name(state.epoch)
        write_pair(self._place, name, content, tensors)
        self.clear(keep=frozenset({name, _name(state.best_epoch)}))

    def restore(self) -> TrainingState:
        """Return the state in the last checkpoint; an empty state if there is none.

        Raises:
            InputError: the checkpoint belongs to another training run.
            ModelError: the checkpoint is damaged.
        """
        name = self.latest()
        if name is None:
            return TrainingState()
        path = self._place / f"{name}.json"
        content = read_pair_json(path)
        other = from_json(content, TrainingIdentity, path, error=ModelError)
        epochs: Any = content.get("epochs")
        # The result is not used, because it has floats instead of integers; only types are checked.
        from_json(epochs, _Epochs, path, "epochs", error=ModelError)
        self.identity.check(other, self.folder)
        if name != _name(len(epochs)):
            raise ModelError(f"{path}: belongs to another epoch")
        return TrainingState(epochs)

    def tensors_of(self, epoch: int) -> tuple[dict[str, Tensor], Path]:
        """Return the tensors in the checkpoint of a round, and their file.

        Raises ModelError if the checkpoint is damaged.
        """
        _, tensors = read_pair(self._place, _name(epoch))
        return tensors, self._place / f"{_name(epoch)}.safetensors"

    def clear(self, keep: frozenset[str] = frozenset()) -> None:
        """Remove checkpoints. JSON files, which mark complete checkpoints, are removed first."""
        for suffix in (".json", ".safetensors", ".part"):
            for path in sorted(self._place.glob(f"checkpoint-*{suffix}")):
                if path.stem not in keep and (suffix == ".part" or is_ours(path)):
                    path.unlink()


def check_unfinished(folder: Path) -> None:
    """Raise InputError if a folder has checkpoints that a new training run would delete."""
    if (name := _latest(folder / WORKING)) is not None:
        epoch = int(name.rpartition("-")[2])
        raise InputError(
            f"{folder}: training stopped after epoch {epoch}; --resume continues it, "
            "--replace starts over, and --output names another folder"
        )


def _latest(place: Path) -> str | None:
    """Return the name of the last complete checkpoint; its JSON file is written last."""
    names = (path.stem for path in place.glob("checkpoint-*.json"))
    return max(names, key=lambda name: (len(name), name), default=None)


def _name(epoch: int) -> str:
    return f"checkpoint-{epoch:04d}"


def seed_generators(seed: int, epoch: int, process: int = 0, member: int = 0) -> None:
    """Seed the random generators of torch, NumPy and Python.

    Args:
        seed: seed of the training run.
        epoch: number of the epoch.
        process: index of the process (from 0), so that processes have different dropout.
        member: index of the ensemble member (from 0), so that members have different dropout.
    """
    numbers = [seed, epoch, process, member]
    while len(numbers) > 2 and not numbers[-1]:
        numbers.pop()
    states = np.random.SeedSequence(numbers).generate_state(3)
    torch.manual_seed(int(states[0]))
    # A task's evaluation on dev may use the generators of NumPy and Python.
    np.random.seed(int(states[1]))
    random.seed(int(states[2]))


@contextmanager
def restored_generators(device: torch.device) -> Iterator[None]:
    """Restore the caller's random generators at the end of the block."""
    python_state, numpy_state = random.getstate(), np.random.get_state()
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)
