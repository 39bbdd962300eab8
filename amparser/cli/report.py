"""`amparser report`: recorded experiments beside the published figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.options import BenchmarkOption, RecordsOption, choices, parts
from amparser.errors import InputError

FORMATS = ("markdown", "csv", "latex")


def report(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Records by name (default: all of --benchmark)."),
    ] = None,
    folder: RecordsOption = None,
    benchmark: BenchmarkOption = None,
    splits: Annotated[
        str,
        typer.Option("--splits", metavar="A,B", help="Default: the generalization sample."),
    ] = "",
    measure: Annotated[
        str | None,
        typer.Option("--measure", metavar="NAME", help="Default: that of the benchmark's paper."),
    ] = None,
    format_: Annotated[
        str,
        typer.Option("--format", "-f", metavar="NAME", help=f"One of {choices(FORMATS)}."),
    ] = "markdown",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: stdout.")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="Pictures by tag and by depth, as SVG."),
    ] = None,
    training: Annotated[
        list[Path] | None,
        typer.Option(
            "--training",
            metavar="DIR",
            help="Curves of loss and accuracy of this training, as SVG; repeatable.",
        ),
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            "--tensorboard",
            metavar="DIR",
            help="With --training: event files for TensorBoard instead of a picture.",
        ),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published/--no-published", help="The paper's figures beside ours.")
    ] = True,
) -> None:
    """Print recorded experiments beside published figures."""
    from amparser.experiments.plots import draw
    from amparser.experiments.record import folder_of_records
    from amparser.experiments.report import FORMATS as WRITERS
    from amparser.experiments.report import joined, report_records

    if training:
        if names or benchmark is not None:
            raise InputError("give --training or records, not both")
        if tensorboard is not None:
            if output is not None:
                raise InputError("give --output or --tensorboard, not both")
            _print_or_write(_events(training, tensorboard), None)
            return
        _print_or_write(_curves(training), output)
        return
    if tensorboard is not None:
        raise InputError("--tensorboard needs --training")
    if format_ not in WRITERS:
        raise InputError(f"--format {format_}: expected one of {choices(WRITERS)}")
    if not names and benchmark is None:
        raise InputError("expected names of records, --benchmark or --training")
    records = report_records(names or [], folder_of_records(folder), benchmark, published=published)
    found = joined(records, splits=parts(splits), measure=measure, benchmarks=BENCHMARKS)
    text = WRITERS[format_](found)
    if plots is not None:
        for path in draw(found, plots):
            print(path)
    _print_or_write(text, output)


def _curves(folders: list[Path]) -> str:
    from amparser.experiments.curves import draw_curves, read_log

    return draw_curves([read_log(folder) for folder in folders])


def _events(folders: list[Path], output: Path) -> str:
    from amparser.experiments.curves import read_log, write_events

    paths = write_events([read_log(folder) for folder in folders], output)
    return "".join(f"{path}\n" for path in paths)


def _print_or_write(text: str, output: Path | None) -> None:
    from amparser.files import write_atomically

    if output is not None:
        write_atomically(output, text.encode())
    else:
        print(text, end="")
