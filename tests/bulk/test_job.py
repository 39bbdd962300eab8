"""Shards: every row once, in order, whatever the file, the size of a shard and the end of a run."""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run
from hypothesis import given
from hypothesis import strategies as st

from amparser.bulk import BulkSettings, in_this_process, job_of
from amparser.bulk import run as run_job
from amparser.bulk.columns import RESULTS
from amparser.bulk.inputs import Input, inputs_of
from amparser.bulk.job import LEDGER, Done, Job, Worker
from amparser.errors import InputError


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows as a file of the kind that the suffix says."""
    if path.suffix == ".parquet":
        pa = pytest.importorskip("pyarrow", reason="pyarrow comes with the extra ray")
        from pyarrow.parquet import write_table

        write_table(pa.Table.from_pylist(rows), path, row_group_size=17)
        return path
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        lines = [json.dumps(row) for row in rows]
    elif name.endswith(".tsv"):
        lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
    else:
        lines = [row["sentence"] for row in rows]
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read(folder: Path) -> list[dict[str, Any]]:
    """All rows of a folder of shards, in the order of their names."""
    rows: list[dict[str, Any]] = []
    for path in sorted(folder.glob("0*")):
        if path.suffix == ".parquet":
            from pyarrow.parquet import read_table

            rows += read_table(path).to_pylist()
        else:
            rows += map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return rows


SETTINGS = BulkSettings(column="sentence", shard_rows=40)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> Any:
    """The rows with their answers, from one run without an end before its end."""
    folder = tmp_path_factory.mktemp("expected")
    output = folder / "out"
    summary = run_job(job_of([write(folder / "a.jsonl", rows)], output, SETTINGS))
    assert summary == (90, 36, 90, 3, 0)
    return read(output)


def test_rows_are_those_of_the_input_with_four_more_columns(
    expected: list[dict[str, Any]], rows: list[dict[str, Any]]
) -> None:
    assert [{k: row[k] for k in ("id", "sentence", "note")} for row in expected] == rows
    assert all(list(row)[3:] == [*RESULTS] for row in expected)
    assert all((row["meaning"] is None) == (row["failure"] is not None) for row in expected)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.tsv", "a.tsv.gz", "a.txt", "a.parquet"])
def test_all_kinds_of_files_have_the_same_answers(
    tmp_path: Path, expected: list[dict[str, Any]], rows: list[dict[str, Any]], name: str
) -> None:
    output = tmp_path / "out"
    run_job(job_of([write(tmp_path / name, rows)], output, SETTINGS))
    found = read(output)
    for key in (*RESULTS, "sentence", *(() if "txt" in name else ("id", "note"))):
        kept = str if key == "id" and "tsv" in name else lambda value: value
        assert [row[key] for row in found] == [kept(row[key]) for row in expected], key
    suffixes = {path.suffix for path in output.glob("0*")}
    assert suffixes == {".parquet" if "parquet" in name else ".jsonl"}


def test_parquet_keeps_the_types_of_its_columns(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow comes with the extra ray")
    from pyarrow.parquet import read_table, write_table

    table = pa.table(
        {
            "sentence": pa.array(["Emma slept.", None, "Ava ran ."]),
            "small": pa.array([1, None, 3], pa.int8()),
            "list": pa.array([[1.5], [], None], pa.list_(pa.float32())),
            "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
        }
    )
    write_table(table, tmp_path / "a.parquet")
    run_job(job_of([tmp_path / "a.parquet"], tmp_path / "out", BulkSettings(shard_rows=2)))
    parts = [read_table(path) for path in sorted((tmp_path / "out").glob("0*"))]
    found = pa.concat_tables(parts)
    assert found.schema.names == [*table.schema.names, *RESULTS]
    assert found.select(table.schema.names).to_pylist() == table.to_pylist()
    for name in ("small", "list"):
        assert found.schema.field(name).type == table.schema.field(name).type
    assert len({part.schema for part in parts}) == 1


class EndedError(BaseException):
    """Stands for `kill -9`: nothing in the program catches it."""


def ending(after: int) -> Any:
    """An engine that ends in the middle of a shard."""

    def engine(job: Job) -> Iterator[Done]:
        for number, done in enumerate(in_this_process(job)):
            if number == after:
                raise EndedError
            yield done

    return engine


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_a_run_that_was_ended_goes_on(
    tmp_path: Path,
    expected: list[dict[str, Any]],
    rows: list[dict[str, Any]],
    name: str,
    after: int,
) -> None:
    path, output = write(tmp_path / name, rows), tmp_path / "out"
    job = job_of([path], output, SETTINGS)
    with pytest.raises(EndedError):
        run_job(job, ending(after))
    written = sorted(output.glob("0*"))
    # The last shard that was written is taken for one that is missing, with what a kill leaves.
    written[-1].unlink()
    (output / f".{written[-1].name}.abc.part").write_bytes(b"half")
    times = {path: path.stat().st_mtime_ns for path in written[:-1]}
    summary = run_job(job_of([path], output, SETTINGS))
    assert summary.skipped == after
    assert summary.shards == 3 - after
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert read(output) == expected
    assert not list(output.glob(".*"))
    assert run_job(job_of([path], output, SETTINGS))[2:] == (0, 0, 3)


def test_inputs_keep_their_order(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    for name, part in (("b.jsonl", rows[:30]), ("a.jsonl", rows[30:31]), ("c.jsonl", rows[31:])):
        write(tmp_path / name, part)
    paths = [tmp_path / f"{name}.jsonl" for name in "bac"]
    run_job(job_of(paths, tmp_path / "out", BulkSettings(shard_rows=7)))
    assert [row["id"] for row in read(tmp_path / "out")] == list(range(90))


def test_a_folder_stands_for_its_files(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write(folder / "2.jsonl", rows[5:10])
    write(folder / "1.jsonl.gz", rows[:5])
    (folder / "README.md").write_text("not an input")
    (folder / ".hidden.jsonl").write_text("{}")
    assert [i.path.name for i in inputs_of([folder])] == ["1.jsonl.gz", "2.jsonl"]


@given(st.integers(1, 12), st.integers(0, 40), st.sets(st.integers(0, 12)))
def test_shards_are_the_rows_cut(size: int, count: int, skipped: set[int]) -> None:
    """Whatever is left out, the others are what they are without it."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        path.write_text("".join(f"{i}\n" if i % 3 else "\n" for i in range(count)))
        input_ = Input(0, path, "txt")
        shards = {s.name: input_.rows(s.data).values for s in input_.shards(size)}
        assert [v for values in shards.values() for v in values] == [
            str(i) if i % 3 else "" for i in range(count)
        ]
        assert list(shards) == sorted(shards)
        assert all(len(values) == size for values in list(shards.values())[:-1])
        done = {input_.name_of(number) for number in skipped}
        rest = {s.name: input_.rows(s.data).values for s in input_.shards(size, done)}
        assert rest == {name: v for name, v in shards.items() if name not in done}


@given(st.integers(1, 12), st.integers(1, 40), st.integers(1, 15), st.sets(st.integers(0, 12)))
def test_shards_of_parquet_are_the_rows_cut(
    size: int, count: int, group: int, skipped: set[int]
) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow comes with the extra ray")
    import tempfile

    from pyarrow.parquet import write_table

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        write_table(pa.table({"sentence": [str(i) for i in range(count)]}), path, group)
        input_ = Input(0, path, "parquet")
        done = {input_.name_of(number) for number in skipped}
        found = {s.name: input_.rows(s.data).values for s in input_.shards(size, done)}
        assert found == {
            input_.name_of(n): [str(i) for i in range(n * size, min(count, (n + 1) * size))]
            for n in range(-(-count // size))
            if n not in skipped
        }


def test_bad_lines_are_rows_with_a_reason(tmp_path: Path) -> None:
    good = b'{"sentence": "Emma slept."}'
    lines = [good, b"{bad", b'"text"', b'{"sentense": "x"}', b"\xff\xfe", b"", good]
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    run_job(job_of([tmp_path / "a.jsonl"], tmp_path / "out", BulkSettings()))
    found = read(tmp_path / "out")
    assert len(found) == 6, "an empty line is no row"
    assert found[0] == found[-1]
    assert found[0]["failure"] is None
    reasons = ("not JSON", "not a JSON object", "there is no column 'sentence'", "byte 1: expected")
    for row, reason in zip(found[1:-1], reasons, strict=True):
        assert row["failure"].startswith(reason)
    assert found[1]["line"] == "{bad"
    assert found[3]["sentense"] == "x"


def test_tsv_without_a_header_has_numbered_columns(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("7\tEmma slept.\n8\n")
    run_job(job_of([tmp_path / "a.tsv"], tmp_path / "out", BulkSettings(column="2")))
    first, second = read(tmp_path / "out")
    assert (first["column1"], first["column2"], first["failure"]) == ("7", "Emma slept.", None)
    assert (second["column1"], second["failure"]) == ("8", "there is no column 'column2'")


def test_a_result_replaces_no_column(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"sentence": "a"}\n{"sentence": "b", "tree": "mine"}\n')
    job = job_of([tmp_path / "a.jsonl"], tmp_path / "out", BulkSettings())
    with pytest.raises(InputError, match=r"a\.jsonl: shard 0.*'tree' already; choose a prefix"):
        run_job(job)
    assert not list((tmp_path / "out").glob("0*"))
    settings = BulkSettings(prefix="am_")
    run_job(job_of([tmp_path / "a.jsonl"], tmp_path / "other", settings))
    assert read(tmp_path / "other")[1]["tree"] == "mine"


def test_a_folder_of_another_run_is_left_alone(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    run_job(job_of([path], output, SETTINGS))
    with pytest.raises(InputError, match="another run: shard_rows was 40 and is 10000"):
        job_of([path], output, BulkSettings(column="sentence"))
    content = path.read_bytes()
    path.write_bytes(content.replace(b"a", b"e", 1))
    with pytest.raises(InputError, match="another run: inputs was"):
        job_of([path], output, SETTINGS)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"holds no run, as there is no bulk\.json"):
        job_of([path], tmp_path, SETTINGS)


@pytest.mark.parametrize("name", [".bulk.json.x1.part", ".writable-1"])
def test_what_a_run_left_that_was_killed_at_its_start_goes(
    tmp_path: Path, rows: list[dict[str, Any]], name: str
) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    output.mkdir()
    (output / name).touch()
    run_job(job_of([path], output, SETTINGS))
    assert not list(output.glob(".*"))


def test_workers_share_no_state(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    """Two workers that take turns write what one writes."""
    path = write(tmp_path / "a.jsonl", rows)
    settings = BulkSettings(shard_rows=11)
    one = job_of([path], tmp_path / "one", settings)
    run_job(one)

    def in_turns(job: Job) -> Iterator[Done]:
        workers = [Worker(job), Worker(job)]
        for number, shard in reversed(list(enumerate(job.shards(0)))):
            yield workers[number % 2](shard)

    run_job(job_of([path], tmp_path / "two", settings), in_turns)
    for written in sorted((tmp_path / "one").glob("0*")):
        assert (tmp_path / "two" / written.name).read_bytes() == written.read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("a.csv", b"", (), "expected a file with one of the suffixes .parquet, .jsonl"),
        ("a.jsonl", b'{"text": "a"}', (), "no column 'sentence', expected one of 'text'"),
        ("a.jsonl", b"[1]\n", (), "a.jsonl:1: not a JSON object"),
        ("a.jsonl", b'{"sentence": "a", "tree": 1}', (), "'tree' are there already"),
        ("a.txt", b"a", ("--column", "2"), "column 2: expected the name of a column"),
        ("a.txt", b"a", ("--decoder", "magic"), "unknown decoder 'magic'"),
        ("a.txt", b"a", ("--model", "nowhere"), "nowhere: no such model folder"),
        ("a.txt", b"a", ("--workers", "2"), "--workers and --address are for --engine ray"),
        ("a.txt.gz", b"\x1f\x8b\x08damaged", (), "a.txt.gz: damaged or truncated gzip file"),
        ("a.parquet", b"no", (), "a.parquet: "),
    ],
)
def test_what_is_wrong_before_the_start_is_one_line(
    tmp_path: Path, name: str, content: bytes, options: tuple[str, ...], message: str
) -> None:
    if name == "a.parquet":
        pytest.importorskip("pyarrow", reason="pyarrow comes with the extra ray")
    (tmp_path / name).write_bytes(content)
    output = tmp_path / "out"
    arguments = ("bulk", tmp_path / name, "--output", output, "--engine", "local", *options)
    assert message in refused(*arguments)
    assert not output.exists()


@pytest.mark.parametrize(
    ("module", "arguments"),
    [("ray", ()), ("pyarrow", ("--engine", "local", "--format", "parquet"))],
)
def test_what_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, arguments: tuple[str, ...]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a.txt").write_text("Emma slept.")
    message = refused("bulk", tmp_path / "a.txt", "--output", tmp_path / "out", *arguments)
    assert message.endswith("pip install 'amparser[ray]'")


def test_command_says_what_it_did(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    arguments = ("bulk", write(tmp_path / "a.jsonl", rows), "-o", tmp_path / "out")
    options = ("--engine", "local", "--shard-rows", "50")
    result = run(*arguments, *options)
    assert result.exit_code == 1, result.output
    assert "90 sentences" in result.stderr
    assert "shards: 2 written, 0 were there" in result.stderr
    assert "36 of 90 sentences without a parse" in result.stderr
    again = run(*arguments, *options)
    assert again.exit_code == 1, again.output
    assert "shards: 0 written, 2 were there" in again.stderr
    assert "36 of 90 sentences without a parse" in again.stderr


@pytest.mark.parametrize("damage", [b"", b"{}\n", None])
def test_a_damaged_shard_is_written_again(
    tmp_path: Path, expected: list[dict[str, Any]], rows: list[dict[str, Any]], damage: bytes | None
) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    first = run_job(job_of([path], output, SETTINGS))
    [shard, other, _] = sorted(output.glob("0*"))
    shard.write_bytes(other.read_bytes() if damage is None else damage)
    ledger = output / LEDGER
    lines = ledger.read_bytes()
    turned = b"".join(reversed(lines.splitlines(keepends=True)))  # as several workers write it
    ledger.write_bytes(turned + b'{"name": "000')  # killed while it wrote
    again = run_job(job_of([path], output, SETTINGS))
    assert ledger.read_bytes() == lines
    assert again[3:] == (1, 2)
    assert again[:2] == first[:2]
    assert read(output) == expected


def test_a_file_that_is_no_shard_is_told(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path, output = write(tmp_path / "a.jsonl", rows), tmp_path / "out"
    run_job(job_of([path], output, SETTINGS))
    (output / "000009-00000000.jsonl").touch()
    with pytest.raises(InputError, match=r"000009-00000000\.jsonl: no shard of this run"):
        run_job(job_of([path], output, SETTINGS))
