"""The folder `.amparser/` inside an output folder: unfinished files and checkpoints.

    DIR/.amparser/model.json.0.part      replaces DIR/model.json when it is complete
    DIR/.amparser/checkpoint-0003.json   of an unfinished training in DIR

The folder is removed whenever it is empty, and made again for the next part. Other files in it are
kept.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import lock_descriptor

from amparser.errors import InputError

WORKING = ".amparser"
"""Name of the folder."""


@contextmanager
def working_folder(parent: Path) -> Iterator[Path]:
    """Yield the working folder of an output folder; create it, and remove it if it ends up empty.

    Raises OSError if files cannot be written there.
    """
    folder = parent if parent.name == WORKING else parent / WORKING
    folder.mkdir(exist_ok=True)
    try:
        yield folder
    finally:
        with suppress(OSError):  # it has files
            folder.rmdir()


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def open_part(folder: Path, name: str) -> tuple[Path, int]:
    """Open a new locked file that will replace a file of this name; return path and descriptor.

    The part of a killed process is reused; the part of a running process is locked. Raises OSError
    if it cannot be written.
    """
    number = 0
    while True:
        path = folder / f"{name}.{number}.part"
        folder.mkdir(exist_ok=True)
        is_new = not path.exists()
        try:
            descriptor = os.open(path, os.O_RDWR | (os.O_CREAT | os.O_EXCL) * is_new, 0o600)
        except (FileExistsError, FileNotFoundError):  # another process made or removed it
            continue
        locked = _locked(descriptor)
        is_ours = is_new if locked is None else locked
        if is_ours and (os.name == "nt" or _is_at(path, descriptor)):
            os.ftruncate(descriptor, 0)
            return path, descriptor
        os.close(descriptor)
        number += 1


def _locked(descriptor: int) -> bool | None:
    """Return whether this process now holds the lock; None if files cannot be locked."""
    try:
        return None if os.name == "nt" else lock_descriptor(descriptor, blocking=False)
    except OSError:  # some network file systems
        return None


@contextmanager
def alone_in(folder: Path, seconds: float = 10.0) -> Iterator[None]:
    """Exclude other processes and threads from the same work in a folder, by a lock on the folder.

    If folders cannot be locked, as on some networks, the block runs anyway.

    Args:
        seconds: time to wait for another process.

    Raises:
        InputError: another process is still at work.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            ends = time.monotonic() + seconds
            while not lock_descriptor(descriptor, blocking=False):
                if time.monotonic() > ends:
                    raise InputError(f"{folder}: another process is writing to this folder")
                time.sleep(0.05)
        yield
