"""`amparser bulk`: parse files of any size, on several cores."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from amparser.cli import options
from amparser.cli.options import option
from amparser.cli.outputs import say


def bulk(
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT...")],
    output: Annotated[Path, option("--output -o DIR")],
    column: Annotated[str, option("--column -c NAME")] = "",
    model: options.ModelOption = None,
    decoder: options.DecoderOption = None,
    notation: options.NotationOption = None,
    device: options.DeviceOption = options.Device.CPU,
    tokenized: Annotated[bool, option("--tokenized")] = False,
    k_best: options.BestOption = 1,
    min_confidence: options.ConfidenceOption = 0.0,
    allow_unknown: options.UnknownOption = False,
    log: options.LogOption = None,
    shard_rows: Annotated[int, option("--shard-rows N", min=1)] = 10_000,
    jobs: options.JobsOption = 1,
) -> None:
    """Parse files of any size into a folder.

    Run the same command again to continue an interrupted run. The output files, sorted by name,
    have all rows in input order. Each row has the columns of the input and the columns
    meaning, tree, failure, logp, confidence, alternatives and reasons.

    Args:
        inputs: Files (.jsonl, .tsv or .txt, also with .gz) or folders of files.
        output: Output folder.
        column: Column with the sentences.
        shard_rows: Rows per output file.
    """
    from amparser.bulk.columns import ColumnParser
    from amparser.bulk.job import run
    from amparser.cli.terminal import counting_bar

    parser = ColumnParser(column, model=model, decoder=decoder, notation=notation)
    parser.device, parser.tokenized = device.value, tokenized
    parser.k_best, parser.min_confidence = k_best, min_confidence
    parser.allow_unknown, parser.log = allow_unknown, log
    started = time.perf_counter()
    with counting_bar("sentences") as advance:
        counts = run(inputs, output, parser, shard_rows, jobs, advance)
    rate = counts["parsed"] / (time.perf_counter() - started)
    shards = f"shards: {counts['shards']} written, {counts['skipped']} kept"
    print(
        f"{output}: {counts['parsed']} sentences, {rate:.0f} per second; {shards}", file=sys.stderr
    )
    if failures := counts["failures"]:
        say(f"{failures} of {counts['rows']} sentences without a parse")
        raise typer.Exit(1)
