"""`amparser check`: list faults in your data and the share that can be learned."""

from __future__ import annotations

from errno import ENOENT
from os import strerror
from pathlib import Path
from typing import Annotated

import typer

from amparser.cli import options
from amparser.cli.options import option
from amparser.errors import CorpusError


def check(
    data: Annotated[Path, typer.Argument(metavar="DATA")],
    notation: options.OwnNotationOption = None,
    schema: options.SchemaOption = None,
    config: options.ConfigOption = None,
    settings: options.SettingsOption = None,
    strict: Annotated[bool, option("--strict")] = False,
) -> None:
    """Check your data: list every fault with its line, and say what can be learned.

    The last lines give the share of rows that can be learned, and an upper bound of the accuracy on
    dev: the share of dev that can be built from the constants of train.

    Args:
        data: Folder with train and dev, or a file.
        strict: Exit with code 2 if any row has a fault.
    """
    if not data.exists():  # fail before loading slow modules
        raise CorpusError(f"{data}: {strerror(ENOENT)}")
    from amparser import api

    overrides = [*(settings or []), *options.schema_override(schema, data)]
    report = api.check(data, notation=notation, settings=config, overrides=overrides)
    for line in report.lines():
        print(line)
    faults = len(report.failures) + len(report.dev_failures)
    if strict and faults:
        raise CorpusError(f"{data}: rows with a fault: {faults}")
