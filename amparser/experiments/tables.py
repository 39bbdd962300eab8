"""Tables of recorded experiments, and texts that are kept up to date with them.

A text names a table between two comments, between which the current one is written, except in
blocks of code:

    <!-- table: types NAME OTHER:DECODER -->
    <!-- end -->

The kinds are `types` (a row per tag, a column per record and decoder), `overall` (a row per
record, a column per decoder), `curve` (a row per share of train) and `systems` (a row per test, a
column per system). Figures are percentages by the benchmark's measure, mean and deviation over
seeds, on the generalization sample unless `@SPLIT` follows the kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from amparser.errors import InputError, located
from amparser.evaluation.benchmark import Benchmarks
from amparser.evaluation.metric import OVERALL
from amparser.experiments.record import Figure, Record, read_record
from amparser.files import read_text, write_atomically

SPLIT = "gen_sample"
"""The split that tables show by default, if a record has it."""
MEASURE = "exact"
"""The measure of tables of a benchmark that is not registered."""
_MALFORMED = "malformed"

_FENCE = "```"
# A table ends before the next one begins, and has a short name: otherwise searching for ends
# that are missing would take time in the square of the text.
_TABLE = re.compile(
    r"(<!-- table: ([^>]{0,2000}?) -->\n)(?:(?!<!-- table: ).)*?(<!-- end -->)", re.DOTALL
)

Cell: TypeAlias = tuple[Sequence[str], str, str]
"""The names of a row, the title of a column, and the text between them."""


class TableRequest(NamedTuple):
    """The request for a table: names of records, the split (or none), the folder of records."""

    names: Sequence[str]
    split: str
    folder: Path
    benchmarks: Benchmarks | None = None

    def records(self) -> list[Record]:
        """Read the records of the names; raises InputError."""
        return [read_record(name, self.folder) for name in self.names]

    def split_of(self, record: Record) -> str:
        """Return the split that was asked for, the generalization sample, or the first one."""
        known = record.splits()
        return self.split or (SPLIT if SPLIT in known else known[0])


TableWriter = Callable[[TableRequest], str]
"""Makes a table in Markdown; raises InputError."""


def table(heads: Sequence[str], cells: Iterable[Cell]) -> str:
    """Return a Markdown table; rows and columns are in the order of their first cells.

    >>> print(table(["type"], [(["a"], "exact", "1.0"), (["b"], "graph", "0.5")]))
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
    """Return a text that stays in its cell."""
    return " ".join(text.replace("|", "\\|").split("\n"))


def cell(figure: Figure | None) -> str:
    """Return a figure as a table shows it."""
    return "" if figure is None else str(figure)


def measure_of(record: Record, benchmarks: Benchmarks | None) -> str:
    """Return the measure that tables of a record show."""
    if benchmarks is not None and record.benchmark in benchmarks:
        return benchmarks[record.benchmark].measure
    known = {key[3] for key in record.keys}
    # Graphs and trees have no exact match.
    return MEASURE if MEASURE in known or not known else min(known)


class _Column(NamedTuple):
    """A column of `types_table`: the texts of tags, of all examples, and of malformed outputs."""

    title: str
    measure: str
    is_published: bool
    tags: Mapping[str, str]
    overall: str
    malformed: str


def types_table(request: TableRequest) -> str:
    """Return a row per tag, a column per decoder of each record, on the largest share of train.

    Tags of several splits are in one table, but published figures belong to one split. The last
    row is the share of malformed outputs, if these are counted.

    Raises:
        InputError: the records are not of one benchmark, or one lacks the split or the measure.
    """
    records = request.records()
    measure = measure_of(records[0], request.benchmarks)
    columns = [one for record in records for one in _columns(record, request, measure, records)]
    several = len({column.measure for column in columns}) > 1
    ours = {tag for column in columns if not column.is_published for tag in column.tags}
    titled = [
        ("published: " * c.is_published + c.title + f" ({c.measure})" * several, c) for c in columns
    ]
    cells: list[Cell] = [
        ([_code(tag)], title, text)
        for title, column in titled
        for tag, text in column.tags.items()
        if tag in ours or not ours
    ]
    cells += [(["**overall**"], t, f"**{c.overall}**" if c.overall else "") for t, c in titled]
    if any(column.malformed for column in columns):
        cells += [([_MALFORMED], title, column.malformed) for title, column in titled]
    return table(["type"], cells)


def _columns(
    record: Record, request: TableRequest, measure: str, records: Sequence[Record]
) -> Iterator[_Column]:
    """Yield a column for each decoder of a record; a single record is not named in the titles."""
    known = record.splits()
    if record.benchmark != records[0].benchmark:
        raise InputError(
            f"{record.name}: results of {record.benchmark}, not {records[0].benchmark}"
        )
    chosen = [request.split] if request.split else [SPLIT] if SPLIT in known else list(known)
    splits = [split for split in chosen if split in known]
    if not splits and not record.is_published:
        raise InputError(f"{record.name}: no split {request.split}, it has {', '.join(known)}")
    splits = splits or [known[0]]
    alone = sum(other.is_published == record.is_published for other in records) == 1
    decoders = record.decoders(splits[0])
    for decoder in decoders:
        title = decoder if alone else f"{record.short_name}, {decoder}"
        if len(decoders) == 1 and not record.is_published:
            title = record.short_name
        measures = record.measures(splits[0], decoder)
        if measure not in measures and not record.is_published:
            raise InputError(f"{record.name}: no measure {measure}, it has {', '.join(measures)}")
        # A paper has one measure, whatever ours is.
        name = measure if measure in measures else measures[0]
        figures = record.by_tag(splits, decoder, name)
        # Tags of few splits, such as their own names, come first.
        of_splits = [record.tags([split], decoder, name) for split in splits]
        tags = sorted(figures, key=lambda tag: sum(tag in of_one for of_one in of_splits))
        sums = (record.figure(splits, OVERALL, decoder, one) for one in (name, _MALFORMED))
        texts = {tag: cell(figures[tag]) for tag in tags}
        yield _Column(title, name, record.is_published, texts, *map(cell, sums))


def _code(text: str) -> str:
    """Return a text as code in Markdown, whatever it contains."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def overall_table(request: TableRequest) -> str:
    """Return a row per record: all examples by decoder, and the worst tag of the first decoder."""
    records = request.records()
    split = request.split_of(records[0])
    decoders = list(dict.fromkeys(d for record in records for d in record.decoders(split)))
    cells: list[Cell] = []
    for record in records:
        row = [record.short_name, record.about]
        measure = measure_of(record, request.benchmarks)
        for decoder in decoders:
            figure = record.figure([split], OVERALL, decoder, measure)
            cells.append((row, decoder, cell(figure)))
        tags = record.by_tag([split], record.decoders(split)[0], measure)
        worst = min(tags, key=lambda tag: tags[tag].mean, default="")
        text = f"{tags[worst].mean:.1f} `{worst}`" if tags else ""
        cells.append((row, f"worst type, {decoders[0]}", text))
    return table(["", ""], cells)


def curve_table(request: TableRequest) -> str:
    """Return a row per share of train, a column per decoder of each record.

    The seconds are means over the trainings of the first record that were not interrupted.
    """
    records = request.records()
    split = request.split_of(records[0])
    several = sum(len(record.decoders(split)) for record in records) > 1

    cells: list[Cell] = []
    for fraction in records[0].fractions:
        row = [f"{100 * fraction:g} %"]
        for record in records:
            measure = measure_of(record, request.benchmarks)
            for decoder in record.decoders(split):
                title = decoder if len(records) == 1 else f"{record.short_name}: {decoder}"
                key = (OVERALL, decoder, measure, fraction)
                cells.append((row, title, cell(record.figure([split], *key))))
                limits = record.interval(split, *key) or (None, None)
                texts = (f"{limit:.1f}" for limit in limits[-2:] if limit is not None)
                of = f", {title}" if several else ""
                cells.append((row, f"95 % interval{of}", " - ".join(texts)))
        seconds = [
            run["seconds"]
            for run in records[0].runs
            if run["fraction"] == fraction and "seconds" in run and not run.get("resumed")
        ]
        mean = f"{sum(seconds) / len(seconds):.0f}" if seconds else ""
        cells.append((row, "seconds", mean))
    return table(["of train"], cells)


def systems_table(request: TableRequest) -> str:
    """Return a row per test or tag of each group of records, a column per system, papers first.

    The name BENCHMARK-GROUP stands for all records of the benchmark that have the group in their
    names; the rest of a name is the system. The rows are the tags of papers, or else our splits.
    """
    cells: list[Cell] = []
    for name in request.names:
        benchmark, _, group = name.partition("-")
        pattern = re.compile(rf"{benchmark}-(?:(.+)-)?{re.escape(group)}(?:-(.+))?")
        found = [pattern.fullmatch(path.stem) for path in sorted(request.folder.glob("*.json"))]
        named = {match[0]: match[1] or match[2] or "" for match in found if match}
        systems = sorted(named.items(), key=lambda one: one[1])
        records = [(read_record(stem, request.folder), system) for stem, system in systems]
        papers = [one for one in records if one[0].is_published]
        tags: dict[str, None] = {}
        for record, system in papers:
            of = system.removesuffix("published").strip("-")
            for decoder in record.decoders(record.splits()[0]):
                [measure] = record.measures(record.splits()[0], decoder)
                for tag in record.by_tag(record.splits(), decoder, measure) or [OVERALL]:
                    figure = record.figure(record.splits(), tag, decoder, measure)
                    tags[tag] = None
                    # A figure stands as the paper prints it.
                    text = cell(figure)
                    if figure is not None and figure.deviation is None:
                        text = f"{figure.mean:g}"
                    cells.append(([_code(group), tag], f"{decoder} {of}".strip(), text))
        for record, system in records:
            if not record.is_published:
                measure = measure_of(record, request.benchmarks)
                splits = record.splits()
                decoder = record.decoders(splits[0])[0]
                for tag in tags or splits:
                    title = system.replace("default", "amparser") or "amparser"
                    if tag in splits:
                        figure = record.figure([tag], OVERALL, decoder, measure)
                    else:
                        figure = record.figure(splits, tag, decoder, measure)
                    cells.append(([_code(group), tag], title, cell(figure)))
    return table(["train", "test"], cells)


TABLES: Mapping[str, TableWriter] = {
    "types": types_table,
    "overall": overall_table,
    "curve": curve_table,
    "systems": systems_table,
}


def record_tables(
    names: Sequence[str],
    folder: Path,
    benchmarks: Benchmarks | None = None,
    splits: Sequence[str] = (),
) -> Iterator[tuple[str, str]]:
    """Yield the name of each split, and the table of the records there.

    It has a row per tag, or per share of train if there are several. Without splits there is one
    table, of the generalization sample or else of all splits.
    """
    for split in splits or [""]:
        request = TableRequest(names, split, folder, benchmarks)
        is_curve = len(request.records()[0].fractions) > 1
        yield split, (curve_table if is_curve else types_table)(request)


def with_published(
    names: Sequence[str], folder: Path, benchmarks: Benchmarks
) -> tuple[list[str], list[str]]:
    """Return the names of records, then of their published figures; and the sources of these.

    The name of a benchmark stands for all of our records of it. Published figures are in
    BENCHMARK-published, and for a single record NAME also in NAME-published, NAME-*-published and
    BENCHMARK-DATASET-published.

    Raises:
        InputError: there is no such record, or it cannot be read.
    """
    records: list[Record] = []
    chosen: list[str] = []
    for name in names:
        stems = [name]
        if name in benchmarks:
            stems = sorted(path.stem for path in folder.glob(f"{name}-*.json"))
        for stem in stems:
            record = read_record(stem, folder)
            if name not in benchmarks or not record.is_published:
                records.append(record)
                chosen.append(stem)
    if not records:
        raise InputError(f"{folder}: expected names of records there, or a benchmark")
    first = records[0]
    if not any(record.is_published for record in records) and len(first.fractions) == 1:
        patterns = [f"{first.benchmark}-published"]
        if len(records) == 1:
            patterns += [f"{first.name}-published", f"{first.name}-*-published"]
            patterns += [f"{first.benchmark}-{first.dataset}-published"] if first.dataset else []
        found = [path.stem for p in patterns for path in sorted(folder.glob(f"{p}.json"))]
        chosen += dict.fromkeys(found)
        records += [read_record(stem, folder) for stem in dict.fromkeys(found)]
    published = (record.about for record in records if record.is_published)
    return chosen, list(dict.fromkeys(published))


def filled(
    text: str, folder: Path, benchmarks: Benchmarks | None = None, *, where: str = "text"
) -> str:
    """Return the text with its tables brought up to date with the records in a folder.

    Raises:
        InputError: there is no such table or record; the message names the table and `where`.
    """

    @cache
    def table(kind: str, names: tuple[str, ...], split: str) -> str:
        return TABLES[kind](TableRequest(names, split, folder, benchmarks))

    def renewed(match: re.Match[str]) -> str:
        if _is_code(match):
            return match[0]
        kind, *names = match[2].split() or [""]
        kind, _, split = kind.partition("@")
        expected = f"one of {', '.join(TABLES)}" if kind not in TABLES else "names of records"
        if kind not in TABLES or not names:
            line = text.count("\n", 0, match.start()) + 1
            message = f"table {match[2]!r}: expected {expected}"
            raise InputError(located(message, path=where, line=line))
        return f"{match[1]}\n{table(kind, tuple(names), split)}\n\n{match[3]}"

    return _TABLE.sub(renewed, text)


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
    """Return whether a table is in a block of code, as an example."""
    return match.string.count(_FENCE, 0, match.start()) % 2 == 1


def audit(folder: Path, pages: Sequence[Path], benchmarks: Benchmarks | None = None) -> list[str]:
    """Return the faults of all records of a folder, and the pages whose tables are not theirs.

    There is none if each figure comes from a known commit, and each table is what the records say.

    Raises:
        InputError: the folder has no records; a page cannot be read.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise InputError(f"{folder}: expected records, NAME.json")
    found = []
    for path in paths:
        try:
            found += [f"{path}: {fault}" for fault in read_record(path.stem, folder).faults()]
        except InputError as error:
            found.append(str(error))
    for page in pages:
        text = read_text(str(page))
        try:
            if filled(text, folder, benchmarks, where=str(page)) != text:
                found.append(f"{page}: tables differ from the records, see --renew")
        except InputError as error:
            found.append(str(error))
    return found
