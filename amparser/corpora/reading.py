"""Reading a corpus file of any format, plain or gzip'd."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple, cast

from amparser.corpora.example import Example
from amparser.corpora.format import CorpusFormat
from amparser.corpora.formats import GZIP, format_of
from amparser.corpora.parquet import SUFFIX as PARQUET
from amparser.corpora.parquet import read_parquet
from amparser.corpora.shards import files_of
from amparser.corpora.tokens import MAX_TOKENS
from amparser.errors import CorpusError, located
from amparser.files import GZIP_DAMAGE, NOT_UTF16, UTF16, gzip_damage, not_utf8

LONGEST_LINE = 1 << 26
"""A line of a corpus has at most this many bytes, also in a compressed file."""


class Reading(NamedTuple):
    """What is in a file: its examples, and its malformed items as `FILE:LINE: REASON`."""

    examples: list[Example]
    faults: list[str]


def read_examples(path: str | Path, *, limit: int | None = None) -> list[Example]:
    """The examples of a file, in order; errors as in `iterate_examples`."""
    return list(islice(iterate_examples(path), limit))


def iterate_examples(path: str | Path) -> Iterator[Example]:
    """The examples of a file, one by one; or of the shards of a split, one after the other.

    Raises:
        CorpusError: the file is missing, a folder, unreadable or truncated; its suffix is
            unknown; or an item is malformed. The message opens with `path:line:`.
    """
    path = Path(path)
    for file in files_of(path):
        if file.suffix == PARQUET:
            examples = read_parquet(file)
        else:
            examples = format_of(file).read(numbered_lines(file), str(file))
        yield from _placed(examples, file, path)


def _placed(examples: Iterator[Example], file: Path, path: Path) -> Iterator[Example]:
    """The examples of a file; they name it if it is one of several."""
    if file == path:
        return examples
    return (replace(example, file=str(file)) for example in examples)


def read_with_faults(path: str | Path) -> Reading:
    """The examples of a file; a malformed item is left out and listed.

    Raises:
        CorpusError: the file as a whole cannot be read, as `iterate_examples` says.
    """
    faults: list[str] = []
    return Reading(list(iterate_readable(path, faults)), faults)


def iterate_readable(path: str | Path, faults: list[str]) -> Iterator[Example]:
    """The examples of a file, one by one; a malformed item is left out and added to the faults.

    Raises:
        CorpusError: the file as a whole cannot be read, as `iterate_examples` says.
    """
    path = Path(path)
    for file in files_of(path):
        if file.suffix == PARQUET:
            examples = read_parquet(file, faults)
        else:
            chosen = format_of(file)
            of_lines = getattr(chosen, "of_lines", None)
            if of_lines is not None:
                lines = _raw_lines(file)
                chosen = of_lines((n, line.decode("utf-8", "replace")) for n, line in lines)
            examples = _readable(chosen, file, faults)
        yield from _placed(examples, file, path)


def _readable(chosen: CorpusFormat, path: Path, faults: list[str]) -> Iterator[Example]:
    rest = _Lines(_raw_lines(path), path)
    while not rest.ended:
        before = rest.count
        try:
            yield from chosen.read(rest, str(path))
        except CorpusError as error:
            if error is rest.damage or rest.count == before:
                raise
            faults.append(str(error))
        else:
            return


class _Lines:
    """The lines of a file, which can be read on after an error of what reads them.

    A line that is not UTF-8 is such an error.
    """

    def __init__(self, lines: Iterator[tuple[int, bytes]], path: Path) -> None:
        self._lines = lines
        self._path = path
        self._ahead: tuple[int, bytes] | None = None
        self.count = 0
        self.damage: CorpusError | None = None
        self._look()

    @property
    def ended(self) -> bool:
        """Whether there are no more lines."""
        return self._ahead is None and self.damage is None

    def _look(self) -> None:
        try:
            self._ahead = next(self._lines, None)
        except CorpusError as error:
            self._ahead, self.damage = None, error

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self

    def __next__(self) -> tuple[int, str]:
        line = self._ahead
        if self.damage is not None and line is None:
            raise self.damage
        if line is None:
            raise StopIteration
        self.count += 1
        self._look()
        number, data = line
        return number, _text(data, self._path, number)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file without their ends, each with its number, from 1.

    Raises:
        CorpusError: the file is missing, a folder, unreadable or truncated, or not UTF-8.
    """
    for number, line in _raw_lines(path):
        yield number, _text(line, path, number)


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        with _open(path) as file:
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    limit = f"a line of more than {LONGEST_LINE >> 20} MiB, expected shorter ones"
                    raise CorpusError(located(limit, path=path, line=number))
                if number == 1 and line.startswith(UTF16):
                    raise CorpusError(located(NOT_UTF16, path=path, line=number))
                yield number, line
    except GZIP_DAMAGE as error:
        raise CorpusError(located(gzip_damage(error), path=path, line=number + 1)) from None
    except OSError as error:
        raise CorpusError(located(error.strerror or str(error), path=path)) from None


def _open(path: Path) -> IO[bytes]:
    if path.suffix == GZIP:
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _text(line: bytes, path: Path, number: int) -> str:
    try:
        text = line.decode("utf-8").rstrip("\r\n")
        return text.removeprefix("\ufeff") if number == 1 else text
    except UnicodeDecodeError as error:
        raise CorpusError(
            located(not_utf8(line, error, begins=False), path=path, line=number)
        ) from None


def check_lengths(examples: Sequence[Example], path: Path) -> None:
    """Raise CorpusError, naming file and line, if a sentence is too long to train on."""
    for example in examples:
        if (count := len(example.tokens)) > MAX_TOKENS:
            reason = f"{count} tokens, expected at most {MAX_TOKENS}"
            raise CorpusError(located(reason, path=example.file or path, line=example.line))
