"""Description of a benchmark: its data, measures and settings.

This layer names no benchmark; `amparser.benchmarks.registry.BENCHMARKS` has them by name. Importing
one is cheap: its functions import what they need when called, so that the command line can list
benchmarks without loading torch.
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
"""Function from a model, examples and decoder names to the answers of each decoder, in order."""


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
    """A benchmark, with all its properties that the rest of the package uses.

    Attributes:
        name: name on the command line; settings files are in `training/NAME/`.
        about: one line for the list of benchmarks.
        notations: notations of its meanings, the default first; empty if answers are labels.
        systems: systems with settings for it, the default first.
        settings: parser settings that differ from the defaults, structured like a settings file:
            `preset`, and sections with keys. A settings file overrides them.
        measure: the measure of its paper, which tables show by default.
        files: returns the data files of a folder by split, given folder and notation.
        read: reads a data file, given path and limit (default: as any corpus file).
        tags: returns the tags of an example.
        answers: returns the answers of a model by decoder (default: as for any sentences).
        generate: writes the corpus into a folder and returns its card; keyword arguments are the
            options of its command.
        generated: returns the folder of the generated corpus in the user's cache, which the first
            call generates. Arguments: one of `variants` or None; `notice`, called with one line
            before; `on_progress`, called with the number of new rows.
        variants: names of its corpora, if it has several.
        examples: sentences for people to try.
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
