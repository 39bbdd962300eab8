"""Read lines of a file or standard input as they arrive, in bounded memory.

`amparser.files.read_text` reads a whole file. This module yields each line as soon as it is there,
also from endless input, and signals pauses in the input.
"""

from __future__ import annotations

import gzip
import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from amparser.errors import InputError, located
from amparser.files import GZIP_DAMAGE, STDIN, gzip_damage, not_utf8, shown_name
from amparser.limits import LONGEST_STREAMED_LINE

PAUSE = 0.05
"""Seconds without input after which the next line counts as late."""

_BLOCK = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line without its line end; `fault` says why it has no text."""

    number: int
    text: str
    fault: str | None = None


def lines_as_they_come(name: str) -> Iterator[Line | None]:
    """Yield the lines of a UTF-8 file, plain or gzip'd, or of standard input if the name is `-`.

    A value of None marks a pause in the input. A line that is too long or not UTF-8 has a fault.
    Compressed input has no pauses. Raises InputError if the file cannot be read, or is a damaged
    gzip file.
    """
    file_name = shown_name(name)
    try:
        with _opened(name) as source:
            rest = b""
            number = 0
            for block in _blocks(source):
                if block is None:
                    yield None
                    continue
                *ended, rest = (rest + block).split(b"\n")
                for raw in ended:
                    number += 1
                    yield _line(number, raw)
                # The rest of a line that is too long is skipped.
                rest = rest[: LONGEST_STREAMED_LINE + 1]
            if rest:
                yield _line(number + 1, rest)
    except GZIP_DAMAGE as error:
        raise InputError(located(gzip_damage(error), path=file_name)) from None
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=file_name)) from None


def _line(number: int, raw: bytes) -> Line:
    if number == 1:
        raw = raw.removeprefix(_BYTE_ORDER_MARK)
    if len(raw) > LONGEST_STREAMED_LINE:
        return Line(number, "", f"a line of more than {LONGEST_STREAMED_LINE} bytes")
    try:
        return Line(number, raw.removesuffix(b"\r").decode("utf-8"))
    except UnicodeDecodeError as error:
        return Line(number, "", not_utf8(raw, error, begins=number == 1))


@contextmanager
def _opened(name: str) -> Iterator[Any]:
    """Open a binary file; real files and pipes are unbuffered."""
    if name != STDIN:
        with Path(name).open("rb", buffering=0) as file:
            packed = file.seekable() and file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            if file.seekable():
                file.seek(0)
            yield gzip.GzipFile(fileobj=file) if packed else file
        return
    if sys.stdin is None:
        raise OSError(None, "it is closed", "<stdin>")
    try:
        source = io.FileIO(sys.stdin.fileno(), closefd=False)
    except io.UnsupportedOperation:  # not a file of the operating system
        yield sys.stdin.buffer
        return
    with source:
        yield source


def _blocks(source: Any) -> Iterator[bytes | None]:
    """Yield bytes as they arrive, and None if bytes are late."""
    waits = isinstance(source, io.FileIO) and os.name == "posix"
    while True:
        if waits and not select.select([source], [], [], PAUSE)[0]:
            yield None
        block = source.read(_BLOCK)
        if not block:
            return
        yield block
