"""Parquet: the columns of JSON lines (`amparser.corpora.jsonl`), one row for each example."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from amparser.errors import CorpusError, located
from amparser.resources import library

_BATCH = 4096


def rows_of(path: Path, known: Container[str] | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a Parquet file, numbered as lines are, from 1.

    Args:
        known: the columns that are read; None for all.

    Raises:
        ConfigError: pyarrow is not installed.
        CorpusError: the file cannot be read.
    """
    pa = arrow()
    from pyarrow.parquet import ParquetFile

    try:
        file = ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise CorpusError(located(f"not a Parquet file ({error})", path=path)) from None
    columns = [name for name in file.schema_arrow.names if known is None or name in known]
    try:
        batches = (batch.to_pylist() for batch in file.iter_batches(_BATCH, columns=columns))
        yield from enumerate(chain.from_iterable(batches), 1)
    except (OSError, pa.ArrowException) as error:
        raise CorpusError(located(f"damaged Parquet file ({error})", path=path)) from None


def arrow() -> Any:
    """The module `pyarrow`; raises ConfigError if it is not installed."""
    return library("pyarrow", "Parquet", "ray")
