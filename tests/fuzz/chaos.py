"""`kill -9` at random moments, and the same command again, until it comes to its end.

    python tests/fuzz/chaos.py [--kills 100] [COMMAND ...]
    AMPARSER_ROWS=100000 python tests/fuzz/chaos.py --kills 20 --share 0.1 "bulk --jobs 2"

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

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


TORCHRUN = "torchrun"
"""The first argument of a command that is started by it; all its processes die together."""
ROWS = int(os.environ.get("AMPARSER_ROWS", "700"))
"""Lines of the text that is parsed."""


@dataclass(frozen=True)
class Command:
    """A command that is killed or interrupted.

    Attributes:
        name: in the table.
        words: of the command line; `{out}` is a fresh folder, `{data}` has inputs.
        again: further words of a restart; None if it is not killed.
        is_interrupted: whether Ctrl-C is tried as well.
    """

    name: str
    words: str
    again: str | None = ""
    is_interrupted: bool = True

    def line(self, data: Path, out: Path, *, again: bool = False) -> list[str]:
        """Return the arguments of a run."""
        words = f"{self.words} {self.again}" if again else self.words
        return [word.format(data=data, out=out) for word in words.split()]


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
    Command("train in two processes",
            f"{TORCHRUN} --standalone --nproc-per-node 2 -m amparser {_NODES}", "--resume",
            is_interrupted=False),
    Command("generate", "generate cogs -o {out}/corpus --count 200"),
    Command("evaluate --output --errors --html",
            "evaluate --data {data}/test.tsv -o {out}/figures.json --errors {out}/errors.conll "
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


def write_inputs(folder: Path) -> None:
    """Write what commands read; no line of one shard is in another at the same place."""
    tiny_model.write_corpus(folder)
    for name, source, times in (("test", "dev", 3), ("large", "train", 60)):
        rows = (folder / f"{source}.tsv").read_text(encoding="utf-8")
        (folder / f"{name}.tsv").write_text(rows * times, encoding="utf-8")
    (folder / "parser.toml").write_text(tiny_model.SETTINGS, encoding="utf-8")
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


def disturbed(
    command: Command, data: Path, folder: Path, kills: int, dice: Random, share: float = 1.02
) -> tuple[float, int, list[str]]:
    """Kill a command so many times; returns its undisturbed seconds, its endings and its faults.

    Args:
        share: of the undisturbed time in which it is killed: a small one kills one run often.
    """
    log, out, undisturbed = folder / "log", folder / "out", folder / "undisturbed"
    undisturbed.mkdir()
    started = time.monotonic()
    code = ended(start(command.line(data, undisturbed), log))
    seconds = time.monotonic() - started
    if code not in (0, 1):
        raise SystemExit(f"{command.name}: exit code {code}\n{log.read_text(encoding='utf-8')}")
    expected, killed, endings, faults = content(undisturbed), 0, 0, []
    while killed < kills:
        out.mkdir()
        code, again = None, False
        while code is None:
            process = start(command.line(data, out, again=again), log)
            code = ended(process, None if killed >= kills else dice.uniform(0, share * seconds))
            if code is None:
                _kill(process, together=command.words.startswith(TORCHRUN))
                killed, again = killed + 1, True
        endings += 1
        if fault := _fault(code, expected, content(out), log):
            faults.append(fault)
        shutil.rmtree(out)
    return seconds, endings, faults


def _kill(process: int, *, together: bool) -> None:
    processes = [process]
    if together:
        import psutil  # accelerate needs it, and so do trainings of several processes

        processes += [c.pid for c in psutil.Process(process).children(recursive=True)]
    for one in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    ended(process)


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
    commands = {command.name: command for command in COMMANDS if command.again is not None}
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("commands", nargs="*", help=f"of {', '.join(commands)} (default: all)")
    options.add_argument("--kills", type=int, default=100, help="of each command")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--share", type=float, default=1.02, help="of the time, for a kill")
    chosen = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    prepared()
    print("| command | seconds undisturbed | kills | runs to the end | differences |")
    print("|---|--:|--:|--:|--:|", flush=True)
    wrong = 0
    for name in chosen.commands or commands:
        with tempfile.TemporaryDirectory() as place:
            data = Path(place) / "data"
            data.mkdir()
            write_inputs(data)
            dice = Random(f"{chosen.seed} {name}")
            seconds, endings, faults = disturbed(
                commands[name], data, Path(place), chosen.kills, dice, chosen.share
            )
        figures = f"{seconds:.1f} | {chosen.kills} | {endings} | {len(faults)}"
        print(f"| `{name}` | {figures} |", flush=True)
        print(*faults, sep="\n", end="\n" * bool(faults), file=sys.stderr, flush=True)
        wrong += len(faults)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
