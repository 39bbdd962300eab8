"""The table of the documentation that compares systems on the benchmark's protocols."""

from __future__ import annotations

from collections.abc import Mapping

from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.columns import Figure
from amparser.experiments.record import Record, read_record
from amparser.experiments.report import markdown_table
from amparser.experiments.tables import TableRequest, cell

_BENCHMARK = "monotonicity"
_MEASURE = "label"
_OURS = "amparser"


def inference_table(request: TableRequest) -> str:
    """A row per test set of each training file, a column per system, published ones first.

    Names are those of training files, such as `predicate-S1` or `productivity-2`; all systems
    with a record of such a file have a column.
    """
    stems = [
        path.stem
        for name in request.names
        for pattern in (f"{name}-published", f"*-{name}")
        for path in sorted(request.folder.glob(f"{_BENCHMARK}-{pattern}.json"))
    ]
    records = [read_record(stem, request.folder) for stem in stems]
    rows: dict[tuple[str, str], dict[str, str]] = {}
    titles: dict[str, None] = {}
    for record in sorted(records, key=lambda record: record.is_published, reverse=True):
        columns = _published(record) if record.is_published else _ours(record)
        titles |= dict.fromkeys(columns)
        for title, tests in columns.items():
            for test, figure in tests.items():
                rows.setdefault((record.dataset, test), {})[title] = cell(figure)
    published = [title for title in titles if ": " in title]
    ours = sorted(title for title in titles if ": " not in title)
    order = published + sorted(ours, key=lambda title: title.startswith(_OURS))
    tested = {key for key, cells in rows.items() if any(title in cells for title in ours)}
    return markdown_table(
        ["train", "test", *order],
        [
            [f"`{dataset}`", test, *(rows[dataset, test].get(title, "") for title in order)]
            for dataset, test in sorted(tested)
        ],
    )


def _published(record: Record) -> Mapping[str, Mapping[str, Figure | None]]:
    """The figures of a paper, which has one split and a tag for each test set."""
    [split] = record.splits()
    return {
        f"published: {system}": {
            tag: record.figure([split], tag, system, _MEASURE)
            for tag in record.tags([split], system, _MEASURE)
        }
        for system in record.decoders(split)
    }


def _ours(record: Record) -> Mapping[str, Mapping[str, Figure | None]]:
    """Our figures; we have a split for each test set."""
    title = record.short_name.replace("default", _OURS)
    figures = {
        split: record.figure([split], OVERALL, record.decoders(split)[0], _MEASURE)
        for split in record.splits()
    }
    return {title: figures}


INFERENCE = inference_table
