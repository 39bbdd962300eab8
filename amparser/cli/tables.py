"""Tables on the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from amparser.evaluation.evaluate import Evaluation

LINE = None
"""A line between two rows."""
SUMS = "overall"
"""The first cell of the row of sums, which is bold."""
_NUMBER = re.compile(r"[0-9.,]*")

Row = Sequence[str] | None


def plain_console() -> Console:
    """Return a console that takes brackets and numbers as they are."""
    from rich.console import Console

    return Console(markup=False, highlight=False)


def table_of(title: str, columns: Sequence[str], rows: Iterable[Row], note: str = "") -> Table:
    """Return a table; columns of numbers are right-aligned and never broken."""
    from rich.table import Table

    table = Table(title=title, caption=note or None)
    lines = list(rows)
    for i, column in enumerate(columns):
        cells = [row[i] for row in lines if row is not LINE]
        numbers = all(map(_NUMBER.fullmatch, cells))
        table.add_column(
            column,
            justify="right" if numbers else "left",
            overflow="fold",
            min_width=max(map(len, cells), default=0) if numbers else None,
        )
    for row in lines:
        if row is LINE:
            table.add_section()
        else:
            table.add_row(*row, style="bold" if row[0] == SUMS else None)
    return table


def rows_of(evaluation: Evaluation, columns: Sequence[tuple[str, str]]) -> list[Row]:
    """Return rows of tags and of sums with the figures of decoders and measures."""
    *rows, (_, count, sums) = evaluation.rows(columns)
    return [*((tag or "-", n, *shares) for tag, n, shares in rows), LINE, (SUMS, count, *sums)]
