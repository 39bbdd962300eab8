"""The tables of the documentation that compare a benchmark's systems with published figures."""

from __future__ import annotations

from collections.abc import Mapping

from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.record import Figure, Record, read_record
from amparser.experiments.report import cell, markdown_table
from amparser.experiments.tables import TableRequest

_EXACT, _LABEL = "exact", "label"
_OURS = "amparser"
_NOTATIONS = {"fol": "FOL", "clf": "DRS", "vf": "VF"}
_GEOQUERY = {
    "-mentions": _OURS,
    "": f"{_OURS}, names not given",
    "-vectors": "with vectors",
    "-encoder": "with an encoder",
    "-adapters": "with adapters",
}
"""The records of a split by the end of their names, and the titles of their columns."""


def classes_table(request: TableRequest) -> str:
    """A row per class of each record of SyGNS: exact match on all of its tests.

    A class is the first tag of an example, its quantifiers or its depth. There is a row for each
    class of the published record of some notation.
    """
    titles: dict[str, None] = {}
    rows = []
    for name in request.names:
        ours = read_record(name, request.folder)
        columns: dict[str, Mapping[str, Figure]] = {}
        for notation, title in _NOTATIONS.items():
            published = read_record(f"{name}-{notation}-published", request.folder)
            columns |= _published(published, _EXACT, f"{{}}, {title}")
        titles |= dict.fromkeys(columns)
        splits = ours.splits()
        figures = ours.by_tag(splits, ours.decoders(splits[0])[0], _EXACT)
        for tag in sorted(figures):
            cells = [f"{tags[tag].mean:g}" for tags in columns.values() if tag in tags]
            if cells:
                rows.append([f"`{ours.short_name}`", tag, *cells, f"**{figures[tag]}**"])
    return markdown_table(["train", "test", *titles, _OURS], rows)


def splits_table(request: TableRequest) -> str:
    """A row per record of GeoQuery: exact match by the published systems, and by its decoder.

    The published figures are those of the record `NAME-published`. `NAME-mentions` has ours on
    their task, in which mentions of places are given. `NAME-vectors`, `NAME-encoder` and
    `NAME-adapters`, if there are such, have word vectors, a pretrained encoder, and adapters in it.
    """
    titles: dict[str, None] = {}
    rows: list[tuple[str, dict[str, str]]] = []
    for name in request.names:
        ours = read_record(name, request.folder)
        published = read_record(f"{name}-published", request.folder)
        own = {
            title: read_record(f"{name}{end}", request.folder)
            for end, title in _GEOQUERY.items()
            if (request.folder / f"{name}{end}.json").is_file()
        }
        cells = {}
        for title, record in {"": published, **own}.items():
            split = request.split_of(record)
            systems = record.decoders(split)
            for system in systems if record.is_published else systems[:1]:
                figure = cell(record.figure([split], OVERALL, system, _EXACT))
                cells[title or system] = f"**{figure}**" if title else figure
        titles |= dict.fromkeys(cells)
        rows.append((f"`{ours.short_name}`", cells))
    own_titles = [title for title in _GEOQUERY.values() if title in titles]
    columns = [*(title for title in titles if title not in own_titles), *own_titles]
    return markdown_table(
        ["split", *columns],
        [[name, *(cells.get(title, "") for title in columns)] for name, cells in rows],
    )


def inference_table(request: TableRequest) -> str:
    """A row per test set of each training file of the monotonicity benchmark, a column per system.

    Names are those of training files, such as `predicate-S1` or `productivity-2`; all systems
    with a record of such a file have a column, published ones first.
    """
    stems = [
        path.stem
        for name in request.names
        for pattern in (f"{name}-published", f"*-{name}")
        for path in sorted(request.folder.glob(f"monotonicity-{pattern}.json"))
    ]
    records = [read_record(stem, request.folder) for stem in stems]
    rows: dict[tuple[str, str], dict[str, str]] = {}
    titles: dict[str, None] = {}
    for record in sorted(records, key=lambda record: record.is_published, reverse=True):
        columns: Mapping[str, Mapping[str, Figure | None]]
        if record.is_published:
            columns = _published(record, _LABEL, "published: {}")
        else:
            title = record.short_name.replace("default", _OURS)
            columns = {title: {split: _overall(record, split) for split in record.splits()}}
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


def _published(record: Record, measure: str, title: str) -> dict[str, Mapping[str, Figure]]:
    """The figures of a paper by tag, of each of its systems; it has one split."""
    [split] = record.splits()
    return {
        title.format(system): record.by_tag([split], system, measure)
        for system in record.decoders(split)
    }


def _overall(record: Record, split: str) -> Figure | None:
    return record.figure([split], OVERALL, record.decoders(split)[0], _LABEL)
