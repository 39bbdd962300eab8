"""Tables of recorded experiments, and texts that are kept up to date with them.

A text names a table between two comments, between which the current one is written, except in
blocks of code:

    <!-- table: types NAME OTHER:DECODER -->
    <!-- end -->

The kinds are `types` (a row per tag, a column per record and decoder), `overall` (a row per
record, a column per decoder) and `curve` (a row per share of train), and those of benchmarks
(`Benchmark.tables`). Figures are percentages by the benchmark's measure, mean and
deviation over seeds, on the generalization sample unless `@SPLIT` follows the kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

from amparser.errors import InputError, located
from amparser.evaluation.benchmark import Benchmarks
from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.record import Record, read_record
from amparser.experiments.report import (
    SPLIT,
    cell,
    joined,
    markdown_table,
    measure_of,
    tags_to_markdown,
)
from amparser.files import read_text, write_atomically

_FENCE = "```"
# A table ends before the next one begins, and has a short name: otherwise searching for ends
# that are missing would take time in the square of the text.
_TABLE = re.compile(
    r"(<!-- table: ([^>\n]{0,2000}?) -->\n)(?:(?!<!-- table: ).)*?(<!-- end -->)", re.DOTALL
)


class TableRequest(NamedTuple):
    """The request for a table: names of records, the split (or none), the folder of records."""

    names: Sequence[str]
    split: str
    folder: Path
    benchmarks: Benchmarks | None = None

    def records(self) -> list[Record]:
        """The records of the names; raises InputError."""
        return [read_record(name, self.folder) for name in self.names]

    def split_of(self, record: Record) -> str:
        """The split that was asked for, the generalization sample, or a record's first one."""
        known = record.splits()
        return self.split or (SPLIT if SPLIT in known else known[0])


TableWriter = Callable[[TableRequest], str]
"""Makes a table in Markdown; raises InputError."""


def filled(
    text: str, folder: Path, benchmarks: Benchmarks | None = None, *, where: str = "text"
) -> str:
    """The text with its tables brought up to date with the records in a folder.

    Raises:
        InputError: there is no such table or record; the message names the table and `where`.
    """
    writers = table_writers(benchmarks)
    known: dict[str, str] = {}

    def table(match: re.Match[str]) -> str:
        if _is_code(match):
            return match[0]
        kind, *names = match[2].split() or [""]
        kind, _, split = kind.partition("@")
        line = text.count("\n", 0, match.start()) + 1
        if kind not in writers:
            expected = f"table {match[2]!r}: expected one of {', '.join(writers)}"
            raise InputError(located(expected, path=where, line=line))
        if match[2] not in known:
            known[match[2]] = writers[kind](TableRequest(names, split, folder, benchmarks))
        return f"{match[1]}\n{known[match[2]]}\n\n{match[3]}"

    return _TABLE.sub(table, text)


def renew(path: Path, folder: Path, benchmarks: Benchmarks | None = None) -> tuple[int, bool]:
    """Bring the tables of a file up to date; returns their number, and whether one has changed.

    Raises:
        InputError: the file, a table or a record cannot be read.
    """
    text = read_text(str(path))
    renewed = filled(text, folder, benchmarks, where=str(path))
    if renewed != text:
        write_atomically(path, renewed.encode())
    count = sum(not _is_code(match) for match in _TABLE.finditer(text))
    return count, renewed != text


def _is_code(match: re.Match[str]) -> bool:
    """Whether a table is in a block of code, as an example."""
    return match.string.count(_FENCE, 0, match.start()) % 2 == 1


def record_tables(record: Record, benchmarks: Benchmarks | None = None) -> list[tuple[str, str]]:
    """For each split of a record its name and its table: by tag, or by share of train."""
    kind = curve_of if len(record.fractions) > 1 else types_of
    return [(split, kind([record], split, benchmarks)) for split in record.splits()]


def table_writers(benchmarks: Benchmarks | None) -> dict[str, TableWriter]:
    """The kinds of tables by name: our own, then those of benchmarks."""
    writers = dict(TABLES)
    known = [] if benchmarks is None else [benchmarks[name] for name in benchmarks]
    for benchmark in known:
        for kind, place in benchmark.tables.items():
            writers.setdefault(kind, resolve_name(place))
    return writers


def types_of(
    records: Sequence[Record], split: str = "", benchmarks: Benchmarks | None = None
) -> str:
    """A row per tag, a column per decoder of each record, on the largest share of train.

    A last row has the share of malformed outputs, if these are counted.
    """
    splits = [split] if split else []
    return tags_to_markdown(joined(records, splits=splits, benchmarks=benchmarks))


def overall_of(records: Sequence[Record], split: str, benchmarks: Benchmarks | None = None) -> str:
    """A row per record: all examples by decoder, and the worst tag of the first decoder."""
    decoders = list(dict.fromkeys(d for record in records for d in record.decoders(split)))
    rows = []
    for record in records:
        measure = measure_of(record, benchmarks)
        figures = [record.figure([split], OVERALL, d, measure) for d in decoders]
        first = record.decoders(split)[0]
        tags = record.by_tag([split], first, measure)
        worst = min(tags, key=lambda tag: tags[tag].mean, default="")
        shown = f"{tags[worst].mean:.1f} `{worst}`" if tags else ""
        cells = [cell(figure) for figure in figures]
        rows.append([record.short_name, record.about, *cells, shown])
    return markdown_table(["", "", *decoders, f"worst type, {decoders[0]}"], rows)


def curve_of(records: Sequence[Record], split: str, benchmarks: Benchmarks | None = None) -> str:
    """A row per share of train, a column per decoder of each record.

    The seconds are means over the trainings of the first record that were not interrupted.
    """
    first = records[0]
    rows = []
    for fraction in first.fractions:
        cells = []
        for record in records:
            measure = measure_of(record, benchmarks)
            for decoder in record.decoders(split):
                figure = record.figure([split], OVERALL, decoder, measure, fraction)
                interval = record.interval(split, OVERALL, decoder, measure, fraction)
                cells.append(cell(figure))
                limits = (None, None) if interval is None else (interval.low, interval.high)
                cells.append(" - ".join(f"{limit:.1f}" for limit in limits if limit is not None))
        seconds = [
            run["seconds"]
            for run in first.runs
            if run["fraction"] == fraction and "seconds" in run and not run.get("resumed")
        ]
        time = f"{sum(seconds) / len(seconds):.0f}" if seconds else ""
        rows.append([f"{100 * fraction:g} %", *cells, time])
    titles = []
    for record in records:
        for decoder in record.decoders(split):
            title = decoder if len(records) == 1 else f"{record.short_name}: {decoder}"
            titles += [title, "95 % interval"]
    return markdown_table(["of train", *titles, "seconds"], rows)


def _of_records(table: Callable[[Sequence[Record], str, Benchmarks | None], str]) -> TableWriter:
    def write(request: TableRequest) -> str:
        records = request.records()
        if not records:
            raise InputError("a table of no records, expected names of records")
        # Published figures belong to one split, whatever the name of ours.
        split = request.split or ("" if table is types_of else request.split_of(records[0]))
        return table(records, split, request.benchmarks)

    return write


TABLES: Mapping[str, TableWriter] = {
    "types": _of_records(types_of),
    "overall": _of_records(overall_of),
    "curve": _of_records(curve_of),
}
