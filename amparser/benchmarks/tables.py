"""The tables of the documentation that compare a benchmark's systems with published figures."""

from __future__ import annotations

from collections.abc import Iterator

from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.record import Record, read_record
from amparser.experiments.tables import Cell, TableRequest, cell, table

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
    """Return a row per class of each record of SyGNS: exact match on all of its tests.

    A class is the first tag of an example, its quantifiers or its depth. There is a row for each
    class of the published record of some notation.
    """

    def cells() -> Iterator[Cell]:
        for ours in request.records():
            published = {
                notation: read_record(f"{ours.name}-{end}-published", request.folder)
                for end, notation in _NOTATIONS.items()
            }
            splits = ours.splits()
            figures = ours.by_tag(splits, ours.decoders(splits[0])[0], _EXACT)
            for tag in sorted(figures):
                row = [f"`{ours.short_name}`", tag]
                known = False
                for notation, record in published.items():
                    for system in record.decoders(record.splits()[0]):
                        figure = record.figure(record.splits(), tag, system, _EXACT)
                        if figure is not None:
                            known = True
                            yield row, f"{system}, {notation}", f"{figure.mean:g}"
                if known:
                    yield row, _OURS, f"**{figures[tag]}**"

    return table(["train", "test"], cells())


def splits_table(request: TableRequest) -> str:
    """Return a row per record of GeoQuery: exact match by the published systems and by ours.

    The published figures are in the record `NAME-published`. `NAME-mentions` has ours on
    their task, in which mentions of places are given. `NAME-vectors`, `NAME-encoder` and
    `NAME-adapters`, if there are such, have word vectors, a pretrained encoder, and adapters in it.
    """
    names = [(name, read_record(name, request.folder).short_name) for name in request.names]

    def overall(record: Record, system: str) -> str:
        return cell(record.figure([request.split_of(record)], OVERALL, system, _EXACT))

    def cells() -> Iterator[Cell]:
        for name, title in names:
            published = read_record(f"{name}-published", request.folder)
            for system in published.decoders(request.split_of(published)):
                yield [f"`{title}`"], system, overall(published, system)
        for end, column in _GEOQUERY.items():
            for name, title in names:
                if (request.folder / f"{name}{end}.json").is_file():
                    ours = read_record(f"{name}{end}", request.folder)
                    text = overall(ours, ours.decoders(request.split_of(ours))[0])
                    yield [f"`{title}`"], column, f"**{text}**"

    return table(["split"], cells())


def inference_table(request: TableRequest) -> str:
    """Return a row per test set of each training file of monotonicity, a column per system.

    A name is a training file, such as `predicate-S1` or `productivity-2`; all systems
    with a record of such a file have a column, published ones first.
    """
    published, ours = (
        [
            read_record(path.stem, request.folder)
            for name in request.names
            for path in sorted(request.folder.glob(f"monotonicity-{pattern.format(name)}.json"))
        ]
        for pattern in ("{}-published", "*-{}")
    )
    tested = sorted({(record.dataset, split) for record in ours for split in record.splits()})
    named = {record.short_name.replace("default", _OURS): None for record in ours}
    titles = sorted(named, key=lambda title: (title.startswith(_OURS), title))

    def cells() -> Iterator[Cell]:
        for row in tested:
            for record in published:
                [split] = record.splits()
                for system in record.decoders(split):
                    if record.dataset == row[0]:
                        figure = cell(record.figure([split], row[1], system, _LABEL))
                        yield [f"`{row[0]}`", row[1]], f"published: {system}", figure
        for title in titles:
            for record in ours:
                if record.short_name.replace("default", _OURS) == title:
                    for split in record.splits():
                        overall = record.figure([split], OVERALL, record.decoders(split)[0], _LABEL)
                        yield [f"`{record.dataset}`", split], title, cell(overall)

    return table(["train", "test"], cells())
