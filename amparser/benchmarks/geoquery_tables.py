"""The table of the documentation that compares splits with published figures."""

from __future__ import annotations

from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.record import read_record
from amparser.experiments.report import markdown_table
from amparser.experiments.tables import TableRequest, cell

_MEASURE = "exact"
_OURS = "amparser", "amparser, names not given"


def splits_table(request: TableRequest) -> str:
    """A row per record: exact match by the published systems of its split, and by its decoder.

    The published figures are those of the record `NAME-published`. `NAME-mentions` has ours on
    their task, in which mentions of places are given.
    """
    titles: dict[str, None] = {}
    rows: list[tuple[str, dict[str, str]]] = []
    for name in request.names:
        ours = read_record(name, request.folder)
        published = read_record(f"{name}-published", request.folder)
        given = read_record(f"{name}-mentions", request.folder)
        cells = {}
        for record, title in ((published, ""), (given, _OURS[0]), (ours, _OURS[1])):
            split = request.split_of(record)
            systems = record.decoders(split)
            for system in systems if record.is_published else systems[:1]:
                figure = record.figure([split], OVERALL, system, _MEASURE)
                cells[title or system] = f"**{cell(figure)}**" if title else cell(figure)
        titles |= dict.fromkeys(cells)
        rows.append((f"`{ours.short_name}`", cells))
    columns = [*(title for title in titles if title not in _OURS), *_OURS]
    return markdown_table(
        ["split", *columns],
        [[name, *(cells.get(title, "") for title in columns)] for name, cells in rows],
    )


SPLITS = splits_table
