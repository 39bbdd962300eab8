"""The protocol of a benchmark: what only it knows of its data, its figures and its presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amparser.corpora.example import Example
from amparser.corpora.splits import split_files
from amparser.evaluation.hooks import DataSet
from amparser.learn.system import Model
from amparser.results import Result

Answers = Mapping[str, list[Result]]


def _own_tags(example: Example) -> tuple[str, ...]:
    return example.tags


@dataclass(frozen=True)
class Benchmark:
    """A benchmark. All that the rest of the package asks of one is here.

    Attributes:
        name: as on the command line; its settings lie in `training/NAME/`.
        about: one line for the list of benchmarks.
        notations: the names of the notations of its meanings, the default first; empty where
            answers are labels.
        systems: the names of the systems that it has settings for, the default first.
        measure: the measure of its paper, which tables show by default.
        files: the data files in a folder by split, given the folder and a notation.
        tags: the names that an example counts for, given the example as it was read.
        generate: writes the corpus into a folder and returns its card; None where there is
            no generator. Keyword arguments are those of its command.
        generated: the folder with the generated corpus in the user's cache, made when it is
            first wanted; the argument names one of `variants`, or is None.
        variants: the names of its corpora, where it has several.
        read: reads a data file, given its path and a limit.
        answers: the answers of a model to some examples by decoder, where these are not just
            the model's answers to the sentences; None: they are.
        datasets: the data sets that an experiment is made with, given a system's name, the
            options of the command line by name, and a notation; None: the one of a folder.
        tables: kinds of tables of its own by name, each as `module:attribute` of a
            `amparser.evaluation.tables.TableWriter`.
        commands: `module:attribute` of a typer application with the benchmark's own commands,
            which becomes `amparser NAME`; None where it has none.
    """

    name: str
    about: str
    notations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ("amparser",)
    measure: str = "exact"
    files: Callable[[Path, str], dict[str, Path]] = split_files
    tags: Callable[[Example], tuple[str, ...]] = _own_tags
    generate: Callable[..., dict[str, Any]] | None = None
    generated: Callable[[str | None], Path] | None = None
    variants: tuple[str, ...] = ()
    read: Callable[[Path, int | None], list[Example]] | None = None
    answers: Callable[[Model, Sequence[Example], Sequence[str]], Answers] | None = None
    datasets: Callable[[str, Mapping[str, Any], str], Sequence[DataSet]] | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    commands: str | None = None
    published: Mapping[str, Any] = field(default_factory=dict)
