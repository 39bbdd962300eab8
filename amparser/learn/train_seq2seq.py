"""`amparser train --system`: the baselines, on the same data as the parser."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from amparser.baselines.finetuned import FinetunedModel, finetune
from amparser.baselines.from_scratch import Seq2SeqModel, train_pairs
from amparser.baselines.settings import FinetuneConfig, Seq2SeqConfig
from amparser.errors import ConfigError
from amparser.learn.config import section_from_dict, section_from_toml, with_overrides
from amparser.learn.pairs import training_pairs
from amparser.learn.progress import training_bar
from amparser.learn.systems import AMPARSER, PRETRAINED, system_of_settings
from amparser.resources import package_data


def train_seq2seq(
    benchmark: str,
    system: str,
    *,
    data: Path,
    output: Path,
    config: Path | None = None,
    target: str | None = None,
    settings: Sequence[str] = (),
    seed: int | None = None,
    device: str | None = None,
    resume: bool = False,
) -> Seq2SeqModel | FinetunedModel:
    """Train a sequence-to-sequence model, write its folder; returns it.

    Args:
        benchmark: which settings of `training/` to start from.
        system: one of `FROM_SCRATCH` or `PRETRAINED`.
        data: a folder with `train`, and `dev` or else a share of train is held out.
        output: the model folder; a model that lies there is replaced at the end.
        config: a file of settings instead of the benchmark's.
        target: over `data.target`.
        settings: `SECTION.KEY=VALUE`, over the file.
        seed: over `train.seed`.
        device: over `train.device`.
        resume: go on after the last checkpoint in the folder.

    Raises:
        AMParserError: bad settings, data or folder, before training begins.
    """
    overrides = [
        f"{key}={value}"
        for key, value in (("data.target", target), ("train.seed", seed), ("train.device", device))
        if value is not None
    ]
    chosen = seq2seq_settings(benchmark, system, config, [*settings, *overrides])
    return train_seq2seq_with(chosen, data=data, output=output, resume=resume)


def train_seq2seq_with(
    chosen: Seq2SeqConfig | FinetuneConfig, *, data: Path, output: Path, resume: bool = False
) -> Seq2SeqModel | FinetunedModel:
    """The same with all settings chosen; `train_seq2seq` says the rest."""
    started = time.perf_counter()
    console = Console(stderr=True, markup=False, highlight=False)
    with console.status(f"reading {data}"):
        train, dev, described = training_pairs(data, chosen.data, chosen.train.seed)
    console.print(f"{len(train)} pairs to learn from, {len(dev)} of dev to watch")
    with training_bar(console, "round") as on_progress:
        model: Seq2SeqModel | FinetunedModel
        if isinstance(chosen, FinetuneConfig):
            model = finetune(
                train, dev, chosen, output, data=described, resume=resume, on_progress=on_progress
            )
        else:
            model = train_pairs(
                train, dev, chosen, output, data=described, resume=resume, on_progress=on_progress
            )
    epochs = model.metrics["epochs"]
    best = epochs[model.metrics["best_epoch"] - 1]
    # What greedy search would find: it need not be asked.
    dev_part = f"dev exact match {100 * best['dev_accuracy']:.2f} % (greedy), " if dev else ""
    print(
        f"{output}: {model.system}, {dev_part}loss {best['loss']:.4f}, "
        f"step {best['step']} of {epochs[-1]['step']}, "
        f"{(time.perf_counter() - started) / 60:.1f} minutes"
    )
    return model


def seq2seq_from_dict(table: Mapping[str, object], *, where: str) -> Seq2SeqConfig | FinetuneConfig:
    """The settings in nested dictionaries; raises ConfigError where they are none."""
    if table.get("system") in PRETRAINED:
        return section_from_dict(FinetuneConfig(), table, where=where)
    return section_from_dict(Seq2SeqConfig(), table, where=where)


def seq2seq_settings(
    benchmark: str, system: str | None, path: Path | None, overrides: Sequence[str] = ()
) -> Seq2SeqConfig | FinetuneConfig:
    """The settings of a file, by default the benchmark's own for the system, with overrides.

    Raises:
        ConfigError: they are no such settings, or those of another system.
    """
    if path is None:
        path = package_data(f"training/{benchmark}/{system}.toml")
    named = system_of_settings(path)
    if named == AMPARSER or (system is not None and named != system):
        raise ConfigError(f"{path}: settings of {named}, not of {system or 'another system'}")
    if named in PRETRAINED:
        return with_overrides(section_from_toml(FinetuneConfig(), path), overrides)
    return with_overrides(section_from_toml(Seq2SeqConfig(), path), overrides)
