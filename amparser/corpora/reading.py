"""Reading a corpus file of any format, plain or gzip'd."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple, cast

from amparser.corpora.example import Example
from amparser.corpora.format import CorpusFormat
from amparser.corpora.formats import GZIP, format_of
from amparser.corpora.tokens import MAX_TOKENS
from amparser.errors import CorpusError, located
from amparser.files import GZIP_DAMAGE, gzip_damage

LONGEST_LINE = 1 << 26
"""A line of a corpus has at most this many bytes, also in a compressed file."""


class Reading(NamedTuple):
    """What is in a file: its examples, and its malformed items as `FILE:LINE: REASON`."""

    examples: list[Example]
    faults: list[str]


def read_examples(
    path: str | Path, *, limit: int | None = None, corpus_format: CorpusFormat | None = None
) -> list[Example]:
    """The examples of a file, in order; arguments and errors as in `iterate_examples`."""
    return list(islice(iterate_examples(path, corpus_format=corpus_format), limit))


def iterate_examples(
    path: str | Path, *, corpus_format: CorpusFormat | None = None
) -> Iterator[Example]:
    """The examples of a file, one by one.

    Args:
        path: the path of the file.
        corpus_format: by default the format of the file's suffix.

    Raises:
        CorpusError: the file is missing, a folder, unreadable or truncated; its suffix is
            unknown; or an item is malformed. The message opens with `path:line:`.
    """
    path = Path(path)
    chosen = format_of(path) if corpus_format is None else corpus_format
    yield from chosen.read(numbered_lines(path), str(path))


def read_with_faults(path: str | Path, *, corpus_format: CorpusFormat | None = None) -> Reading:
    """The examples of a file; a malformed item is left out and listed.

    Raises:
        CorpusError: the file as a whole cannot be read, as `iterate_examples` says.
    """
    path = Path(path)
    chosen = format_of(path) if corpus_format is None else corpus_format
    lines = list(numbered_lines(path))
    of_lines = getattr(chosen, "of_lines", None)
    chosen = chosen if of_lines is None else of_lines(lines)
    found = Reading([], [])
    rest = _Lines(lines)
    while rest.at < len(lines):
        before = rest.at
        try:
            for example in chosen.read(rest, str(path)):
                found.examples.append(example)
        except CorpusError as error:
            found.faults.append(str(error))
            if rest.at == before:
                raise
        else:
            break
    return found


class _Lines:
    """An iterator that knows how far it has come."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines = lines
        self.at = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self

    def __next__(self) -> tuple[int, str]:
        if self.at == len(self.lines):
            raise StopIteration
        self.at += 1
        return self.lines[self.at - 1]


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file without their ends, each with its number, from 1.

    Raises:
        CorpusError: the file is missing, a folder, unreadable or truncated, or not UTF-8.
    """
    number = 0
    try:
        with _open(path) as file:
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    limit = f"a line of more than {LONGEST_LINE >> 20} MiB, expected shorter ones"
                    raise CorpusError(located(limit, path=path, line=number))
                yield number, _text(line, path, number)
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
            located(f"byte {error.start + 1} is not UTF-8", path=path, line=number)
        ) from None


def check_lengths(examples: Sequence[Example], path: Path) -> None:
    """Raise CorpusError, naming file and line, if a sentence is too long to train on."""
    for example in examples:
        if (count := len(example.tokens)) > MAX_TOKENS:
            reason = f"{count} tokens, expected at most {MAX_TOKENS}"
            raise CorpusError(located(reason, path=path, line=example.line))
