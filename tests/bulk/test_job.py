"""Shards: every row once and in order, for any file format, shard size and interruption."""

import gzip
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from hypothesis import given, strategies as st

from amparser.bulk import ColumnParser, run as run_job
from amparser.bulk.columns import RESULTS
from amparser.bulk.job import IDENTITY, Input, Job, inputs_of
from amparser.errors import InputError


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        lines = [json.dumps(row) for row in rows]
    elif name.endswith(".tsv"):
        lines = ["\t".join(map(str, row.values())) for row in rows]
    else:
        lines = [row["sentence"] for row in rows]
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read(folder: Path) -> list[dict[str, Any]]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("0*"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def parse(path: Path, output: Path, *, rows: int = 40, **options: Any) -> Counter[str]:
    return run_job([path], output, ColumnParser("", device="cpu"), rows, **options)


@pytest.fixture(scope="module")
def expected(tmp_path_factory, rows) -> Any:
    folder = tmp_path_factory.mktemp("expected")
    counts = parse(write(folder / "a.jsonl", rows), folder / "out")
    assert counts == Counter(rows=90, failures=36, parsed=90, shards=3)
    return read(folder / "out")


def test_output_rows_extend_input_rows(expected, rows) -> None:
    assert [{k: row[k] for k in ("id", "sentence", "note")} for row in expected] == rows
    assert all(list(row)[3:] == [*RESULTS] for row in expected)
    assert all((row["meaning"] is None) == (row["failure"] is not None) for row in expected)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.tsv", "a.tsv.gz", "a.txt"])
def test_answers_do_not_depend_on_the_file_format(tmp_path, expected, rows, name) -> None:
    path, column = write(tmp_path / name, rows), "column2" if "tsv" in name else ""
    run_job([path], tmp_path / "out", ColumnParser(column), 40)
    found = read(tmp_path / "out")
    keys = {"id": "column1", "note": "column3"} if "tsv" in name else {"id": "id", "note": "note"}
    keys = {"sentence": column or "sentence"} | (keys if "txt" not in name else {})
    for key in RESULTS:
        assert [row[key] for row in found] == [row[key] for row in expected], key
    for key, there in keys.items():
        values = [row[key] for row in expected]
        kept = values if "tsv" not in name else [str(value) for value in values]
        assert [row[there] for row in found] == kept, key


class EndedError(BaseException):
    """Substitute for `kill -9`: the program catches it nowhere."""


@pytest.mark.parametrize("after", [1, 2])
def test_killed_run_continues_where_it_stopped(tmp_path, expected, rows, after) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    written: list[int] = []

    def ending(count: int) -> None:
        written.append(count)
        if len(written) == after:
            raise EndedError

    with pytest.raises(EndedError):
        parse(path, output, on_progress=ending)
    times = {path: path.stat().st_mtime_ns for path in output.glob("0*")}
    assert len(times) == after
    found = parse(path, output)
    assert (found["skipped"], found["shards"]) == (after, 3 - after)
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert read(output) == expected
    assert not list(output.glob(".*"))
    assert parse(path, output) == Counter(rows=90, failures=36, skipped=3)


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"mine", None])
def test_shard_with_other_rows_is_an_error_and_stays(tmp_path, rows, damage) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    parse(path, output)
    [shard, other, _] = sorted(output.glob("0*"))
    content = other.read_bytes() if damage is None else damage
    shard.write_bytes(content)
    with pytest.raises(InputError, match=rf"{shard.name}: its rows differ .* remove the file"):
        parse(path, output)
    assert shard.read_bytes() == content
    shard.unlink()
    assert parse(path, output)["shards"] == 1


def test_foreign_files_are_never_changed(tmp_path, rows) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    output.mkdir()
    mine = output / ".draft.part"
    mine.write_text("mine")
    with pytest.raises(InputError, match=r"out: has \.draft\.part but no bulk\.json"):
        parse(path, output)
    assert [one.name for one in output.iterdir()] == [mine.name]
    mine.unlink()
    parse(path, output)
    for name in (".draft.part", ".lock", ".a.attempt", "notes.jsonl"):
        (output / name).write_text("mine")
    (output / "000000-00000001.jsonl").unlink()
    parse(path, output)
    for name in (".draft.part", ".lock", ".a.attempt", "notes.jsonl"):
        assert (output / name).read_text() == "mine"


def test_concurrent_runs_exclude_each_other(tmp_path, rows) -> None:
    path, output = write(tmp_path / "a.jsonl", rows * 3), tmp_path / "out"
    command = [sys.executable, "-m", "amparser", "bulk", path, "-o", output, "--shard-rows", "9"]
    together = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in together:
        _, errors = process.communicate(timeout=180)
        assert process.returncode == 1 or "another process is writing to this folder" in errors
    assert 1 in [process.returncode for process in together], "some sentences have no parse"
    assert len(read(output)) == 270
    assert not list(output.glob(".*"))


def test_folder_contributes_its_files_by_name(tmp_path, rows) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write(folder / "2.jsonl", rows[5:10])
    write(folder / "1.jsonl.gz", rows[:5])
    (folder / "README.md").write_text("not an input")
    (folder / ".hidden.jsonl").write_text("{}")
    assert [i.path.name for i in inputs_of([folder])] == ["1.jsonl.gz", "2.jsonl"]


@given(st.integers(1, 12), st.integers(0, 40), st.integers(1, 4))
def test_workers_together_write_each_row_once(size, count, workers) -> None:
    """All shards but the last have the requested number of rows."""

    class Echo(ColumnParser):
        def answers(self, values: Sequence[object]) -> dict[str, list[Any]]:
            return {name: [None] * len(values) for name in RESULTS}

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        path.write_text("".join(f"{i}\n" if i % 3 else "\n" for i in range(count)))
        job = Job([Input(path, ".txt", "sentence")], Path(folder), size, Echo())
        done = [one for k in reversed(range(workers)) for one in job.done(0, k, workers)]
        assert sum(one["rows"] for one in done) == count
        assert all(one["rows"] == size for one in job.done(0)) or count % size
        found = [row["sentence"] for row in read(Path(folder))]
        assert found == [str(i) if i % 3 else "" for i in range(count)]


def test_bad_line_becomes_a_row_with_a_reason(tmp_path) -> None:
    good = b'{"sentence": "Emma slept."}'
    lines = [good, b"{bad", b'"text"', b'{"sentense": "x"}', b"\xff\xfe", b"", good]
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    parse(tmp_path / "a.jsonl", tmp_path / "out")
    found = read(tmp_path / "out")
    assert len(found) == 6, "an empty line is no row"
    assert found[0] == found[-1]
    assert found[0]["failure"] is None
    reasons = (
        "not JSON",
        "not a JSON object",
        "the row has no column 'sentence'",
        "byte 1: expected",
    )
    for row, reason in zip(found[1:-1], reasons, strict=True):
        assert row["failure"].startswith(reason)
    assert found[1]["line"] == "{bad"
    assert found[3]["sentense"] == "x"


def test_column_with_the_name_of_a_result_is_an_error(tmp_path) -> None:
    (tmp_path / "a.jsonl").write_text('{"sentence": "a"}\n{"sentence": "b", "tree": "mine"}\n')
    with pytest.raises(InputError, match=r"000000-00000000\.jsonl: .*'tree' already: rename it"):
        parse(tmp_path / "a.jsonl", tmp_path / "out")
    assert not list((tmp_path / "out").glob("0*"))


def test_folder_of_another_run_is_an_error(tmp_path, rows) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    parse(path, output)
    with pytest.raises(
        InputError, match=r"bulk\.json: written by a run with different shard_rows, k_best"
    ):
        run_job([path], output, ColumnParser("", k_best=2), 41)
    content = path.read_bytes()
    path.write_bytes(content + b"{}\n")
    with pytest.raises(InputError, match="by a run with different inputs"):
        parse(path, output)
    path.write_bytes(content.replace(b"a", b"e", 1))
    with pytest.raises(InputError, match=r"000000-00000000\.jsonl: its rows differ"):
        parse(path, output)
    (output / IDENTITY).write_text("mine")
    with pytest.raises(InputError, match=r"bulk\.json: "):
        parse(path, output)
    assert (output / IDENTITY).read_text() == "mine"


def test_output_does_not_depend_on_the_number_of_processes(tmp_path, rows) -> None:
    for name in ("1", "2"):
        write(tmp_path / f"{name}.jsonl", rows)
    for jobs in ("1", "2"):
        options = ("--shard-rows", "20", "--jobs", jobs)
        inputs = [tmp_path / f"{name}.jsonl" for name in ("1", "2")]
        result = run("bulk", *inputs, "--output", tmp_path / jobs, *options)
        assert result.exit_code == 1, result.output
        assert "shards: 10 written, 0 kept" in result.stderr
    shards = [{p.name: p.read_bytes() for p in (tmp_path / n).glob("0*")} for n in ("1", "2")]
    assert shards[0] == shards[1]
