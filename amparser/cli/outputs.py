"""Files that a command writes, all or nothing, and lines on stderr."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

from amparser.files import replacing


def written(path: Path | None) -> AbstractContextManager[TextIO]:
    """Return a file that takes the place of a path at the end; or standard output if it is None."""
    return nullcontext(sys.stdout) if path is None else replacing(path)


def written_if(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """Return a file that takes the place of a path at the end, or None if it is None."""
    return nullcontext() if path is None else replacing(path)


def say(text: str) -> None:
    """Print a line on stderr."""
    sys.stdout.flush()
    print(f"amparser: {text}", file=sys.stderr, flush=True)
