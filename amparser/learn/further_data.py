"""Further training data: other files and folders, and rows to leave out."""

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
    """Content of further files.

    Attributes:
        also: examples of the files.
        paths: paths of the files.
        faults: malformed rows, as `FILE:LINE: REASON`.
        without: names of examples to leave out, in these files and in others.
    """

    also: Sequence[Example]
    paths: Sequence[Path]
    faults: Sequence[str]
    without: frozenset[str]

    def kept(self, examples: Sequence[Example]) -> Sequence[Example]:
        """Return the examples that are not left out."""
        if not self.without:
            return examples
        return [example for example in examples if example.id not in self.without]

    def remarks(self, examples: Sequence[Example]) -> list[str]:
        """Return a line on the further rows, and one on the number of rows left out."""
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
        settings: names of files and folders.
        folder: the folder that their paths are relative to.
        read: returns the examples and the malformed rows of a file.

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
    """Return the names in a file, separated by whitespace; none if no file is named."""
    if not name:
        return frozenset()
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(located(f"cannot be read: {error}", path=folder / name)) from None
    return frozenset(text.split())
