"""The data of an experiment: files for training and files for testing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amparser.errors import CorpusError, located
from amparser.evaluation.benchmark import Benchmark


@dataclass(frozen=True)
class DataSet:
    """The data of one record.

    Attributes:
        name: ends the name of the record; empty if the benchmark has only one data set.
        train: the files that training depends on, such as `train` and `dev`.
        tests: the test files by split.
        about: the record's description of the data in addition to checksums, as JSON values.
    """

    name: str
    train: Mapping[str, Path]
    tests: Mapping[str, Path]
    about: Mapping[str, Any] = field(default_factory=dict)


def default_dataset(
    benchmark: Benchmark, folder: Path, notation: str, splits: Sequence[str] = ()
) -> DataSet:
    """The data set of a folder: `train` and `dev` for training, all other splits for testing.

    `dev` is a test too if `splits` names it, or if it is the only one.

    Raises:
        CorpusError: the folder does not exist or has no train.
    """
    files = benchmark.files(folder, notation)
    if "train" not in files:
        raise CorpusError(located("expected train.tsv or train.tsv.gz", path=folder))
    trained_on = {split: path for split, path in files.items() if split in ("train", "dev")}
    tests = {split: path for split, path in files.items() if split not in trained_on}
    if "dev" in files and ("dev" in splits or not tests):
        tests["dev"] = files["dev"]
    return DataSet("", trained_on, tests)
