"""Input files of any size, cut into shards of so many rows.

Reading is lazy and cheap: lines stay bytes until a worker parses their sentences.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from amparser.bulk.columns import Unreadable, check_columns
from amparser.corpora.parquet import arrow, parquet_file
from amparser.errors import InputError, located
from amparser.files import GZIP_DAMAGE, gzip_damage, not_utf8
from amparser.limits import LONGEST_LINE
from amparser.schema import once

Kind = Literal["parquet", "jsonl", "tsv", "txt"]

SUFFIXES: dict[str, Kind] = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".tsv": "tsv",
    ".txt": "txt",
}
COLUMN = "sentence"
LINE = "line"
"""Holds the text of a line that has no columns since it cannot be read."""
_GZIP = ".gz"
_BATCH = 1 << 16


class Shard(NamedTuple):
    """Rows of one input that stand one after the other.

    Attributes:
        name: `INPUT-SHARD`, both counted from 0, with as many digits in each name: the order of
            the names is that of the rows.
        data: the rows: lines as they are in the file, or an Arrow table.
    """

    name: str
    data: Any


class Rows(NamedTuple):
    """The rows of a shard, read.

    Attributes:
        table: a dictionary for each row, or an Arrow table.
    """

    values: Sequence[object]
    table: Any


class Input(NamedTuple):
    """An input file.

    Attributes:
        number: its place among the inputs, from 0.
        header: the names of the columns of a `.tsv`, or None if its first line is a row.
    """

    number: int
    path: Path
    kind: Kind
    column: str = COLUMN
    header: tuple[str, ...] | None = None

    def shards(self, size: int, done: Collection[str] = ()) -> Iterator[Shard]:
        """The shards in order; raises InputError if the file cannot be read."""
        parts = _tables(self.path, size) if self.kind == "parquet" else self._texts(size)
        for number, data in enumerate(parts):
            if (name := self.name_of(number)) not in done:
                yield Shard(name, data)

    def name_of(self, number: int) -> str:
        """The name of a shard."""
        return f"{self.number:06d}-{number:08d}"

    def _texts(self, size: int) -> Iterator[list[bytes]]:
        lines = _lines(self.path)
        if self.header is not None:
            next(lines, None)
        if self.kind == "jsonl":
            lines = (line for line in lines if line.strip())
        while part := list(islice(lines, size)):
            yield part

    def rows(self, data: Any) -> Rows:
        """The rows of a shard's data."""
        if self.kind == "parquet":
            return Rows(data.column(self.column).to_pylist(), data)
        read = [self._row(line) for line in data]
        return Rows([value for value, _ in read], [columns for _, columns in read])

    def _row(self, line: bytes) -> tuple[object, dict[str, Any]]:
        """The sentence of a line, and its columns."""
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            shown = line.decode("utf-8", errors="backslashreplace")
            return Unreadable(not_utf8(line, error, begins=False)), {LINE: shown}
        if self.kind == "txt":
            return text, {self.column: text}
        columns = self._columns(text)
        if isinstance(columns, Unreadable):
            return columns, {LINE: text}
        missing = Unreadable(f"there is no column {self.column!r}")
        return columns.get(self.column, missing), columns

    def _columns(self, text: str) -> dict[str, Any] | Unreadable:
        if self.kind == "tsv":
            cells = text.split("\t")
            names = self.header or ()
            extra = [f"column{n}" for n in range(len(names) + 1, len(cells) + 1)]
            return dict(zip((*names, *extra), cells, strict=False))
        try:
            value = json.loads(text, object_pairs_hook=once)
        except (ValueError, RecursionError) as error:
            return Unreadable(f"not JSON: {error}")
        return value if isinstance(value, dict) else Unreadable("not a JSON object")

    def check(self, results: Sequence[str]) -> None:
        """Check the columns of the first row.

        Raises:
            InputError: the file, or its first row, cannot be read; the column of sentences is
                missing, or a result would replace a column.
        """
        if self.kind == "parquet":
            names = list(parquet_file(self.path).schema_arrow.names)
        elif (first := next(self.shards(1), None)) is None:
            return
        else:
            [value], [columns] = self.rows(first.data)
            if isinstance(value, Unreadable) and LINE in columns:
                line = 1 + (self.header is not None)
                raise InputError(located(value, path=self.path, line=line))
            names = list(columns)
        try:
            check_columns(names, self.column, results)
        except InputError as error:
            raise InputError(located(str(error), path=self.path)) from None


def inputs_of(paths: Sequence[str | Path], column: str = "") -> list[Input]:
    """The input files in order; a folder stands for its files, sorted by name.

    Args:
        column: the name of the column with the sentences, or its number (from 1) in a `.tsv`
            without a header; empty for `sentence`, and for the first column of a `.tsv`.

    Raises:
        InputError: there is no such file, its suffix is unknown, or a folder has no such files;
            or a number stands for the column of a file that is no `.tsv`.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(located("No such file or directory", path=path))
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        known = [file for file in inside if _kind(file)]
        if not known:
            expected = "no files with" if path.is_dir() else "expected a file with"
            raise InputError(located(f"{expected} {_suffixes()}", path=path))
        files += known
    return [_input(number, path, column) for number, path in enumerate(files)]


def _input(number: int, path: Path, column: str) -> Input:
    kind = cast("Kind", _kind(path))
    if kind != "tsv":
        if column.isdecimal():
            reason = f"column {column}: expected the name of a column"
            raise InputError(located(reason, path=path))
        return Input(number, path, kind, column or COLUMN)
    if not column or column.isdecimal():
        return Input(number, path, kind, f"column{column or 1}")
    first = next(_lines(path), b"").decode("utf-8", errors="replace")
    return Input(number, path, kind, column, tuple(first.split("\t")))


def _kind(path: Path) -> Kind | None:
    name = path.name.removesuffix(_GZIP)
    kind = SUFFIXES.get(Path(name).suffix)
    if path.name.startswith(".") or (kind == "parquet" and name != path.name):
        return None
    return kind


def _suffixes() -> str:
    texts = [suffix for suffix, kind in SUFFIXES.items() if kind != "parquet"]
    return f"one of the suffixes .parquet, {', '.join(texts)}, or a text's followed by {_GZIP}"


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, plain or packed, without their ends and a byte order mark."""
    try:
        with path.open("rb") as plain:
            packed = path.name.endswith(_GZIP)
            file = cast("IO[bytes]", gzip.GzipFile(fileobj=plain)) if packed else plain
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    longest = f"a line of more than {LONGEST_LINE >> 20} MiB"
                    raise InputError(located(longest, path=path, line=number))
                line = line.removesuffix(b"\n").removesuffix(b"\r")
                yield line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
    except GZIP_DAMAGE as error:
        raise InputError(located(gzip_damage(error), path=path)) from None
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=path)) from None


def _tables(path: Path, size: int) -> Iterator[Any]:
    """The rows of a Parquet file as tables of `size` rows; the last one may have fewer."""
    pa = arrow()
    file = parquet_file(path)
    rest = file.schema_arrow.empty_table()
    try:
        for batch in file.iter_batches(min(size, _BATCH)):
            rest = pa.concat_tables([rest, pa.Table.from_batches([batch])])
            while rest.num_rows >= size:
                yield rest[:size].unify_dictionaries()
                rest = rest[size:]
    except (OSError, pa.ArrowException) as error:
        raise InputError(located(f"damaged Parquet file ({error})", path=path)) from None
    if rest.num_rows:
        yield rest.unify_dictionaries()
