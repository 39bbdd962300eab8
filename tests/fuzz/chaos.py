"""`kill -9` at random moments, and the same command again, until it comes to its end.

    python tests/fuzz/chaos.py [--kills 100] [COMMAND ...]
    AMPARSER_ROWS=100000 python tests/fuzz/chaos.py --kills 20 --share 0.1 "bulk --jobs 2"

Each command first runs undisturbed. Then it is killed again and again in one folder, at moments
that are spread over the time that it needs, and restarted each time, until it ends by itself.
It must leave the files of the undisturbed run, with the same bytes but for times of the clock. A
table counts kills, endings and differences.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent), str(here.parents[1])]

import tiny_model
from command_line import SMALL

import amparser
from amparser.ahead import compile_all

Content = Mapping[str, bytes]

_TIMES = re.compile(
    rb'"(sentences_per_second|seconds|milliseconds|cpu_seconds|peak_mib|resumed|model|created|date)":\s*'
    rb"(\{[^{}]*\}|[^,\n}]*)"
)
"""Values in JSON that differ from run to run, as whole values or objects of numbers."""
COMMAND = (sys.executable, "-m", "amparser")
TORCHRUN = (*f"{sys.executable} -m torch.distributed.run --standalone --nproc-per-node 2".split(),
            "-m", "amparser")  # fmt: skip
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(amparser.__file__).parents[1]),
    "OMP_NUM_THREADS": "1",
}
PROCESSES = "in two processes"
"""End of the name of a command whose processes start and die together."""
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

    def start(self, data: Path, out: Path, log: Path, *, again: bool) -> subprocess.Popen[Any]:
        """Run it; what it prints goes into a log."""
        with log.open("wb") as printed:
            together = self.name.endswith(PROCESSES)
            line = (*(TORCHRUN if together else COMMAND), *self.line(data, out, again=again))
            return started(line, stdout=printed, stderr=printed, start_new_session=together)

    def kill(self, process: subprocess.Popen[Any]) -> None:
        """End it in the middle of its work."""
        if self.name.endswith(PROCESSES):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()


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
    Command(f"train {PROCESSES}", _NODES, "--resume", is_interrupted=False),
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
    command: Command, data: Path, folder: Path, kills: int, dice: Random, share: float = 1.02
) -> tuple[float, int, list[str]]:
    """Kill a command again and again; returns its undisturbed seconds, endings and faults.

    Args:
        share: of the undisturbed time in which it is killed: a small one kills one run often.
    """
    log, out, undisturbed = folder / "log", folder / "out", folder / "undisturbed"
    undisturbed.mkdir()
    begun = time.monotonic()
    code = command.start(data, undisturbed, log, again=False).wait()
    seconds = time.monotonic() - begun
    if code not in (0, 1):
        raise SystemExit(f"{command.name}: exit code {code}\n{log.read_text(encoding='utf-8')}")
    expected, killed, endings, faults = content(undisturbed), 0, 0, []
    while killed < kills:
        out.mkdir()
        again = False
        while True:
            process = command.start(data, out, log, again=again)
            try:
                code = process.wait(None if killed >= kills else dice.uniform(0, share * seconds))
                break
            except subprocess.TimeoutExpired:
                command.kill(process)
                killed, again = killed + 1, True
        endings += 1
        if fault := _fault(code, expected, content(out), log):
            faults.append(fault)
        shutil.rmtree(out)
    return seconds, endings, faults


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


def main() -> int:
    """Kill commands and print the table."""
    commands = {command.name: command for command in COMMANDS if command.again is not None}
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("commands", nargs="*", help=f"of {', '.join(commands)} (default: all)")
    options.add_argument("--kills", type=int, default=100, help="of each command")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--share", type=float, default=1.02, help="of the time, for a kill")
    chosen = options.parse_args()
    for _ in compile_all():
        pass
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
