"""`amparser train`: train a model on a folder of data files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli import options
from amparser.cli.generate import generated_or_given
from amparser.cli.options import option
from amparser.errors import AMParserError, InputError, one_of
from amparser.learn.system_registry import SYSTEMS
from amparser.presets.registry import PRESETS

if TYPE_CHECKING:
    from amparser.learn.report import TrainingReport
    from amparser.learn.system import Model

_DEV_ROWS = 500
"""Maximum number of dev rows parsed after training."""
_HIGH_LOSS = 0.8
"""Minimum final loss per sentence for which a warning is printed."""


def train(
    benchmark: Annotated[str | None, typer.Argument(metavar="NAME")] = None,
    more: Annotated[list[str] | None, typer.Argument(metavar="MORE", hidden=True)] = None,
    data: Annotated[Path | None, option("--data DIR")] = None,
    output: Annotated[Path | None, option("--output -o DIR")] = None,
    also: Annotated[list[Path] | None, option("--also DIR..")] = None,
    system: options.SystemOption = None,
    notation: options.OwnNotationOption = None,
    config: options.ConfigOption = None,
    settings: options.SettingsOption = None,
    seed: Annotated[int | None, option("--seed", min=0)] = None,
    device: Annotated[options.Device | None, option("--device")] = None,
    resume: Annotated[bool, option("--resume")] = False,
    start: Annotated[str | None, option("--start DIR")] = None,
    replace: Annotated[bool, option("--replace")] = False,
    schema: options.SchemaOption = None,
    strict: Annotated[bool, option("--strict")] = False,
    list_settings: Annotated[bool, option("--list-settings")] = False,
) -> None:
    """Train a parser on a folder of sentences and meanings.

    Your own data need no benchmark name. Faulty rows are counted and left out (`amparser check`
    lists them all); in benchmark data they are errors.

    Args:
        benchmark: Benchmark whose data and settings are used: {benchmarks}.
        data: Folder with train and dev, or a file (default: generated for the benchmark).
        output: Model folder (default: runs/NAME[-SYSTEM]).
        also: Further folders with train, such as sentences in other languages.
        resume: Continue from the last checkpoint in the output folder.
        start: Start from the weights of this model, which was trained on similar data, and train
            for a sixth of the epochs.
        replace: Replace a finished model of other data, or an unfinished training run.
        strict: Stop at the first faulty row of your own data.
        list_settings: List the settings of --system with their values instead of training.
    """
    if list_settings:
        _print_settings(system or "amparser")
        return
    from amparser import api
    from amparser.cli.terminal import training_bar
    from amparser.learn.processes import is_first_process
    from amparser.learn.system import PARSER

    further = [*(also or []), *map(Path, more or [])]
    if more and not also:
        raise InputError(f"unexpected argument {more[0]!r} after {benchmark}")
    if also and benchmark not in {None, *BENCHMARKS}:
        further.append(Path(str(benchmark)))
        benchmark = None
    if benchmark is not None:
        _check_name(benchmark)
    overrides = list(settings or [])
    overrides += [] if seed is None else [f"train.seed={seed}"]
    overrides += [] if start is None else [f"train.start={start}"]
    overrides += [] if device is None else [f"train.device={device.value}"]
    # Validate settings before data is generated.
    api.choose_settings(system, config, benchmark=benchmark, overrides=overrides)
    data = generated_or_given(benchmark, data)
    overrides += [] if not further else [_also(further, data)]
    overrides += options.schema_override(schema, data)
    if output is None:
        output = Path("runs") / "-".join(filter(None, (benchmark or data.stem, system)))
    started = time.perf_counter()
    first = is_first_process()
    with training_bar() as on_progress:
        model = api.train(
            data,
            output,
            benchmark=benchmark,
            system=system,
            settings=config,
            overrides=overrides,
            notation=notation,
            strict=True if strict else None,
            resume=resume,
            replace_model=replace,
            on_progress=on_progress if first else None,
            on_report=_print_report if first else None,
        )
    if not first:
        return
    epochs = model.metrics["epochs"]
    best = epochs[model.metrics["best_epoch"] - 1]
    print(
        f"{output}: {model.system}, loss {best['loss']:.4f}, "
        f"epoch {model.metrics['best_epoch']} of {len(epochs)}, "
        f"{(time.perf_counter() - started) / 60:.1f} minutes"
    )
    held = model.metrics.get("held_out")
    if held:
        _print_held_out(held)
    if (line := _on_dev(model, data, benchmark)) is not None:
        print(line)
    elif not held:
        print("there is no dev file: evaluate the model on another file with `amparser evaluate`")
    if benchmark is None and model.system == PARSER and best["loss"] >= _HIGH_LOSS:
        print(
            f"amparser: a loss of {best['loss']:.1f} per sentence is high: train for more epochs, "
            "or leave out parts of meanings that no word expresses (see `amparser check`)",
            file=sys.stderr,
        )


def _print_settings(name: str) -> None:
    from amparser.cli.tables import plain_console, table_of
    from amparser.learn.settings import describe_settings

    if name not in (*SYSTEMS, *PRESETS):
        raise InputError(f"unknown system {name!r}, {one_of(name, (*SYSTEMS, *PRESETS))}")
    system: Any = PRESETS[name] if name in PRESETS else SYSTEMS[name]
    for variant in getattr(system, "variants", {name: system}).values():
        title, columns = f"{variant.name}: {variant.about}", ("key", "default", "values", "meaning")
        plain_console().print(table_of(title, columns, describe_settings(variant.settings)))


def _also(paths: Sequence[Path], data: Path) -> str:
    """Return the settings override for `data.also`, with paths relative to the data folder."""
    names = [options.beside(path, data) for path in paths]
    if wrong := [name for name in names if " " in name]:
        raise InputError(f"--also {wrong[0]}: expected a path without spaces")
    return f"data.also={json.dumps(' '.join(names))}"


def _check_name(name: str) -> None:
    try:
        BENCHMARKS.check(name)
    except InputError as error:
        meant = f"; to learn from {name}: --data {name}" if Path(name).exists() else ""
        raise InputError(f"{error}{meant}") from None


def _print_held_out(figures: Mapping[str, Any]) -> None:
    from amparser.cli.tables import parts_table, plain_console
    from amparser.learn.parts import Part

    share = figures["right"] / figures["count"]
    print(
        f"{100 * share:.1f} % of {figures['count']} held-out sentences of train were answered "
        "correctly before they were learned"
    )
    if faults := figures.get("malformed"):
        rows = figures["rows"]
        share *= 1 - faults / rows
        print(f"{100 * share:.1f} % if the {faults} malformed of {rows} rows count as wrong")
    if parts := [Part(**part) for part in figures["weakest"]]:
        plain_console().print(parts_table(parts))


def _on_dev(model: Model, data: Path, benchmark: str | None) -> str | None:
    from amparser import api
    from amparser.cli.tables import share_of_all_rows
    from amparser.corpora.splits import split_files
    from amparser.learn.report import left_out

    files = split_files if benchmark is None else BENCHMARKS[benchmark].files
    try:
        file = files(data, model.notation).get("dev") if data.is_dir() else None
        if file is None or not file.is_file():
            return None
        evaluation = api.evaluate(model, file, benchmark=benchmark, limit=_DEV_ROWS)
    except AMParserError as error:  # for example, the meanings are in another notation
        return f"not measured on dev: {error}"
    [(decoder, _)] = evaluation.answers.items()
    measure, count = next(iter(evaluation.table(decoder)[""].items()))
    rows = len(evaluation.examples)
    part = f"the first {rows} rows of " if rows == _DEV_ROWS else ""
    share = "none" if count.share is None else f"{100 * count.share:.2f} %"
    found = f"{part}{file.name}: {measure} {share} ({decoder}), as `amparser evaluate` counts"
    of_all = share_of_all_rows(evaluation, decoder)
    return "\n".join((found, *left_out(evaluation.faults, file.name), *filter(None, [of_all])))


def _print_report(report: TrainingReport) -> None:
    from amparser.learn.report import SHOWN_FAULTS

    for line in report.lines(SHOWN_FAULTS):
        print(line, file=sys.stderr)
