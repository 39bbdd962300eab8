"""The Typer application. It turns an error into one line on stderr and an exit code."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from amparser.cli.options import SHARED, documented
from amparser.errors import AMParserError
from amparser.files import STDIN, check_apart
from amparser.hub import local_folder

MODELS = ("model", "start")
"""Parameters whose value is the folder or name of a model to read."""
OUTPUTS = ("output", "html", "log", "rows")
"""Parameters with paths of outputs; all other paths are inputs."""
_OUT_OF_MEMORY = re.compile(
    "not enough memory|out of memory|can't allocate memory|Storage size calculation overflowed"
)


class Terminated(KeyboardInterrupt):
    """Interrupt raised on SIGTERM, so that half-written files are removed before the end."""


def end_on_termination() -> None:
    """Make SIGTERM end the program in the same way as an interrupt."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        # Ignore a second signal, which would interrupt the cleanup.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    signal.signal(signal.SIGTERM, stop)


@contextmanager
def ended() -> Iterator[None]:
    """Turn every error that the block raises into one line on stderr and an exit code."""
    if sys.stdout is None or sys.stderr is None:  # the output would be lost
        raise _exit("standard output or standard error is closed", 2)
    try:
        yield
    except BrokenPipeError:
        # The reader, such as `| head`, closed the pipe. Python must not flush the output at exit.
        _forget_output()
        raise SystemExit(1) from None
    except (KeyboardInterrupt, SystemError) as error:
        # Compiled code raises SystemError if a signal is pending when it returns to Python.
        cause = error.__cause__ if isinstance(error, SystemError) else error
        if not isinstance(cause, KeyboardInterrupt):
            raise
        if isinstance(cause, Terminated):
            raise _exit("terminated", 143) from None
        raise _exit("interrupted", 130) from None
    except AMParserError as error:
        raise _exit(str(error), 2) from None
    except UnicodeEncodeError as error:
        message = f"output: {error.object[error.start]!r} is not in {error.encoding}"
        raise _exit(f"{message}; set PYTHONIOENCODING=utf-8", 2) from None
    except MemoryError:
        raise _exit("not enough memory", 2) from None
    except RuntimeError as error:
        # torch raises RuntimeError, not MemoryError, if memory runs out.
        if not _OUT_OF_MEMORY.search(str(error)):
            raise
        raise _exit("not enough memory", 2) from None
    except OSError as error:
        # File errors carry a file name. If a "disk full" error has none, it is from standard
        # output.
        name = "<stdout>" if error.errno == errno.ENOSPC else None
        name = name if error.filename is None else error.filename
        where = "" if name is None else f"{name}: "
        _forget_output()
        raise _exit(f"{where}{error.strerror or error}", 2) from None


class Command(TyperCommand):
    """A command that refuses to overwrite its inputs or the files of its model.

    The help texts of its parameters are in its docstring (see `amparser.cli.options`).
    """

    def __init__(self, *args: Any, **details: Any) -> None:
        super().__init__(*args, **details)
        self.help, about = documented(self.help or "")
        for parameter in self.params:
            assert isinstance(parameter, TyperArgument | TyperOption)
            texts = (about.get(str(parameter.name)), parameter.help)
            parameter.help = next(filter(None, texts), SHARED.get(str(parameter.name)))

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        """Check that outputs differ from inputs, then run the command."""
        inputs: list[tuple[str, Path | None]] = []
        outputs: list[tuple[str, Path]] = []
        for parameter in self.params:
            name = parameter.name or ""
            option = parameter.opts[0] if parameter.opts[0].startswith("-") else name.upper()
            value = ctx.params.get(name)
            if name in MODELS:
                folders = value if isinstance(value, (list, tuple)) else [value]
                inputs += [(option, local_folder(folder)) for folder in folders]
            else:
                paths = [(option, path) for path in _paths(value, parameter.metavar or "")]
                if name in OUTPUTS:
                    outputs += paths
                else:
                    inputs += paths
        check_apart(inputs, outputs)
        return super().invoke(ctx)


def _paths(value: object, metavar: str) -> Iterable[Path]:
    """Yield the paths in a parameter's value; a string is a path if `metavar` begins with FILE."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, str) and metavar.startswith("FILE") and value != STDIN:
        yield Path(value)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _paths(part, metavar)


class Commands(TyperGroup):
    """The group of all commands.

    Exit codes: 0 success, 1 a sentence has no parse, 2 bad input or arguments (one line on stderr),
    130 interrupted, 143 terminated.
    """

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the arguments, turning errors into one line."""
        with ended():
            return super().make_context(*args, **options)

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        """Run a command, turning errors into one line."""
        with ended():
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result


def _forget_output() -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # standard output is not a file on disk, as in tests
        return


def _exit(message: str, code: int) -> SystemExit:
    # Text from malicious files must not send control characters to the terminal.
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    print(f"amparser: error: {line}", file=sys.stderr)
    return SystemExit(code)


app = typer.Typer(
    cls=Commands,
    name="amparser",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
