"""`amparser experiment`: train with several seeds and shares of train; record the figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.generate import generated_or_given
from amparser.cli.options import MetricsOption, SettingsOption, SystemOption, choices, option, parts
from amparser.errors import InputError
from amparser.provenance import is_dirty
from amparser.resources import folder_of_records

if TYPE_CHECKING:
    from amparser.experiments.experiment import Experiment


def experiment(
    what: Annotated[list[str] | None, typer.Argument(metavar="[BENCHMARK] [FILE.toml]")] = None,
    system: SystemOption = None,
    data: Annotated[Path | None, option("--data DIR")] = None,
    seeds: Annotated[int, option("--seeds N", min=1)] = 5,
    fractions: Annotated[str, option("--fractions A,B")] = "",
    decoders: Annotated[str, option("--decoders A,B")] = "",
    metrics: MetricsOption = None,
    splits: Annotated[str, option("--splits A,B")] = "",
    settings: SettingsOption = None,
    name: Annotated[str | None, option("--name")] = None,
    output: Annotated[Path, option("--output -o DIR")] = Path("runs"),
    jobs: Annotated[int, option("--jobs -j N", min=1)] = 1,
    show: Annotated[bool, option("--show")] = False,
) -> None:
    """Train and evaluate with several seeds and shares of train; write and show records.

    A record is a file with the figures of an experiment. It is found by its name in
    training/results, or by its path (runs/NAME.json).

    Args:
        what: A benchmark ({benchmarks}) and a settings file; with --show, names of records.
        data: Data folder (default: generated data).
        seeds: Seeds 1 to N.
        fractions: Shares of train, such as 0.01,0.1,1 (default: as in the settings).
        decoders: Decoders (default: as in the settings).
        splits: Splits to evaluate on (default: all except train and dev).
        name: Name of the record (default: the name of the settings file, with -fractions if
            --fractions differs from the settings).
        output: Folder of records and models.
        jobs: Parallel trainings.
        show: Print the tables of records.
    """
    names = what or []
    if show:
        _print_tables(names, folder_of_records(), parts(splits))
    else:
        options = {
            "decoders": parts(decoders),
            "splits": parts(splits),
            "metrics": None if metrics is None else parts(metrics),
            "seeds": range(1, seeds + 1),
            "fractions": [_fraction(part) for part in parts(fractions)],
        }
        _carry_out(_plan(names, system, data, settings or [], name, options), output, jobs)


def _plan(
    names: list[str],
    system: str | None,
    data: Path | None,
    overrides: list[str],
    name: str | None,
    options: dict[str, Any],
) -> Experiment:
    from amparser import api
    from amparser.experiments.experiment import Experiment, about_of
    from amparser.learn.processes import process_count

    if process_count() > 1:
        raise InputError("run `experiment` without torchrun; --jobs N trains N models in parallel")
    benchmark, config = _benchmark_and_settings(names)
    chosen, values = api.choose_settings(system, config, benchmark=benchmark, overrides=overrides)
    path = config or api.settings_file(benchmark, chosen.name)
    folder = generated_or_given(benchmark, data)
    is_curve = {*options["fractions"]} not in (set(), {values.data.fraction})
    return Experiment(
        name or path.stem + "-fractions" * is_curve,
        BENCHMARKS[benchmark],
        chosen,
        values,
        folder,
        about=about_of(path),
        **options,
    )


def _benchmark_and_settings(names: list[str]) -> tuple[str, Path | None]:
    files = [name for name in names if name.endswith(".toml")]
    others = [name for name in names if not name.endswith(".toml")]
    if len(files) > 1 or len(others) > 1:
        raise InputError(
            f"expected at most one benchmark and one FILE.toml, found {choices(names)}"
        )
    config = Path(files[0]) if files else None
    if others:
        return BENCHMARKS.check(others[0]), config
    folder = "" if config is None else config.absolute().parent.name
    if folder not in BENCHMARKS:
        raise InputError(f"expected a benchmark ({choices(BENCHMARKS)})")
    return folder, config


def _fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1:
        raise InputError(f"--fractions: {text!r} is not a share between 0.001 and 1")
    return value


def _carry_out(plan: Experiment, output: Path, jobs: int) -> None:
    from amparser.cli.outputs import say
    from amparser.cli.terminal import moving_bar
    from amparser.experiments.experiment import experiment

    with moving_bar("training") as moved:
        record = experiment(
            plan,
            output,
            jobs=jobs,
            on_step=lambda step, done, total: moved(description=step, completed=done, total=total),
        )
    if is_dirty(record.evaluation_commit):
        say("the program has uncommitted changes; the record marks its commit with +")
    _print_tables([f"{output / record.name}.json"], output, record.splits())


def _print_tables(names: list[str], folder: Path, splits: list[str]) -> None:
    from amparser.experiments.tables import table_of

    if not names:
        raise InputError("--show: expected names of records")
    for split in splits or [""]:
        title = ", ".join(names) + (f": {split}" if split else "")
        print(f"{title}\n\n{table_of('types', names, split, folder, BENCHMARKS)}\n")
