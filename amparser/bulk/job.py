"""A bulk run: inputs of any size, parsed shard by shard into a folder.

    bulk.json                    what the run is; a folder is only continued by the same run
    bulk.ledger                  a line for each shard: its rows, failures and checksum
    000000-00000000.parquet      a shard: input 0, its first rows
    000000-00000001.parquet

A shard is a file that is written whole or not at all, under a name that follows from its place
in the inputs. A run that was killed is started again with the same arguments: it skips the
shards that are there, as the ledger has them. The shards in the order of their names have the rows
in the order of the inputs, and are the same however many workers wrote them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from amparser.bulk.columns import ColumnParser
from amparser.bulk.inputs import Input, Rows, Shard, inputs_of
from amparser.conditions import Count
from amparser.corpora.parquet import arrow
from amparser.errors import AMParserError, InputError, located
from amparser.files import (
    WRITABLE,
    append_line,
    checksum,
    prepare_folder,
    read_json,
    write_atomically,
    write_json,
)
from amparser.hub import model_folder
from amparser.learn.model_folder import MODEL
from amparser.schema import from_json

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
    answer = pa.struct([("meaning", pa.string()), ("logp", pa.float64())])
    number, texts = pa.float64(), pa.string()
    kinds = (texts, texts, texts, number, number, pa.list_(answer))
    for (name, values), kind in zip(answers.items(), kinds, strict=True):
        table = table.append_column(name, pa.array(values, kind))
    return table


def _check_apart(names: Mapping[str, Any], answers: Mapping[str, Sequence[Any]]) -> None:
    if taken := [name for name in answers if name in names]:
        raise InputError(f"a row has a column {taken[0]!r} already; choose a prefix")


IDENTITY = "bulk.json"
LEDGER = "bulk.ledger"
ATTEMPT = ".attempt"
"""The suffix of an empty file that stands for a shard being parsed."""


@dataclass(frozen=True)
class BulkSettings:
    """How sentences are parsed and written.

    Attributes:
        column: as `inputs_of` has it.
        model: model folder or name (default: the default model of the package).
        decoder, notation, device, tokenized, k_best, min_confidence, prefix: as `ColumnParser`
            has them.
        output_format: `parquet` or `jsonl`; empty for Parquet if all inputs are, else `jsonl`.
        shard_rows: the number of rows in a shard.
    """

    column: str = ""
    model: str | None = None
    decoder: str | None = None
    notation: str | None = None
    device: str = "cpu"
    tokenized: bool = False
    k_best: int = 1
    min_confidence: float = 0.0
    prefix: str = ""
    output_format: str = ""
    shard_rows: int = 10_000


@dataclass(frozen=True)
class Done:
    """A shard that is written: a line of the ledger.

    Attributes:
        name: of the shard.
        rows: the number of its rows.
        failures: the number of its rows without an answer.
        sha256: of the file.
    """

    name: str
    rows: Count
    failures: Count
    sha256: str


class Worker:
    """Parses shards and writes them; the model is loaded at the first one."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def __call__(self, shard: Shard) -> Done:
        """Parse and write a shard.

        Raises:
            AMParserError: the model cannot be loaded, or a value cannot be written; the message
                names the input and the shard.
        """
        job = self._job
        input_ = job.inputs[int(shard.name.partition("-")[0])]
        rows = input_.rows(shard.data)
        answers = job.parser.answers(rows.values)
        path = job.path_of(shard.name)
        try:
            write_shard(path, rows, answers, job.output_format)
        except InputError as error:
            raise InputError(located(f"shard {shard.name}: {error}", path=input_.path)) from None
        reasons = answers[job.parser.prefix + "failure"]
        failures = sum(reason is not None for reason in reasons)
        done = Done(shard.name, len(rows.values), failures, checksum(path))
        append_line(job.output / LEDGER, _line(done))
        return done


@dataclass(frozen=True)
class Job:
    """A bulk run, checked and ready to start; it can be sent to other machines.

    Attributes:
        inputs: the input files.
        output: the folder of the shards.
        output_format: of the shards.
        shard_rows: the number of rows in a shard.
        parser: of the sentences.
        done: the shards that were there at the start, by name.
    """

    inputs: tuple[Input, ...]
    output: Path
    output_format: Format
    shard_rows: int
    parser: ColumnParser
    done: Mapping[str, Done]

    def path_of(self, name: str) -> Path:
        """The file of a shard."""
        return self.output / f"{name}.{self.output_format}"

    def shards(self, number: int) -> Iterator[Shard]:
        """The shards of an input that were not there at the start."""
        return self.inputs[number].shards(self.shard_rows, self.done)


class Summary(NamedTuple):
    """What a run has done.

    Attributes:
        rows: the number of rows in the output.
        failures: the number of those without an answer.
        parsed: the number of rows that this run parsed.
        shards: the number of shards that it wrote.
        skipped: the number of shards that were there before.
    """

    rows: int
    failures: int
    parsed: int
    shards: int
    skipped: int


Engine = Callable[[Job], Iterable[Done]]
OnShard = Callable[[Done], None]


def run(job: Job, engine: Engine | None = None, on_shard: OnShard | None = None) -> Summary:
    """Write the shards of a job that are not there.

    Args:
        engine: does it (default: one process, this one).
        on_shard: called with each shard that was written.

    Raises:
        AMParserError: an input cannot be read, or a shard cannot be written. What is
            written stays, and the next run goes on from there.
    """
    written: dict[str, Done] = {}
    for done in (engine or in_this_process)(job):
        written[done.name] = done
        if on_shard is not None:
            on_shard(done)
    _tidy(job.output)
    shards = {**job.done, **written}
    for path in job.output.glob(f"*.{job.output_format}"):
        if path.stem not in shards:
            raise InputError(f"{path}: no shard of this run; remove it, or take another folder")
    _settle(job.output / LEDGER, shards)
    return Summary(
        sum(done.rows for done in shards.values()),
        sum(done.failures for done in shards.values()),
        sum(done.rows for done in written.values()),
        len(written),
        len(job.done),
    )


def in_this_process(job: Job) -> Iterator[Done]:
    """The engine without workers: one shard after the other."""
    worker = Worker(job)
    for input_ in job.inputs:
        yield from map(worker, job.shards(input_.number))


def job_of(paths: Sequence[str | Path], output: str | Path, settings: BulkSettings) -> Job:
    """A job, checked: a new one, or the rest of one that was ended before its end.

    Args:
        paths: of input files, and of folders of them. On several machines all of them must
            have these paths, and the output folder.
        output: the folder of the shards; made if it is not there.

    Raises:
        InputError: an input cannot be read, has no such column or has one of the result's
            names; there is no such decoder; the folder cannot be written, or holds another run.
        ModelError: the model cannot be loaded.
        ConfigError: pyarrow is needed and not installed.
    """
    inputs = inputs_of(paths, settings.column)
    folder = model_folder(settings.model)
    parser = ColumnParser(
        model=folder.resolve(),
        decoder=settings.decoder,
        notation=settings.notation,
        device=settings.device,
        tokenized=settings.tokenized,
        k_best=settings.k_best,
        min_confidence=settings.min_confidence,
        prefix=settings.prefix,
    )
    for input_ in inputs:
        input_.check(parser.results)
    output_format = _format(settings.output_format, inputs)
    if output_format == "parquet":
        arrow()
    # The model is checked here, where there may be no GPU.
    (parser if settings.device == "cpu" else parser.on("cpu")).load()
    output = Path(output)
    identity = {
        "inputs": [{"file": i.path.name, "sha256": checksum(i.path)} for i in inputs],
        "column": settings.column,
        "model": checksum(folder / f"{MODEL}.json"),
        "decoder": settings.decoder,
        "notation": settings.notation,
        "tokenized": settings.tokenized,
        "k_best": settings.k_best,
        "min_confidence": settings.min_confidence,
        "prefix": settings.prefix,
        "format": output_format,
        "shard_rows": settings.shard_rows,
    }
    _prepare(output, identity)
    job = Job(tuple(inputs), output.resolve(), output_format, settings.shard_rows, parser, {})
    return replace(job, done={done.name: done for done in _ledger(job)})


def _format(name: str, inputs: Sequence[Input]) -> Format:
    usual = "parquet" if all(i.kind == "parquet" for i in inputs) else "jsonl"
    for known in FORMATS:
        if known == (name or usual):
            return known
    raise InputError(f"format {name!r}: expected one of {', '.join(FORMATS)}")


def _prepare(output: Path, identity: dict[str, Any]) -> None:
    """Make the folder of the shards, or check that it is one of the same run."""
    path = output / IDENTITY
    if path.exists():
        found = read_json(path)
        found = found if isinstance(found, dict) else {}
        changed = [
            f"{key} was {found.get(key)!r} and is {value!r}"
            for key, value in identity.items()
            if found.get(key) != value
        ]
        if changed:
            raise InputError(f"{output}: holds another run: {'; '.join(changed)}")
    elif output.is_dir() and any(not _is_part(left) for left in output.iterdir()):
        raise InputError(f"{output}: is not empty and holds no run, as there is no {IDENTITY}")
    prepare_folder(output)
    _tidy(output)
    write_json(path, identity)


def _ledger(job: Job) -> Iterator[Done]:
    """The shards that are there as they were written; a damaged one is written again."""
    path = job.output / LEDGER
    if not path.exists():
        return
    for line in path.read_bytes().splitlines():
        try:
            done = from_json(json.loads(line), Done, path, error=InputError)
            if checksum(job.path_of(done.name)) == done.sha256:
                yield done
        except (ValueError, AMParserError):  # a line that was cut, or a shard that is gone
            continue


def _line(done: Done) -> str:
    return json.dumps(asdict(done))


def _settle(ledger: Path, shards: Mapping[str, Done]) -> None:
    """Give the ledger one line a shard, in the order of their names, whoever wrote them when."""
    lines = "".join(f"{_line(shards[name])}\n" for name in sorted(shards)).encode()
    if lines and ledger.read_bytes() != lines:
        write_atomically(ledger, lines)


def _is_part(path: Path) -> bool:
    """Whether a file is what is left of a run that was killed while it wrote its identity."""
    return path.name.startswith((f".{IDENTITY}.", WRITABLE))


def _tidy(output: Path) -> None:
    """Remove what workers have left that died."""
    for left in (*output.glob(".*.part"), *output.glob(f".*{ATTEMPT}")):
        left.unlink(missing_ok=True)
