"""`amparser errors`: rows of train that are probably mistaken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from amparser.cli.options import Device, DeviceOption, ModelOption, OwnNotationOption
from amparser.errors import InputError


def errors(
    data: Annotated[
        Path,
        typer.Option("--data", metavar="DIR", help="The folder or file that was learned from."),
    ],
    model: ModelOption = None,
    notation: OwnNotationOption = None,
    device: DeviceOption = Device.AUTO,
    folds: Annotated[
        int,
        typer.Option(
            "--folds",
            min=0,
            metavar="N",
            help="Train N models, each on all but a part of train, and ask it this part (default: "
            "ask the model, which has learned from all rows).",
        ),
    ] = 0,
    limit: Annotated[
        int, typer.Option("--limit", "-l", min=1, metavar="N", help="Only the first N rows found.")
    ] = 20,
) -> None:
    """List the rows of train that are probably mistaken, the likeliest first.

    These are rows whose sentence has another meaning in another row, rows that lack what one of
    their words means in all others, and rows to which the model gives another answer although it
    learned from them.
    """
    from amparser import api
    from amparser.cli.terminal import counting_bar
    from amparser.evaluation.suspects import suspects
    from amparser.parser import Parser

    loaded = api.load(model, device=device.value)
    if not isinstance(loaded, Parser):
        raise InputError(f"only parsers can be asked for mistakes, and this is a {loaded.system}")
    corpus = api.corpus_of(
        data, loaded.settings, benchmark=loaded.benchmark or None, notation=notation
    )
    if "dev" not in corpus.files:  # a share of train may have been held out
        rows = sorted((*corpus.train, *corpus.dev), key=lambda example: example.line)
        corpus = replace(corpus, train=rows, dev=())
    with counting_bar("asking", len(corpus.train)) as advance:
        found = suspects(corpus, loaded, folds=folds, on_row=advance)
    for one in found[:limit]:
        print(one)
    more = f", the first {limit} are shown" if len(found) > limit else ""
    print(f"{len(found)} of {len(corpus.train)} rows are probably mistaken{more}")
