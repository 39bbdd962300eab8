"""Accuracies as a table on the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from amparser.evaluation.metrics import Counts


def accuracy_table(title: str, counts: Mapping[str, Counts], overall: Counts) -> Table:
    """A row a type, a column a measure, in percent."""
    table = Table(title=title)
    table.add_column("type", overflow="fold")
    for column in ("count", "exact", "reformatted", "graph"):
        table.add_column(column, justify="right", no_wrap=True)
    for kind, of_kind in counts.items():
        table.add_row(kind or "-", *_cells(of_kind))
    table.add_section()
    table.add_row("overall", *_cells(overall), style="bold")
    return table


def percent(right: int, count: int) -> str:
    """A share in percent with one digit behind the point."""
    return f"{100 * right / max(count, 1):.1f}"


def _cells(counts: Counts) -> list[str]:
    rights = (counts.exact, counts.reformatted, counts.graph)
    return [str(counts.count), *(percent(right, counts.count) for right in rights)]
