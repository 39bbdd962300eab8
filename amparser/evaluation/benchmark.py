"""The record of a benchmark: properties of its data, figures and presets.

This layer names no benchmark; `amparser.benchmarks.registry.BENCHMARKS` has them by name. Importing
one is cheap: its functions import what they need when they are called, so that the command line can
list benchmarks without loading torch.
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
"""From a model, examples and names of decoders to the answers of each decoder, in order."""


def late(place: str) -> Callable[..., Any]:
    """Return a function `module:name` that is imported when it is called."""

    def call(*arguments: Any, **options: Any) -> Any:
        return resolve_name(place)(*arguments, **options)

    return call


_split_files = late("amparser.corpora.splits:split_files")


def _own_tags(example: Example) -> tuple[str, ...]:
    return example.tags


@dataclass(frozen=True)
class Benchmark:
    """A benchmark, with everything that the rest of the package needs of it.

    Attributes:
        name: the name on the command line; files of settings are in `training/NAME/`.
        about: one line for the list of benchmarks.
        examples: sentences that a model of it reads, written for people to try.
        notations: of its meanings, the default first; empty if answers are labels.
        systems: those that it has settings for, the default first.
        settings: of the parser, where its data need others than the defaults: `preset`, and
            sections with their keys, as a file of settings has them. A file goes over them.
        measure: the measure of its paper, which tables show by default.
        files: the data files of a folder by split, given the folder and a notation.
        read: reads a data file, given its path and a limit; None: as any corpus file.
        tags: the tags of an example as it was read.
        answers: the answers of a model to examples by decoder; None: as to any sentences.
        generate: writes the corpus into a folder and returns its card; None: no generator. Keyword
            arguments are those of its command.
        generated: the folder with the generated corpus in the user's cache, made at the first call.
            Arguments: one of `variants` or None; `notice`, called with one line before that;
            `on_progress`, called with the rows since the last call.
        variants: the names of its corpora, if it has several.
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
