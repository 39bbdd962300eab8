"""CSV files (RFC 4180): cells separated by commas, semicolons or tabs, with a heading or as in TSV.

    text,intent,slots
    "weather in Paris, France",weather,"{""city"": ""Paris, France""}"

A quoted cell may contain commas, line ends and doubled quotes.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Self

from amparser.corpora.example import Example
from amparser.corpora.tsv import TsvFormat
from amparser.errors import AMParserError, InputError


@dataclass(frozen=True)
class CsvFormat(TsvFormat):
    """Comma-separated values; see `TsvFormat`."""

    quoted: bool = True
    delimiter: str = ","
    name = "csv"
    suffixes = (".csv",)
    separated = "comma-separated"
    sample = 'turn on the lamp,"on(lamp, kitchen)"'

    def items(
        self, lines: Iterable[tuple[int, str | AMParserError]]
    ) -> Iterator[tuple[int, str | AMParserError]]:
        """Yield rows with the number of their first line, skipping blank lines."""
        row: list[str] = []
        first = quotes = 0
        for number, line in lines:
            if isinstance(line, AMParserError):
                yield number, line
                continue
            first = first if row else number
            row.append(line)
            quotes += line.count('"')
            # A line end within quotes is part of the cell.
            if quotes % 2 == 0:
                if len(row) > 1 or line.strip():
                    yield first, "\n".join(row)
                row = []
        if row:
            yield first, InputError("the closing quote of a cell is missing")

    def of_items(self, lines: Sequence[str]) -> Self:
        """Return the format with the delimiter that gives most rows the same number of cells."""

        def regularity(delimiter: str) -> int:
            counts: Counter[int] = Counter()
            for line in lines:
                with suppress(InputError):
                    counts[len(replace(self, delimiter=delimiter).cells(line))] += 1
            counts[1] = 0
            return max(counts.values())

        return super(CsvFormat, replace(self, delimiter=max(",;\t", key=regularity))).of_items(
            lines
        )

    def write(self, example: Example) -> str:
        """Return a line, with quotes around cells that need them."""
        written = io.StringIO()
        csv.writer(written, delimiter=self.delimiter, lineterminator="\n").writerow(
            self.row(example)
        )
        return written.getvalue()


CSV = CsvFormat()
