"""Logs of trainings for TensorBoard, where it is installed; amparser has no extra for it.

TensorBoard reads event files. Each training gets a folder of its own, so that TensorBoard shows
them as runs that can be compared.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from amparser.errors import ConfigError, InputError
from amparser.experiments.curves import TrainingLog
from amparser.files import prepare_folder

INSTALL = "pip install tensorboard"


def write_events(logs: Sequence[TrainingLog], folder: Path) -> list[Path]:
    """Write every figure of every epoch as a scalar whose step is the epoch.

    Args:
        logs: the trainings; each is written to `folder/NAME`.
        folder: made if it is missing.

    Returns:
        The folders of the trainings.

    Raises:
        ConfigError: TensorBoard is not installed.
        InputError: two trainings have the same name, or a folder has event files already, which
            TensorBoard would mix with the new ones.
    """
    writer = _writer()
    paths = [folder / log.name for log in logs]
    for i, path in enumerate(paths):
        if path in paths[:i]:
            raise InputError(f"--training: two folders have the name {path.name!r}")
        if any(path.glob("events.out.*")):
            raise InputError(f"{path}: has event files already, expected a new folder")
    for log, path in zip(logs, paths, strict=True):
        prepare_folder(path)
        with writer(log_dir=str(path)) as events:
            for figures in log.epochs:
                for key, value in figures.items():
                    if key != "epoch":
                        events.add_scalar(key, value, int(figures["epoch"]))
    return paths


def _writer() -> Any:
    try:
        return importlib.import_module("torch.utils.tensorboard").SummaryWriter
    except ImportError:
        raise ConfigError(f"--tensorboard: TensorBoard is not installed: {INSTALL}") from None
