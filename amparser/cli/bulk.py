"""`amparser bulk`: files of any size, on several cores or machines."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.options import (
    ConfidenceOption,
    DecoderOption,
    Device,
    DeviceOption,
    ModelOption,
    NotationOption,
)
from amparser.errors import InputError

if TYPE_CHECKING:
    from amparser.bulk.job import Engine


class EngineName(StrEnum):
    """What parses the shards."""

    RAY = "ray"
    LOCAL = "local"


class OutputFormat(StrEnum):
    """The format of the shards."""

    PARQUET = "parquet"
    JSONL = "jsonl"


def bulk(
    inputs: Annotated[
        list[Path],
        typer.Argument(
            metavar="INPUT...",
            help="Files .parquet, .jsonl, .tsv or .txt, the texts also .gz, and folders of them.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder of the results.")
    ],
    column: Annotated[
        str,
        typer.Option(
            "--column",
            "-c",
            metavar="NAME|N",
            help="The column of sentences; a number for a .tsv without a header (default: "
            "sentence, or 1).",
        ),
    ] = "",
    format_: Annotated[
        OutputFormat | None,
        typer.Option("--format", "-f", help="Default: parquet if all inputs are, else jsonl."),
    ] = None,
    model: ModelOption = None,
    decoder: DecoderOption = None,
    notation: NotationOption = None,
    device: DeviceOption = Device.CPU,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="Tokens stand between spaces already.")
    ] = False,
    k_best: Annotated[
        int,
        typer.Option("--k-best", min=1, metavar="N", help="Meanings of each sentence in all."),
    ] = 1,
    min_confidence: ConfidenceOption = 0.0,
    prefix: Annotated[
        str, typer.Option("--prefix", help="Precedes the names of the result columns.")
    ] = "",
    shard_rows: Annotated[
        int, typer.Option("--shard-rows", min=1, metavar="N", help="Rows in a file of results.")
    ] = 10_000,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="local is this process alone, without Ray.")
    ] = EngineName.RAY,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-j", min=1, metavar="N", help="Default: all CPUs but one."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="HOST:PORT|auto",
            help="A Ray cluster that runs (default: Ray is started here).",
        ),
    ] = None,
) -> None:
    """Parse files of any size into a folder.

    The same command goes on where a run was ended, however it was. The files in the order of
    their names have all rows in the order of the inputs, each with the columns of its input and
    meaning, tree, failure, logp, confidence, alternatives and read.
    """
    from amparser.bulk.job import BulkSettings, in_this_process, job_of, run
    from amparser.bulk.on_ray import check_installed, on_ray
    from amparser.cli.terminal import counting_bar

    chosen: Engine = in_this_process
    if engine is EngineName.RAY:
        check_installed()
        chosen = on_ray(workers, address)
    elif workers is not None or address is not None:
        raise InputError("--workers and --address are for --engine ray")
    settings = BulkSettings(
        column,
        None if model is None else str(model),
        decoder,
        notation,
        device.value,
        tokenized,
        k_best,
        min_confidence,
        prefix,
        "" if format_ is None else format_.value,
        shard_rows,
    )
    job = job_of(inputs, output, settings)
    started = time.perf_counter()
    with counting_bar("sentences") as advance:
        summary = run(job, chosen, lambda done: advance(done.rows))
    seconds = time.perf_counter() - started
    print(
        f"{output}: {summary.parsed} sentences, {summary.parsed / seconds:.0f} a second; "
        f"shards: {summary.shards} written, {summary.skipped} were there",
        file=sys.stderr,
    )
    if summary.failures:
        print(
            f"amparser: {summary.failures} of {summary.rows} sentences without a parse",
            file=sys.stderr,
        )
        raise typer.Exit(1)
