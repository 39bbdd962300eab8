"""Tables of recorded experiments, and pages that show them.

A page names a table between two comments, and the table is written between them. Comments in code
blocks are left alone.

    <!-- table: types NAME OTHER:DECODER -->
    <!-- end -->

The kinds of tables are `types` (a row per tag, or per share of train if there are several; a column
per record and decoder) and `overall` (a row per record; a column per decoder). Figures are
percentages of the benchmark's measure, with mean and standard deviation over seeds. They are taken
on the generalization sample, or else on the first split, unless `@SPLIT` follows the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from amparser.errors import InputError, located
from amparser.evaluation.benchmark import Benchmarks
from amparser.evaluation.metric import OVERALL
from amparser.experiments.record import Record, read_record
from amparser.files import read_text, write_atomically

SPLIT = "gen_sample"
"""Default split of tables, if a record has it."""
KINDS = ("types", "overall")
_FENCE = "```"
# A table ends before the next one begins, and its name is short. Without these limits, missing ends
# would make the search quadratic.
_TABLE = re.compile(
    r"(<!-- table: ([^>]{0,2000}?) -->\n)(?:(?!<!-- table: ).)*?(<!-- end -->)", re.DOTALL
)

Cell: TypeAlias = tuple[Sequence[str], str, str]
"""The names of a row, the title of a column, and the cell's text."""


class _Column(NamedTuple):
    record: Record
    split: str
    decoder: str
    measure: str


def table_of(
    kind: str, names: Sequence[str], split: str, folder: Path, benchmarks: Benchmarks | None = None
) -> str:
    """Return a Markdown table of records, given as `NAME` or `NAME:DECODER`.

    Args:
        kind: `types` or `overall`.

    Raises:
        InputError: a record, split or decoder does not exist.
    """
    columns = [
        column for name in names for column in _columns(name, split, folder, benchmarks or {})
    ]
    if kind == "overall":
        return _table(["", ""], map(_overall_cell, columns))
    is_curve = len(columns[0].record.fractions) > 1
    cells = [cell for column in columns for cell in (_shares if is_curve else _tags)(column)]
    # The overall row comes last.
    cells.sort(key=lambda cell: cell[0] == ["**overall**"])
    return _table(["of train" if is_curve else "type"], cells)


def _columns(name: str, split: str, folder: Path, benchmarks: Benchmarks) -> Iterator[_Column]:
    name, _, wanted = name.partition(":")
    record = read_record(name, folder)
    known = record.splits()
    split = split or (SPLIT if SPLIT in known else known[0])
    if split not in known and record.is_published:
        split = known[0]
    decoders = record.decoders(split)
    if not decoders:
        raise InputError(f"{record.name}: no split {split}, it has {', '.join(known)}")
    if wanted and wanted not in decoders:
        raise InputError(f"{record.name}: no decoder {wanted}, it has {', '.join(decoders)}")
    measures = list(dict.fromkeys(key.measure for key in record.figures))
    if record.benchmark in benchmarks and benchmarks[record.benchmark].measure in measures:
        measures = [benchmarks[record.benchmark].measure]
    for decoder in [wanted] if wanted else decoders:
        yield _Column(record, split, decoder, measures[0])


def _title(column: _Column) -> str:
    return f"{column.record.short_name}, {column.decoder}"


def _overall_cell(column: _Column) -> Cell:
    figure = column.record.overall(column.split, column.decoder, column.measure)
    row = (column.record.short_name, column.record.about)
    return row, column.decoder, "" if figure is None else str(figure)


def _tags(column: _Column) -> Iterator[Cell]:
    record, split, decoder, measure = column
    for tag, figure in record.by_tag(split, decoder, measure).items():
        name, text = (_code(tag), str(figure)) if tag else ("**overall**", f"**{figure}**")
        yield [name], _title(column), text


def _shares(column: _Column) -> Iterator[Cell]:
    record, split, decoder, measure = column
    for fraction in record.fractions:
        figures = record.by_tag(split, decoder, measure, fraction)
        if OVERALL in figures:
            yield [f"{100 * fraction:g} %"], _title(column), str(figures[OVERALL])


def _table(heads: Sequence[str], cells: Iterable[Cell]) -> str:
    """Return a Markdown table; rows and columns are in order of first appearance.

    >>> print(_table(["type"], [(["a"], "exact", "1.0"), (["b"], "graph", "0.5")]))
    | type | exact | graph |
    | --- | --: | --: |
    | a | 1.0 |  |
    | b |  | 0.5 |
    """
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    titles: dict[str, None] = {}
    for names, title, text in cells:
        rows.setdefault(tuple(names), {})[title] = text
        titles[title] = None
    lines = [[*heads, *titles], ["---", *["--:"] * (len(heads) + len(titles) - 1)]]
    lines += [[*names, *(row.get(title, "") for title in titles)] for names, row in rows.items()]
    return "\n".join(f"| {' | '.join(map(_one_cell, line))} |" for line in lines)


def _one_cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split("\n"))


def _code(text: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def filled(
    text: str, folder: Path, benchmarks: Benchmarks | None = None, *, where: str = "text"
) -> str:
    """Return the text with its tables updated from the records in a folder. Raises InputError."""

    @cache
    def table(kind: str, split: str, *names: str) -> str:
        return table_of(kind, names, split, folder, benchmarks)

    def renewed(match: re.Match[str]) -> str:
        if match.string.count(_FENCE, 0, match.start()) % 2:  # an example in a code block
            return match[0]
        table_kind, *names = match[2].split() or [""]
        table_kind, _, split = table_kind.partition("@")
        if table_kind not in KINDS or not names:
            expected = f"one of {', '.join(KINDS)}, and names of records"
            line = text.count("\n", 0, match.start()) + 1
            message = f"table {match[2]!r}: expected {expected}"
            raise InputError(located(message, path=where, line=line))
        return f"{match[1]}\n{table(table_kind, split, *names)}\n\n{match[3]}"

    return _TABLE.sub(renewed, text)


def renew(path: Path, folder: Path, benchmarks: Benchmarks | None = None) -> bool:
    """Update the tables of a file; return whether any changed. Raises InputError."""
    text = read_text(str(path))
    renewed = filled(text, folder, benchmarks, where=str(path))
    if renewed != text:
        write_atomically(path, renewed.encode())
    return renewed != text


def audit(folder: Path, pages: Sequence[Path], benchmarks: Benchmarks | None = None) -> list[str]:
    """Return the faults of all records in a folder, and the pages with outdated tables.

    The list is empty if each figure comes from a known commit and each table agrees with the
    records. Raises InputError if the folder has no records, or a page cannot be read.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise InputError(f"{folder}: expected records, NAME.json")
    faults = []
    for path in paths:
        try:
            faults += [f"{path}: {fault}" for fault in read_record(path.stem, folder).faults()]
        except InputError as error:
            faults.append(str(error))
    for page in pages:
        text = read_text(str(page))
        try:
            if filled(text, folder, benchmarks, where=str(page)) != text:
                faults.append(f"{page}: tables differ from the records, see --renew")
        except InputError as error:
            faults.append(str(error))
    return faults
