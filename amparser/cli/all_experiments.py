"""`amparser experiment PLAN.txt`: every experiment behind the tables, from one commit."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from amparser.errors import InputError
from amparser.files import read_text
from amparser.provenance import commit, is_dirty
from amparser.resources import settings_path

DONE = "done.txt"
"""The lines of plans whose commands have ended, in the folder of a commit."""
_SIGNAL = 128
"""A process that a signal ends has a greater exit code, as a shell counts, or a negative one."""


def lines_of_plan(text: str) -> list[str]:
    """Return the commands of a plan, a line each; other lines are empty or comments."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def run_all(plan: Path, data: Path, output: Path, jobs: int) -> None:
    """Carry out the commands of a plan; those that a killed run has ended are left out.

    In a command `{data}` is the folder of all data, and `{output}` a folder of the commit, so that
    no figure comes from another one.

    Raises:
        InputError: the program differs from its commit or has none; a command failed, after
            all others were carried out.
    """
    now = commit()
    if now is None or is_dirty(now):
        raise InputError(f"{plan}: needs a checkout without changes, whose commit the records name")
    lines = lines_of_plan(read_text(str(settings_path(plan))))
    folder = output / now[:12]
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / DONE
    ended = read_text(str(done)).splitlines() if done.exists() else []
    failed = []
    for number, line in enumerate(lines, 1):
        print(f"[{number}/{len(lines)}] amparser {line}", flush=True)
        if line in ended:
            continue
        arguments = [part.format(data=data, output=folder) for part in shlex.split(line)]
        if arguments[0] == "experiment":
            arguments += ["--output", str(folder), "--jobs", str(jobs)]
        command = [sys.executable, "-m", "amparser", *arguments]
        code = subprocess.run(command, check=False).returncode
        if code < 0 or code > _SIGNAL:
            raise SystemExit(code if code > 0 else _SIGNAL - code)
        if code:
            failed.append(line)
        else:
            with done.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
    if failed:
        raise InputError(f"{len(failed)} of {len(lines)} failed: {'; '.join(failed)}")
