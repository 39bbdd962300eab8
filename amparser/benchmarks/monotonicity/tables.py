"""The table of inference: test sets down, systems across, published figures first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amparser.evaluation.record import Record, read_record
from amparser.evaluation.report import markdown_table
from amparser.evaluation.tables import TableRequest

_PREFIX = "monotonicity-"
_DEFAULT, _PARSER = "default", "amparser"


def inference(request: TableRequest) -> str:
    """The table; its names are those of training files, such as `productivity-2`.

    Raises:
        InputError: a record cannot be read.
    """
    names = record_names(request.names, request.folder)
    return inference_table([read_record(name, request.folder) for name in names])


def record_names(names: Sequence[str], folder: Path) -> list[str]:
    """The records of training files, such as `productivity-2`: published ones and all systems'."""
    return [
        path.stem
        for name in names
        for pattern in (f"{name}-published", f"*-{name}")
        for path in sorted(folder.glob(f"{_PREFIX}{pattern}.json"))
    ]


def inference_table(records: Sequence[Record]) -> str:
    """One row per test set of each training file, one column per system, in Markdown."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    published: dict[str, None] = {}
    ours: dict[str, None] = {}
    for record in records:
        train = record.short_name if record.is_published else record.dataset
        for split in record.splits():
            for decoder in record.decoders(split):
                measure = record.measures(split, decoder)[0]
                if record.is_published:
                    title = f"published: {decoder}"
                    published[title] = None
                    tests = {tag: tag for tag in record.tags([split], decoder, measure)}
                else:
                    title = record.short_name.replace(_DEFAULT, _PARSER)
                    ours[title] = None
                    tests = {split: ""}
                for test, tag in tests.items():
                    figure = record.figure([split], tag, decoder, measure)
                    cells.setdefault((train, test), {})[title] = str(figure)
    titles = [*published, *sorted(ours, key=lambda title: (title.startswith(_PARSER), title))]
    return markdown_table(
        ["train", "test", *titles],
        [
            [f"`{train}`", test, *(row.get(title, "") for title in titles)]
            for (train, test), row in sorted(cells.items())
            if row.keys() & ours.keys()
        ],
    )
