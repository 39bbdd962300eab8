"""The one place where search cores are compiled.

Machine code is kept on disk, so that only the first call after installation
compiles (some 20 s in all). It goes to the first of these folders that can be
written: `$NUMBA_CACHE_DIR`, `__pycache__` of this package, `amparser` in the user's
cache folder (`$XDG_CACHE_HOME`, `~/.cache`). Where none can be, decoders work all the
same, and a warning says what it costs. For a handful of sentences compiling takes
longer than parsing: `prefer_interpreter` then leaves the cores to Python.

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
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


_READY = "ready"
_state = {"interpreted": False}


def prefer_interpreter(decoder: str) -> None:
    """Let Python run the cores, unless those of a decoder already lie on disk as machine code.

    Counts for cores that are imported later; none must have been compiled before.
    """
    folder = _code_folder()
    if folder is None or not (folder / f"{_READY}-{decoder}").exists():
        _state["interpreted"] = True


def note_compiled(decoder: str) -> None:
    """Remember on disk that the cores of a decoder have been compiled."""
    folder = None if _state["interpreted"] else _code_folder()
    if folder is not None:
        (folder / f"{_READY}-{decoder}").touch()


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays with numba; it runs without the GIL.

    Warns:
        RuntimeWarning: when there is no writable folder for the machine code.
    """
    if _state["interpreted"]:
        return function
    import numba

    folder = _code_folder()
    if folder is None:
        return cast("Callable[P, R]", numba.njit(nogil=True)(function))
    config: Any = numba.config
    configured = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # read while a function is decorated, not later
    try:
        return cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(function))
    finally:
        config.CACHE_DIR = configured


@cache
def _code_folders() -> tuple[Path, ...]:
    """Where the machine code of these very sources may lie, in order of preference."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.glob("*.py")):
        source = path.read_bytes()
        if b"compiled" in source:
            digest.update(source)
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    bases = [package / "__pycache__", user / "amparser"]
    if os.environ.get("NUMBA_CACHE_DIR"):
        bases.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]))
    return tuple(base / f"cores-{digest.hexdigest()[:16]}" for base in bases)


@cache
def _code_folder() -> Path | None:
    for folder in _code_folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    warnings.warn(
        f"none of {', '.join(str(f.parent) for f in _code_folders())} can be written, so every "
        "start compiles the decoders anew (some 20 s); set NUMBA_CACHE_DIR to a folder that can be",
        RuntimeWarning,
        stacklevel=3,
    )
    return None
