"""`amparser lexicon`: what was induced."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from amparser.cli.options import ModelOption, OwnNotationOption
from amparser.errors import InputError

_NUMBER = re.compile(r"[0-9.,]*")


def lexicon(
    model: ModelOption = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="Induce from this folder's train split instead."
        ),
    ] = None,
    notation: OwnNotationOption = None,
) -> None:
    """Print what was learned about words: constants and how they combine.

    Constants of one node are shown with the objective of the induction and the sources of roles,
    pieces of trees with sorts and lexical labels, pieces of graphs with edges and boxes.
    """
    from rich.console import Console
    from rich.table import Table

    from amparser import api

    if data is None:
        loaded = api.load(model, device="cpu")
        tables_of = getattr(loaded, "inventory_tables", None)
        if tables_of is None:
            raise InputError(f"a {loaded.system} has no lexicon: name the model of a parser")
        tables = tables_of()
    else:
        if model is not None:
            raise InputError("give --model or --data, not both")
        tables = api.inventory_tables(data, notation=notation)
    console = Console(markup=False, highlight=False)
    for table in tables:
        drawn = Table(title=table.title, caption=table.note or None)
        for i, column in enumerate(table.columns):
            numbers = all(_NUMBER.fullmatch(row[i]) for row in table.rows)
            drawn.add_column(
                column, justify="right" if numbers else "left", overflow="fold", no_wrap=numbers
            )
        for row in table.rows:
            drawn.add_row(*row)
        console.print(drawn)
