"""Files that a command writes completely or not at all, and lines on stderr."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

from amparser.files import replacing


def written(path: Path | None) -> AbstractContextManager[TextIO]:
    """Open a new file, which replaces `path` when it is closed; None is standard output."""
    return nullcontext(sys.stdout) if path is None else replacing(path)


def written_if(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """Open a new file, which replaces `path` when it is closed; yield None if `path` is None."""
    return nullcontext() if path is None else replacing(path)


def say(text: str) -> None:
    """Print a line on stderr."""
    sys.stdout.flush()
    print(f"amparser: {text}", file=sys.stderr, flush=True)
