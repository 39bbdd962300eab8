"""Signals, kills, full disks and closed streams.

    AMPARSER_KILLS=100 pytest tests/fuzz/test_faults.py -k killed
    AMPARSER_ROWS=100000 AMPARSER_KILLS=20 pytest tests/fuzz/test_faults.py -k "killed and bulk"

A command that is killed (`kill -9`) first runs undisturbed. Then it is killed again and again in
one folder, at moments that are spread over the time that it needs, and restarted each time, until
it ends by itself. It must leave the files of the undisturbed run, with the same bytes but for times
of the clock.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tiny_model
from command_line import SMALL

import amparser
from amparser.cli.application import Terminated, ended

Content = Mapping[str, bytes]

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
ROWS = int(os.environ.get("AMPARSER_ROWS", "700"))
"""Lines of the text that is parsed."""


@dataclass(frozen=True)
class Command:
    """A command with `{data}` and a fresh `{out}`, and words of a restart; None: not killed."""

    name: str
    words: str
    again: str | None = ""
    is_interrupted: bool = True

    def line(self, data: Path, out: Path, *, again: bool = False) -> list[str]:
        """Return the arguments of a run."""
        words = f"{self.words} {self.again}" if again else self.words
        return [word.format(data=data, out=out) for word in words.split()]

    def start(self, data: Path, out: Path, log: Path, *, again: bool) -> subprocess.Popen[Any]:
        """Run it; what it prints goes into a log."""
        with log.open("wb") as printed:
            line = (*COMMAND, *self.line(data, out, again=again))
            return started(line, stdout=printed, stderr=printed)


def started(arguments: Sequence[object], **options: Any) -> subprocess.Popen[Any]:
    """Start a command that obeys SIGINT, which a shell's jobs in the background ignore."""
    return subprocess.Popen(
        list(map(str, arguments)),
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


_DATA = "--data {data} --notation cogs"
_TRAIN = f"train {_DATA} -o {{out}}/model"
_NODES = f"{_TRAIN} --config {{data}}/parser.toml --set train.epochs=6 --device cpu"
_SMALL = (*SMALL, "train.device=cpu", "max_steps=8", "validate_every=2")
_GRU = f"--system gru {' '.join(f'--set {one}' for one in _SMALL)}"
_BULK = f"bulk {{data}}/text.txt -o {{out}}/shards --shard-rows {max(50, ROWS // 200)} --model slog"
_PARSE = "parse -i {data}/text.txt -o {out}/forms.jsonl --device cpu --format json"
COMMANDS = (
    Command("train", _NODES, "--resume"),
    Command("train --system gru", f"{_TRAIN} {_GRU}", "--resume", is_interrupted=False),
    Command("generate", "generate cogs -o {out}/corpus --count 200"),
    Command("evaluate --output --html",
            "evaluate --data {data}/test.tsv -o {out}/figures.json "
            "--html {out}/page.html --device cpu"),
    Command("convert --output", "convert --from cogs --to json {data}/large.tsv -o {out}/x.json",
            is_interrupted=False),
    Command("parse", _PARSE, None),
    Command("parse --jobs 2 --output", f"{_PARSE} --jobs 2"),
    Command("bulk", _BULK),
    Command("bulk --jobs 2", f"{_BULK} --jobs 2", is_interrupted=False),
    Command("experiment",
            f"experiment --data {{data}} --set data.notation=cogs {_GRU} --seeds 2 --jobs 2 "
            "--output {out}/runs --name chaos", is_interrupted=False),
    Command("grammar", "grammar sample slog --count 2000", None),
    Command("serve", "serve --port 0", None),
)  # fmt: skip
"""`{out}` is empty at first, and kept from one restart to the next."""


def write_inputs(folder: Path) -> Path:
    """Write what commands read; no line of one shard is in another at the same place."""
    tiny_model.write_corpus(folder)
    for name, source, times in (("test", "dev", 3), ("large", "train", 60)):
        rows = (folder / f"{source}.tsv").read_text(encoding="utf-8")
        (folder / f"{name}.tsv").write_text(rows * times, encoding="utf-8")
    (folder / "parser.toml").write_text(tiny_model.SETTINGS, encoding="utf-8")
    sentences = [row[0] for row in tiny_model.rows()]
    lines = Random(1).choices([*sentences, "", "the the the"], k=ROWS)
    (folder / "text.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def content(folder: Path) -> Content:
    """The files below a folder, without what the clock says."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.name != "train.log":
            found[name] = _TIMES.sub(
                rb'"\1": 0', path.read_bytes().replace(os.fsencode(folder), b"")
            )
    return found


def disturbed(
    command: Command, data: Path, folder: Path, kills: int, dice: Random
) -> Iterator[str | None]:
    """Kill a command again and again in one folder until it ends; yield the fault of each end."""
    log, out, undisturbed = folder / "log", folder / "out", folder / "undisturbed"
    undisturbed.mkdir()
    begun = time.monotonic()
    code = command.start(data, undisturbed, log, again=False).wait()
    seconds = time.monotonic() - begun
    if code not in (0, 1):
        yield f"exit code {code}\n{log.read_text(encoding='utf-8')}"
    expected, killed = content(undisturbed), 0
    while killed < kills:
        out.mkdir()
        again = False
        while True:
            process = command.start(data, out, log, again=again)
            try:
                code = process.wait(None if killed >= kills else dice.uniform(0, 1.02 * seconds))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed, again = killed + 1, True
        yield _fault(code, expected, content(out), log)
        shutil.rmtree(out)


def _fault(code: int, expected: Content, found: Content, log: Path) -> str | None:
    """Say how the end of a restarted command differs from an undisturbed one, or None."""
    if code not in (0, 1):
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"exit code {code}: {said[-1] if said else ''}"
    names = sorted(expected.keys() | found.keys())
    differing = [name for name in names if expected.get(name) != found.get(name)]
    return f"missing, left behind or different: {differing}" if differing else None


ROW = "Emma ran .\trun . agent ( x _ 1 , Emma )\n"
CONVERT = (*COMMAND, "convert", "--from", "cogs", "--to", "json")


def wait_for(folder: Path, name: str, process: subprocess.Popen[Any]) -> None:
    """Wait until a process has written a working file."""
    ends = time.monotonic() + 200
    while not list(folder.glob(f".amparser/{name}")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends
        time.sleep(0.05)


CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}


@pytest.mark.parametrize("number", CODES)
def test_a_signal_leaves_nothing_half_written(number: signal.Signals, tmp_path: Path) -> None:
    output, source = tmp_path / "out.jsonl", tmp_path / "in.tsv"
    source.write_text(ROW, encoding="utf-8")
    output.write_text("before\n", encoding="utf-8")
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started([*CONVERT, "-", "--output", output], **pipes)
    assert process.stdin is not None
    process.stdin.write(ROW.encode())
    process.stdin.flush()
    wait_for(tmp_path, "*.part", process)
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


@pytest.mark.slow
@pytest.mark.parametrize("number", range(TIMES))
def test_an_interrupt_at_any_time_is_one_line_and_leaves_no_part(
    number: int, tmp_path: Path
) -> None:
    """Also while modules are loaded; in a terminal all processes of a command have the signal."""
    command = INTERRUPTED[number % len(INTERRUPTED)]
    data, out = write_inputs(tmp_path / "data"), tmp_path / "out"
    out.mkdir()
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
    with suppress(subprocess.TimeoutExpired):
        process.wait(0.1 + 4 * Random(f"interrupt {number}").random())
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


KILLS = int(os.environ.get("AMPARSER_KILLS", "0"))
"""Kills of each command; without it two commands are killed, four times each."""
KILLED = {
    command.name: command
    for command in COMMANDS
    if command.again is not None and (KILLS or command.name in ("train --system gru", "generate"))
}


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_a_command_that_was_killed_ends_as_one_that_was_not(name: str, tmp_path: Path) -> None:
    data = write_inputs(tmp_path / "data")
    ends = [*disturbed(KILLED[name], data, tmp_path, KILLS or 4, Random(name))]
    assert ends
    assert not any(ends)


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


def shell(script: str, *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command that a shell starts."""
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
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    found = shell('"$@" > /dev/full', *COMMAND, *arguments)
    assert found == (2, "", "amparser: error: <stdout>: No space left on device\n")


def test_closed_streams_are_no_tracebacks(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(ROW, encoding="utf-8")
    for script, path, name in (('"$@" <&-', "-", "<stdin>"), ('"$@" >&-', source, "<stdout>")):
        assert shell(script, *CONVERT, path) == (2, "", f"amparser: error: {name}: it is closed\n")
    assert shell('"$@" 2>&-', *CONVERT, tmp_path / "none") == (2, "", "")


def test_an_encoding_without_the_letters_is_one_line(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(ROW.replace("Emma", "\u00c9mma"), encoding="utf-8")
    code, _, stderr = shell('PYTHONIOENCODING=ascii "$@"', *CONVERT, source)
    assert code == 2
    assert stderr.startswith("amparser: error: output: ")
    assert "PYTHONIOENCODING=utf-8" in stderr
    assert len(stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_training_that_is_stopped_keeps_its_checkpoint(
    number: signal.Signals, tmp_path: Path
) -> None:
    data, output = write_inputs(tmp_path / "data"), tmp_path / "model"
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


def test_neither_a_home_nor_a_cache_is_needed(tmp_path: Path) -> None:
    script = 'cd "$1"; shift; HOME=/nonexistent XDG_CACHE_HOME=/proc/nowhere "$@"'
    parse = ("parse", "--decoder", "fixed-tree", "--device", "cpu", "Emma ran .")
    code, stdout, stderr = shell(script, tmp_path, *COMMAND, *parse)
    assert code == 0, stderr
    assert "run . agent" in stdout
    assert "Traceback" not in stderr
    assert not list(tmp_path.iterdir())
