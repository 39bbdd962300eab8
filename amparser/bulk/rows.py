"""The rows of a shard: unpacked from an input, and written with the columns of the answers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from amparser.bulk.columns import Unreadable
from amparser.bulk.inputs import Input, Kind
from amparser.corpora.parquet import arrow, parquet_file
from amparser.errors import InputError, located

Format = Literal["parquet", "jsonl"]
FORMATS: tuple[Format, ...] = ("parquet", "jsonl")
PARTIAL = ".part"
LINE = "line"
"""Holds the text of a line that has no columns since it cannot be read."""


class Rows(NamedTuple):
    """The rows of a shard.

    Attributes:
        values: the sentences, or `Unreadable`.
        table: a dictionary for each row, or an Arrow table.
    """

    values: Sequence[object]
    table: Any


class Layout(NamedTuple):
    """How the rows of a shard are read.

    Attributes:
        kind: of the input.
        header: of a `.tsv`.
        column: the name of the column with the sentences.
    """

    kind: Kind
    header: tuple[str, ...] | None
    column: str

    def rows(self, data: bytes) -> Rows:
        """The rows of the packed bytes of a shard."""
        if self.kind == "parquet":
            pa = arrow()
            with pa.ipc.open_stream(pa.py_buffer(data)) as stream:
                table = stream.read_all()
            return Rows(table.column(self.column).to_pylist(), table)
        read = [self.row(line) for line in data.split(b"\n")]
        return Rows([value for value, _ in read], [columns for _, columns in read])

    def row(self, line: bytes) -> tuple[object, dict[str, Any]]:
        """The sentence of a line, and its columns."""
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            shown = line.decode("utf-8", errors="backslashreplace")
            return Unreadable(f"byte {error.start + 1}: expected UTF-8 text"), {LINE: shown}
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
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            return Unreadable(f"not JSON: {error}")
        return value if isinstance(value, dict) else Unreadable("not a JSON object")


def layout_of(input_: Input, column: str) -> Layout:
    """How the rows of an input are read.

    Args:
        input_: the input.
        column: the name of a column; a number (from 1) for a `.tsv` without a header.
    """
    if input_.kind == "tsv" and input_.header is None:
        return Layout(input_.kind, None, f"column{column}")
    return Layout(input_.kind, input_.header, column)


def first_columns(input_: Input, layout: Layout) -> list[str] | None:
    """The names of the columns of an input's first row; None if there is no row.

    Raises:
        InputError: the input, or its first row, cannot be read.
    """
    if input_.kind == "parquet":
        return list(parquet_file(input_.path).schema_arrow.names)
    first = next(input_.shards(1), None)
    if first is None:
        return None
    value, columns = layout.row(first.data)
    if isinstance(value, Unreadable) and LINE in columns:
        line = 1 + (input_.header is not None)
        raise InputError(located(value, path=input_.path, line=line))
    return list(columns)


def write_shard(
    path: Path, rows: Rows, answers: Mapping[str, Sequence[Any]], output_format: Format
) -> None:
    """Write the rows of a shard with the columns of the answers, whole or not at all.

    Args:
        path: of the file; one that is there is replaced.
        rows: the rows.
        answers: a list with an item for each row, by the name of the column.
        output_format: of the file.

    Raises:
        InputError: a value cannot be written in this format.
    """
    # A worker that is taken for dead may still write the same shard.
    temporary = path.with_name(f".{path.name}.{uuid4().hex}{PARTIAL}")
    try:
        with temporary.open("wb") as file:
            if output_format == "jsonl":
                file.writelines(_json_lines(rows, answers))
            else:
                from pyarrow.parquet import write_table

                write_table(_table(rows, answers), file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _json_lines(rows: Rows, answers: Mapping[str, Sequence[Any]]) -> Iterator[bytes]:
    table = rows.table if isinstance(rows.table, list) else rows.table.to_pylist()
    for number, columns in enumerate(table):
        _check_apart(columns, answers)
        row = {**columns, **{name: values[number] for name, values in answers.items()}}
        try:
            text = json.dumps(row, ensure_ascii=False)
        except TypeError as error:
            raise InputError(f"a column cannot be written as JSON: {error}") from None
        try:
            yield text.encode() + b"\n"
        except UnicodeEncodeError:  # half of a pair of surrogates, which JSON can escape
            yield json.dumps(row).encode() + b"\n"


def _table(rows: Rows, answers: Mapping[str, Sequence[Any]]) -> Any:
    """The Arrow table of all columns; a column without a value is one of texts."""
    pa = arrow()
    table = rows.table
    if isinstance(table, list):
        names = dict.fromkeys(name for row in table for name in row)
        _check_apart(names, answers)
        try:
            arrays = [pa.array([row.get(name) for row in table]) for name in names]
        except (pa.ArrowException, UnicodeError, OverflowError) as error:
            raise InputError(f"a column cannot be written as Parquet: {error}") from None
        arrays = [one.cast(pa.string()) if one.type == pa.null() else one for one in arrays]
        table = pa.table(arrays, names=list(names))
    for name, values in answers.items():
        kind = pa.float64() if name.endswith("logp") else pa.string()
        table = table.append_column(name, pa.array(values, kind))
    return table


def _check_apart(names: Mapping[str, Any], answers: Mapping[str, Sequence[Any]]) -> None:
    if taken := [name for name in answers if name in names]:
        raise InputError(f"a row has a column {taken[0]!r} already; choose a prefix")
