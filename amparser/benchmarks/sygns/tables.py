"""The table of the documentation that compares classes of quantifiers with published figures."""

from __future__ import annotations

from amparser.experiments.columns import Figure
from amparser.experiments.record import Record, read_record
from amparser.experiments.report import markdown_table
from amparser.experiments.tables import TableRequest, cell

_NOTATIONS = {"fol": "FOL", "clf": "DRS", "vf": "VF"}
_MEASURE = "exact"


def classes_table(request: TableRequest) -> str:
    """A row per class of each record: exact match on all of its tests.

    A class is the first tag of an example, its quantifiers or its depth. There is a row for each
    class of the published record of some notation.
    """
    titles: dict[str, None] = {}
    rows = []
    for name in request.names:
        ours = read_record(name, request.folder)
        columns = {}
        for notation, title in _NOTATIONS.items():
            published = read_record(f"{name}-{notation}-published", request.folder)
            [split] = published.splits()
            for system in published.decoders(split):
                columns[f"{system}, {title}"] = {
                    tag: published.figure([split], tag, system, _MEASURE)
                    for tag in published.tags([split], system, _MEASURE)
                }
        titles |= dict.fromkeys(columns)
        rows += [
            [f"`{ours.short_name}`", tag, *cells, f"**{cell(figure)}**"]
            for tag, figure in _classes(ours)
            if (
                cells := [
                    f"{one.mean:g}"
                    for tags in columns.values()
                    if (one := tags.get(tag)) is not None
                ]
            )
        ]
    return markdown_table(["train", "test", *titles, "amparser"], rows)


def _classes(record: Record) -> list[tuple[str, Figure | None]]:
    splits = record.splits()
    decoder = record.decoders(splits[0])[0]
    tags = sorted(record.tags(splits, decoder, _MEASURE))
    return [(tag, record.figure(splits, tag, decoder, _MEASURE)) for tag in tags]


CLASSES = classes_table
