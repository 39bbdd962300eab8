"""`amparser results`: tables of recorded experiments, and pages that contain them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.options import RecordsOption
from amparser.errors import InputError


def results(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Records by name (default: all)."),
    ] = None,
    folder: RecordsOption = None,
    renew: Annotated[
        list[Path] | None,
        typer.Option(
            "--renew", metavar="FILE", help="Bring the tables in a file up to date; repeatable."
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Fail on a record without a clean commit, and on a page (README.md, docs/*.md) "
            "whose tables are not those of the records.",
        ),
    ] = False,
) -> None:
    """Print the tables of recorded experiments, or renew those in a page."""
    from amparser.experiments.audit import audit
    from amparser.experiments.record import folder_of_records, read_record
    from amparser.experiments.tables import record_tables
    from amparser.experiments.tables import renew as renewed

    records = folder_of_records(folder)
    if check:
        candidates = (Path("README.md"), *sorted(Path("docs").glob("*.md")))
        pages = [page for page in candidates if page.is_file()]
        faults = audit(records, pages, BENCHMARKS)
        for fault in faults:
            print(fault)
        if faults:
            raise InputError(f"{records}: {len(faults)} faults in records and pages")
        count = len(list(records.glob("*.json")))
        print(f"{records}: {count} records; {len(pages)} pages show what they say")
        return
    if renew:
        for path in renew:
            count, changed = renewed(path, records, BENCHMARKS)
            print(f"{path}: {count} tables, {'renewed' if changed else 'as they were'}")
        return
    for name in names or sorted(path.stem for path in records.glob("*.json")):
        record = read_record(name, records)
        for split, table in record_tables(record, BENCHMARKS):
            print(f"{name}, {split}: {record.about}\n\n{table}\n")
