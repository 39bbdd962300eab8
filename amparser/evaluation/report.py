"""`amparser report`: our figures beside the published ones, type by type.

A record has a column for each of its decoders; that of a published one is marked as such.
Figures are percentages on all of train, or the largest share of it: means, and deviations
over seeds where there are several. Types of several splits stand in one table. A row of
SyGNS counts for each phenomenon in it.
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from amparser.errors import InputError
from amparser.evaluation.aggregate import MEASURES
from amparser.evaluation.columns import Column, Figure, Report
from amparser.evaluation.phenomena import groups_of
from amparser.evaluation.plots import draw
from amparser.evaluation.records import (
    is_published,
    of_all,
    protocol_of,
    record_of,
    runs_of_all,
    short_name,
)
from amparser.learn.checkpoint import prepare_folder, write_atomically

FORMATS = ("markdown", "csv", "latex")
SPLIT = "gen_sample"
OVERALL = "overall"
MALFORMED = "malformed"

_OF_BENCHMARK = {"slog": "reformatted"}


def report(
    names: Sequence[str],
    *,
    folder: Path,
    benchmark: str | None = None,
    splits: Sequence[str] = (),
    measure: str | None = None,
    output_format: str = "markdown",
    output: Path | None = None,
    plots: Path | None = None,
    published: bool = True,
) -> Report:
    """Join records in a table, print or write it, and draw it.

    Args:
        names: of records, such as `slog-default`; by default all of the benchmark.
        folder: where they lie.
        benchmark: by default that of the first record; `slog` where none is named.
        splits: by default the generalization sample, or else all that a record has.
        measure: `exact`, `reformatted` or `graph`; by default that of the benchmark's paper.
        output_format: one of `FORMATS`.
        output: a file instead of stdout.
        plots: a folder for pictures of accuracy by type and by depth (extra `plots`).
        published: whether `BENCHMARK-published` stands beside, and of a single record NAME
            what NAME-published and NAME-FORM-published have, where there are such, or of
            monotonicity BENCHMARK-FILE-published.

    Raises:
        InputError: there is no such record or split, or it cannot be read.
        ConfigError: the extra is not installed.
    """
    if output_format not in FORMATS:
        raise InputError(f"no format {output_format!r}, expected one of {', '.join(FORMATS)}")
    if measure is not None and measure not in MEASURES:
        raise InputError(f"no measure {measure!r}, expected one of {', '.join(MEASURES)}")
    records = _records(names, folder, benchmark, published=published)
    found = joined(records, splits=splits, measure=measure)
    text = TABLES[output_format](found)
    if plots is not None:
        prepare_folder(plots)
        for path in draw(found, plots):
            print(path)
    if output is not None:
        write_atomically(output, text.encode())
    else:
        print(text, end="")
    return found


def joined(
    records: Sequence[Mapping[str, Any]],
    *,
    splits: Sequence[str] = (),
    measure: str | None = None,
) -> Report:
    """Records side by side; arguments as of `report`."""
    benchmark = records[0]["benchmark"]
    measure = measure or _OF_BENCHMARK.get(benchmark, "exact")
    columns = []
    for record in records:
        known = list(of_all(record))
        chosen = tuple(splits) or ((SPLIT,) if SPLIT in known else tuple(known))
        there = [split for split in chosen if split in known]
        if not there and not is_published(record):
            raise InputError(
                f"{record['name']}: no split {', '.join(chosen)}, it has {', '.join(known)}"
            )
        # What is published is of one split, whatever ours is called.
        there = there or known[:1]
        alike = [other for other in records if is_published(other) == is_published(record)]
        columns += _columns(record, there, measure, alone=len(alike) == 1)
    types = list(dict.fromkeys(type_ for column in columns for type_ in column.types))
    ours = {type_ for column in columns if not column.published for type_ in column.types}
    if ours:
        types = [type_ for type_ in types if type_ in ours]
    return Report(benchmark, columns, types)


def report_to_markdown(found: Report) -> str:
    """A Markdown table, with a line below for each published source."""
    sources = dict.fromkeys(column.source for column in found.columns if column.published)
    below = "".join(f"\nPublished: {source}\n" for source in sources)
    return f"{types_to_markdown(found)}\n{below}"


def types_to_markdown(found: Report) -> str:
    """A Markdown table: a row a type, a column a system."""
    titles = ["type", *(_title(column, found) for column in found.columns)]
    rows = [
        [f"`{type_}`" if type_ else "-", *(_text(c.types.get(type_)) for c in found.columns)]
        for type_ in found.types
    ]
    rows.append([f"**{OVERALL}**", *(f"**{_text(c.overall)}**" if c.overall else ""
                                     for c in found.columns)])  # fmt: skip
    if any(column.malformed for column in found.columns):
        rows.append([MALFORMED, *(_text(column.malformed) for column in found.columns)])
    return markdown_table(titles, rows)


def markdown_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, all columns but the first to the right; no line break at the end."""
    lines = [titles, ["---", *("--:" for _ in titles[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def report_to_csv(found: Report) -> str:
    """A line a system and type."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["benchmark", "system", "published", "measure", "type", "mean", "deviation", "seeds"]
    )
    for column in found.columns:
        rows = [(type_, column.types.get(type_)) for type_ in found.types]
        rows += [(OVERALL, column.overall), (MALFORMED, column.malformed)]
        for type_, figure in rows:
            if figure is not None:
                writer.writerow(
                    [found.benchmark, column.title, "yes" if column.published else "no"]
                    + [column.measure, type_, figure.mean]
                    + ["" if v is None else v for v in (figure.deviation, figure.seeds)]
                )
    return text.getvalue()


def report_to_latex(found: Report) -> str:
    """A table for booktabs."""
    lines = [
        f"\\begin{{tabular}}{{l{'r' * len(found.columns)}}}",
        "\\toprule",
        _latex_row(["type", *(_escaped(_title(column, found)) for column in found.columns)]),
        "\\midrule",
    ]
    for type_ in found.types:
        cells = [_latex(column.types.get(type_)) for column in found.columns]
        lines.append(_latex_row([f"\\texttt{{{_escaped(type_)}}}", *cells]))
    lines += [
        "\\midrule",
        _latex_row([OVERALL, *(_latex(column.overall) for column in found.columns)]),
    ]
    if any(column.malformed for column in found.columns):
        cells = [_latex(column.malformed) for column in found.columns]
        lines.append(_latex_row([MALFORMED, *cells]))
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


TABLES = {
    "markdown": report_to_markdown,
    "csv": report_to_csv,
    "latex": report_to_latex,
}


def _records(
    names: Sequence[str], folder: Path, benchmark: str | None, *, published: bool
) -> list[Mapping[str, Any]]:
    if names:
        records = [record_of(name, folder) for name in names]
    else:
        benchmark = benchmark or "slog"
        stems = sorted(path.stem for path in folder.glob(f"{benchmark}-*.json"))
        records = [record_of(name, folder) for name in stems]
        records = [record for record in records if not is_published(record)]
        if not records:
            raise InputError(f"{folder}: no results of {benchmark}")
    benchmark = benchmark or records[0]["benchmark"]
    for record in records:
        if record["benchmark"] != benchmark:
            raise InputError(f"{record['name']}: results of {record['benchmark']}, not {benchmark}")
    if published and not any(is_published(record) for record in records):
        patterns = [f"{benchmark}-published"]
        if len(records) == 1:
            [record] = records
            patterns += [f"{record['name']}-published", f"{record['name']}-*-published"]
            if "aspect" in record.get("data", {}):
                patterns.append(f"{benchmark}-{protocol_of(record)[1]}-published")
        paths = [path for p in patterns for path in sorted(folder.glob(f"{p}.json"))]
        records += [record_of(path.stem, folder) for path in paths]
    return records


def _columns(
    record: Mapping[str, Any], splits: Sequence[str], measure: str, *, alone: bool
) -> list[Column]:
    """A column for each decoder of a record; alone, it need not say of which record."""
    published = is_published(record)
    found = []
    decoders = list(of_all(record)[splits[0]])
    for decoder in decoders:
        title = decoder
        if len(decoders) == 1 and not published:
            title = short_name(record)
        elif not alone:
            title = f"{short_name(record)}, {decoder}"
        source = record.get("about", "")
        if not record["runs"]:
            measures = of_all(record)[splits[0]][decoder]
            name = measure if measure in measures else next(iter(measures))
            figures = measures[name]
            types = {type_: _figure(value) for type_, value in figures["types"].items()}
            overall = _figure(figures[OVERALL]) if OVERALL in figures else None
            found.append(Column(title, published, name, types, overall, None, source))
            continue
        runs = runs_of_all(record)
        by_seed = [_counts(run, splits, decoder, measure) for run in runs]
        types = {
            type_: _over_seeds([counts.get(type_, (0, 0)) for counts, _ in by_seed])
            for type_ in dict.fromkeys(type_ for counts, _ in by_seed for type_ in counts)
        }
        overall = _over_seeds([total for _, total in by_seed])
        malformed = None
        if all("malformed" in run for run in runs):
            shares = [
                (total[0], sum(sum(run["malformed"][s][decoder].values()) for s in splits))
                for run, (_, total) in zip(runs, by_seed, strict=True)
            ]
            malformed = _over_seeds(shares)
        found.append(Column(title, published, measure, types, overall, malformed, source))
    return found


def _counts(
    run: Mapping[str, Any], splits: Sequence[str], decoder: str, measure: str
) -> tuple[dict[str, tuple[int, int]], tuple[int, int]]:
    """Rows and right answers of each type, and of all rows."""
    place = 1 + list(MEASURES).index(measure)
    types: dict[str, tuple[int, int]] = {}
    kinds = [
        (groups_of(kind), row[0], row[place])
        for split in splits
        for kind, row in run["counts"][split][decoder].items()
    ]
    # What comes first of all types comes first: quantifiers, say, and then modifiers.
    for position in range(max((len(groups) for groups, _, _ in kinds), default=0)):
        for groups, *counts in kinds:
            if position < len(groups):
                rows, right = types.get(groups[position], (0, 0))
                types[groups[position]] = (rows + counts[0], right + counts[1])
    total = (sum(rows for _, rows, _ in kinds), sum(right for _, _, right in kinds))
    return types, total


def _over_seeds(counts: Sequence[tuple[int, int]]) -> Figure:
    shares = [100 * right / max(rows, 1) for rows, right in counts]
    deviation = statistics.stdev(shares) if len(shares) > 1 else 0.0
    return Figure(round(statistics.fmean(shares), 2), round(deviation, 2), len(shares))


def _title(column: Column, found: Report) -> str:
    measures = {other.measure for other in found.columns}
    measure = f" ({column.measure})" if len(measures) > 1 else ""
    return f"published: {column.title}{measure}" if column.published else f"{column.title}{measure}"


def _figure(value: Mapping[str, float]) -> Figure:
    return Figure(value["mean"], value.get("deviation"))


def _text(figure: Figure | None) -> str:
    return "" if figure is None else str(figure)


def _latex(figure: Figure | None) -> str:
    return _text(figure).replace(" ± ", "\\,$\\pm$\\,")


def _latex_row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _escaped(text: str) -> str:
    for character in "_%&#":
        text = text.replace(character, f"\\{character}")
    return text
