"""Read the lines of a file or of standard input as they arrive, with limited memory."""

from __future__ import annotations

import io
import os
import select
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from amparser.errors import CorpusError, located
from amparser.files import NOT_UTF16, UTF16, not_utf8, opened, shown_name
from amparser.limits import LONGEST_LINE

PAUSE = 0.05
"""Seconds without input that count as a pause."""
_BLOCK = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def raw_lines(name: str | Path) -> Iterator[tuple[int, bytes] | None]:
    """Yield the lines of a file or of standard input (`-`) with their numbers, without line ends.

    Yields None during a pause in standard input. Lines are truncated after `LONGEST_LINE` + 1
    bytes. Raises CorpusError if the file cannot be read, or is UTF-16 text or a damaged gzip file.
    """
    rest, number = b"", 0
    with opened(str(name)) as source:
        for block in _blocks(source):
            if block is None:
                yield None
                continue
            *ended, rest = (rest + block).split(b"\n")
            for raw in ended:
                number += 1
                yield number, _checked(raw, number, name)
            rest = rest[: LONGEST_LINE + 1]
    if rest:
        yield number + 1, _checked(rest, number + 1, name)


def _checked(raw: bytes, number: int, name: str | Path) -> bytes:
    if number == 1:
        if raw.startswith(UTF16):
            raise CorpusError(located(NOT_UTF16, path=shown_name(str(name)), line=1))
        raw = raw.removeprefix(_BYTE_ORDER_MARK)
    return raw[: LONGEST_LINE + 1].removesuffix(b"\r")


def text_or_fault(line: bytes, longest: int = LONGEST_LINE) -> str | CorpusError:
    """Return the text of a line, or an error if it is not UTF-8 or longer than `longest` bytes."""
    if len(line) > longest:
        return CorpusError(f"a line of more than {longest >> 20} MiB, expected shorter ones")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        return CorpusError(not_utf8(line, error, begins=False))


def _blocks(source: IO[bytes]) -> Iterator[bytes | None]:
    """Yield bytes as they arrive, and None when no bytes arrive for `PAUSE` seconds."""
    waits = isinstance(source, io.FileIO) and os.name == "posix"
    while True:
        if waits and not select.select([source], [], [], PAUSE)[0]:
            yield None
        block = source.read(_BLOCK)
        if not block:
            return
        yield block
