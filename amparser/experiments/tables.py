"""Tables of recorded experiments.

A table `types` has a row per tag (or per share of train if there are several shares) and a column
per record and decoder. A table `overall` has a row per record and a column per decoder. Figures are
percentages of the benchmark's measure: mean and standard deviation over seeds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from amparser.errors import InputError
from amparser.evaluation.benchmark import Benchmarks
from amparser.evaluation.metric import OVERALL
from amparser.experiments.record import Record, read_record

SPLIT = "gen_sample"
"""Default split of tables, if the record has this split."""

Cell: TypeAlias = tuple[Sequence[str], str, str]
"""Cell of a table: the names at the start of its row, the title of its column, and its text."""


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
    # The row over all examples comes last.
    cells.sort(key=lambda cell: cell[0] == ["**overall**"])
    return _table(["of train" if is_curve else "type"], cells)


def _columns(name: str, split: str, folder: Path, benchmarks: Benchmarks) -> Iterator[_Column]:
    name, _, wanted = name.partition(":")
    record = read_record(name, folder)
    known = record.splits()
    if not known:
        raise InputError(f"{record.name}: no figures, expected rows of a split")
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
