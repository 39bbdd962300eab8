"""Records of experiments, as stored in `training/results/`.

A record is a JSON file. Figures of our own runs are in `rows`, figures from papers in `intervals`:

    rows       seed, share of train, split, tag, decoder, measure, numerator, denominator
    intervals  share of train, split, tag, decoder, measure, mean, deviation, low, high

The empty tag stands for all examples of a split. Intervals are in percent; deviations or limits
that a paper does not give are null. Older records of our own also have bootstrap intervals.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NotRequired, TypeAlias, TypedDict

from amparser.conditions import Count, Name
from amparser.errors import InputError
from amparser.evaluation.metric import OVERALL, Count as CountOf
from amparser.files import read_json, write_atomically
from amparser.schema import from_json

FORMAT = "amparser-record-1"
_LISTS = ("runs", "rows", "intervals")


class Figure(NamedTuple):
    """Percentage: mean and standard deviation over seeds; a deviation may be unknown (None)."""

    mean: float
    deviation: float | None = None

    def __str__(self) -> str:
        spread = f" ± {self.deviation:.1f}" if (self.deviation or 0) >= 0.05 else ""
        return f"{self.mean:.1f}{spread}"


class Key(NamedTuple):
    """Key of a figure: share of train, split, decoder, measure and tag."""

    fraction: float
    split: str
    decoder: str
    measure: str
    tag: str


class Row(NamedTuple):
    """Numerator and denominator of a measure, for one run, split, tag and decoder."""

    seed: int
    fraction: float
    split: str
    tag: str
    decoder: str
    measure: str
    numerator: float
    denominator: float


class Interval(NamedTuple):
    """Published score in percent: a mean, with its deviation or its lowest and highest value."""

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
    """A training run in a record."""

    seed: Count
    fraction: float
    training_commit: NotRequired[str | None]


Figures: TypeAlias = dict[Key, Figure]


@dataclass(frozen=True)
class Record:
    """A recorded experiment.

    Attributes:
        name: name of the file without `.json`: BENCHMARK-NAME.
        system: name of the system; empty in published records.
        settings: all settings of the system.
        package_version, evaluation_commit: version and commit of the program that evaluated; the
            commit is None for an installed package.
        runs: seed, share of train and commit of each training run; empty in published records.
        rows, intervals: the figures (see the module's docstring).
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
        """True if the figures come from a paper instead of runs of this package."""
        return not self.runs

    @property
    def short_name(self) -> str:
        """The name without the prefix of the benchmark."""
        return self.name.removeprefix(f"{self.benchmark}-")

    @cached_property
    def figures(self) -> Figures:
        """All figures in the record's order, computed over seeds or as published."""
        if self.is_published:
            return {
                _key(interval): Figure(interval.mean, interval.deviation)
                for interval in self.intervals
            }
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
        """Return the splits, in the record's order."""
        return list(dict.fromkeys(key.split for key in self.figures))

    def decoders(self, split: str) -> list[str]:
        """Return the decoders of a split."""
        return list(dict.fromkeys(key.decoder for key in self.figures if key.split == split))

    def by_tag(
        self, split: str, decoder: str, measure: str, fraction: float | None = None
    ) -> dict[str, Figure]:
        """Return the figure of each tag for a share of train (default: the largest share)."""
        share = max(self.fractions, default=1.0) if fraction is None else fraction
        wanted = (share, split, decoder, measure)
        return {key.tag: figure for key, figure in self.figures.items() if key[:4] == wanted}

    def overall(self, split: str, decoder: str, measure: str) -> Figure | None:
        """Return the figure over all examples for the largest share of train, or None."""
        return self.by_tag(split, decoder, measure).get(OVERALL)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        return {
            "format": FORMAT,
            "columns": {"rows": Row._fields, "intervals": Interval._fields},
            **{field_.name: getattr(self, field_.name) for field_ in fields(self)},
        }

    def write(self, folder: Path) -> Path:
        """Write `NAME.json` with one line per row, and return its path."""
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
    """Read a record by name from the folder, or by path if the name has a slash.

    Raises InputError if the file is missing or is not a record.
    """
    path = Path(f"{name.removesuffix('.json')}.json")
    path = path if "/" in name else folder / path
    value = read_json(path)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a record, expected the format {FORMAT!r}")
    return from_json(value, Record, path, error=InputError)
