"""A bulk run: inputs of any size, parsed shard by shard into a folder.

    bulk.json                  what the run is; a folder is only continued by the same run
    000000-00000000.jsonl      a shard: the first rows of the first input, with their answers

A shard is written whole or not at all, and no file is replaced. A run that was killed goes on with
the same arguments: it keeps the shards that have the rows of their inputs. In the order of their
names the shards have the rows in the order of the inputs, however many processes wrote them.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

from amparser.bulk.columns import RESULTS, ColumnParser, check_columns
from amparser.corpora.formats import GZIP
from amparser.corpora.reading import raw_lines
from amparser.errors import InputError, located
from amparser.files import (
    checksum,
    not_utf8,
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
    """An input file: its suffix without that of gzip, and the name of its column of sentences."""

    path: Path
    kind: str
    column: str

    def rows(self) -> Iterator[bytes]:
        """Yield lines without their ends; raises AMParserError if the file is damaged."""
        for number, line in raw_lines(self.path):
            text = line.removesuffix(b"\n").removesuffix(b"\r")
            if text.strip() or self.kind != ".jsonl":
                yield text.removeprefix(BOM_UTF8) if number == 1 else text

    def read(self, row: bytes) -> tuple[object, dict[str, Any]]:
        """Return the sentence of a row, or a failure, and its columns."""
        try:
            columns = self._columns(row)
        except InputError as error:
            shown = {"line": row.decode("utf-8", "backslashreplace")}
            return Result((), failure=str(error)), shown
        missing = Result((), failure=f"there is no column {self.column!r}")
        return columns.get(self.column, missing), columns

    def _columns(self, row: bytes) -> dict[str, Any]:
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
            if kind in KINDS and file.name[0] != ".":
                usual = "column1" if kind == ".tsv" else "sentence"
                inputs.append(Input(file, kind, column or usual).checked())
        if len(inputs) == count:
            suffixes = f"one of the suffixes {', '.join(KINDS)}, or one followed by {GZIP}"
            raise InputError(located(f"expected a file with {suffixes}", path=path))
    return inputs


@dataclass(frozen=True)
class Job:
    """A bulk run, checked and ready to start."""

    inputs: Sequence[Input]
    output: Path
    shard_rows: int
    parser: ColumnParser

    def done(self, number: int, first: int = 0, step: int = 1) -> Iterator[Counter[str]]:
        """Write each `step`-th shard of an input from the `first` on; yields counts as `run`."""
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
        """Write the shards of shares of inputs; returns the counts of each."""
        return [[*self.done(*share)] for share in shares]


def _line(columns: Mapping[str, Any], answer: Sequence[Any], path: Path) -> bytes:
    if taken := [name for name in RESULTS if name in columns]:
        raise InputError(f"{path}: a row has a column {taken[0]!r} already: rename it")
    return _beginning(columns) + _json(dict(zip(RESULTS, answer, strict=True)))[1:] + b"\n"


def _failures(path: Path, columns: Sequence[Mapping[str, Any]]) -> int:
    """Count the failures of a shard that is there; raises InputError if it has other rows."""
    try:
        pairs = list(zip(path.read_bytes().splitlines(), columns, strict=True))
        if all(line.startswith(_beginning(row)) for line, row in pairs):
            return sum(json.loads(line)["failure"] is not None for line, _ in pairs)
    except (ValueError, KeyError):
        pass
    reason = "has other rows than this run writes there; remove it, or take another folder"
    raise InputError(f"{path}: {reason}")


def _beginning(columns: Mapping[str, Any]) -> bytes:
    return _json(columns)[:-1] + b", " if columns else b"{"


def _json(columns: Mapping[str, Any]) -> bytes:
    text = json.dumps(columns, ensure_ascii=False, default=str)
    return text.encode(errors="backslashreplace")  # half of a pair of surrogates, as JSON has it


def run(
    paths: Sequence[str | Path],
    output: str | Path,
    parser: ColumnParser,
    shard_rows: int = 10_000,
    jobs: int = 1,
    on_progress: Callable[[int], None] = lambda rows: None,
) -> Counter[str]:
    """Write the shards of a run that are not there; raises AMParserError if it cannot.

    Args:
        paths: input files, and folders of them.
        output: the folder of the shards; made if it is not there.
        parser: of the sentences; its column as `inputs_of` has it.
        jobs: the number of processes; each reads all inputs and writes its share of the shards.
        on_progress: called with numbers of rows that were parsed.

    Returns:
        Numbers of `rows`, of `failures` among them, of rows `parsed` and `shards` written now, and
        of shards `skipped` since they were there.
    """
    inputs, output = inputs_of(paths, parser.column), Path(output)
    name = None if parser.model is None else str(parser.model)
    parser = replace(parser, model=model_folder(name).resolve())
    (parser if parser.device == "cpu" else replace(parser, device="cpu")).load()  # checked here
    others = {path.name for path in output.iterdir()} - {WORKING} if output.is_dir() else set()
    if others and IDENTITY not in others:
        raise InputError(f"{output}: has {min(others)} and no {IDENTITY}; take a new folder")
    prepare_folder(output)
    with alone_in(output):
        _identify(output / IDENTITY, inputs, parser, shard_rows)
        job, counts = Job(inputs, output.resolve(), shard_rows, parser), Counter[str]()
        shares = [(number, k, jobs) for number in range(len(inputs)) for k in range(jobs)]
        found: Iterable[Iterable[Counter[str]]] = (job.done(*share) for share in shares)
        if jobs > 1:
            found = (done for _, [done] in mapped(job.all_done, ([s] for s in shares), jobs))
        for done in chain.from_iterable(found):
            counts.update(done)
            on_progress(done["parsed"])
    return counts


def _identify(path: Path, inputs: Sequence[Input], parser: ColumnParser, shard_rows: int) -> None:
    """Write what a run is, or check that it is the one that the folder holds."""
    settings = vars(parser)
    identity = {
        "format": "amparser-bulk",
        "inputs": [[one.path.name, one.path.stat().st_size] for one in inputs],
        "shard_rows": shard_rows,
        **{key: settings[key] for key in sorted(settings.keys() - {"device", "log", "_loaded"})},
        "model": checksum(settings["model"] / f"{MODEL}.json"),
    }
    if not path.exists():
        write_json(path, identity)
    elif (found := read_json(path)) != identity:
        was = found if isinstance(found, dict) else {}
        changed = ", ".join(key for key in identity if was.get(key) != identity[key])
        raise InputError(f"{path}: of a run with other {changed}; take another folder")
