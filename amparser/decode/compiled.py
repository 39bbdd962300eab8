"""Compilation of functions by numba when they are first called.

The machine code is cached in the first of these folders that is writable: `$NUMBA_CACHE_DIR`,
`__pycache__` of this package, the user's cache folder. Numba does not notice changes of constants
and functions that a compiled function imports. The name of the subfolder therefore contains a
digest of the source code of all compiled functions, here and in `amparser/induction`.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import FunctionCache

from amparser.resources import cache_folder

P = ParamSpec("P")
R = TypeVar("R")

LOG = logging.getLogger("amparser.decode")

NOTICE = "compiling the decoder once (about 10 s)"


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays with numba on its first call; its code does not hold the GIL.

    Warns:
        RuntimeWarning: no folder for the machine code is writable.
    """
    _announce_compilation()
    dispatcher: Any = numba.njit(nogil=True)(function)
    folder = _code_folder()
    if folder is not None and dispatcher is not function:  # the same if NUMBA_DISABLE_JIT is set
        config: Any = numba.config
        configured, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            dispatcher._cache = _Cache(function)  # reads `CACHE_DIR`
        finally:
            config.CACHE_DIR = configured
    return cast("Callable[P, R]", dispatcher)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function; it ignores cached code that cannot be read or written."""

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return super().load_overload(signature, context)
        except Exception:  # unpickling may raise any exception
            LOG.debug("unreadable compiled code is deleted", exc_info=True)
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except (OSError, RuntimeError) as error:  # numba may lack the object code
            LOG.warning("cannot save the compiled decoder, so every start compiles it: %s", error)


@cache
def _announce_compilation() -> None:
    class Announcer(event.Listener):  # type: ignore[misc]
        said = False

        def on_start(self, event: Any) -> None:
            core = event.data["dispatcher"].py_func.__module__.startswith("amparser.")
            if core and not self.said:
                self.said = True
                LOG.warning(NOTICE)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Announcer())


@cache
def _code_folder() -> Path | None:
    bases = [Path(__file__).parent / "__pycache__", cache_folder()]
    if os.environ.get("NUMBA_CACHE_DIR"):
        bases.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]))
    for base in bases:
        folder = base / f"cores-{_digest()}"
        if base.is_absolute() and _can_be_written(folder):
            return folder
    warnings.warn(
        f"cannot write to {' or '.join(map(str, bases))}, so every start compiles the decoder "
        "again (about 10 s); set NUMBA_CACHE_DIR to a writable folder",
        RuntimeWarning,
        stacklevel=3,
    )
    return None


def _digest() -> str:
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted([*folder.glob("*.py"), *(folder.parent / "induction").rglob("*.py")]):
        source = path.read_bytes()
        if b"compiled" in source:
            digest.update(source)
    return digest.hexdigest()[:16]


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
