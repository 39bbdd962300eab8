"""The one place where search cores are compiled.

Machine code is kept on disk, so that only the first call after installation
compiles (some 20 s in all). It goes to the first of these folders that can be
written: `$NUMBA_CACHE_DIR`, `__pycache__` of this package, `amparser` in the user's
cache folder (`$XDG_CACHE_HOME`, `~/.cache`). Where none can be, decoders work all the
same, and a warning says what it costs.

Within it the code lies under a digest of the sources of all cores: numba alone
would notice a change of the file that holds a core, but not of a constant, a
record or a function that the core takes from another one.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays with numba; it runs without the GIL.

    Warns:
        RuntimeWarning: when there is no writable folder for the machine code.
    """
    folder = _code_folder()
    if folder is None:
        return cast("Callable[P, R]", numba.njit(nogil=True)(function))
    configured = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read while a function is decorated, not later
    try:
        return cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(function))
    finally:
        numba.config.CACHE_DIR = configured


@cache
def _code_folder() -> Path | None:
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.glob("*.py")):
        source = path.read_bytes()
        if b"compiled" in source:
            digest.update(source)
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    bases = [package / "__pycache__", user / "amparser"]
    if numba.config.CACHE_DIR:
        bases.insert(0, Path(numba.config.CACHE_DIR))
    for base in bases:
        folder = base / f"cores-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    warnings.warn(
        f"none of {', '.join(map(str, bases))} can be written, so every start compiles the "
        "decoders anew (some 20 s); set NUMBA_CACHE_DIR to a folder that can be",
        RuntimeWarning,
        stacklevel=3,
    )
    return None
