"""`amparser parse` of streams: answers while it reads, several processes, files, progress."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import ok, refused, run

from amparser.cli import parse as parse_module
from amparser.corpora.lines import raw_lines, text_or_fault
from amparser.errors import CorpusError
from amparser.limits import LONGEST_STREAMED_LINE

SENTENCES = ["Emma slept.", "A cat ran.", "Who did Emma give a cake to?", "The rose saw a cat."]


@pytest.fixture
def long_file(tmp_path) -> Path:
    path = tmp_path / "in.txt"
    lines = [SENTENCES[i % 4].encode() for i in range(400)]
    lines[150], lines[301] = b"", b"A c\xffat"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def test_jobs_print_what_one_process_prints(long_file, tmp_path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    results = []
    for jobs, output in (("1", one), ("2", two)):
        results.append(run("parse", "-i", long_file, "--jobs", jobs, "-o", output))
    assert one.read_bytes() == two.read_bytes()
    lines = one.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 400
    assert lines[150] == "# no parse: empty line"
    assert lines[301] == "# no parse: byte 4: expected UTF-8 text"
    for result in results:
        assert result.exit_code == 1
        assert result.stdout == ""
        # Progress is printed only if the run is slow, for example when decoders are compiled.
        said = [line for line in result.stderr.splitlines() if not line.endswith(" sentences/s")]
        assert said[-3:] == [
            f"{long_file}:151: no parse: empty line",
            f"{long_file}:302: no parse: byte 4: expected UTF-8 text",
            "amparser: 2 of 400 sentences without a parse, 2 of them invalid input",
        ]


def test_white_space_of_a_line_is_a_space(tmp_path) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes("A\tcat\u2028ran .\r\nA cat ran .\n".encode())
    one, other = ok("parse", "-i", path).splitlines()
    assert one == other
    [found, _] = map(json.loads, ok("parse", "-i", path, "--format", "json").splitlines())
    assert (found["tokens"], found["places"][1]) == (["A", "cat", "ran", "."], [2, 5])


def test_an_output_is_written_whole_or_not_at_all(long_file, tmp_path) -> None:
    output = tmp_path / "out.txt"
    output.write_text("before", encoding="utf-8")
    assert "151: empty line" in refused("parse", "--strict", "-i", long_file, "-o", output)
    packed = tmp_path / "in.gz"
    packed.write_bytes(gzip.compress(long_file.read_bytes())[:-20])
    assert "damaged or truncated" in run("parse", "-i", packed, "-o", output).stderr
    assert output.read_text(encoding="utf-8") == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.gz", "in.txt", "out.txt"]
    assert refused("parse", "-i", long_file, "-o", long_file).endswith("the file of --input")


def test_long_run_reports_progress(long_file, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(parse_module, "PROGRESS", 0.0)
    result = run("parse", "-i", long_file, "-o", tmp_path / "out")
    said = [line for line in result.stderr.splitlines() if line.endswith(" sentences/s")]
    assert [line.split()[1] for line in said] == ["256", "400"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_line_is_answered_before_the_next_one_comes(jobs) -> None:
    command = [sys.executable, "-m", "amparser", "parse", "--input", "-", "--device", "cpu"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*command, "--jobs", jobs], **pipes) as process:  # type: ignore[call-overload]
        for text, expected in (
            ("Emma slept.", b"sleep . agent ( x _ 1 , Emma )\n"),
            ("", b"# no parse: empty line\n"),
            ("A cat ran.", b"cat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )\n"),
        ):
            process.stdin.write(text.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == expected
        printed, errors = process.communicate(b"Emma slept.")  # no line end
        assert printed == b"sleep . agent ( x _ 1 , Emma )\n"
        assert process.returncode == 1
        said = errors.decode().splitlines()
        assert "<stdin>:2: no parse: empty line" in said
        assert said[-1].startswith("amparser: 1 of 4 sentences without a parse")


def test_strict_stops_standard_input_at_the_line() -> None:
    assert run("parse", "--strict", "Emma slept.").exit_code == 0
    done = run("parse", "-i", "-", "--strict", stdin="Emma slept.\n\n")
    assert done.exit_code == 2
    error = "amparser: error: <stdin>:2: empty line, expected a sentence"
    assert done.stderr.splitlines()[-1] == error


def test_lines_of_any_file(tmp_path) -> None:
    content = b"\xef\xbb\xbfa b\r\n\n\xff\n" + b"x" * (3 * LONGEST_STREAMED_LINE) + b"\nlast"
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.write_bytes(content)
    packed.write_bytes(gzip.compress(content[:5]) + gzip.compress(content[5:]))
    expected = [
        "a b",
        "",
        "byte 1: expected UTF-8 text",
        "a line of more than 1 MiB, expected shorter ones",
        "last",
    ]
    for path in (plain, packed):
        lines = list(filter(None, raw_lines(path)))
        assert [number for number, _ in lines] == [1, 2, 3, 4, 5]
        assert [str(text_or_fault(line, LONGEST_STREAMED_LINE)) for _, line in lines] == expected
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    assert list(raw_lines(empty)) == []
    with pytest.raises(CorpusError, match="No such file"):
        list(raw_lines(tmp_path / "missing"))


def test_memory_is_bounded_for_input_of_any_length() -> None:
    """A longer input through a pipe takes hardly more memory than a short one."""
    script = """
import resource, sys
from amparser.cli.main import app
try:
    app(["parse", "-i", "-", "--device", "cpu"], standalone_mode=False)
except SystemExit:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""
    peaks = []
    for count in (600, 6000):
        done = subprocess.run(
            [sys.executable, "-c", script],
            input="".join(f"The wug{i} slept.\n" for i in range(count)).encode(),
            capture_output=True,
            check=True,
        )
        assert len(done.stdout.splitlines()) == count
        peaks.append(int(done.stderr.splitlines()[-1]))
    assert peaks[1] < peaks[0] + 20
