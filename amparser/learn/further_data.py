"""Data that is learned from beside a corpus: other files and folders, and rows to leave out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from amparser.corpora.example import Example
from amparser.corpora.splits import split_files
from amparser.errors import CorpusError, located
from amparser.learn.settings import DataSettings


class Further(NamedTuple):
    """What further files have.

    Attributes:
        also: the examples.
        paths: of the files.
        faults: what is malformed in them, as `FILE:LINE: REASON`.
        without: the names of examples that are left out, of these files and of others.
    """

    also: Sequence[Example]
    paths: Sequence[Path]
    faults: Sequence[str]
    without: frozenset[str]

    def kept(self, examples: Sequence[Example]) -> Sequence[Example]:
        """The examples that are not left out."""
        if not self.without:
            return examples
        return [example for example in examples if example.id not in self.without]

    def remarks(self, examples: Sequence[Example]) -> list[str]:
        """What is learned from besides, and how many of all examples are left out."""
        told = []
        if self.also:
            told.append(f"{len(self.kept(self.also))} further rows (data.also)")
        if self.without:
            count = len(examples) - len(self.kept(examples))
            told.append(f"{count} rows are left out by name (data.without)")
        return told


def further_data(
    settings: DataSettings,
    folder: Path,
    read: Callable[[Path], tuple[Sequence[Example], Sequence[str]]],
) -> Further:
    """Return the examples of `data.also`, and the names in `data.without`.

    Args:
        settings: name files and folders.
        folder: where their paths begin.
        read: the examples of a file, and what is malformed in it.

    Raises:
        CorpusError: a file or folder does not exist, or cannot be read.
    """
    paths: list[Path] = []
    faults: list[str] = []

    also: list[Example] = []
    for name in settings.also.split():
        path = folder / name
        if path.is_dir():
            path = split_files(path, settings.notation).get("train", path / "train")
        if not path.is_file():
            raise CorpusError(located("No such file or directory", path=path))
        examples, wrong = read(path)
        also += [replace(example, file=str(path)) for example in examples]
        faults.extend(wrong)
        paths.append(path)
    return Further(also, paths, faults, _names(folder, settings.without))


def _names(folder: Path, name: str) -> frozenset[str]:
    """The names in a file, one a line; none if no file is named."""
    if not name:
        return frozenset()
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(located(f"cannot be read: {error}", path=folder / name)) from None
    return frozenset(text.split())
