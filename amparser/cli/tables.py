"""Tables on the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from amparser.evaluation.evaluate import Evaluation
    from amparser.learn.parts import Part

LINE = None
"""Row that is drawn as a horizontal line."""
SUMS = "overall"
"""First cell of the row of sums; this row is printed in bold."""
_NUMBER = re.compile(r"[0-9.,]*")

Row = Sequence[str] | None


def plain_console() -> Console:
    """Return a console that does not interpret brackets or highlight numbers."""
    from rich.console import Console

    return Console(markup=False, highlight=False)


def table_of(title: str, columns: Sequence[str], rows: Iterable[Row], note: str = "") -> Table:
    """Return a table; numeric columns are right-aligned and never wrapped."""
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


def parts_table(parts: Iterable[Part]) -> Table:
    """Return a table of the functions and keys that are wrong most often, with examples."""
    from amparser.evaluation.evaluate import percent
    from amparser.evaluation.metric import Count

    rows = [
        (
            part.name,
            str(part.gold),
            percent(Count(part.right, part.answered)),
            percent(Count(part.right, part.gold)),
            "; ".join(part.examples),
        )
        for part in parts
    ]
    columns = ("part", "gold", "precision", "recall", "examples")
    return table_of("functions and keys with most errors, in %", columns, rows)


def share_of_all_rows(evaluation: Evaluation, decoder: str) -> str | None:
    """Return a note with the share of right answers, counting malformed gold rows as wrong.

    The measure is the first one whose denominator is the number of rows. Return None if there is no
    such measure, or no malformed row.
    """
    from amparser.evaluation.evaluate import percent
    from amparser.evaluation.metric import Count

    rows, faults = len(evaluation.examples), len(evaluation.faults)
    for measure, count in evaluation.table(decoder)[""].items() if faults else ():
        if count.denominator == rows:
            share = percent(Count(count.numerator, rows + faults))
            return (
                f"{measure}: {percent(count)} % of {rows} rows, {share} % if the {faults} "
                "malformed rows count as wrong"
            )
    return None


def rows_of(evaluation: Evaluation, columns: Sequence[tuple[str, str]]) -> list[Row]:
    """Return a row per tag, a line and a row of sums; columns are (decoder, measure) pairs."""
    *rows, (_, count, sums) = evaluation.rows(columns)
    return [*((tag or "-", n, *shares) for tag, n, shares in rows), LINE, (SUMS, count, *sums)]
