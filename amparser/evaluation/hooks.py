"""What an evaluation asks of a benchmark: the protocol, and what holds where there is none.

`amparser.benchmarks.benchmark.Benchmark` follows it; this layer lies below and names none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result


Answering: TypeAlias = (
    "Callable[[Model, Sequence[Example], Sequence[str]], Mapping[str, list[Result]]]"
)
"""From a model, examples and names of decoders to the answers of each decoder."""


class BenchmarkHooks(Protocol):
    """What only a benchmark knows of its data and its figures.

    Attributes:
        name: begins the names of runs and records.
        notations: the names of the notations of its meanings, the default first.
        measure: the measure that tables show by default.
        files: the data files in a folder by split, given the folder and a notation.
        tags: the names that an example counts for.
        read: reads a file of examples, given its path and a limit; None: as any file is read.
        answers: the answers of a model to examples, where these are not just its answers to
            the sentences; None: they are.
        tables: kinds of tables of its own by name, each as `module:attribute` of a
            `amparser.evaluation.tables.TableWriter`.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def notations(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def measure(self) -> str: ...  # noqa: D102

    @property
    def files(self) -> Callable[[Path, str], dict[str, Path]]: ...  # noqa: D102

    @property
    def tags(self) -> Callable[[Example], tuple[str, ...]]: ...  # noqa: D102

    @property
    def read(self) -> Callable[[Path, int | None], list[Example]] | None: ...  # noqa: D102

    @property
    def answers(self) -> Answering | None: ...  # noqa: D102

    @property
    def tables(self) -> Mapping[str, str]: ...  # noqa: D102


class Benchmarks(Protocol):
    """Benchmarks by name; `amparser.benchmarks.registry.BENCHMARKS` is one."""

    def __getitem__(self, name: str) -> BenchmarkHooks: ...

    def __contains__(self, name: object) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...


@dataclass(frozen=True)
class DataSet:
    """What one record is of: files to train on and files to test on.

    Attributes:
        name: tells the data sets of a benchmark apart, and ends the name of the record; empty
            where there is one only.
        train: the files that training depends on, `train` and `dev`, say.
        tests: the files to test on by split.
        corpus: reads the files of `train`, given the data set and a notation; by default each
            as any corpus file.
        read: reads a file of `tests` with tags, given its split and path; by default as
            `amparser.evaluation.gold.read_gold`.
        about: what a record says of the data besides the checksums of files, as JSON values.
    """

    name: str
    train: Mapping[str, Path]
    tests: Mapping[str, Path]
    corpus: Callable[[DataSet, str], Corpus] | None = None
    read: Callable[[str, Path], list[Example]] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
