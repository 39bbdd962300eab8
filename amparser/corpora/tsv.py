"""TSV files: one line per example, with columns separated by tabs.

    SENTENCE (tokens separated by spaces)   MEANING   TAG

The column of tags is optional. A heading with usual names (`usual_names`) may define other columns.
Cells may be quoted as pandas writes them, with doubled quotes inside. If the first two of three
columns are a sentence and its tokens, as in TOP (Gupta et al. 2018), the third is the meaning.

The cells of CSV files (RFC 4180) are separated by commas, semicolons or tabs. A heading names the
columns; without a heading, CSV files have the columns of TSV files.

    text,intent,slots
    "weather in Paris, France",weather,"{""city"": ""Paris, France""}"

A quoted cell may contain commas, line ends and doubled quotes.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Self

from amparser.corpora.example import Example
from amparser.corpora.formats import likeness
from amparser.corpora.tokens import letters_of, split_tokens
from amparser.corpora.usual_names import TAGS, check_no_heading, is_heading, with_usual_names
from amparser.errors import AMParserError, InputError

_TOKENS = ("text", "sentence", "meaning")
"""Names of three columns without a heading: raw text, tokens, and meaning."""
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


@dataclass(frozen=True)
class TsvFormat:
    """Format of lines with a sentence, a meaning and optionally a tag.

    Attributes:
        columns: number of columns; 2 or 3 if there is no heading.
        heading: names of the columns; empty without a heading.
        quoted: whether cells are quoted.
    """

    columns: int = 3
    heading: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    quoted: bool = False
    delimiter: str = "\t"
    name = "tsv"
    suffixes = (".tsv",)
    in_blocks = False
    separated = "tab-separated"
    sample = "turn on the lamp\ton(lamp)"

    def of_items(self, lines: Sequence[str]) -> Self:
        """Return the format with the columns, heading and quoting of a file's first lines."""
        quoted = self.quoted or _are_quoted([line.split(self.delimiter) for line in lines])
        format_ = replace(self, quoted=quoted)
        rows = []
        for line in lines:
            with suppress(InputError):
                rows.append(format_.cells(line))
        first = tuple(rows[0]) if rows else ()
        if is_heading(first):
            return replace(format_, columns=len(first), heading=first)
        counts = Counter(count for count in map(len, rows) if count in (2, 3))
        [(columns, _)] = counts.most_common(1) or [(3, 0)]
        triples = [row for row in rows if len(row) == columns == 3]
        both = [(letters_of(text), letters_of(tokens)) for text, tokens, _ in triples]
        heading = _TOKENS if both and all(one == other for one, other in both) else ()
        return replace(format_, columns=columns, heading=heading, first=first)

    def cells(self, line: str) -> list[str]:
        """Return the cells of a line. Raises InputError if the quoting is malformed."""
        if not self.quoted:
            return line.split(self.delimiter)
        try:
            lines = [f"{part}\n" for part in line.split("\n")]
            return next(csv.reader(lines, delimiter=self.delimiter, strict=True), [""])
        except csv.Error as error:
            raise InputError(f"malformed quotes around a cell: {error}") from None

    def example(self, text: str) -> Example | None:
        """Return the example of a line, or None if it is the heading."""
        cells = self.cells(text)
        if self.heading and tuple(cells) == self.heading:
            return None
        if len(cells) != self.columns:
            message = f"expected {self.columns} {self.separated} columns, found {len(cells)}"
            if len(cells) == 1:
                like = "" if text[:1].isalnum() or not text else f"; {likeness(text)}"
                message += f"; write a line such as {self.sample!r}{like}"
            elif len(cells) > len(_TOKENS):
                names = self.delimiter.join(("text", "meaning"))
                message += f"; a first line such as {names!r} would name the columns"
            raise InputError(message)
        if not self.heading:
            if tuple(cells) == self.first:
                check_no_heading(cells)
            return _example(cells[0], cells[1], tags=tuple(cells[2:]))
        filled = zip(self.heading, cells, strict=True)
        row = with_usual_names({name: cell for name, cell in filled if cell.strip()})
        tags = tuple(row[name] for name in TAGS if name in row)
        meaning = " ".join(row.get("meaning", "").splitlines())
        return _example(row.get("sentence", ""), meaning, row.get("notation"), tags)

    def write(self, example: Example) -> str:
        """Return the line of an example; a tag is written if the example has exactly one."""
        return self.delimiter.join(self.row(example)) + "\n"

    def row(self, example: Example) -> list[str]:
        """Return the cells of an example. Raises InputError if it has no meaning."""
        if example.meaning is None:
            raise InputError(example.failure or "the example has no meaning")
        sentence = [example.sentence] if example.tokens else []
        return [*sentence, example.meaning, *(example.tags if len(example.tags) == 1 else ())]


def _example(
    sentence: str, meaning: str, notation: str | None = None, tags: tuple[str, ...] = ()
) -> Example:
    tokens = split_tokens(sentence)
    for what, empty in (("sentence", not tokens), ("meaning", not meaning.strip())):
        if empty:
            raise InputError(f"the {what} is empty")
    return Example(tokens, meaning, notation=notation, tags=tags)


def _are_quoted(rows: Sequence[Sequence[str]]) -> bool:
    cells = [cell for row in rows for cell in row]
    having = [cell for cell in cells if '"' in cell]
    reason = any('""' in cell[1:-1] for cell in having) or len(having) == len(cells)
    return bool(having) and reason and all(map(_QUOTED.fullmatch, having))


TSV = TsvFormat()


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
        """Yield each row with the number of its first line, skipping blank lines."""
        row: list[str] = []
        first = quotes = 0
        for number, line in lines:
            if isinstance(line, AMParserError):
                yield number, line
                continue
            first = first if row else number
            row.append(line)
            quotes += line.count('"')
            # A line end inside quotes is part of the cell.
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
        """Return the line of an example, with quotes around cells that need them."""
        written = io.StringIO()
        csv.writer(written, delimiter=self.delimiter, lineterminator="\n").writerow(
            self.row(example)
        )
        return written.getvalue()


CSV = CsvFormat()
