"""The protocol of a benchmark in an evaluation, and the defaults if there is no benchmark.

`amparser.benchmarks.benchmark.Benchmark` follows it; this lower layer names no benchmark.
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
    """Properties of a benchmark's data and figures.

    Attributes:
        name: the beginning of the names of runs and records.
        notations: the names of the notations of its meanings, the default first.
        measure: the measure that tables show by default.
        files: returns the data files of a folder by split, given the folder and a notation.
        tags: returns the tags of an example.
        read: reads a file of examples, given its path and a limit; None for the default.
        answers: returns the answers of a model to examples; None if these are
            its answers to the sentences.
        tables: the benchmark's own kinds of tables by name, each as `module:attribute` of a
            `amparser.evaluation.tables.TableWriter`.
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
    """The data of one record: files for training and files for testing.

    Attributes:
        name: distinguishes the data sets of a benchmark, and ends the name of the record; empty
            if there is only one.
        train: the files that training depends on, such as `train` and `dev`.
        tests: the test files by split.
        corpus: reads the files of `train`, given the data set and a notation; by default each
            is read as any corpus file.
        read: reads a file of `tests` with tags, given its split and path; by default
            `amparser.evaluation.gold.read_gold`.
        about: the record's description of the data in addition to checksums, as JSON values.
    """

    name: str
    train: Mapping[str, Path]
    tests: Mapping[str, Path]
    corpus: Callable[[DataSet, str], Corpus] | None = None
    read: Callable[[str, Path], list[Example]] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
