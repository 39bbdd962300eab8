"""Signals, kills, full disks and closed streams."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import tiny_model
from chaos import COMMAND, COMMANDS, ENVIRONMENT, disturbed, started, write_inputs

from amparser.cli.application import Terminated, ended

ROW = "Emma ran .\trun . agent ( x _ 1 , Emma )\n"
CONVERT = (*COMMAND, "convert", "--from", "cogs", "--to", "json")


def waiting(output: Path) -> subprocess.Popen[bytes]:
    """A command that has opened its output and waits for the rest of its input."""
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started([*CONVERT, "-", "--output", output], **pipes)
    assert process.stdin is not None
    process.stdin.write(ROW.encode())
    process.stdin.flush()
    ends = time.monotonic() + 60
    while not list(output.parent.glob(".amparser/*.part")):
        assert time.monotonic() < ends
        time.sleep(0.05)
    return process


CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}


@pytest.mark.parametrize("number", CODES)
def test_a_signal_leaves_nothing_half_written(number: signal.Signals, tmp_path: Path) -> None:
    output, source = tmp_path / "out.jsonl", tmp_path / "in.tsv"
    source.write_text(ROW, encoding="utf-8")
    output.write_text("before\n", encoding="utf-8")
    process = waiting(output)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == CODES[number], stderr
    assert output.read_text(encoding="utf-8") == "before\n"
    if number != signal.SIGKILL:
        assert len(stderr.splitlines()) == 1
        assert {path.name for path in tmp_path.iterdir()} == {"in.tsv", "out.jsonl"}
    # The next run is as ever.
    subprocess.run([*CONVERT, source, "-o", output], env=ENVIRONMENT, check=True)
    assert output.read_text(encoding="utf-8").count("Emma") > 1


INTERRUPTED = [command for command in COMMANDS if command.is_interrupted]
TIMES = int(os.environ.get("AMPARSER_KILLS", "8"))
"""How often a command is interrupted; they take turns."""


def processor_seconds(process: int) -> float:
    """The time that a process has worked, as the clock of a busy machine says little."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")
@pytest.mark.parametrize("number", range(TIMES))
def test_an_interrupt_at_any_time_is_one_line_and_leaves_no_part(
    number: int, tmp_path: Path
) -> None:
    """Also while modules are loaded; in a terminal all processes of a command have the signal."""
    command = INTERRUPTED[number % len(INTERRUPTED)]
    data, out = tmp_path / "data", tmp_path / "out"
    for folder in (data, out):
        folder.mkdir()
    write_inputs(data)
    script = "import sys; print(flush=True); from amparser.__main__ import main; main()"
    process = started(
        [sys.executable, "-c", script, *command.line(data, out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    until = 0.1 + 4 * Random(f"interrupt {number}").random()
    ends = time.monotonic() + 60
    while process.poll() is None and processor_seconds(process.pid) < until:
        if time.monotonic() > ends:
            break  # it waits for its own processes, or for requests
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode in (0, 130), stderr
    assert "Traceback" not in stderr
    if process.returncode:
        assert stderr.endswith("amparser: error: interrupted\n"), stderr
        assert stderr.count("amparser: error: ") == 1
    for path in out.rglob("*"):
        assert not path.name.endswith(".part")
        if path.suffix in (".json", ".jsonl"):
            text = path.read_text("utf-8")
            for part in [text] if path.suffix == ".json" else text.splitlines():
                json.loads(part)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["train --system gru", "generate"])
def test_a_command_that_was_killed_ends_as_one_that_was_not(name: str, tmp_path: Path) -> None:
    [command] = [one for one in COMMANDS if one.name == name]
    data, kills = tmp_path / "data", int(os.environ.get("AMPARSER_KILLS", "4"))
    data.mkdir()
    write_inputs(data)
    _, endings, faults = disturbed(command, data, tmp_path, kills, Random(name))
    assert endings
    assert not faults


@pytest.mark.parametrize(
    ("cause", "code", "word"),
    [(KeyboardInterrupt(), 130, "interrupted"), (Terminated(), 143, "terminated")],
)
def test_a_signal_within_compiled_code_is_one_line(
    cause: BaseException, code: int, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """CPython makes this error of an exception that a compiled function returns unnoticed."""
    with pytest.raises(SystemExit) as end, ended():
        raise SystemError("returned a result with an exception set") from cause
    assert end.value.code == code
    assert capsys.readouterr().err == f"amparser: error: {word}\n"


def shell(script: str, *arguments: object) -> tuple[int, str]:
    """Exit code and stderr of a command whose streams a shell redirects."""
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [("--help",), ("train", "--list-settings")])
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    code, stderr = shell('"$@" > /dev/full', *COMMAND, *arguments)
    assert (code, stderr) == (2, "amparser: error: <stdout>: No space left on device\n")


def test_closed_streams_are_no_tracebacks(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(ROW, encoding="utf-8")
    assert shell('"$@" <&-', *CONVERT, "-") == (2, "amparser: error: <stdin>: it is closed\n")
    assert shell('"$@" >&-', *CONVERT, source) == (2, "amparser: error: <stdout>: it is closed\n")
    assert shell('"$@" 2>&-', *CONVERT, tmp_path / "none") == (2, "")


def test_an_encoding_without_the_letters_is_one_line(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(ROW.replace("Emma", "\u00c9mma"), encoding="utf-8")
    code, stderr = shell('PYTHONIOENCODING=ascii "$@"', *CONVERT, source)
    assert code == 2
    assert stderr.startswith("amparser: error: output: ")
    assert "PYTHONIOENCODING=utf-8" in stderr
    assert len(stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_training_that_is_stopped_keeps_its_checkpoint(
    number: signal.Signals, tmp_path: Path
) -> None:
    data = tiny_model.write_corpus(tmp_path / "data")
    (tmp_path / "settings.toml").write_text(tiny_model.SETTINGS, encoding="utf-8")
    output = tmp_path / "model"
    arguments = (*COMMAND, "train", "--data", data, "--output", output, "--notation", "cogs",
                 "--config", tmp_path / "settings.toml", "--set", "train.epochs=400",
                 "--set", "train.patience=0", "--device", "cpu")  # fmt: skip
    process = started(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ends = time.monotonic() + 200
    while not list(output.glob(".amparser/checkpoint-*.json")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends
        time.sleep(0.05)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == CODES[number], stderr
    assert b"Traceback" not in stderr
    assert list(output.glob(".amparser/checkpoint-*.json"))
    assert not list(output.glob(".amparser/*.part"))
    assert not (output / "model.json").exists()


def test_neither_a_home_nor_a_cache_is_needed(tmp_path: Path) -> None:
    kept = {k: v for k, v in ENVIRONMENT.items() if k not in ("HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [*COMMAND, "parse", "--decoder", "fixed-tree", "--device", "cpu", "Emma ran ."],
        env={**kept, "HOME": "/nonexistent", "XDG_CACHE_HOME": "/proc/nowhere"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "run . agent" in done.stdout
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
