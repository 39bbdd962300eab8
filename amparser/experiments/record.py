"""Recorded experiments, as `training/results/` keeps them.

A record is a JSON file. Its figures are long-form rows, which fit any measure that is a sum
over examples:

    rows       seed, share of train, split, tag, decoder, measure, numerator, denominator
    intervals  share of train, split, tag, decoder, measure, mean, deviation, low, high

The tag "" means all examples of a split. Intervals are in percent: mean and deviation
over seeds, and the limits of a bootstrap (`amparser.experiments.bootstrap`). Published figures
of a paper are intervals without runs; a deviation or limit that the paper does not give is
null.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NotRequired, TypeAlias, TypedDict

from amparser.conditions import Count, Name
from amparser.errors import InputError
from amparser.evaluation.metric import OVERALL
from amparser.evaluation.metric import Count as CountOf
from amparser.files import read_json, write_atomically
from amparser.provenance import is_dirty
from amparser.schema import from_json

FORMAT = "amparser-record-1"
_LISTS = ("runs", "rows", "intervals")
_ROUNDED = 0.006
"""Means of intervals have two decimals."""


class Figure(NamedTuple):
    """A percentage: mean and deviation over seeds; published ones may have no deviation."""

    mean: float
    deviation: float | None = None

    def __str__(self) -> str:
        spread = f" ± {self.deviation:.1f}" if (self.deviation or 0) >= 0.05 else ""
        return f"{self.mean:.1f}{spread}"


class Key(NamedTuple):
    """The key of a figure."""

    fraction: float
    split: str
    decoder: str
    measure: str
    tag: str


class Row(NamedTuple):
    """The count of one run, split, tag, decoder and measure."""

    seed: int
    fraction: float
    split: str
    tag: str
    decoder: str
    measure: str
    numerator: float
    denominator: float


class Interval(NamedTuple):
    """A figure in percent over the runs of one share of train."""

    fraction: float
    split: str
    tag: str
    decoder: str
    measure: str
    mean: float
    deviation: float | None = None
    low: float | None = None
    high: float | None = None


def _key(one: Row | Interval) -> Key:
    return Key(one.fraction, one.split, one.decoder, one.measure, one.tag)


class RunRow(TypedDict):
    """A run of a record; published records have none."""

    seed: Count
    fraction: float
    training_commit: NotRequired[str | None]


Figures: TypeAlias = dict[Key, Figure]


@dataclass(frozen=True)
class Record:
    """A recorded experiment.

    Attributes:
        name: the name of its file without `.json`: BENCHMARK-NAME.
        system: empty in published records.
        data: checksums of the data files by split.
        package_version, evaluation_commit: of the program that evaluated; no commit for an
            installed package.
        runs: `seed`, `fraction` and `training_commit` of each training; published records have
            none.
    """

    name: Name
    about: str
    benchmark: Name
    system: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    package_version: str = ""
    evaluation_commit: str | None = None
    runs: list[RunRow] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)
    newer: ClassVar = ("system", "settings", "data", "package_version", "evaluation_commit")

    @property
    def is_published(self) -> bool:
        """Return whether the figures are those of a paper, without runs of ours."""
        return not self.runs

    @property
    def short_name(self) -> str:
        """The name without the benchmark."""
        return self.name.removeprefix(f"{self.benchmark}-")

    @cached_property
    def figures(self) -> Figures:
        """All figures in order: mean and deviation over seeds, or those of a paper."""
        if self.is_published:
            return {_key(one): Figure(one.mean, one.deviation) for one in self.intervals}
        shares: dict[Key, list[float]] = {}
        for row in self.rows:
            share = CountOf(row.numerator, row.denominator).share
            shares.setdefault(_key(row), []).extend([] if share is None else [100 * share])
        return {
            key: Figure(statistics.fmean(some), statistics.stdev(some) if len(some) > 1 else 0.0)
            for key, some in shares.items()
            if some
        }

    @property
    def fractions(self) -> list[float]:
        """The shares of train, in the record's order."""
        return list(dict.fromkeys(key.fraction for key in self.figures))

    def splits(self) -> list[str]:
        """The splits, in the record's order."""
        return list(dict.fromkeys(key.split for key in self.figures))

    def decoders(self, split: str) -> list[str]:
        """The decoders of a split."""
        return list(dict.fromkeys(key.decoder for key in self.figures if key.split == split))

    def by_tag(
        self, split: str, decoder: str, measure: str, fraction: float | None = None
    ) -> dict[str, Figure]:
        """The figures of all tags; by default of the largest share of train."""
        share = max(self.fractions, default=1.0) if fraction is None else fraction
        wanted = (share, split, decoder, measure)
        return {key.tag: figure for key, figure in self.figures.items() if key[:4] == wanted}

    def faults(self) -> Iterator[str]:
        """Yield why nobody could make the record again, and means that its rows do not give."""
        if self.is_published:
            return
        commits = [self.evaluation_commit, *(run.get("training_commit") for run in self.runs)]
        if any(commit is None or is_dirty(commit) for commit in commits):
            yield "it is not known which commit trained or evaluated"
        for one in self.intervals:
            figure = self.figures.get(_key(one))
            if figure is None or abs(figure.mean - one.mean) > _ROUNDED:
                of = " ".join(filter(None, (one.split, one.tag, one.decoder, one.measure)))
                yield f"its rows do not give the mean of {of}, {one.mean}"

    def overall(self, split: str, decoder: str, measure: str) -> Figure | None:
        """The figure of all examples on the largest share of train; None if there is none."""
        return self.by_tag(split, decoder, measure).get(OVERALL)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        return {
            "format": FORMAT,
            "columns": {"rows": Row._fields, "intervals": Interval._fields},
            **{one.name: getattr(self, one.name) for one in fields(self)},
        }

    def write(self, folder: Path) -> Path:
        """Write `NAME.json`, each row on its own line; returns the path."""
        values = self.to_json()
        lists = [values.pop(key) for key in _LISTS]
        parts = [json.dumps(values, ensure_ascii=False, indent=1).removesuffix("\n}")]
        for key, items in zip(_LISTS, lists, strict=True):
            lines = ",".join(f"\n  {json.dumps(item, ensure_ascii=False)}" for item in items)
            parts.append(f'"{key}": [{lines}\n ]')
        path = folder / f"{self.name}.json"
        write_atomically(path, (",\n ".join(parts) + "\n}\n").encode())
        return path


def read_record(name: str, folder: Path) -> Record:
    """Read a recorded experiment, `NAME`; one with a slash is a file, such as `runs/NAME.json`.

    Raises:
        InputError: there is no such file, or it is not a record; the message says what was
            expected.
    """
    path = Path(f"{name.removesuffix('.json')}.json")
    path = path if "/" in name else folder / path
    value = read_json(path)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a record, expected the format {FORMAT!r}")
    return from_json(value, Record, path, error=InputError)
