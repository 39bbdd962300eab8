"""Examples: sentence, meaning, kind; how they lie in files.

A data file is UTF-8 text, plain or gzip'd, one example a line, with three
tab-separated columns: sentence (tokens separated by spaces), meaning, kind
(such as SLOG's generalization types). The last column may be missing in the
whole file.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from amparser.errors import CorpusError, InputError, located

SUFFIXES = (".tsv", ".tsv.gz")
MAX_TOKENS = 400
"""Longer sentences are refused: memory grows with the square of the length."""
COGS_FORMS = "cogs_lf"
_COLUMNS = ("sentence", "meaning", "kind")
_PIECE = re.compile(r"(?:[^\s.?,;!]|(?<=[0-9])[.,](?=[0-9]))+|[.?,;!]")


@dataclass(frozen=True, slots=True)
class Example:
    """One line of a data file; `line` counts from 1."""

    tokens: tuple[str, ...]
    meaning: str
    kind: str
    line: int

    @property
    def sentence(self) -> str:
        """The tokens, separated by single spaces."""
        return " ".join(self.tokens)


def read_examples(path: str | Path) -> list[Example]:
    """All examples of a data file; raises CorpusError as `iterate_examples` does."""
    return list(iterate_examples(path))


def iterate_examples(path: str | Path) -> Iterator[Example]:
    """The examples of a data file, one by one, in its order.

    Raises:
        CorpusError: the file is missing, a directory, unreadable or truncated;
            or a line is not UTF-8, has another number of columns than the
            first one (two or three), or lacks a sentence or a meaning. The
            message opens with `path:line:`.
    """
    path = Path(path)
    expected = len(_COLUMNS)
    for number, columns in iterate_rows(path):
        if number == 1 and len(columns) == 2:
            expected = 2
        if len(columns) != expected:
            raise CorpusError(
                located(
                    f"expected {expected} tab-separated columns, found {len(columns)}",
                    path=path,
                    line=number,
                )
            )
        tokens = tuple(columns[0].split())
        for name, empty in (("sentence", not tokens), ("meaning", not columns[1].strip())):
            if empty:
                raise CorpusError(located(f"the {name} is empty", path=path, line=number))
        yield Example(tokens, columns[1], columns[2] if expected == 3 else "", number)


def iterate_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """The lines of a .tsv or .tsv.gz file: number, from 1, and columns.

    Raises:
        CorpusError: the file is missing, a directory, unreadable or truncated, or a line is
            not UTF-8. The message opens with `path:line:`.
    """
    path = Path(path)
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                yield number, _columns(line, path, number)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            located(f"damaged or truncated gzip file ({error})", path=path, line=number + 1)
        ) from None
    except OSError as error:
        raise CorpusError(located(error.strerror or str(error), path=path)) from None


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _columns(line: bytes, path: Path, number: int) -> list[str]:
    try:
        return line.decode("utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise CorpusError(
            located(f"byte {error.start + 1} is not UTF-8", path=path, line=number)
        ) from None


def split_files(directory: str | Path, notation: str = "") -> dict[str, Path]:
    """The data files of a benchmark: `train`, `dev`, every `test...` and `gen...`, by stem.

    Of a folder that holds none but a `cogs_lf`, as SLOG does, those in there. With a
    notation they are called `train.NOTATION.tsv` and so on, as in SyGNS.

    Raises:
        CorpusError: no such directory, none of these files in it, or one of
            them both plain and gzip'd.
    """
    directory = Path(directory)
    if not directory.is_dir():
        raise CorpusError(located("no such directory", path=directory))
    if not _has_data(directory) and (directory / COGS_FORMS).is_dir():
        directory /= COGS_FORMS
    found: dict[str, Path] = {}
    suffixes = [f".{notation}{suffix}" if notation else suffix for suffix in SUFFIXES]
    for path in sorted(directory.iterdir()):
        stem, dot, suffix = path.name.partition(".")
        if dot + suffix in suffixes and (
            stem in ("train", "dev") or stem.startswith(("test", "gen"))
        ):
            if stem in found:
                raise CorpusError(
                    located(f"found both {found[stem].name} and {path.name}", path=directory)
                )
            found[stem] = path
    if not found:
        expected = " or ".join(suffixes)
        raise CorpusError(
            located(f"expected train, dev, test* or gen* as {expected}", path=directory)
        )
    order = {"train": 0, "dev": 1, "test": 2}
    return dict(sorted(found.items(), key=lambda item: (order.get(item[0], 3), item[0])))


def _has_data(directory: Path) -> bool:
    return any(path.name.endswith(SUFFIXES) for path in directory.iterdir())


def checksum(path: str | Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal digits."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CorpusError(located(error.strerror or str(error), path=path)) from None


def tokenize(text: str) -> tuple[str, ...]:
    """The tokens of raw text: words, and each of `. ? , ; !` by itself.

    A point or comma inside a number stays there. Text that is tokenised
    already comes out unchanged; empty text has no tokens.

    >>> tokenize("Who did Emma give a cake to?")
    ('Who', 'did', 'Emma', 'give', 'a', 'cake', 'to', '?')
    """
    return tuple(_PIECE.findall(text))


def checked_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a sentence that can be taken.

    Raises:
        InputError: it is empty, too long, or has a character that no text has
            (controls, tabs and line breaks included), with its column.
    """
    for column, character in enumerate(text, 1):
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            raise InputError(
                f"column {column}: unexpected character U+{ord(character):04X} in a sentence"
            )
    tokens = tokenize(text)
    if not tokens:
        raise InputError("empty, expected a sentence")
    if len(tokens) > MAX_TOKENS:
        raise InputError(f"{len(tokens)} tokens, expected at most {MAX_TOKENS}")
    return tokens
