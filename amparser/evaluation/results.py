"""`amparser results`: the tables of recorded experiments, and a README that is kept up with them.

A README names a table between two comments; what stands between them is
replaced by the table as the results have it now:

    <!-- table: types slog-default slog-as-published -->
    <!-- end -->

The kinds are `types` (a row a type, a column a result and decoder), `overall` (a
row a result, a column a decoder) and `curve` (a row a share of train). Figures are
percentages, mean and deviation over seeds, on the generalization sample unless `@SPLIT`
follows the kind; `types` by the measure of the benchmark's paper, the others by
reformatted exact match. `classes` is for SyGNS: exact
match on all test splits, a row a class of quantifiers (or a depth) of each result, and
beside it the published figures of each notation. `inference` is for monotonicity: names are
those of training files, such as `predicate-S1` or `productivity-2`, a row is a test set, and
all systems with a result stand beside the published ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev

from amparser.errors import InputError
from amparser.evaluation.columns import Figure
from amparser.evaluation.phenomena import groups_of
from amparser.evaluation.records import (
    Record,
    is_published,
    of_all,
    protocol_of,
    record_of,
    runs_of_all,
    short_name,
)
from amparser.evaluation.report import SPLIT, joined, markdown_table, types_to_markdown
from amparser.learn.checkpoint import write_atomically

MEASURE = "reformatted"

_TABLE = re.compile(r"(<!-- table: ([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)

_INFERENCE = "monotonicity-"
_FORMS = {"fol": "FOL", "clf": "DRS", "vf": "VF"}


def results(names: Sequence[str], *, folder: Path, readme: Path | None = None) -> str:
    """Print the tables of records, or bring a README's tables up to date.

    Args:
        names: of results, such as `slog-default`; by default all in the folder.
        folder: where they lie.
        readme: a file with tables between comments (see the module).

    Raises:
        InputError: there is no such result, or it cannot be read.
    """
    if readme is not None:
        text = readme.read_text(encoding="utf-8")
        renewed = filled(text, folder)
        if renewed != text:
            write_atomically(readme, renewed.encode())
        state = "as they were" if renewed == text else "renewed"
        print(f"{readme}: {len(_TABLE.findall(text))} tables, {state}")
        return renewed
    names = names or sorted(path.stem for path in folder.glob("*.json"))
    parts = []
    for name in names:
        record = record_of(name, folder)
        for split in next(iter(record["fractions"].values())):
            table = types_table if len(record["fractions"]) == 1 else curve_table
            parts.append(f"{name}, {split}: {record['about']}\n\n{table([record], split)}\n")
    text = "\n".join(parts)
    print(text, end="")
    return text


def filled(text: str, folder: Path) -> str:
    """A text with its tables as the records in a folder have them."""

    def table(match: re.Match[str]) -> str:
        kind, *names = match[2].split()
        kind, _, split = kind.partition("@")
        if kind not in TABLES:
            raise InputError(f"table {match[2]!r}: expected one of {', '.join(TABLES)}")
        if TABLES[kind] is classes_table:
            names += [f"{name}-{form}-published" for name in names for form in _FORMS]
        if TABLES[kind] is inference_table:
            names = [
                path.stem
                for name in names
                for pattern in (f"{name}-published", f"*-{name}")
                for path in sorted(folder.glob(f"{_INFERENCE}{pattern}.json"))
            ]
        records = [record_of(name, folder) for name in names]
        return f"{match[1]}\n{TABLES[kind](records, split or SPLIT)}\n\n{match[3]}"

    return _TABLE.sub(table, text)


def types_table(records: Sequence[Record], split: str) -> str:
    """A row a type, a column for each decoder of each record, on all of train.

    A last row has the share of malformed outputs, where these are counted.
    """
    return types_to_markdown(joined(records, splits=[split]))


def overall_table(records: Sequence[Record], split: str) -> str:
    """A row a record: all rows of the split by decoder, and the worst type of the last one."""
    decoders = list(dict.fromkeys(d for record in records for d in of_all(record)[split]))
    rows = []
    for record in records:
        found = of_all(record)[split]
        cells = [_cell(found[d][MEASURE]["overall"]) if d in found else "" for d in decoders]
        types = next(iter(found.values()))[MEASURE]["types"]
        worst = min(types, key=lambda kind: types[kind]["mean"])
        rows.append(
            [short_name(record), record["about"], *cells, f"{types[worst]['mean']:.1f} `{worst}`"]
        )
    return markdown_table(["", "", *decoders, f"worst type, {decoders[0]}"], rows)


def curve_table(records: Sequence[Record], split: str) -> str:
    """A row a share of train, a column for each decoder of each record.

    The seconds are means of the trainings that went through without a break.
    """
    rows = []
    for fraction in records[0]["fractions"]:
        cells = []
        for record in records:
            for measures in record["fractions"][fraction][split].values():
                figures = measures[MEASURE]["overall"]
                cells += [_cell(figures), f"{figures['low']:.1f} - {figures['high']:.1f}"]
        seconds = [
            run["seconds"]
            for run in records[0]["runs"]
            if f"{run['fraction']:g}" == fraction and not run.get("resumed")
        ]
        time = f"{sum(seconds) / len(seconds):.0f}" if seconds else ""
        rows.append([f"{100 * float(fraction):g} %", *cells, time])
    titles = []
    for record in records:
        for decoder in next(iter(record["fractions"].values()))[split]:
            titles += [
                decoder if record is records[0] else f"{short_name(record)}: {decoder}",
                "95 % interval",
            ]
    return markdown_table(["of train", *titles, "seconds"], rows)


def classes_table(records: Sequence[Record], split: str) -> str:
    """A row a class of types of each record of ours, a column a published system and notation."""
    published = {record["name"]: record for record in records if is_published(record)}
    ours = [record for record in records if record["name"] not in published]
    titles: dict[str, None] = {}
    rows = []
    for record in ours:
        columns = {}
        for form, title in _FORMS.items():
            found = of_all(published[f"{record['name']}-{form}-published"])
            for system, measures in next(iter(found.values())).items():
                columns[f"{system}, {title}"] = measures["exact"]["types"]
        titles |= dict.fromkeys(columns)
        for name, figures in _by_class(record).items():
            cells = [f"{types[name]['mean']:g}" for types in columns.values() if name in types]
            if cells:
                rows.append([f"`{short_name(record)}`", name, *cells, f"**{_cell(figures)}**"])
    return markdown_table(["train", "test", *titles, "amparser"], rows)


def inference_table(records: Sequence[Record], split: str) -> str:
    """A row a test set of each training file, a column a system, published ones first."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    titles: dict[str, None] = {}
    for record in sorted(records, key=is_published, reverse=True):
        system, protocol = protocol_of(record)
        if is_published(record):
            found = next(iter(of_all(record).values()))
            columns = {f"published: {s}": m["exact"]["types"] for s, m in found.items()}
        else:
            columns = {system.replace("default", "amparser"): _by_class(record)}
        titles |= dict.fromkeys(columns)
        for title, tests in columns.items():
            for test, figures in tests.items():
                rows.setdefault((protocol, test), {})[title] = _cell(figures)
    published = [title for title in titles if ": " in title]
    others = sorted(title for title in titles if ": " not in title)
    order = published + sorted(others, key=lambda title: title.startswith("amparser"))
    tested = {key for key, cells in rows.items() if any(title in cells for title in others)}
    return markdown_table(
        ["train", "test", *order],
        [
            [f"`{protocol}`", test, *(rows[protocol, test].get(title, "") for title in order)]
            for protocol, test in sorted(tested)
        ],
    )


def _by_class(record: Record) -> dict[str, dict[str, float]]:
    """Exact match in percent by class, over all splits: mean and deviation over seeds.

    The class of a type is its quantifier, its first word; a depth is its own.
    """
    shares: dict[str, list[float]] = {}
    for run in runs_of_all(record):
        sums: dict[str, list[int]] = {}
        for by_decoder in run["counts"].values():
            for kind, counts in next(iter(by_decoder.values())).items():
                name = groups_of(kind)[0]
                total = sums.setdefault(name, [0, 0])
                total[0] += counts[0]
                total[1] += counts[1]
        for name, (count, exact) in sums.items():
            shares.setdefault(name, []).append(100 * exact / count)
    return {
        name: {"mean": mean(values), "deviation": stdev(values) if len(values) > 1 else 0.0}
        for name, values in sorted(shares.items())
    }


TABLES: dict[str, Callable[[Sequence[Record], str], str]] = {
    "types": types_table,
    "overall": overall_table,
    "curve": curve_table,
    "classes": classes_table,
    "inference": inference_table,
}


def _cell(figures: Mapping[str, float]) -> str:
    return str(Figure(figures["mean"], figures.get("deviation")))
