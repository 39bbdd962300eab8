"""`amparser check`: which rows of your own data can be learned from, and which are mistaken."""

from __future__ import annotations

from dataclasses import replace
from errno import ENOENT
from os import strerror
from pathlib import Path
from typing import Annotated

import typer

from amparser.cli import options
from amparser.errors import CorpusError, InputError


def check(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Folder with train and dev, or a file.")
    ],
    notation: options.OwnNotationOption = None,
    config: options.ConfigOption = None,
    settings: options.SettingsOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with exit code 2 if any row has a fault.")
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="List the rows that are probably mistaken, given this model trained on the data.",
        ),
    ] = None,
    limit: options.LimitOption = None,
    device: options.DeviceOption = options.Device.AUTO,
) -> None:
    """Look at your data: list every fault with its line, and say what can be learned.

    The last lines say what share can be learned from, and the upper bound that this leaves:
    the share of dev that train's constants can make.

    With --model, list the rows of train that are probably mistaken, the likeliest first: rows
    whose sentence has another meaning in another row, and rows to which the model gives another
    answer.
    """
    if not data.exists():  # said before anything is loaded
        raise CorpusError(f"{data}: {strerror(ENOENT)}")
    if model is not None:
        if config is not None or settings or strict:
            raise InputError("give --model, or --config, --set and --strict, not both")
        _print_suspects(data, model, notation, device.value, limit)
        return
    if limit is not None:
        raise InputError("--limit needs --model DIR")
    from amparser import api

    report = api.check(data, notation=notation, settings=config, overrides=settings or [])
    for line in report.lines():
        print(line)
    faults = len(report.failures) + len(report.dev_failures)
    if strict and faults:
        raise CorpusError(f"{data}: rows with a fault: {faults}")


def _print_suspects(
    data: Path, model: Path, notation: str | None, device: str, limit: int | None
) -> None:
    from amparser import api
    from amparser.cli.terminal import counting_bar
    from amparser.evaluation.suspects import suspects
    from amparser.parser import Parser

    loaded = Parser.load(model, device)
    corpus = api.corpus_of(
        data, loaded.settings, benchmark=loaded.benchmark or None, notation=notation
    )
    if "dev" not in corpus.files:  # a share of train may have been held out
        rows = sorted((*corpus.train, *corpus.dev), key=lambda example: example.line)
        corpus = replace(corpus, train=rows, dev=())
    with counting_bar("asking", len(corpus.train)) as advance:
        found = suspects(corpus, loaded, on_row=advance)
    for one in found[:limit]:
        print(one)
    more = "" if limit is None or len(found) <= limit else f", the first {limit} are shown"
    print(f"{len(found)} of {len(corpus.train)} rows are probably mistaken{more}")
