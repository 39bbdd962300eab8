"""`amparser report`: recorded experiments beside the published figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.options import BenchmarkOption, RecordsOption, parts
from amparser.errors import InputError


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
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: stdout.")
    ] = None,
    published: Annotated[
        bool, typer.Option("--published/--no-published", help="The paper's figures beside ours.")
    ] = True,
) -> None:
    """Print recorded experiments beside the published figures, tag by tag."""
    from amparser.experiments.record import folder_of_records
    from amparser.experiments.report import joined, report_records, report_to_markdown
    from amparser.files import write_atomically

    if not names and benchmark is None:
        raise InputError("expected names of records, or --benchmark")
    records = report_records(names or [], folder_of_records(folder), benchmark, published=published)
    found = joined(records, splits=parts(splits), measure=measure, benchmarks=BENCHMARKS)
    text = report_to_markdown(found)
    if output is not None:
        write_atomically(output, text.encode())
    else:
        print(text, end="")
