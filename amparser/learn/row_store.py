"""Rows on disk, for a corpus that is larger than memory: blocks of JSON, a row a line.

A block begins with a checksum of the rest of it, and a line that says what all its rows share. It
is written whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from amparser.errors import InputError, located
from amparser.files import write_atomically

Row = TypeVar("Row")
Other = TypeVar("Other")
Reader = Callable[[Any], Row]
"""Makes a row of its JSON."""


def write_block(path: Path, rows: Iterable[Any], head: Callable[[], Any] = lambda: None) -> None:
    """Write a block: its rows, and what they share, which is asked for when they are made."""
    lines = [_line(row) for row in rows]
    content = "".join([_line(head()), *lines]).encode()
    write_atomically(path, f"{hashlib.sha256(content).hexdigest()}\n".encode() + content)


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def is_whole(path: Path) -> bool:
    """Whether a block is there and not damaged."""
    try:
        return bool(_content(path))
    except InputError:
        return False


def _content(path: Path) -> bytes:
    """A block without its checksum; raises InputError if it is damaged."""
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=path)) from None
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise InputError(located("damaged rows of training", path=path))
    return content


class _Block(NamedTuple, Generic[Row]):
    """What is known of a block: where its rows begin, and what makes one of its JSON."""

    path: Path
    places: NDArray[np.int64]
    read: Reader[Row]


class RowStore(Sequence[Row]):
    """The rows of blocks, which are read from the disk each time.

    Args:
        paths: of the blocks, in order.
        reader: gives what makes a row of its JSON, of what the rows of a block share.

    Raises:
        InputError: a block is damaged.
    """

    def __init__(self, paths: Iterable[Path], reader: Callable[[Any], Reader[Row]]) -> None:
        self._blocks = [_block(path, reader) for path in paths]
        self._ends = list(accumulate(len(block.places) for block in self._blocks))

    def mapped(self, made: Callable[[Row], Other]) -> RowStore[Other]:
        """What is made of each row, when it is asked for."""

        def reader(read: Reader[Row]) -> Reader[Other]:
            return lambda value: made(read(value))

        store = RowStore[Other]((), lambda head: lambda value: value)
        store._ends = self._ends
        store._blocks = [
            _Block(block.path, block.places, reader(block.read)) for block in self._blocks
        ]
        return store

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, number: int) -> Row: ...

    @overload
    def __getitem__(self, number: slice) -> list[Row]: ...

    def __getitem__(self, number: Any) -> Any:
        numbers = range(len(self))[number]
        return self._row(numbers) if isinstance(numbers, int) else [*map(self._row, numbers)]

    def _row(self, number: int) -> Row:
        at = bisect_right(self._ends, number)
        path, places, read = self._blocks[at]
        with path.open("rb") as file:
            file.seek(places[number - self._ends[at]])
            return read(json.loads(file.readline()))

    def __iter__(self) -> Iterator[Row]:
        for path, _, read in self._blocks:
            with path.open("rb") as file:
                yield from map(read, map(json.loads, islice(file, 2, None)))


def _block(path: Path, reader: Callable[[Any], Reader[Row]]) -> _Block[Row]:
    content = _content(path)
    after = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n")) + 1
    places = after[:-1] + path.stat().st_size - len(content)
    return _Block(path, places, reader(json.loads(content[: content.index(b"\n")])))
