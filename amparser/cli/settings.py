"""`amparser settings`: every setting of a system, with its allowed values."""

from __future__ import annotations

from typing import Annotated

import typer

from amparser.cli.options import choices
from amparser.learn.system_registry import SYSTEMS


def settings(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help=f"A system: {choices(SYSTEMS)}.")
    ] = "amparser",
) -> None:
    """List the settings of a system: key, default, allowed values and meaning."""
    from rich.console import Console
    from rich.table import Table

    from amparser.learn.settings import describe_settings

    system = SYSTEMS[name]
    table = Table(title=f"{name}: {system.about}", show_lines=False)
    for column in ("key", "default", "values", "meaning"):
        table.add_column(column, overflow="fold")
    for row in describe_settings(system.settings):
        table.add_row(row.key, row.default, row.values, row.about)
    Console(markup=False, highlight=False).print(table)
