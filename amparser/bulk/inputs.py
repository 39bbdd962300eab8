"""Input files of any size, cut into shards of so many rows.

Reading is lazy and cheap: a shard is packed as bytes, and only the worker that parses its
sentences unpacks it (`amparser.bulk.rows`).
"""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from amparser.corpora.parquet import arrow, parquet_file
from amparser.corpora.reading import LONGEST_LINE
from amparser.errors import InputError, located
from amparser.files import GZIP_DAMAGE, gzip_damage

Kind = Literal["parquet", "jsonl", "tsv", "txt"]

SUFFIXES: dict[str, Kind] = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".tsv": "tsv",
    ".txt": "txt",
}
_GZIP = ".gz"
_BATCH = 1 << 16


class Shard(NamedTuple):
    """Rows of one input that stand one after the other.

    Attributes:
        name: `INPUT-SHARD`, both counted from 0, with as many digits in each name: the order of
            the names is that of the rows.
        data: the rows. Lines as they are in the file; those of a Parquet file as an Arrow stream.
    """

    name: str
    data: bytes


class Input(NamedTuple):
    """An input file.

    Attributes:
        number: its place among the inputs, from 0.
        path: of the file.
        kind: of its content.
        header: the names of the columns of a `.tsv`, or None if its first line is a row.
    """

    number: int
    path: Path
    kind: Kind
    header: tuple[str, ...] | None = None

    def shards(self, size: int, done: Collection[str] = ()) -> Iterator[Shard]:
        """The shards in order.

        Args:
            size: the number of rows of each but the last.
            done: the names of shards that are left out.

        Raises:
            InputError: the file cannot be read.
        """
        rows = _tables(self, size, done) if self.kind == "parquet" else _texts(self, size, done)
        for number, data in rows:
            yield Shard(self.name_of(number), data)

    def name_of(self, number: int) -> str:
        """The name of a shard."""
        return f"{self.number:06d}-{number:08d}"


def inputs_of(paths: Sequence[str | Path], *, has_header: bool) -> list[Input]:
    """The input files in order; a folder stands for its files, sorted by name.

    Args:
        paths: of files and folders.
        has_header: whether the first line of a `.tsv` has the names of its columns.

    Raises:
        InputError: there is no such file, its suffix is unknown, or a folder has no such files.
    """
    files: list[tuple[Path, Kind]] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(located("No such file or directory", path=path))
        if path.is_dir():
            found = [(file, kind) for file in sorted(path.iterdir()) if (kind := _kind(file))]
            if not found:
                raise InputError(located(f"no files with {_expected()}", path=path))
            files += [(file, kind) for file, kind in found if kind is not None]
        elif (kind := _kind(path)) is None:
            raise InputError(located(f"expected a file with {_expected()}", path=path))
        else:
            files.append((path, kind))
    inputs = []
    for number, (path, kind) in enumerate(files):
        header = None
        if kind == "tsv" and has_header:
            header = tuple(_decoded(next(_lines(path), b"")).split("\t"))
        inputs.append(Input(number, path, kind, header))
    return inputs


def _kind(path: Path) -> Kind | None:
    name = path.name.removesuffix(_GZIP)
    kind = SUFFIXES.get(Path(name).suffix)
    if path.name.startswith(".") or (kind == "parquet" and name != path.name):
        return None
    return kind


def _expected() -> str:
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


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", errors="replace")


def _texts(input_: Input, size: int, done: Collection[str]) -> Iterator[tuple[int, bytes]]:
    """The numbers and lines of shards."""
    lines = _lines(input_.path)
    if input_.header is not None:
        next(lines, None)
    if input_.kind == "jsonl":
        lines = (line for line in lines if line.strip())
    number, rows = 0, 0
    wanted = input_.name_of(0) not in done
    kept: list[bytes] = []
    for line in lines:
        if wanted:
            kept.append(line)
        rows += 1
        if rows == size:
            if wanted:
                yield number, b"\n".join(kept)
            number, rows, kept = number + 1, 0, []
            wanted = input_.name_of(number) not in done
    if kept:
        yield number, b"\n".join(kept)


def _tables(input_: Input, size: int, done: Collection[str]) -> Iterator[tuple[int, bytes]]:
    """The numbers and rows of shards; groups of rows that no shard needs are not read."""
    pa = arrow()
    kept: list[Any] = []
    file = parquet_file(input_.path)
    total = file.metadata.num_rows
    try:
        for position, batch in _batches(input_, file, size, done):
            while batch.num_rows:
                number, offset = divmod(position, size)
                part = batch.slice(0, size - offset)
                if input_.name_of(number) not in done:
                    kept.append(part)
                position += part.num_rows
                batch = batch.slice(part.num_rows)
                if kept and (position % size == 0 or position == total):
                    sink = pa.BufferOutputStream()
                    table = pa.Table.from_batches(kept).unify_dictionaries()
                    with pa.ipc.new_stream(sink, table.schema) as stream:
                        stream.write_table(table)
                    yield number, sink.getvalue().to_pybytes()
                    kept = []
    except (OSError, pa.ArrowException) as error:
        raise InputError(located(f"damaged Parquet file ({error})", path=input_.path)) from None


def _batches(
    input_: Input, file: Any, size: int, done: Collection[str]
) -> Iterator[tuple[int, Any]]:
    """The batches of all groups of rows that a shard needs, with the number of the first row."""
    end = 0
    for group in range(file.num_row_groups):
        start, end = end, end + file.metadata.row_group(group).num_rows
        needed = range(start // size, -(-end // size))
        if all(input_.name_of(number) in done for number in needed):
            continue
        position = start
        for batch in file.iter_batches(min(size, _BATCH), row_groups=[group]):
            yield position, batch
            position += batch.num_rows
