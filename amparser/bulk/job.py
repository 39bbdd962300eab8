"""Parse inputs of any size, shard by shard, into a folder.

    bulk.json                  inputs and settings; they must not change when a run continues
    000000-00000000.jsonl      a shard: the first rows of the first input with their answers

A *shard* is a file with the answers to some rows of an input. It is written completely or not at
all, and never replaced. If a killed job runs again with the same arguments, it writes the missing
shards and checks that the others have the input's rows. Shards sorted by name have the rows in the
order of the input, for any number of processes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

from amparser.bulk.columns import RESULTS, ColumnParser, check_columns
from amparser.corpora.formats import GZIP
from amparser.corpora.lines import raw_lines, text_or_fault
from amparser.errors import CorpusError, InputError, located
from amparser.files import (
    checksum,
    once,
    prepare_folder,
    read_json,
    write_atomically,
    write_json,
)
from amparser.hub import model_folder
from amparser.learn.model_folder import MODEL
from amparser.processes import mapped
from amparser.results import Result
from amparser.working_folder import WORKING, alone_in

IDENTITY = "bulk.json"
KINDS = (".jsonl", ".tsv", ".txt")


class Input(NamedTuple):
    """An input file, with its suffix (without `.gz`) and the name of its sentence column."""

    path: Path
    kind: str
    column: str

    def rows(self) -> Iterator[bytes]:
        """Yield the lines without line ends. Raises AMParserError if the file is damaged."""
        for _, line in filter(None, raw_lines(self.path)):
            if line.strip() or self.kind != ".jsonl":
                yield line

    def read(self, row: bytes) -> tuple[object, dict[str, Any]]:
        """Return the sentence of a row (or a failure), and the columns of the row."""
        try:
            columns = self._columns(row)
        except InputError as error:
            raw = {"line": row.decode("utf-8", "backslashreplace")}
            return Result((), failure=str(error)), raw
        missing = Result((), failure=f"the row has no column {self.column!r}")
        return columns.get(self.column, missing), columns

    def _columns(self, row: bytes) -> dict[str, Any]:
        text = text_or_fault(row)
        if isinstance(text, CorpusError):
            raise InputError(str(text))
        try:
            if self.kind == ".txt":
                return {self.column: text}
            if self.kind == ".tsv":
                return {f"column{n}": cell for n, cell in enumerate(text.split("\t"), 1)}
            value = json.loads(text, object_pairs_hook=once)
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}") from None
        if not isinstance(value, dict):
            raise InputError("not a JSON object")
        return value

    def checked(self) -> Input:
        """Return the input itself. Raises InputError if its first row lacks the sentence column."""
        for row in islice(self.rows(), 1):
            try:
                check_columns(self._columns(row), self.column)
            except InputError as error:
                raise InputError(located(str(error), path=self.path, line=1)) from None
        return self


def inputs_of(paths: Sequence[str | Path], column: str = "") -> list[Input]:
    """Return the input files in order. A folder stands for its files, sorted by name.

    Args:
        column: name of the sentence column (default: `sentence`, but `column1` for `.tsv`, whose
            columns are numbered).

    Raises:
        InputError: a file is missing, has an unknown suffix or has no such column.
    """
    inputs: list[Input] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(located("No such file or directory", path=path))
        count = len(inputs)
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            suffix = Path(file.name.removesuffix(GZIP)).suffix
            if suffix in KINDS and file.name[0] != ".":
                usual = "column1" if suffix == ".tsv" else "sentence"
                inputs.append(Input(file, suffix, column or usual).checked())
        if len(inputs) == count:
            suffixes = f"expected a file with one of the suffixes {', '.join(KINDS)}"
            raise InputError(located(f"{suffixes}, with or without {GZIP} after it", path=path))
    return inputs


@dataclass(frozen=True)
class Job:
    """Bulk run whose arguments have been checked."""

    inputs: Sequence[Input]
    output: Path
    shard_rows: int
    parser: ColumnParser

    def done(self, number: int, first: int = 0, step: int = 1) -> Iterator[Counter[str]]:
        """Write shards `first`, `first + step`, ... of an input unless they exist; yield counts."""
        input_ = self.inputs[number]
        rows = input_.rows()
        for place, part in enumerate(iter(lambda: list(islice(rows, self.shard_rows)), [])):
            if place % step == first:
                path = self.output / f"{number:06d}-{place:08d}.jsonl"
                values, columns = zip(*map(input_.read, part), strict=True)
                is_there = path.exists()
                if not is_there:
                    answers = zip(*self.parser.answers(values).values(), strict=True)
                    lines = map(_line, columns, answers, repeat(path))
                    write_atomically(path, b"".join(lines))
                now = {"skipped": 1} if is_there else {"shards": 1, "parsed": len(part)}
                yield Counter({**now, "rows": len(part), "failures": _failures(path, columns)})

    def all_done(self, shares: Sequence[tuple[int, int, int]]) -> list[list[Counter[str]]]:
        """Call `done` with each triple (number, first, step); return the counts of each call."""
        return [[*self.done(*share)] for share in shares]


def _line(columns: Mapping[str, Any], answer: Sequence[Any], path: Path) -> bytes:
    if taken := [name for name in RESULTS if name in columns]:
        raise InputError(f"{path}: a row has a column {taken[0]!r} already: rename it")
    return _beginning(columns) + _json(dict(zip(RESULTS, answer, strict=True)))[1:] + b"\n"


def _failures(path: Path, columns: Sequence[Mapping[str, Any]]) -> int:
    try:
        pairs = list(zip(path.read_bytes().splitlines(), columns, strict=True))
        if all(line.startswith(_beginning(row)) for line, row in pairs):
            return sum(json.loads(line)["failure"] is not None for line, _ in pairs)
    except (ValueError, KeyError):
        pass
    reason = "its rows differ from the input rows; remove the file, or use another folder"
    raise InputError(f"{path}: {reason}")


def _beginning(columns: Mapping[str, Any]) -> bytes:
    return _json(columns)[:-1] + b", " if columns else b"{"


def _json(columns: Mapping[str, Any]) -> bytes:
    text = json.dumps(columns, ensure_ascii=False, default=str)
    return text.encode(errors="backslashreplace")  # JSON allows lone surrogates


def run(
    paths: Sequence[str | Path],
    output: str | Path,
    parser: ColumnParser,
    shard_rows: int = 10_000,
    jobs: int = 1,
    on_progress: Callable[[int], None] = lambda rows: None,
) -> Counter[str]:
    """Write the missing shards of a run and return counts.

    Args:
        output: folder of the shards, created if missing.
        parser: the column parser. If its `column` is empty, `inputs_of` chooses the column.
        shard_rows: rows per shard.
        jobs: number of processes. Each process reads the inputs and writes a share of the shards.

    Returns:
        Counts by name: all `rows`, the `failures` among them, rows `parsed` by this call, `shards`
        written by this call, and existing shards that were `skipped`.

    Raises:
        AMParserError: an input, the model or the output folder cannot be used.
    """
    inputs, output = inputs_of(paths, parser.column), Path(output)
    name = None if parser.model is None else str(parser.model)
    parser = replace(parser, model=model_folder(name).resolve())
    # Load the model once, so that errors are raised before processes start.
    (parser if parser.device == "cpu" else replace(parser, device="cpu")).load()
    files = output.iterdir() if output.is_dir() else ()
    # Another process may create its working folder at the same time.
    others = {path.name for path in files if not path.name.startswith(WORKING)}
    if others and IDENTITY not in others:
        raise InputError(f"{output}: has {min(others)} but no {IDENTITY}; use a new folder")
    prepare_folder(output)
    with alone_in(output):
        _identify(output / IDENTITY, inputs, parser, shard_rows)
        job, counts = Job(inputs, output.resolve(), shard_rows, parser), Counter[str]()
        shares = [(number, k, jobs) for number in range(len(inputs)) for k in range(jobs)]
        parts: Iterable[Iterable[Counter[str]]] = (job.done(*share) for share in shares)
        if jobs > 1:
            parts = (done for _, [done] in mapped(job.all_done, ([s] for s in shares), jobs))
        for done in chain.from_iterable(parts):
            counts.update(done)
            on_progress(done["parsed"])
    return counts


def _identify(path: Path, inputs: Sequence[Input], parser: ColumnParser, shard_rows: int) -> None:
    settings = vars(parser)
    identity = {
        "format": "amparser-bulk",
        "inputs": [[input_.path.name, input_.path.stat().st_size] for input_ in inputs],
        "shard_rows": shard_rows,
        **{key: settings[key] for key in sorted(settings.keys() - {"device", "log", "_loaded"})},
        "model": checksum(settings["model"] / f"{MODEL}.json"),
    }
    if not path.exists():
        write_json(path, identity)
    elif (stored := read_json(path)) != identity:
        was = stored if isinstance(stored, dict) else {}
        changed = ", ".join(key for key in identity if was.get(key) != identity[key])
        raise InputError(f"{path}: written by a run with different {changed}; use another folder")
