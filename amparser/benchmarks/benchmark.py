"""The protocol of a benchmark: what only it knows of its data, its figures and its presets.

Importing a benchmark is cheap: its functions import what they need when they are called, so that
the command line can list benchmarks without loading torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result

Answers: TypeAlias = "Mapping[str, list[Result]]"
"""For each decoder its answers, in the order of the examples."""
Record: TypeAlias = Mapping[str, Any]
"""A recorded experiment, as JSON values."""


@dataclass(frozen=True)
class DataSet:
    """Data of an experiment: a training file with the test files that belong to it.

    Attributes:
        name: ends the name of the record, such as `productivity-2`.
        train: the file to learn from, or a folder with `train`.
        tests: the files to evaluate on by split.
        card: what the record says of the data, as JSON values.
    """

    name: str
    train: Path
    tests: Mapping[str, Path]
    card: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RecordTable:
    """A kind of table that only one benchmark has.

    Attributes:
        about: one line for the list of tables.
        names: the names of the records that the table shows, given the names that a user wrote
            and the folder of records.
        markdown: the table, given these records.
    """

    about: str
    names: Callable[[Sequence[str], Path], list[str]]
    markdown: Callable[[Sequence[Record]], str]


def _split_files(folder: Path, notation: str = "") -> dict[str, Path]:
    from amparser.corpora.splits import split_files

    return split_files(folder, notation)


def _read(path: Path, limit: int | None = None) -> list[Example]:
    from amparser.corpora.reading import read_examples

    return read_examples(path, limit=limit)


def _own_tags(example: Example) -> tuple[str, ...]:
    return example.tags


def _own_answers(model: Model, examples: Sequence[Example], decoders: Sequence[str]) -> Answers:
    return model.answers([example.tokens for example in examples], decoders)


def _published(record: Record) -> tuple[str, ...]:
    name = record["name"]
    return (f"{record['benchmark']}-published", f"{name}-published", f"{name}-*-published")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark. All that the rest of the package asks of one is here.

    Attributes:
        name: as on the command line; its settings lie in `training/NAME/`.
        about: one line for the list of benchmarks.
        notations: the names of the notations of its meanings, the default first; empty if
            answers are labels.
        systems: the names of the systems that it has settings for, the default first.
        measure: the measure of its paper, which tables show by default.
        files: the data files in a folder by split, given the folder and a notation.
        read: reads a data file, given its path and a limit.
        tags: the names that an example counts for, given the example as it was read.
        answers: the answers of a model to some examples by decoder, if these are not just
            the model's answers to the sentences.
        generate: writes the corpus into a folder and returns its card; None if there is no
            generator. Keyword arguments are those of its command.
        generated: the folder with the generated corpus in the user's cache, made when it is
            first wanted. Arguments: one of `variants` or None; `notice`, called with one line
            before files are made; `on_progress`, called with the rows made since the last call.
        variants: the names of its corpora, if it has several.
        datasets: the data of its experiments, if one training file with the splits of the
            same folder does not say it. Keyword arguments are those of its command.
        tables: its own kinds of tables by name.
        published: the published records that stand beside a record, as patterns of names.
        commands: `module:attribute` of a typer application with the benchmark's own commands,
            which becomes `amparser NAME`; None if it has none.
    """

    name: str
    about: str
    notations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ("amparser",)
    measure: str = "exact"
    files: Callable[[Path, str], dict[str, Path]] = _split_files
    read: Callable[[Path, int | None], list[Example]] = _read
    tags: Callable[[Example], tuple[str, ...]] = _own_tags
    answers: Callable[[Model, Sequence[Example], Sequence[str]], Answers] = _own_answers
    generate: Callable[..., dict[str, Any]] | None = None
    generated: Callable[..., Path] | None = None
    variants: tuple[str, ...] = ()
    datasets: Callable[..., Sequence[DataSet]] | None = None
    tables: Mapping[str, RecordTable] = field(default_factory=dict)
    published: Callable[[Record], tuple[str, ...]] = _published
    commands: str | None = None
