"""Files that a command writes, all or nothing."""

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
