"""Our figures beside the published ones, tag by tag.

A record has a column for each of its decoders; columns of published records are marked.
Figures are percentages on the largest share of train: means, and deviations over seeds if
there are several. Tags of several splits are in one table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from amparser.errors import InputError
from amparser.evaluation.benchmark import Benchmarks
from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.record import Figure, Record, read_record

SPLIT = "gen_sample"
"""The split that tables show by default, if a record has it."""

MEASURE = "exact"
"""The measure of tables of a benchmark that is not registered."""

_OVERALL, _MALFORMED = "overall", "malformed"


@dataclass(frozen=True)
class Column:
    """A column of a report: one system.

    Attributes:
        published: whether its figures are those of a paper.
        malformed: the share of outputs that follow no notation, if it is counted.
    """

    title: str
    published: bool
    measure: str
    tags: Mapping[str, Figure]
    overall: Figure | None = None
    malformed: Figure | None = None
    source: str = ""

    @property
    def label(self) -> str:
        """The title, marked if the figures are those of a paper."""
        return f"published: {self.title}" if self.published else self.title


@dataclass(frozen=True)
class Report:
    """Columns side by side, over the tags of all of them."""

    benchmark: str
    columns: Sequence[Column]
    tags: Sequence[str] = field(default_factory=list)


def report_records(
    names: Sequence[str], folder: Path, benchmark: str | None = None, *, published: bool = True
) -> list[Record]:
    """The records of a report: those named, or all of ours of the benchmark.

    With `published` BENCHMARK-published is added, and for a single record NAME also NAME-published,
    NAME-*-published and BENCHMARK-DATASET-published.

    Raises:
        InputError: there is no such record, or it cannot be read.
    """
    if names:
        records = [read_record(name, folder) for name in names]
    elif benchmark is None:
        raise InputError("expected names of records, or a benchmark")
    else:
        stems = sorted(path.stem for path in folder.glob(f"{benchmark}-*.json"))
        records = [one for stem in stems if not (one := read_record(stem, folder)).is_published]
        if not records:
            raise InputError(f"{folder}: no results of {benchmark}")
    benchmark = benchmark or records[0].benchmark
    for record in records:
        if record.benchmark != benchmark:
            raise InputError(f"{record.name}: results of {record.benchmark}, not {benchmark}")
    if published and not any(record.is_published for record in records):
        patterns = [f"{benchmark}-published"]
        if len(records) == 1:
            [record] = records
            patterns += [f"{record.name}-published", f"{record.name}-*-published"]
            if record.dataset:
                patterns.append(f"{benchmark}-{record.dataset}-published")
        stems = [path.stem for p in patterns for path in sorted(folder.glob(f"{p}.json"))]
        records += [read_record(stem, folder) for stem in dict.fromkeys(stems)]
    return records


def joined(
    records: Sequence[Record],
    *,
    splits: Sequence[str] = (),
    measure: str | None = None,
    benchmarks: Benchmarks | None = None,
) -> Report:
    """Records of one benchmark side by side.

    Splits are by default the generalization sample, or else all that a record has; the measure is
    by default the one of the benchmark.

    Raises:
        InputError: a record has no such split or measure.
    """
    benchmark = records[0].benchmark
    measure = measure or measure_of(records[0], benchmarks)
    columns = []
    for record in records:
        known = record.splits()
        chosen = tuple(splits) or ((SPLIT,) if SPLIT in known else known)
        there = tuple(split for split in chosen if split in known)
        if not there and not record.is_published:
            raise InputError(
                f"{record.name}: no split {', '.join(chosen)}, it has {', '.join(known)}"
            )
        # Published figures belong to one split, whatever the name of ours.
        there = there or known[:1]
        alike = [other for other in records if other.is_published == record.is_published]
        columns += _columns(record, there, measure, alone=len(alike) == 1)
    tags = list(dict.fromkeys(tag for column in columns for tag in column.tags))
    ours = {tag for column in columns if not column.published for tag in column.tags}
    return Report(benchmark, columns, [tag for tag in tags if tag in ours] if ours else tags)


def measure_of(record: Record, benchmarks: Benchmarks | None) -> str:
    """The measure that tables of a record show by default."""
    if benchmarks is not None and record.benchmark in benchmarks:
        return benchmarks[record.benchmark].measure
    known = {key[3] for key in record.keys}
    # Graphs and trees have no exact match.
    return MEASURE if MEASURE in known or not known else min(known)


def report_to_markdown(report: Report) -> str:
    """A Markdown table, with a line below for each published source."""
    sources = dict.fromkeys(column.source for column in report.columns if column.published)
    below = "".join(f"\nPublished: {source}\n" for source in sources)
    return f"{tags_to_markdown(report)}\n{below}"


def tags_to_markdown(report: Report) -> str:
    """A Markdown table: a row per tag, a column per system."""
    titles = ["type", *(_title(column, report) for column in report.columns)]
    rows = [
        [_code(tag), *(cell(column.tags.get(tag)) for column in report.columns)]
        for tag in report.tags
    ]
    overall = [f"**{cell(c.overall)}**" if c.overall else "" for c in report.columns]
    rows.append([f"**{_OVERALL}**", *overall])
    if any(column.malformed for column in report.columns):
        rows.append([_MALFORMED, *(cell(column.malformed) for column in report.columns)])
    return markdown_table(titles, rows)


def _code(text: str) -> str:
    """A text as code in Markdown, whatever it contains."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def markdown_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table without a final line break; columns after the first are right-aligned."""
    lines = [titles, ["---", *("--:" for _ in titles[1:])], *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    """A text that stays in its cell."""
    return " ".join(text.replace("|", "\\|").split("\n"))


def report_to_csv(report: Report) -> str:
    """A line per system and tag."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["benchmark", "system", "published", "measure", "type", "mean", "deviation", "seeds"]
    )
    for column in report.columns:
        rows = [(tag, column.tags.get(tag)) for tag in report.tags]
        rows += [(_OVERALL, column.overall), (_MALFORMED, column.malformed)]
        for tag, figure in rows:
            if figure is not None:
                deviation = "" if figure.deviation is None else round(figure.deviation, 2)
                published = "yes" if column.published else "no"
                seeds = "" if figure.seeds is None else figure.seeds
                source = (report.benchmark, column.title, published, column.measure)
                writer.writerow((*source, tag, round(figure.mean, 2), deviation, seeds))
    return text.getvalue()


def report_to_latex(report: Report) -> str:
    """A table for booktabs."""
    lines = [
        f"\\begin{{tabular}}{{l{'r' * len(report.columns)}}}",
        "\\toprule",
        _latex_row(["type", *(_escaped(_title(column, report)) for column in report.columns)]),
        "\\midrule",
    ]
    for tag in report.tags:
        cells = [_latex(column.tags.get(tag)) for column in report.columns]
        lines.append(_latex_row([f"\\texttt{{{_escaped(tag)}}}", *cells]))
    lines.append("\\midrule")
    lines.append(_latex_row([_OVERALL, *(_latex(column.overall) for column in report.columns)]))
    if any(column.malformed for column in report.columns):
        cells = [_latex(column.malformed) for column in report.columns]
        lines.append(_latex_row([_MALFORMED, *cells]))
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "markdown": report_to_markdown,
    "csv": report_to_csv,
    "latex": report_to_latex,
}


def _columns(record: Record, splits: Sequence[str], measure: str, *, alone: bool) -> list[Column]:
    """A column for each decoder of a record; a single record is not named in the titles."""
    decoders = record.decoders(splits[0])
    columns = []
    for decoder in decoders:
        title = decoder
        if len(decoders) == 1 and not record.is_published:
            title = record.short_name
        elif not alone:
            title = f"{record.short_name}, {decoder}"
        known = record.measures(splits[0], decoder)
        if measure not in known and not record.is_published:
            raise InputError(f"{record.name}: no measure {measure}, it has {', '.join(known)}")
        # A paper has one measure, whatever ours is.
        name = measure if measure in known else known[0]
        overall, malformed = (
            record.figure(splits, OVERALL, decoder, one) for one in (name, _MALFORMED)
        )
        tags = _tags(record, splits, decoder, name)
        known_for = (record.is_published, name, tags, overall, malformed, record.about)
        columns.append(Column(title, *known_for))
    return columns


def _tags(record: Record, splits: Sequence[str], decoder: str, measure: str) -> dict[str, Figure]:
    """The figures of all tags; tags of few splits, such as their own names, come first."""
    figures = record.by_tag(splits, decoder, measure)
    of_splits = [record.tags([split], decoder, measure) for split in splits]
    often = {tag: sum(tag in of_one for of_one in of_splits) for tag in figures}
    return {tag: figures[tag] for tag in sorted(figures, key=lambda tag: often[tag])}


def _title(column: Column, report: Report) -> str:
    measures = {other.measure for other in report.columns}
    return f"{column.label} ({column.measure})" if len(measures) > 1 else column.label


def cell(figure: Figure | None) -> str:
    """A figure as a table shows it."""
    return "" if figure is None else str(figure)


def _latex(figure: Figure | None) -> str:
    return cell(figure).replace(" ± ", "\\,$\\pm$\\,")


def _latex_row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


_LATEX = {
    **{character: f"\\{character}" for character in "_%&#${}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}


def _escaped(text: str) -> str:
    """A text whose every character LaTeX shows, and that stays on its line."""
    shown = (_LATEX.get(character, character) for character in text)
    return "".join(one if one.isprintable() else " " for one in shown)
