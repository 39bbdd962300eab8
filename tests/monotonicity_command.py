"""`amparser monotonicity` and `amparser infer` as tests use them, without other commands."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner, Result

from amparser.benchmarks.monotonicity import commands
from amparser.cli.application import Commands

app = typer.Typer(cls=Commands, pretty_exceptions_enable=False)
app.add_typer(commands.app, name="monotonicity")
app.command("infer")(commands.infer)


def run(*arguments: str | Path, text: str = "") -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=text)


def ok(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr
