"""Helpers to run the command line, and settings under which a baseline trains in seconds."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import typer.testing
from typer.testing import CliRunner, Result

from amparser.cli.main import app

# Typer would rebuild all commands for each of the thousands of calls in tests.
_testing: Any = typer.testing
_testing._get_command = cache(_testing._get_command)

SMALL = (
    *("network.hidden_size=32", "network.embedding_size=24", "network.heads=2"),
    *("network.feedforward_size=48", "network.layers=1", "network.dropout=0"),
    *("train.batch_size=8", "max_steps=250", "validate_every=50", "learning_rate=0.004"),
    *("train.schedule=constant", "accumulate=1", "warmup_steps=0", "max_length=60"),
)


def python(
    *arguments: object, stdin: str | None = None, cwd: Path | None = None, **env: str
) -> str:
    """Return what another Python process prints; it must not fail.

    Args:
        env: changes of environment variables.
    """
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        input=stdin,
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def ok(*arguments: str | Path, stdin: str | None = None) -> str:
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str | Path, stdin: str | bytes | None = None) -> str:
    """Return the one-line error of a failing command; assert that it prints nothing else."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("amparser: error: "), result.stderr
    return lines[0].removeprefix("amparser: error: ")
