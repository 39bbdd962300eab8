"""`amparser experiment --all`: every experiment behind the tables, from one commit."""

from __future__ import annotations

import hashlib
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from amparser.errors import InputError
from amparser.files import read_text, write_atomically
from amparser.provenance import commit, is_dirty
from amparser.resources import package_data

PLAN = "training/experiments.txt"
_SIGNAL = 128
"""A process that a signal ends has a greater exit code, as a shell counts, or a negative one."""


def commands_of(text: str, data: Path, only: Sequence[str] = ()) -> list[list[str]]:
    """The arguments of each command of a plan: a line each, except comments.

    Args:
        text: the plan; `{data}` stands for the folder of all data.
        data: that folder.
        only: parts of lines; a line with none of them is left out, unless there are none.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    chosen = [line for line in lines if not only or any(part in line for part in only)]
    return [[part.format(data=data) for part in shlex.split(line)] for line in chosen]


def run_all(
    data: Path, *, runs: Path, results: Path, jobs: int, only: Sequence[str], allow_dirty: bool
) -> None:
    """Carry out the commands of the plan; those that a killed run has ended are left out.

    Models and answers are kept in a folder of the commit below `runs`, so that no figure comes
    from another one.

    Raises:
        InputError: the program differs from its commit or has none; a command failed, after
            all others were carried out.
    """
    now = commit()
    if now is None or (is_dirty(now) and not allow_dirty):
        raise InputError("--all needs a checkout without changes, whose commit the records name")
    folder = runs / now[:12]
    commands = commands_of(read_text(str(package_data(PLAN))), data, only)
    failed = []
    for number, arguments in enumerate(commands, 1):
        line = shlex.join(arguments)
        print(f"[{number}/{len(commands)}] amparser {line}", flush=True)
        digest = hashlib.sha256(f"{line} {results.absolute()}".encode()).hexdigest()
        done = folder / f"done-{digest[:10]}"
        if done.exists():
            continue
        options = ["--runs", str(folder), "--results", str(results), "--jobs", str(jobs)]
        options += ["--allow-dirty"] if allow_dirty else []
        command = [sys.executable, "-m", "amparser", *arguments, *options]
        code = subprocess.run(command, check=False).returncode
        if code < 0 or code > _SIGNAL:
            raise SystemExit(code if code > 0 else _SIGNAL - code)
        if code:
            failed.append(line)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(done, f"{line}\n".encode())
    if failed:
        raise InputError(f"{len(failed)} of {len(commands)} failed: {'; '.join(failed)}")
