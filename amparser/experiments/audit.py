"""What a reviewer checks first: where each figure comes from, and whether pages show it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amparser.errors import InputError
from amparser.evaluation.benchmark import Benchmarks
from amparser.experiments.record import Record, read_record
from amparser.experiments.tables import filled
from amparser.files import read_text
from amparser.provenance import is_dirty

_ROUNDED = 0.006
"""Means of intervals have two decimals."""


def audit(folder: Path, pages: Sequence[Path], benchmarks: Benchmarks | None = None) -> list[str]:
    """The faults of all records of a folder, and the pages whose tables are not theirs.

    There is none if each figure comes from a known commit, and each table is what the records say.

    Raises:
        InputError: the folder has no records; a page cannot be read.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise InputError(f"{folder}: expected records, NAME.json")
    found = []
    for path in paths:
        try:
            record = read_record(path.stem, folder)
        except InputError as error:
            found.append(str(error))
            continue
        faults = (*faults_of_origin(record), *faults_of_means(record))
        found += [f"{path}: {fault}" for fault in faults]
    for page in pages:
        text = read_text(str(page))
        try:
            changed = filled(text, folder, benchmarks, where=str(page)) != text
        except InputError as error:
            found.append(str(error))
            continue
        if changed:
            found.append(f"{page}: tables differ from the records, see --renew")
    return found


def faults_of_origin(record: Record) -> list[str]:
    """Why nobody could make a record again; nothing for the figures of a paper."""
    if record.is_published:
        return []
    found = []
    if record.dirty:
        found.append("a program that trained or evaluated differed from its commit")
    if record.evaluation_commit is None or is_dirty(record.evaluation_commit):
        found.append("it is not known which commit evaluated")
    unknown = [
        str(run["seed"])
        for run in record.runs
        if run.get("training_commit") is None or is_dirty(run["training_commit"])
    ]
    if unknown:
        seeds = ", ".join(dict.fromkeys(unknown))
        found.append(f"it is not known which commit trained the runs of seed {seeds}")
    return found


def faults_of_means(record: Record) -> list[str]:
    """The means that the rows of a record do not give; nothing for the figures of a paper."""
    if record.is_published:
        return []
    found = []
    for one in record.intervals:
        rows = record.figure([one.split], one.tag, one.decoder, one.measure, one.fraction)
        if rows is None or abs(rows.mean - one.mean) > _ROUNDED:
            of = " ".join(filter(None, (one.split, one.tag, one.decoder, one.measure)))
            found.append(f"its rows do not give the mean of {of}, {one.mean}")
    return found
