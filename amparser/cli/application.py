"""The application that contains the commands; it turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys

import typer
from typer.core import TyperGroup

from amparser.errors import AMParserError


class Commands(TyperGroup):
    """A group of commands.

    Exit codes: 0 done, 1 some sentence has no parse, 2 bad input or arguments (one line on
    stderr), 130 interrupted.
    """

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        """Run a command."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has closed the pipe (`| head`). Python must not try to flush again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            raise _exit("interrupted", 130) from None
        except AMParserError as error:
            raise _exit(str(error), 2) from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename is not None else ""
            raise _exit(f"{where}{error.strerror or error}", 2) from None
        return result


def _exit(message: str, code: int) -> typer.Exit:
    line = " ".join(message.split())
    print(f"amparser: error: {line}", file=sys.stderr)
    return typer.Exit(code)


app = typer.Typer(
    cls=Commands,
    name="amparser",
    help="Compositional semantic parsing with AM dependency trees.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
