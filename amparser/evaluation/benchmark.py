"""The record of a benchmark: properties of its data, figures and presets.

This layer names no benchmark; `amparser.benchmarks.registry.BENCHMARKS` has them by name. Importing
one is cheap: its functions import what they need when they are called, so that the command line can
list benchmarks without loading torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result

Answering: TypeAlias = (
    "Callable[[Model, Sequence[Example], Sequence[str]], Mapping[str, list[Result]]]"
)
"""From a model, examples and names of decoders to the answers of each decoder, in order."""


def _split_files(folder: Path, notation: str = "") -> dict[str, Path]:
    from amparser.corpora.splits import split_files

    return split_files(folder, notation)


def _own_tags(example: Example) -> tuple[str, ...]:
    return example.tags


@dataclass(frozen=True)
class Benchmark:
    """A benchmark, with everything that the rest of the package needs of it.

    Attributes:
        name: the name on the command line; its settings are in `training/NAME/`.
        about: one line for the list of benchmarks.
        notations: the names of the notations of its meanings, the default first; empty if
            answers are labels.
        systems: the names of the systems that it has settings for, the default first.
        measure: the measure of its paper, which tables show by default.
        files: returns the data files of a folder by split, given the folder and a notation.
        read: reads a data file, given its path and a limit; None if it is read as any corpus
            file.
        tags: returns the tags of an example, given the example as it was read.
        answers: returns the answers of a model to examples by decoder; None if they are the
            model's answers to the sentences.
        generate: writes the corpus into a folder and returns its card; None if there is no
            generator. Keyword arguments are those of its command.
        generated: returns the folder with the generated corpus in the user's cache, generated at
            the first call. Arguments: one of `variants` or None; `notice`, called with one line
            before files are generated; `on_progress`, called with the rows since the last call.
        variants: the names of its corpora, if it has several.
        tables: its own kinds of tables of records by name, each as `module:attribute` of a
            `amparser.experiments.tables.TableWriter`.
    """

    name: str
    about: str
    notations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ("amparser",)
    measure: str = "exact"
    files: Callable[[Path, str], dict[str, Path]] = _split_files
    read: Callable[[Path, int | None], list[Example]] | None = None
    tags: Callable[[Example], tuple[str, ...]] = _own_tags
    answers: Answering | None = None
    generate: Callable[..., dict[str, Any]] | None = None
    generated: Callable[..., Path] | None = None
    variants: tuple[str, ...] = ()
    tables: Mapping[str, str] = field(default_factory=dict)


Benchmarks: TypeAlias = Registry[Benchmark] | Mapping[str, Benchmark]
"""Benchmarks by name."""
