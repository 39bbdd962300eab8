"""The table of SyGNS's classes: exact match by quantifier or depth, published figures beside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amparser.benchmarks.sygns_tags import CLASSES
from amparser.evaluation.record import Record, read_record
from amparser.evaluation.report import markdown_table
from amparser.evaluation.tables import TableRequest

_NOTATIONS = {"fol": "FOL", "clf": "DRS", "vf": "VF"}
_MEASURE = "exact"


def classes(request: TableRequest) -> str:
    """The table of some records of ours.

    Raises:
        InputError: a record cannot be read.
    """
    names = record_names(request.names, request.folder)
    return classes_table([read_record(name, request.folder) for name in names])


def record_names(names: Sequence[str], folder: Path) -> list[str]:
    """The records themselves, and what is published of each notation."""
    published = [f"{name}-{notation}-published" for name in names for notation in _NOTATIONS]
    return [*names, *(name for name in published if (folder / f"{name}.json").is_file())]


def classes_table(records: Sequence[Record]) -> str:
    """One row per class of each record of ours, one column per published system and notation."""
    published = {record.name: record for record in records if record.is_published}
    titles: dict[str, None] = {}
    rows = []
    for ours in records:
        if ours.is_published:
            continue
        columns: dict[str, dict[str, str]] = {}
        for notation, title in _NOTATIONS.items():
            record = published.get(f"{ours.name}-{notation}-published")
            if record is not None:
                [split] = record.splits()
                for decoder in record.decoders(split):
                    columns[f"{decoder}, {title}"] = {
                        tag: f"{figure.mean:g}"
                        for tag in record.tags([split], decoder, _MEASURE)
                        if (figure := record.figure([split], tag, decoder, _MEASURE)) is not None
                    }
        titles |= dict.fromkeys(columns)
        decoder = ours.decoders(ours.splits()[0])[0]
        tags = ours.tags(ours.splits(), decoder, _MEASURE)
        for tag in sorted(tag for tag in tags if _is_class(tag)):
            cells = [column.get(tag, "") for column in columns.values()]
            if any(cells):
                figure = ours.figure(ours.splits(), tag, decoder, _MEASURE)
                rows.append([f"`{ours.short_name}`", tag, *cells, f"**{figure}**"])
    return markdown_table(["train", "test", *titles, "amparser"], rows)


def _is_class(tag: str) -> bool:
    return tag in CLASSES.values() or tag.startswith("depth ")
