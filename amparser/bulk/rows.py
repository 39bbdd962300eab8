"""The rows of a shard, written with the columns of the answers."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from amparser.bulk.inputs import Rows
from amparser.corpora.parquet import arrow
from amparser.errors import InputError
from amparser.files import write_atomically

Format = Literal["parquet", "jsonl"]
FORMATS: tuple[Format, ...] = ("parquet", "jsonl")


def write_shard(
    path: Path, rows: Rows, answers: Mapping[str, Sequence[Any]], output_format: Format
) -> None:
    """Write the rows of a shard with the columns of the answers, whole or not at all.

    Raises:
        InputError: a value cannot be written in this format.
    """
    if output_format == "jsonl":
        write_atomically(path, b"".join(_json_lines(rows, answers)))
        return
    from pyarrow.parquet import write_table

    buffer = io.BytesIO()
    write_table(_table(rows, answers), buffer, compression="zstd")
    write_atomically(path, buffer.getvalue())


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
    """The Arrow table of all columns; a column without a value is one of texts.

    Those of the answers are `amparser.bulk.columns.RESULTS`, in order.
    """
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
    pair = pa.struct([("word", pa.string()), ("read", pa.string())])
    answer = pa.struct([("meaning", pa.string()), ("logp", pa.float64())])
    number, texts = pa.float64(), pa.string()
    kinds = (texts, texts, texts, number, number, pa.list_(answer), pa.list_(pair))
    for (name, values), kind in zip(answers.items(), kinds, strict=True):
        table = table.append_column(name, pa.array(values, kind))
    return table


def _check_apart(names: Mapping[str, Any], answers: Mapping[str, Sequence[Any]]) -> None:
    if taken := [name for name in answers if name in names]:
        raise InputError(f"a row has a column {taken[0]!r} already; choose a prefix")
