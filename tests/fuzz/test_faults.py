"""Signals, kills, full disks and closed streams."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tiny_model
from command_line import SMALL

import amparser
from amparser.cli.application import Terminated, ended

_TIMES = re.compile(
    rb'"(sentences_per_second|seconds|milliseconds|cpu_seconds|peak_mib|resumed|model|created|date)":\s*'
    rb"(\{[^{}]*\}|[^,\n}]*)"
)
"""Values in JSON that differ from run to run, as whole values or objects of numbers."""
COMMAND = (sys.executable, "-m", "amparser")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(amparser.__file__).parents[1]),
    "OMP_NUM_THREADS": "1",
}


def started(arguments: Sequence[object], **options: Any) -> subprocess.Popen[Any]:
    """Start a command that obeys SIGINT, which a shell's jobs in the background ignore."""
    return subprocess.Popen(
        list(map(str, arguments)),
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


def content(folder: Path) -> dict[str, bytes]:
    """Return the files outside working folders without the parts that depend on the clock."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and ".amparser" not in path.parts:
            found[name] = _TIMES.sub(
                rb'"\1": 0', path.read_bytes().replace(os.fsencode(folder), b"")
            )
    return found


ROW = "Emma ran .\trun . agent ( x _ 1 , Emma )\n"
CONVERT = (*COMMAND, "convert", "--from", "cogs", "--to", "json")


def wait_for(folder: Path, name: str, process: subprocess.Popen[Any]) -> None:
    ends = time.monotonic() + 200
    while not list(folder.glob(f".amparser/{name}")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends
        time.sleep(0.05)


CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}


@pytest.mark.parametrize("number", CODES)
def test_a_signal_leaves_nothing_half_written(number, tmp_path) -> None:
    output, source = tmp_path / "out.jsonl", tmp_path / "in.tsv"
    source.write_text(ROW, encoding="utf-8")
    output.write_text("before\n", encoding="utf-8")
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started([*CONVERT, "-", "--output", output], **pipes)
    process.stdin.write(ROW.encode())
    process.stdin.flush()
    wait_for(tmp_path, "*.part", process)
    time.sleep(0.5)  # the file is there before its process has entered the block that removes it
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


_GRU = (*SMALL, "train.device=cpu", "max_steps=8", "validate_every=2")
_TRAIN = "train --data {data} --notation cogs -o {out}/model --system gru"
KILLED = {
    "train": (f"{_TRAIN} {' '.join(f'--set {one}' for one in _GRU)}", ["--resume"]),
    "generate": ("generate cogs -o {out}/corpus --count 200", []),
}
"""Commands, and words of a restart."""


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_a_command_that_was_killed_ends_as_one_that_was_not(name, tmp_path) -> None:
    data, dice = tiny_model.write_corpus(tmp_path / "data"), Random(name)
    words, again = KILLED[name]

    def start(folder: str, more: Sequence[str] = ()) -> subprocess.Popen[Any]:
        out = tmp_path / folder
        out.mkdir(exist_ok=True)
        line = [word.format(data=data, out=out) for word in words.split()]
        return started([*COMMAND, *line, *more], stderr=subprocess.DEVNULL)

    begun = time.monotonic()
    assert start("whole").wait() == 0
    seconds = time.monotonic() - begun
    process, kills = start("killed"), 0
    while kills < 4:
        try:
            process.wait(dice.uniform(0, 1.02 * seconds))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            process, kills = start("killed", again), kills + 1
    assert process.wait() == 0
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("cause", "code", "word"),
    [(KeyboardInterrupt(), 130, "interrupted"), (Terminated(), 143, "terminated")],
)
def test_a_signal_within_compiled_code_is_one_line(cause, code, word, capsys) -> None:
    """CPython makes this error of an exception that a compiled function returns unnoticed."""
    with pytest.raises(SystemExit) as end, ended():
        raise SystemError("returned a result with an exception set") from cause
    assert end.value.code == code
    assert capsys.readouterr().err == f"amparser: error: {word}\n"


def shell(script: str, *arguments: object) -> tuple[int, str, str]:
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=False,
        timeout=600,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [("--help",), ("train", "--list-settings")])
def test_a_full_disk_is_one_line(arguments) -> None:
    found = shell('"$@" > /dev/full', *COMMAND, *arguments)
    assert found == (2, "", "amparser: error: <stdout>: No space left on device\n")


def test_closed_streams_are_no_tracebacks(tmp_path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(ROW, encoding="utf-8")
    closed = "amparser: error: <stdin>: it is closed\n"
    assert shell('"$@" <&-', *CONVERT, "-") == (2, "", closed)
    closed = "amparser: error: standard output or standard error is closed\n"
    assert shell('"$@" >&-', *CONVERT, source) == (2, "", closed)
    assert shell('"$@" 2>&-', *CONVERT, source) == (2, closed, "")


def test_an_encoding_without_the_letters_is_one_line(tmp_path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(ROW.replace("Emma", "\u00c9mma"), encoding="utf-8")
    code, _, stderr = shell('PYTHONIOENCODING=ascii "$@"', *CONVERT, source)
    assert code == 2
    assert stderr.startswith("amparser: error: output: ")
    assert "PYTHONIOENCODING=utf-8" in stderr
    assert len(stderr.splitlines()) == 1
    code, text, _ = shell('PYTHONIOENCODING=ascii:backslashreplace "$@"', *CONVERT, source)
    assert (code, json.loads(text)["tokens"][0]) == (0, "\u00c9mma")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_training_that_is_stopped_keeps_its_checkpoint(number, tmp_path) -> None:
    data, output = tiny_model.write_corpus(tmp_path / "data"), tmp_path / "model"
    (data / "parser.toml").write_text(tiny_model.SETTINGS, encoding="utf-8")
    arguments = (*COMMAND, "train", "--data", data, "--output", output, "--notation", "cogs",
                 "--config", data / "parser.toml", "--set", "train.epochs=400",
                 "--set", "train.patience=0", "--device", "cpu")  # fmt: skip
    process = started(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(output, "checkpoint-*.json", process)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == CODES[number], stderr
    assert b"Traceback" not in stderr
    assert list(output.glob(".amparser/checkpoint-*.json"))
    assert not list(output.glob(".amparser/*.part"))
    assert not (output / "model.json").exists()


def test_neither_a_home_nor_a_cache_is_needed(tmp_path) -> None:
    script = 'cd "$1"; shift; HOME=/nonexistent XDG_CACHE_HOME=/proc/nowhere "$@"'
    parse = ("parse", "--decoder", "fixed-tree", "--device", "cpu", "Emma ran .")
    code, stdout, stderr = shell(script, tmp_path, *COMMAND, *parse)
    assert code == 0, stderr
    assert "run . agent" in stdout
    assert "Traceback" not in stderr
    assert not list(tmp_path.iterdir())
