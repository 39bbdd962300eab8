"""The command line. Each command is a module that translates arguments and prints results.

Commands import what they need when they run, so that `--help` does not load torch.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from amparser import __version__
from amparser.benchmarks.registry import COMMANDS
from amparser.cli.application import Command, app, end_on_termination, ended
from amparser.cli.ask import ask
from amparser.cli.bulk import bulk
from amparser.cli.check import check
from amparser.cli.compare import compare
from amparser.cli.convert import convert
from amparser.cli.evaluate import evaluate
from amparser.cli.experiment import experiment
from amparser.cli.generate import generate
from amparser.cli.grammar import grammar
from amparser.cli.lexicon import lexicon
from amparser.cli.models import models
from amparser.cli.parse import parse
from amparser.cli.serve import serve
from amparser.cli.train import train

PANELS: Mapping[str, tuple[Callable[..., None], ...]] = {
    "Use a model": (parse, models, serve, bulk, convert),
    "Your own data": (check, train, ask),
    "Evaluate": (evaluate, compare, lexicon),
    "Benchmarks": (generate, experiment),
}
"""The commands, in the groups and the order in which `--help` lists them."""
for panel, commands in PANELS.items():
    for command in commands:
        app.command(cls=Command, rich_help_panel=panel)(command)
app.add_typer(grammar, name="grammar", rich_help_panel=panel)
for name in COMMANDS:
    app.command(name, cls=Command, rich_help_panel=next(iter(PANELS)))(COMMANDS[name])


def _version(wanted: bool) -> None:
    if wanted:
        print(f"amparser {__version__}")
        raise typer.Exit


@app.callback()
def _amparser(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Read sentences and print their meanings; train on sentences of your own.

    A first try: amparser parse "Who did Emma give a cake to?", then amparser models
    """


def _escaped(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def main() -> None:
    """Run the command line, as the console script `amparser` does."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "backslashreplace":
        # The handler `backslashreplace` writes escapes such as `\\xe9`, which are not valid JSON.
        codecs.register_error("json", _escaped)
        sys.stdout.reconfigure(errors="json")
    # Torch reads this variable when it is loaded. By default, waiting threads spin, which slows
    # down a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    end_on_termination()
    with ended():
        app(prog_name="amparser")
