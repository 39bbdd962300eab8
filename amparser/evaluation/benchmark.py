"""Description of a benchmark: its data, measures and settings.

The benchmarks are in `amparser.benchmarks`, and `registry.BENCHMARKS` maps names to benchmarks.
The functions of a benchmark import other modules when they are called, so that the command line
can list benchmarks without loading torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeAlias

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result

Answering: TypeAlias = (
    "Callable[[Model, Sequence[Example], Sequence[str]], Mapping[str, list[Result]]]"
)
"""Function from a model, examples and decoder names to the answers of each decoder."""


def late(place: str) -> Callable[..., Any]:
    """Return a function that, when it is called, imports and calls `module:name`."""

    def call(*arguments: Any, **options: Any) -> Any:
        return resolve_name(place)(*arguments, **options)

    return call


_split_files = late("amparser.corpora.splits:split_files")


def _own_tags(example: Example) -> tuple[str, ...]:
    return example.tags


@dataclass(frozen=True)
class Benchmark:
    """Description of a benchmark.

    Attributes:
        name: name on the command line; settings files are in `training/NAME/`.
        about: description in one line.
        notations: notations of the meanings, starting with the default; empty if answers are
            labels.
        systems: systems with settings for the benchmark, starting with the default.
        settings: parser settings that differ from the defaults, structured like a settings file:
            `preset`, and sections with keys. A settings file has priority over them.
        measure: measure of the benchmark's paper, which tables show by default.
        files: function that returns the data files of a folder by split, given folder and notation.
        read: function that reads a data file, given path and limit (default: the reader of corpus
            files).
        tags: function that returns the tags of an example.
        answers: function that returns the answers of a model by decoder (default: the answers to
            the sentences of the examples).
        generate: function that writes the corpus into a folder and returns a description of it as
            JSON values. Its keyword arguments are the options of the command `generate`.
        generated: function that returns the folder of the corpus in the user's cache; the first
            call generates the corpus. Its arguments are a name in `variants` or None, and two
            functions: `notice` gets a message before the corpus is generated, and `on_progress`
            gets the number of new rows.
        variants: names of the benchmark's corpora, if it has several.
        examples: sentences that users can try.
    """

    name: str
    about: str
    notations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ("amparser",)
    settings: Mapping[str, Any] = field(default_factory=dict)
    measure: str = "exact"
    files: Callable[[Path, str], dict[str, Path]] = _split_files
    read: Callable[[Path, int | None], list[Example]] | None = None
    tags: Callable[[Example], tuple[str, ...]] = _own_tags
    answers: Answering | None = None
    generate: Callable[..., dict[str, Any]] | None = None
    generated: Callable[..., Path] | None = None
    variants: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


Benchmarks: TypeAlias = Registry[Benchmark] | Mapping[str, Benchmark]
"""Benchmarks by name."""
