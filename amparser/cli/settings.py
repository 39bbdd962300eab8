"""Print a system's settings (`amparser train --list-settings`)."""

from __future__ import annotations

from typing import Any

from amparser.errors import InputError, one_of
from amparser.learn.system_registry import SYSTEMS
from amparser.presets.registry import PRESETS


def print_settings(name: str) -> None:
    """Print key, default, allowed values and description of each setting of a system.

    The parser has one table per preset. Raises InputError if there is no such system.
    """
    from rich.console import Console
    from rich.table import Table

    from amparser.learn.settings import describe_settings

    if name not in (*SYSTEMS, *PRESETS):
        raise InputError(f"unknown system {name!r}, {one_of(name, (*SYSTEMS, *PRESETS))}")
    system: Any = PRESETS[name] if name in PRESETS else SYSTEMS[name]
    for variant in getattr(system, "variants", {name: system}).values():
        table = Table(title=f"{variant.name}: {variant.about}", show_lines=False)
        for column in ("key", "default", "values", "meaning"):
            table.add_column(column, overflow="fold")
        for row in describe_settings(variant.settings):
            table.add_row(row.key, row.default, row.values, row.about)
        Console(markup=False, highlight=False).print(table)
