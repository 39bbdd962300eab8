"""`kill -9` at random moments, and the same command again, until it comes to its end.

    python tests/fuzz/chaos.py [--kills 100] [COMMAND ...]
    AMPARSER_ROWS=100000 python tests/fuzz/chaos.py --kills 20 --share 0.1 "bulk --engine ray"

Each command first runs undisturbed. Then it is killed again and again in one folder, at moments
that are spread over the time that it needs, and restarted each time, until it ends by itself.
What it leaves must be what the undisturbed run left: the same files with the same bytes, but for
times of the clock. A table counts kills, endings and differences.

A command runs in a fork of this process, which has imported all that is slow to import, so
that kills hit its work and not its start.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent), str(here.parents[1])]

import tiny_model
import torch
from command_line import SMALL
from torch.distributed.run import main as launch

from amparser.ahead import compile_all
from amparser.cli.main import app
from amparser.resources import bundled_model

Content = Mapping[str, bytes]

_TIMES = re.compile(
    rb'"(sentences_per_second|seconds|milliseconds|cpu_seconds|peak_mib|resumed|model|created|date)":\s*'
    rb"(\{[^{}]*\}|[^,\n}]*)"
)
"""Values in JSON that differ from run to run, as whole values or objects of numbers."""
_LOGS = ("train.log",)


@dataclass(frozen=True)
class Command:
    """A command that is killed.

    Attributes:
        name: in the table.
        arguments: of the command line; `{out}` is a fresh folder, `{data}` that of `prepare`.
        again: further arguments of a restart.
        prepare: makes input files in a folder, once.
    """

    name: str
    arguments: Sequence[str]
    again: Sequence[str] = ()
    prepare: Callable[[Path], None] = lambda folder: None

    def line(self, data: Path, out: Path, *, again: bool) -> list[str]:
        """The arguments of a run."""
        more = self.again if again else ()
        return [one.format(data=data, out=out) for one in (*self.arguments, *more)]


def _corpus(folder: Path) -> None:
    """A small corpus with a test file, and settings of a small parser."""
    tiny_model.write_corpus(folder)
    rows = (folder / "dev.tsv").read_text(encoding="utf-8")
    (folder / "test.tsv").write_text(rows * 3, encoding="utf-8")
    (folder / "parser.toml").write_text(tiny_model.SETTINGS, encoding="utf-8")


TORCHRUN = "torchrun"
"""The first argument of a command that is started by it; all its processes die together."""
ROWS = int(os.environ.get("AMPARSER_ROWS", "700"))
"""The lines of the text that is parsed."""
SHARD = str(max(50, ROWS // 200))

_SEQ2SEQ = [part for one in (*SMALL, "train.device=cpu") for part in ("--set", one)]
_SHORT = ["--set", "max_steps=24", "--set", "validate_every=3"]

COMMANDS = (
    Command(
        "train",
        ["train", "--data", "{data}", "--output", "{out}/model", "--notation", "cogs",
         "--config", "{data}/parser.toml", "--set", "train.epochs=6", "--device", "cpu"],
        ["--resume"],
        _corpus,
    ),
    Command(
        "train --system gru",
        ["train", "--data", "{data}", "--output", "{out}/model", "--notation", "cogs",
         "--system", "gru", *_SEQ2SEQ, *_SHORT],
        ["--resume"],
        _corpus,
    ),
    Command(
        "train in two processes",
        [TORCHRUN, "--standalone", "--nproc-per-node", "2", "-m", "amparser",
         "train", "--data", "{data}", "--output", "{out}/model", "--notation", "cogs",
         "--config", "{data}/parser.toml", "--set", "train.epochs=6", "--device", "cpu"],
        ["--resume"],
        _corpus,
    ),
    Command(
        "generate", ["generate", "cogs", "--output", "{out}/corpus", "--count", "200"]
    ),
    Command(
        "evaluate --output --errors --html",
        ["evaluate", "--data", "{data}/test.tsv", "--output", "{out}/figures.json",
         "--errors", "{out}/errors.conll", "--html", "{out}/page.html", "--device", "cpu"],
        prepare=_corpus,
    ),
    Command(
        "convert --output",
        ["convert", "--from", "cogs", "--to", "json", "{data}/large.tsv",
         "--output", "{out}/trees.json"],
        prepare=lambda folder: _large(folder),
    ),
    Command(
        "parse --jobs 2 --output",
        ["parse", "--input", "{data}/text.txt", "--output", "{out}/forms.jsonl", "--jobs", "2",
         "--format", "json", "--device", "cpu"],
        prepare=lambda folder: _text(folder),
    ),
    Command(
        "bulk --engine local",
        ["bulk", "{data}/text.txt", "--output", "{out}/shards", "--engine", "local",
         "--shard-rows", SHARD, "--model", "slog"],
        prepare=lambda folder: _text(folder),
    ),
    Command(
        "bulk --engine ray",
        ["bulk", "{data}/text.txt", "--output", "{out}/shards", "--workers", "1",
         "--shard-rows", SHARD, "--model", "slog"],
        prepare=lambda folder: _text(folder),
    ),
    Command(
        "experiment",
        ["experiment", "--data", "{data}", "--notation", "cogs", "--system", "gru",
         "--seeds", "2", "--jobs", "2", "--runs", "{out}/runs", "--results", "{out}/results",
         "--name", "chaos", "--allow-dirty", *_SEQ2SEQ, *_SHORT],
        prepare=_corpus,
    ),
)  # fmt: skip
"""What is killed. `{out}` is empty at first, and kept from one restart to the next."""


def _large(folder: Path) -> None:
    tiny_model.write_corpus(folder)
    rows = (folder / "train.tsv").read_text(encoding="utf-8")
    (folder / "large.tsv").write_text(rows * 60, encoding="utf-8")


def _text(folder: Path) -> None:
    """A text; no line of one shard is in another at the same place."""
    sentences = [row[0] for row in tiny_model.rows()]
    lines = Random(1).choices([*sentences, "", "the the the"], k=ROWS)
    (folder / "text.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def start(arguments: Sequence[str], log: Path) -> int:
    """Run a command in a fork; returns its process."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        if arguments[0] == TORCHRUN:
            launch(list(arguments[1:]))
        else:
            app(args=list(arguments), prog_name="amparser", standalone_mode=True)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def ended(process: int, seconds: float | None = None) -> int | None:
    """The exit code of a process, or None if it is still running after some seconds."""
    until = None if seconds is None else time.monotonic() + seconds
    while True:
        found, status = os.waitpid(process, 0 if until is None else os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if until is not None and time.monotonic() >= until:
            return None
        time.sleep(0.002)


def content(folder: Path) -> Content:
    """The files below a folder, without what the clock says."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.name not in _LOGS:
            found[name] = _TIMES.sub(
                rb'"\1": 0', path.read_bytes().replace(os.fsencode(folder), b"")
            )
    return found


@dataclass
class Outcome:
    """What kills of a command led to."""

    kills: int = 0
    endings: int = 0
    faults: list[str] = field(default_factory=list)


def disturbed(
    command: Command, data: Path, folder: Path, kills: int, dice: Random, share: float = 1.02
) -> tuple[Outcome, float]:
    """Kill a command so many times; returns what came of it, and its undisturbed seconds.

    Args:
        share: of the undisturbed time in which it is killed: a small one kills one run often.
    """
    log = folder / "log"
    undisturbed = folder / "undisturbed"
    undisturbed.mkdir()
    started = time.monotonic()
    code = ended(start(command.line(data, undisturbed, again=False), log))
    seconds = time.monotonic() - started
    if code not in (0, 1):
        said = log.read_text(encoding="utf-8")
        raise SystemExit(f"{command.name}: exit code {code}\n{said}")
    found, expected = Outcome(), content(undisturbed)
    while found.kills < kills:
        out = folder / "out"
        out.mkdir()
        again = False
        while True:
            process = start(command.line(data, out, again=again), log)
            enough = found.kills >= kills
            code = ended(process, None if enough else dice.uniform(0, share * seconds))
            if code is not None:
                break
            together = [process]
            if command.arguments[0] == TORCHRUN:
                import psutil  # accelerate needs it, and so do trainings of several processes

                together += [c.pid for c in psutil.Process(process).children(recursive=True)]
            for one in together:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            ended(process)
            found.kills += 1
            again = True
        found.endings += 1
        if fault := _fault(code, expected, content(out), log):
            found.faults.append(fault)
        shutil.rmtree(out)
    return found, seconds


def _fault(code: int, expected: Content, found: Content, log: Path) -> str | None:
    """How the end of a restarted command differs from that of an undisturbed one, or None."""
    if code not in (0, 1):
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"exit code {code}: {said[-1] if said else ''}"
    if more := sorted(found.keys() - expected.keys()):
        return f"left behind: {', '.join(more)}"
    if missing := sorted(expected.keys() - found.keys()):
        return f"missing: {', '.join(missing)}"
    for name, data in expected.items():
        if found[name] != data:
            return f"{name} differs"
    return None


def prepared() -> None:
    """Import and compile what commands need, so that forks begin with their work."""
    from amparser.parser import Parser

    torch.set_num_threads(1)
    for _ in compile_all():
        pass
    Parser.load(bundled_model(), "cpu").parse(["Emma ran ."])


def main() -> int:
    """Kill commands and print the table."""
    names = [command.name for command in COMMANDS]
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("commands", nargs="*", help=f"of {', '.join(names)} (default: all)")
    options.add_argument("--kills", type=int, default=100, help="of each command")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--share", type=float, default=1.02, help="of the time, for a kill")
    chosen = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    prepared()
    print("| command | seconds undisturbed | kills | runs to the end | differences |")
    print("|---|--:|--:|--:|--:|", flush=True)
    wrong = 0
    for command in COMMANDS:
        if chosen.commands and command.name not in chosen.commands:
            continue
        with tempfile.TemporaryDirectory() as name:
            data = Path(name) / "data"
            data.mkdir()
            command.prepare(data)
            dice = Random(f"{chosen.seed} {command.name}")
            found, seconds = disturbed(command, data, Path(name), chosen.kills, dice, chosen.share)
        row: tuple[Any, ...] = (f"`{command.name}`", f"{seconds:.1f}", found.kills, found.endings)
        print("| " + " | ".join(map(str, (*row, len(found.faults)))) + " |", flush=True)
        for fault, count in {f: found.faults.count(f) for f in found.faults}.items():
            print(f"  {count} times: {fault}", file=sys.stderr, flush=True)
        wrong += len(found.faults)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
