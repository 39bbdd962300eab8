"""Input files of any size, read row by row."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from amparser.bulk.columns import check_columns
from amparser.corpora.formats import GZIP
from amparser.corpora.reading import raw_lines
from amparser.errors import CorpusError, InputError, located
from amparser.files import not_utf8
from amparser.resources import library
from amparser.results import Result
from amparser.schema import once

PARQUET = ".parquet"
KINDS = (PARQUET, ".jsonl", ".tsv", ".txt")


class Input(NamedTuple):
    """An input file: its suffix without that of gzip, and the name of its column of sentences."""

    path: Path
    kind: str
    column: str

    def rows(self) -> Iterator[bytes | dict[str, Any]]:
        """Yield lines without their ends, or rows of Parquet; AMParserError if it is damaged."""
        if self.kind == PARQUET:
            yield from _parquet_rows(self.path)
            return
        for number, line in raw_lines(self.path):
            text = line.removesuffix(b"\n").removesuffix(b"\r")
            if text.strip() or self.kind != ".jsonl":
                yield text.removeprefix(BOM_UTF8) if number == 1 else text

    def read(self, row: Any) -> tuple[object, dict[str, Any]]:
        """Return the sentence of a row, or a failure, and its columns."""
        try:
            columns = self._columns(row)
        except InputError as error:
            shown = {"line": row.decode("utf-8", "backslashreplace")}
            return Result((), failure=str(error)), shown
        missing = Result((), failure=f"there is no column {self.column!r}")
        return columns.get(self.column, missing), columns

    def _columns(self, row: Any) -> dict[str, Any]:
        if isinstance(row, dict):
            return row
        try:
            text = row.decode("utf-8")
            if self.kind == ".txt":
                return {self.column: text}
            if self.kind == ".tsv":
                return {f"column{n}": cell for n, cell in enumerate(text.split("\t"), 1)}
            value = json.loads(text, object_pairs_hook=once)
        except UnicodeDecodeError as error:
            raise InputError(not_utf8(row, error, begins=False)) from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}") from None
        if not isinstance(value, dict):
            raise InputError("not a JSON object")
        return value

    def checked(self) -> Input:
        """Return the input; raises InputError if its first row lacks the column of sentences."""
        for row in islice(self.rows(), 1):
            try:
                check_columns(self._columns(row), self.column)
            except InputError as error:
                raise InputError(located(str(error), path=self.path, line=1)) from None
        return self


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows; raises ConfigError without pyarrow, CorpusError if the file is damaged."""
    pa = library("pyarrow", "Parquet", "ray")
    from pyarrow.parquet import ParquetFile

    try:
        for batch in ParquetFile(path).iter_batches(4096):
            yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise CorpusError(located(f"damaged Parquet file ({error})", path=path)) from None


def inputs_of(paths: Sequence[str | Path], column: str = "") -> list[Input]:
    """Return the input files in order; a folder stands for its files, sorted by name.

    The usual column is `column1` of a `.tsv`, whose columns are numbered, and `sentence` of others.
    Raises InputError if a file is not there, has an unknown suffix or lacks the column.
    """
    inputs: list[Input] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(located("No such file or directory", path=path))
        count = len(inputs)
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            kind = Path(file.name.removesuffix(GZIP)).suffix
            if kind in KINDS and file.name[0] != "." and file.name[-11:] != PARQUET + GZIP:
                usual = "column1" if kind == ".tsv" else "sentence"
                inputs.append(Input(file, kind, column or usual).checked())
        if len(inputs) == count:
            suffixes = f"one of the suffixes {', '.join(KINDS)}, or a text's followed by {GZIP}"
            raise InputError(located(f"expected a file with {suffixes}", path=path))
    return inputs
