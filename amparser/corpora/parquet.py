"""Parquet: the columns of JSON lines (`amparser.corpora.jsonl`), one row for each example."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from amparser.corpora.example import Example
from amparser.corpora.jsonl import JSON, READ_KEYS
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.resources import library

SUFFIX = ".parquet"
_BATCH = 4096


def read_parquet(path: Path, faults: list[str] | None = None) -> Iterator[Example]:
    """The examples of a Parquet file, one by one; its rows are numbered as lines are, from 1.

    Args:
        faults: a malformed row is left out, and added to these as `FILE:ROW: REASON`; if there
            are none, it is an error.

    Raises:
        ConfigError: pyarrow is not installed.
        CorpusError: the file cannot be read, or a row is malformed.
    """
    try:
        for number, row in enumerate(_rows(path), 1):
            try:
                example = JSON.example_of(row)
            except AMParserError as error:
                message = located(str(error), path=path, line=number)
                if faults is None:
                    raise CorpusError(message) from None
                faults.append(message)
            else:
                yield replace(example, line=number)
    except InputError as error:
        raise error if isinstance(error, CorpusError) else CorpusError(str(error)) from None


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    pa = arrow()
    file = parquet_file(path)
    columns = [name for name in file.schema_arrow.names if name in READ_KEYS]
    try:
        for batch in file.iter_batches(_BATCH, columns=columns):
            yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise InputError(located(f"damaged Parquet file ({error})", path=path)) from None


def parquet_file(path: Path) -> Any:
    """A Parquet file, open.

    Raises:
        InputError: it cannot be read.
        ConfigError: pyarrow is not installed.
    """
    pa = arrow()
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(located(f"not a Parquet file ({error})", path=path)) from None


def arrow() -> Any:
    """The module `pyarrow`; raises ConfigError if it is not installed."""
    return library("pyarrow", "Parquet", "ray")
