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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, NotRequired, TypeAlias, TypedDict

from amparser.conditions import FILE_NAME, Count, Matching, Name
from amparser.errors import InputError
from amparser.evaluation.metric import OVERALL
from amparser.evaluation.metric import Count as CountOf
from amparser.files import read_json, write_atomically
from amparser.provenance import is_dirty
from amparser.resources import package_data
from amparser.schema import from_json

FORMAT = "amparser-record-1"
Key: TypeAlias = tuple[float, str, str, str, str]
"""Share of train, split, decoder, measure and tag of a figure."""
RESULTS = Path("training/results")
_LISTS = ("runs", "rows", "intervals")
_ROUNDED = 0.006
"""Means of intervals have two decimals."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A percentage: mean and deviation over seeds; published ones may have no deviation."""

    mean: float
    deviation: float | None = None
    seeds: int | None = None

    def __str__(self) -> str:
        spread = self.deviation if self.deviation is not None and self.deviation >= 0.05 else None
        return f"{self.mean:.1f}" + (f" ± {spread:.1f}" if spread is not None else "")


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


class RunRow(TypedDict):
    """A run of a record; published records have none."""

    seed: Count
    fraction: float
    seconds: NotRequired[float]
    cpu_seconds: NotRequired[float]
    peak_mib: NotRequired[float]
    resumed: NotRequired[bool]
    training_commit: NotRequired[str | None]
    answering_commits: NotRequired[list[str | None]]
    sentences_per_second: NotRequired[dict[str, dict[str, float]]]


@dataclass(frozen=True)
class Record:
    """A recorded experiment.

    Attributes:
        name: the name of its file without `.json`: BENCHMARK-NAME or BENCHMARK-NAME-DATASET.
        system: empty in published records.
        dataset: the benchmark's name of the data, if it has several data sets.
        data: checksums of the data files by split, and further facts about the data.
        package_version, evaluation_commit: of the program that evaluated; no commit for an
            installed package.
        dirty: whether a program that trained or evaluated differed from its commit.
        runs: for each training `seed`, `fraction`, costs and `training_commit`; published
            records have none.
    """

    name: Name
    about: str
    benchmark: Name
    system: str = ""
    dataset: Annotated[str, Matching(rf"({FILE_NAME.pattern})?", FILE_NAME.about)] = ""
    settings: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    package_version: str = ""
    evaluation_commit: str | None = None
    dirty: bool = False
    machine: dict[str, Any] = field(default_factory=dict)
    resamples: Count = 0
    runs: list[RunRow] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)
    newer: ClassVar = (
        "system",
        "dataset",
        "settings",
        "data",
        "package_version",
        "evaluation_commit",
        "dirty",
        "machine",
        "resamples",
    )

    @property
    def is_published(self) -> bool:
        """Return whether the figures are those of a paper, without runs of ours."""
        return not self.runs

    @property
    def short_name(self) -> str:
        """The name without the benchmark and the data set, or `published` if it is a paper's."""
        name = self.name.removeprefix(f"{self.benchmark}-")
        if self.is_published:
            return name.removesuffix("-published")
        return name.removesuffix(f"-{self.dataset}") if self.dataset else name

    @property
    def fractions(self) -> tuple[float, ...]:
        """The shares of train, in the record's order."""
        return tuple(dict.fromkeys(key[0] for key in self.keys))

    @cached_property
    def _counts(self) -> dict[Key, dict[int, CountOf]]:
        found: dict[Key, dict[int, CountOf]] = {}
        for row in self.rows:
            key = (row.fraction, row.split, row.decoder, row.measure, row.tag)
            found.setdefault(key, {})[row.seed] = CountOf(row.numerator, row.denominator)
        return found

    @cached_property
    def _intervals(self) -> dict[Key, Interval]:
        return {(i.fraction, i.split, i.decoder, i.measure, i.tag): i for i in self.intervals}

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The keys of all figures, in order."""
        return tuple(dict.fromkeys((*self._counts, *self._intervals)))

    def splits(self) -> tuple[str, ...]:
        """The splits on the largest share of train."""
        return self._after()

    def decoders(self, split: str) -> tuple[str, ...]:
        """The decoders of a split."""
        return self._after(split)

    def measures(self, split: str, decoder: str) -> tuple[str, ...]:
        """The measures of a split and decoder."""
        return self._after(split, decoder)

    def tags(self, splits: Sequence[str], decoder: str, measure: str) -> tuple[str, ...]:
        """The tags of the figures of some splits, without the tag of all examples."""
        found = (tag for split in splits for tag in self._after(split, decoder, measure))
        return tuple(dict.fromkeys(tag for tag in found if tag != OVERALL))

    def _after(self, *parts: str) -> tuple[str, ...]:
        """Return the next parts of keys that begin so, of the largest share of train."""
        wanted = (self._fraction(None), *parts)
        size = len(wanted)
        return tuple(dict.fromkeys(str(k[size]) for k in self.keys if k[:size] == wanted))

    def figure(
        self,
        splits: Sequence[str],
        tag: str,
        decoder: str,
        measure: str,
        fraction: float | None = None,
    ) -> Figure | None:
        """Mean and deviation over seeds of a tag over some splits together, in percent.

        None if the record has no such figure.
        """
        share = self._fraction(fraction)
        sums: dict[int, CountOf] = {}
        for split in splits:
            by_seed = self._counts.get((share, split, decoder, measure, tag), {})
            for seed, count in by_seed.items():
                sums[seed] = sums.get(seed, CountOf()) + count
        shares = [100 * count.share for count in sums.values() if count.share is not None]
        if shares:
            deviation = statistics.stdev(shares) if len(shares) > 1 else 0.0
            return Figure(statistics.fmean(shares), deviation, len(shares))
        published = [
            found
            for split in splits
            if (found := self._intervals.get((share, split, decoder, measure, tag))) is not None
        ]
        return Figure(published[0].mean, published[0].deviation) if published else None

    def faults(self) -> Iterator[str]:
        """Yield why nobody could make the record again, and means that its rows do not give."""
        if self.is_published:
            return
        if self.dirty:
            yield "a program that trained or evaluated differed from its commit"
        if _is_unknown(self.evaluation_commit):
            yield "it is not known which commit evaluated"
        unknown = [run["seed"] for run in self.runs if _is_unknown(run.get("training_commit"))]
        if unknown:
            seeds = ", ".join(map(str, dict.fromkeys(unknown)))
            yield f"it is not known which commit trained the runs of seed {seeds}"
        for one in self.intervals:
            rows = self.figure([one.split], one.tag, one.decoder, one.measure, one.fraction)
            if rows is None or abs(rows.mean - one.mean) > _ROUNDED:
                of = " ".join(filter(None, (one.split, one.tag, one.decoder, one.measure)))
                yield f"its rows do not give the mean of {of}, {one.mean}"

    def by_tag(self, splits: Sequence[str], decoder: str, measure: str) -> dict[str, Figure]:
        """The figures of all tags of some splits together."""
        return {
            tag: figure
            for tag in self.tags(splits, decoder, measure)
            if (figure := self.figure(splits, tag, decoder, measure)) is not None
        }

    def interval(
        self, split: str, tag: str, decoder: str, measure: str, fraction: float | None = None
    ) -> Interval | None:
        """The interval of a figure, if the record has it."""
        return self._intervals.get((self._fraction(fraction), split, decoder, measure, tag))

    def of_decoder(self, decoder: str) -> Record:
        """The record with the answers of one decoder only.

        Raises:
            InputError: the decoder is missing in some split.
        """
        for split in self.splits():
            known = self.decoders(split)
            if decoder not in known:
                raise InputError(f"{self.name}: no decoder {decoder}, it has {', '.join(known)}")
        return replace(
            self,
            rows=[row for row in self.rows if row.decoder == decoder],
            intervals=[one for one in self.intervals if one.decoder == decoder],
        )

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

    def _fraction(self, fraction: float | None) -> float:
        return max(self.fractions, default=1.0) if fraction is None else fraction


def _is_unknown(commit: str | None) -> bool:
    return commit is None or is_dirty(commit)


def folder_of_records() -> Path:
    """Return `training/results` here, else the package's records."""
    return RESULTS if RESULTS.is_dir() else package_data(str(RESULTS))


def read_record(name: str, folder: Path) -> Record:
    """Read a recorded experiment: `NAME`, or `NAME:DECODER` with only that decoder.

    A name with a slash is a file's, such as `runs/NAME` or `runs/NAME.json`.

    Raises:
        InputError: there is no such file, or it is not a record; the message says what was
            expected.
    """
    name, colon, decoder = name.partition(":")
    name = name.removesuffix(".json")
    path = Path(f"{name}.json") if "/" in name else folder / f"{name}.json"
    value = read_json(path)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a record, expected the format {FORMAT!r}")
    record = from_json(value, Record, path, error=InputError)
    return record.of_decoder(decoder) if colon else record
