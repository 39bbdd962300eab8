"""`amparser lexicon`: show induced graph constants and their lexical labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from amparser.cli.options import ModelOption, OwnNotationOption, option
from amparser.errors import InputError


def lexicon(
    model: ModelOption = None,
    data: Annotated[Path | None, option("--data DIR")] = None,
    notation: OwnNotationOption = None,
) -> None:
    """Print the lexicon: the constants of words, and their lexical labels.

    For a model of the preset `node`, also print the source of each semantic role.

    Args:
        data: Induce a lexicon from the train split of this folder instead.
    """
    from amparser import api
    from amparser.cli.tables import plain_console, table_of

    if data is None:
        loaded = api.load(model, device="cpu")
        tables_of = getattr(loaded, "inventory_tables", None)
        if tables_of is None:
            raise InputError(f"a {loaded.system} has no lexicon: expected the model of a parser")
        tables = tables_of()
    elif model is not None:
        raise InputError("give --model or --data, not both")
    else:
        tables = api.inventory_tables(data, notation=notation)
    for table in tables:
        plain_console().print(table_of(*table))
