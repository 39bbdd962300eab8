"""`amparser train monotonicity --system`: classifiers of pairs."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from rich.console import Console

from amparser.benchmarks.monotonicity.classifiers.model import (
    NLIConfig,
    NLIModel,
    PairError,
    train_nli,
)
from amparser.benchmarks.monotonicity.classifiers.settings import BertConfig, ScratchConfig
from amparser.benchmarks.monotonicity.pairs import read_pairs
from amparser.corpora.examples import checksum, split_files
from amparser.errors import ConfigError, CorpusError, InputError, located
from amparser.learn.config import section_from_toml, with_overrides
from amparser.learn.progress import training_bar
from amparser.learn.systems import CLASSIFIERS, system_of_settings
from amparser.resources import package_data

_TRAIN = "train"

Item = TypeVar("Item")


def train_classifier(
    system: str,
    *,
    data: Path | None,
    output: Path,
    config: Path | None = None,
    settings: Sequence[str] = (),
    seed: int | None = None,
    device: str | None = None,
    resume: bool = False,
) -> NLIModel:
    """Train a classifier of pairs, write its folder; returns it.

    Args:
        system: one of `CLASSIFIERS`.
        data: a file of pairs (premise, hypothesis, label, genre), or a folder with `train`;
            a share of it is held out to pick the epoch.
        output: the model folder; a model that lies there is replaced at the end.
        config: a file of settings instead of the system's own.
        settings: `SECTION.KEY=VALUE`, over the file.
        seed: over `train.seed`.
        device: over `train.device`.
        resume: go on after the last checkpoint in the folder.

    Raises:
        AMParserError: bad settings, data or folder, before training begins.
    """
    overrides = [
        f"{key}={value}"
        for key, value in (("train.seed", seed), ("train.device", device))
        if value is not None
    ]
    chosen = classifier_settings(system, config, [*settings, *overrides])
    if data is None:
        raise InputError(
            f"--system {system} needs --data, a file of pairs or a folder with {_TRAIN}.tsv: "
            "amparser generate monotonicity --aspect ASPECT --output DIR"
        )
    return train_classifier_with(chosen, data=data, output=output, resume=resume)


def train_classifier_with(
    chosen: NLIConfig, *, data: Path, output: Path, resume: bool = False
) -> NLIModel:
    """The same with all settings chosen; `train_classifier` says the rest."""
    path = training_file(data)
    started = time.perf_counter()
    console = Console(stderr=True, markup=False, highlight=False)
    with console.status(f"reading {path}"):
        rows = read_pairs(path)
    random = Random(f"held out {chosen.train.seed}")
    rows, dev = split(rows, chosen.data.held_out, random)
    rows, _ = split(rows, 1 - chosen.data.fraction, random)
    console.print(f"{len(rows)} pairs to learn from, {len(dev)} held out to watch")
    with training_bar(console) as on_progress:
        try:
            model = train_nli(
                rows,
                dev,
                chosen,
                output,
                data={_TRAIN: {"file": path.name, "sha256": checksum(path)}},
                resume=resume,
                on_progress=on_progress,
            )
        except PairError as error:
            raise CorpusError(located(str(error), path=path, line=error.line)) from None
    epochs = model.metrics["epochs"]
    best = model.metrics["best_epoch"]
    accuracy = epochs[best - 1].get("dev_accuracy")
    held_out = "" if accuracy is None else f"{100 * accuracy:.2f} % of held-out pairs, "
    print(
        f"{output}: {model.system}, {held_out}epoch {best} of {len(epochs)}, "
        f"{(time.perf_counter() - started) / 60:.1f} minutes"
    )
    return model


def training_file(data: Path) -> Path:
    """The file of pairs to learn from: the path itself, or `train` in this folder.

    Raises:
        CorpusError: there is none.
    """
    if not data.is_dir():
        return data
    files = split_files(data)
    if _TRAIN not in files:
        raise CorpusError(located(f"expected {_TRAIN}.tsv or {_TRAIN}.tsv.gz", path=data))
    return files[_TRAIN]


def split(rows: Sequence[Item], share: float, random: Random) -> tuple[list[Item], list[Item]]:
    """The rows without a random share of them, and this share, rounded up, in their order."""
    order = list(range(len(rows)))
    random.shuffle(order)
    # 0.07 * 100 is a little more than 7.
    chosen = set(order[: math.ceil(round(share * len(rows), 6))])
    return (
        [row for i, row in enumerate(rows) if i not in chosen],
        [row for i, row in enumerate(rows) if i in chosen],
    )


def classifier_settings(system: str, path: Path | None, overrides: Sequence[str] = ()) -> NLIConfig:
    """The settings of a file, by default the system's own, with overrides.

    Raises:
        ConfigError: they are no such settings, or those of another system.
    """
    if path is None:
        path = package_data(f"training/monotonicity/{system}.toml")
    named = system_of_settings(path)
    if named not in CLASSIFIERS or named != system:
        raise ConfigError(f"{path}: settings of {named}, not of {system}")
    if named == BertConfig().system:
        return with_overrides(section_from_toml(BertConfig(), path), overrides)
    return with_overrides(section_from_toml(ScratchConfig(), path), overrides)
