"""`amparser experiment`: a system over seeds and shares of train, recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.all_experiments import run_all
from amparser.cli.options import (
    BenchmarkOption,
    MetricsOption,
    OwnNotationOption,
    SettingsOption,
    SystemOption,
    VariantOption,
    choices,
    parts,
)
from amparser.errors import InputError

if TYPE_CHECKING:
    from amparser.experiments.experiment import Experiment


def experiment(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="CONFIG.toml", help="Settings (default: those of --system and --benchmark)."
        ),
    ] = None,
    system: SystemOption = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Data folder (default: it is generated)."),
    ] = None,
    benchmark: BenchmarkOption = None,
    notation: OwnNotationOption = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, metavar="N", help="Seeds 1 to N.")] = 5,
    fractions: Annotated[
        str,
        typer.Option(
            "--fractions",
            metavar="A,B",
            help="Shares of train, such as 0.01,0.1,1 (default: that of the settings).",
        ),
    ] = "",
    decoders: Annotated[
        str, typer.Option("--decoders", metavar="A,B", help="Default: that of the settings.")
    ] = "",
    metrics: MetricsOption = None,
    splits: Annotated[
        str,
        typer.Option(
            "--splits", metavar="A,B", help="Default: all but train and dev, or dev if it is alone."
        ),
    ] = "",
    settings: SettingsOption = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Name of the record (default: that of the file, with -fractions if --fractions "
            "names other shares than the settings).",
        ),
    ] = None,
    runs: Annotated[
        Path, typer.Option("--runs", metavar="DIR", help="Where models are kept.")
    ] = Path("runs"),
    results: Annotated[
        Path, typer.Option("--results", metavar="DIR", help="Where the record is written.")
    ] = Path("training/results"),
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, metavar="N", help="Trainings at a time.")
    ] = 1,
    allow_dirty: Annotated[
        bool,
        typer.Option("--allow-dirty", help="Record also from a checkout with changes; says so."),
    ] = False,
    variant: VariantOption = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="All experiments behind the tables (training/experiments.txt); --data DIR has "
            "a folder for each benchmark.",
        ),
    ] = False,
    only: Annotated[
        str,
        typer.Option("--only", metavar="A,B", help="Of --all only the lines with such a text."),
    ] = "",
) -> None:
    """Train and evaluate over seeds and shares of train.

    Your own data (--data DIR, with test files) need no benchmark.
    """
    if every:
        if data is None:
            raise InputError("--all: expected --data DIR, with a folder for each benchmark")
        run_all(
            data,
            runs=runs,
            results=results,
            jobs=jobs,
            only=parts(only),
            allow_dirty=allow_dirty,
        )
        return
    from amparser import api
    from amparser.cli.train import generated_or_given
    from amparser.experiments.dataset import default_dataset
    from amparser.experiments.experiment import Experiment, about_of
    from amparser.learn.processes import process_count
    from amparser.notations.registry import NOTATIONS

    if process_count() > 1:
        raise InputError("an experiment is one process; --jobs has several trainings at a time")
    overrides = list(settings or [])
    overrides += [] if notation is None else [f'data.notation="{NOTATIONS.check(notation)}"']
    name_of_benchmark = benchmark or _benchmark_of(config, data)
    found, values = api.choose_settings(
        system, config, benchmark=name_of_benchmark, overrides=overrides
    )
    folder = generated_or_given(name_of_benchmark, data, variant)
    path = config
    if name_of_benchmark is None:
        chosen, values = api.own_data(folder, values)
    else:
        chosen = BENCHMARKS[name_of_benchmark]
        path = config or api.settings_file(chosen.name, found.name)
    shares = [_fraction(part) for part in parts(fractions)]
    own = getattr(values.data, "fraction", 1.0)
    suffix = "-fractions" if shares and tuple(dict.fromkeys(shares)) != (own,) else ""
    of_meanings = getattr(values.data, "notation", "") or next(iter(chosen.notations), "")
    dataset = default_dataset(chosen, folder, of_meanings, parts(splits))
    if name_of_benchmark is None:
        dataset = replace(dataset, corpus=api.read_own_data)
    run_experiment(
        Experiment(
            name=name or (found.name if path is None else path.stem) + suffix,
            benchmark=chosen,
            system=found,
            settings=values,
            dataset=dataset,
            about="" if path is None else about_of(path),
            seeds=range(1, seeds + 1),
            fractions=shares,
            decoders=parts(decoders),
            splits=parts(splits),
            metrics=None if metrics is None else parts(metrics),
        ),
        runs=runs,
        results=results,
        jobs=jobs,
        allow_dirty=allow_dirty,
    )


def run_experiment(
    plan: Experiment,
    *,
    runs: Path,
    results: Path,
    jobs: int = 1,
    allow_dirty: bool = False,
) -> None:
    """Carry out an experiment with progress on stderr, and print the tables of its record."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from amparser.experiments.experiment import experiment as carry_out
    from amparser.experiments.tables import record_tables

    console = Console(stderr=True, markup=False, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks: dict[str, object] = {}

        def on_step(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)  # type: ignore[arg-type]

        record = carry_out(
            plan,
            runs=runs,
            results=results,
            jobs=jobs,
            allow_dirty=allow_dirty,
            on_step=on_step,
        )
    for split, table in record_tables(record, BENCHMARKS):
        print(f"{results / record.name}.json: {split}\n\n{table}\n")


def _fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1:
        raise InputError(f"--fractions: {text!r} is not a share between 0.001 and 1")
    return value


def _benchmark_of(config: Path | None, data: Path | None) -> str | None:
    """The benchmark in whose folder a file of settings lies; None for a user's own data."""
    if config is None:
        if data is not None:
            return None
        raise InputError("expected CONFIG.toml, --benchmark, or --data DIR with your own data")
    name = config.absolute().parent.name
    if name not in BENCHMARKS:
        if data is not None:
            return None
        known = choices(BENCHMARKS)
        raise InputError(f"{config} is in none of the folders {known}; name --benchmark")
    return name
