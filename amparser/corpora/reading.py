"""Reading a corpus file of any format, plain or gzip'd."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, cast

from amparser.corpora.example import Example
from amparser.corpora.format import CorpusFormat
from amparser.corpora.formats import GZIP, format_of
from amparser.errors import CorpusError, located


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


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file without their ends, each with its number, from 1.

    Raises:
        CorpusError: the file is missing, a folder, unreadable or truncated, or not UTF-8.
    """
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                yield number, _text(line, path, number)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            located(f"damaged or truncated gzip file ({error})", path=path, line=number + 1)
        ) from None
    except OSError as error:
        raise CorpusError(located(error.strerror or str(error), path=path)) from None


def _open(path: Path) -> IO[bytes]:
    if path.suffix == GZIP:
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _text(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise CorpusError(
            located(f"byte {error.start + 1} is not UTF-8", path=path, line=number)
        ) from None
