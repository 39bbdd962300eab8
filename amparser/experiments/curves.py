"""Curves of trainings: loss and accuracy by epoch, several runs together.

A run is a folder with the `log.jsonl` that `train` writes, finished or not. Curves are drawn with
matplotlib (extra `plots`), or written as event files for TensorBoard, where it is installed;
amparser has no extra for it. There each training gets a folder of its own, so that TensorBoard
shows them as runs that can be compared.
"""

from __future__ import annotations

import importlib
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amparser.errors import ConfigError, InputError, located
from amparser.experiments.plots import plain_svg
from amparser.files import lines_of, prepare_folder, read_text
from amparser.learn.model_folder import LOG

LOSSES, FIGURES = ("loss", "dev_loss"), ("dev_accuracy", "dev_figure")
_STYLES = {"loss": "-", "dev_loss": "--", "dev_accuracy": "-", "dev_figure": "--"}
_MARKERS = "osD^vP*X"


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """The log of a run: the figures of each epoch, with `epoch` from 1; losses are in nats per
    token.
    """

    name: str
    epochs: tuple[Mapping[str, float], ...]

    def curve(self, key: str) -> list[tuple[float, float]]:
        """Epochs with their values of a key; those that lack it are left out."""
        return [(one["epoch"], one[key]) for one in self.epochs if key in one]


def read_log(folder: Path) -> TrainingLog:
    """The log in a model folder.

    Raises:
        InputError: there is none, or a line of it is no JSON object with an `epoch`.
    """
    path = folder / LOG
    epochs = []
    for number, line in enumerate(lines_of(read_text(str(path))), 1):
        try:
            value = json.loads(line)
            figures = {k: float(v) for k, v in value.items() if isinstance(v, int | float)}
            if not math.isfinite(figures["epoch"]):
                raise ValueError
        except (ValueError, AttributeError, KeyError):
            message = "expected a JSON object with 'epoch'"
            raise InputError(located(message, path=path, line=number)) from None
        epochs.append(figures)
    if not epochs:
        raise InputError(f"{path}: no epoch is complete yet")
    return TrainingLog(folder.resolve().name, tuple(epochs))


def draw_curves(logs: Sequence[TrainingLog]) -> str:
    """Loss and accuracy of all runs by epoch, as SVG; runs differ in colour and marker.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    with plain_svg():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 3.6), layout="constrained")
        losses, accuracies = figure.subplots(1, 2)
        for axes, keys, scale in ((losses, LOSSES, 1), (accuracies, FIGURES, 100)):
            for i, log in enumerate(logs):
                for key in _different(log, keys):
                    _line(axes, log, key, scale, i)
            axes.set_xlabel("epoch")
            axes.xaxis.get_major_locator().set_params(integer=True)
        losses.set_ylabel("loss, nats per token")
        losses.set_yscale("log")
        accuracies.set_ylabel("dev, %")
        handles, labels = losses.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize="small")
        content = io.StringIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()


def _different(log: TrainingLog, keys: Sequence[str]) -> list[str]:
    """The keys of a log; one with the same curve as one before it is left out."""
    found: list[str] = []
    for key in keys:
        curve = log.curve(key)
        if curve and all(curve != log.curve(other) for other in found):
            found.append(key)
    return found


def _line(axes: Any, log: TrainingLog, key: str, scale: float, run: int) -> None:
    curve = log.curve(key)
    axes.plot(
        [epoch for epoch, _ in curve],
        [scale * value for _, value in curve],
        _STYLES[key],
        color=f"C{run % 10}",
        marker=_MARKERS[run % len(_MARKERS)],
        label=f"{log.name}: {key.replace('_', ' ')}",
    )


def write_events(logs: Sequence[TrainingLog], folder: Path) -> list[Path]:
    """Write every figure of every epoch as a scalar whose step is the epoch, to `folder/NAME` each.

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
        raise ConfigError(
            "--tensorboard: TensorBoard is not installed: pip install tensorboard"
        ) from None
