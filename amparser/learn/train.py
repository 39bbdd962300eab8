"""`amparser train`: from a folder of data files to a model folder."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from amparser.benchmarks.generate import generated
from amparser.benchmarks.monotonicity.generate_monotonicity import MONOTONICITY, generated_forms
from amparser.benchmarks.monotonicity.train_nli import train_classifier
from amparser.corpora.examples import Example, checksum, read_examples
from amparser.errors import InputError, located
from amparser.evaluation.answers import answers_to
from amparser.evaluation.metrics import Counts
from amparser.induction.exchange import Exchange, IndexedTree
from amparser.induction.inventory_codec import inventory_to_dict
from amparser.learn.batches import TrainingExample
from amparser.learn.checkpoint import prepare_folder
from amparser.learn.config import Config, config_from_toml, with_overrides
from amparser.learn.loop import ExamplesOfEpoch
from amparser.learn.loop import train as train_network
from amparser.learn.preparation import (
    HELD_OUT_SEED,
    AnalysedFile,
    analysed,
    subset,
    training_files,
    without,
)
from amparser.learn.progress import training_bar
from amparser.learn.systems import AMPARSER, CLASSIFIERS, system_of_settings, systems_of
from amparser.learn.train_seq2seq import train_seq2seq
from amparser.lexicon.lexicon import Lexicon
from amparser.parser import Parser
from amparser.resources import package_data

_SHOWN_FAILURES = 5
# Where there is no dev file.
_DEV_SHARE = 0.1


def train(
    benchmark: str,
    *,
    data: Path | None,
    output: Path,
    config: Path | None = None,
    settings: Sequence[str] = (),
    seed: int | None = None,
    device: str | None = None,
    resume: bool = False,
    setting: str | None = None,
    system: str | None = None,
    target: str | None = None,
) -> Counts | None:
    """Train a model, write its folder; returns how the parser does on dev, None of another.

    Only `train` is learned from; `dev` picks the epoch.

    Args:
        benchmark: `slog`, `cogs`, `sygns` or `monotonicity`: which settings of `training/`
            to start from.
        data: a folder with `train` and `dev` as .tsv or .tsv.gz; None generates it. Of a
            classifier of pairs `train` alone, or a file of pairs; it is not generated.
        output: the model folder; a model that lies there is replaced at the end.
        config: a file of settings instead of the benchmark's.
        settings: `SECTION.KEY=VALUE`, over the file.
        seed: over `train.seed`.
        device: over `train.device`.
        resume: go on after the last checkpoint in the folder.
        setting: of the data that is generated, where the benchmark has several.
        system: one of those of the benchmark (`systems_of`); by default that of the file of
            settings.
        target: the notation that a sequence-to-sequence model is to write.

    Raises:
        AMParserError: bad settings, data or folder, before training begins.
    """
    if system is None:
        system = AMPARSER if config is None else system_of_settings(config)
    if system not in systems_of(benchmark):
        known = ", ".join(systems_of(benchmark))
        raise InputError(f"--system {system}: {benchmark} has {known}")
    if benchmark == MONOTONICITY and system in CLASSIFIERS:
        if target is not None or setting is not None:
            raise InputError(f"--target and --setting: {system} has labels alone")
        train_classifier(
            system,
            data=data,
            output=output,
            config=config,
            settings=settings,
            seed=seed,
            device=device,
            resume=resume,
        )
        return None
    if data is None:
        if benchmark == MONOTONICITY:
            data = generated_forms()
        else:
            data = generated(benchmark, setting=setting)
    elif setting is not None:
        raise InputError("give --data or --setting, not both")
    if system != AMPARSER:
        train_seq2seq(
            benchmark,
            system,
            data=data,
            output=output,
            config=config,
            target=target,
            settings=settings,
            seed=seed,
            device=device,
            resume=resume,
        )
        return None
    if target is not None:
        raise InputError(f"--target {target}: the parser's trees make all notations")
    chosen = settings_of(benchmark, config, settings)
    overrides = [] if seed is None else [f"train.seed={seed}"]
    overrides += [] if device is None else [f"train.device={device}"]
    return train_with(with_overrides(chosen, overrides), data=data, output=output, resume=resume)


def train_with(chosen: Config, *, data: Path, output: Path, resume: bool = False) -> Counts:
    """The same with all settings chosen; `train` says the rest."""
    started = time.perf_counter()
    console = Console(stderr=True, markup=False, highlight=False)
    notation = chosen.data.notation
    files = training_files(data, notation)
    prepare_folder(output)
    with console.status(f"reading {data}"):
        rows, dev_rows = _rows(files, chosen)
        gold = analysed(files["train"], rows, notation_name=notation)
        dev = analysed(files["dev"], dev_rows, gold.analysis, notation_name=notation)
    lexicon = Lexicon.from_trees(
        [tree for tree in gold.analysis.trees if tree is not None],
        polymorphic=chosen.lexicon.polymorphic,
        composed=chosen.supertag.composed,
    )
    _report(console, gold, lexicon)
    examples, _ = _examples(console, gold, lexicon)
    dev_examples, dev_missing = _examples(console, dev, lexicon)
    console.print(f"{len(examples)} trees to learn from, {len(dev_examples)} of dev to watch")
    with training_bar(console) as on_progress:
        model = train_network(
            examples,
            dev_examples,
            lexicon,
            chosen,
            output,
            lexicon_json={
                "lexicon": lexicon.to_dict(),
                "inventory": inventory_to_dict(gold.analysis.inventory),
                "data": {name: _described(files[name]) for name in ("train", "dev")},
                "notation": notation,
            },
            resume=resume,
            on_progress=on_progress,
            examples_of_epoch=_of_each_epoch(examples, lexicon, chosen),
        )
    parser = Parser.of_model(model, output)
    decoder = model.config.decode.decoder
    answers = answers_to(parser, dev.examples, [decoder])[decoder]
    counts = sum(answers.counts, Counts())
    minutes = (time.perf_counter() - started) / 60
    print(
        f"{output}: dev exact match {100 * counts.exact / counts.count:.2f} % ({decoder}, "
        f"{counts.count} sentences, {dev_missing} without a gold tree), "
        f"epoch {model.metrics['best_epoch']} of {len(model.metrics['epochs'])}, "
        f"{minutes:.1f} minutes"
    )
    return counts


def _rows(files: Mapping[str, Path], chosen: Config) -> tuple[Sequence[Example], Sequence[Example]]:
    """The rows to learn from, and those of dev."""
    rows: Sequence[Example] = read_examples(files["train"])
    if files["dev"] != files["train"]:
        dev: Sequence[Example] = read_examples(files["dev"])
    else:
        dev = subset(rows, _DEV_SHARE, HELD_OUT_SEED)
        rows = without(rows, dev)
    return subset(rows, chosen.data.fraction, chosen.train.seed), dev


def settings_of(benchmark: str, path: Path | None, overrides: Sequence[str] = ()) -> Config:
    """The settings of a file, by default the benchmark's own, with overrides."""
    if path is None:
        path = package_data(f"training/{benchmark}/default.toml")
    return with_overrides(config_from_toml(path), overrides)


def _of_each_epoch(
    examples: Sequence[TrainingExample], lexicon: Lexicon, config: Config
) -> ExamplesOfEpoch | None:
    """What each epoch learns from, if not the plain examples.

    These come as often as `train.epoch_sentences` wants it, and a share of them
    with a constituent exchanged.
    """
    settings = config.train
    rounds = -(-settings.epoch_sentences // len(examples)) if examples else 1
    if not settings.exchange and rounds == 1:
        return None
    exchange = Exchange([IndexedTree(*astuple(example)) for example in examples], lexicon)

    def examples_of_epoch(epoch: int) -> list[TrainingExample]:
        random = Random(f"{settings.seed} {epoch}")
        return [
            TrainingExample(*exchange.sample(i, random))
            if random.random() < settings.exchange
            else example
            for _ in range(rounds)
            for i, example in enumerate(examples)
        ]

    return examples_of_epoch


def _described(path: Path) -> dict[str, Any]:
    return {"file": path.name, "sha256": checksum(path)}


def _report(console: Console, gold: AnalysedFile, lexicon: Lexicon) -> None:
    markers = ", ".join(sorted(gold.analysis.inventory.markers)) or "none"
    console.print(
        f"{len(gold.examples)} rows: markers {markers}; {len(lexicon.supertags) - 1} supertags, "
        f"{len(lexicon.operations)} edge labels"
    )


def _examples(
    console: Console, data: AnalysedFile, lexicon: Lexicon
) -> tuple[list[TrainingExample], int]:
    """The rows as ids of the lexicon, and how many have none; those are listed on stderr."""
    examples = []
    failures = data.failures()
    for example, tree in zip(data.examples, data.analysis.trees, strict=True):
        if tree is None:
            continue
        encoded = lexicon.encode(tree)
        if encoded is None:
            reason = "its tree has a supertag or an edge label that train does not have"
            failures.append(located(reason, path=data.path, line=example.line))
            continue
        supertags, heads, operations = encoded
        examples.append(
            TrainingExample(example.tokens, tuple(supertags), tuple(heads), tuple(operations))
        )
    if failures:
        console.print(f"{data.path}: {len(failures)} rows without a tree")
        for failure in failures[:_SHOWN_FAILURES]:
            print(f"  {failure}", file=sys.stderr)
        if len(failures) > _SHOWN_FAILURES:
            print(f"  and {len(failures) - _SHOWN_FAILURES} more", file=sys.stderr)
    return examples, len(failures)
