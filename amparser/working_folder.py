"""The folder `.amparser/` inside an output folder: unfinished files, checkpoints and locks.

    DIR/.amparser/README.txt             marks the folder as made by amparser
    DIR/.amparser/lock                   locked by the one process that writes into DIR
    DIR/.amparser/model.json.x7.part     replaces DIR/model.json when it is complete
    DIR/.amparser/checkpoint-0003.json   checkpoint of an unfinished training run in DIR

Processes share a lock on the folder while they use it. The last process removes the folder if only
the README is left. The folder remains if the file system has no locks, as on some network drives,
or if a killed process left unfinished files.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout

from amparser.errors import InputError

if sys.platform != "win32":
    import fcntl

WORKING = ".amparser"
"""Name of the working folder inside an output folder."""
MARK = "README.txt"
LOCK = "lock"
_TEXT = """Working files of amparser: unfinished outputs, checkpoints and locks.

This folder can be removed if no amparser is running. A training that was stopped then starts over.
"""


@contextmanager
def working_folder(parent: Path) -> Iterator[Path]:
    """Create and yield the working folder of an output folder; remove it afterwards if empty.

    Raises:
        OSError: files cannot be written there.
        InputError: a folder of this name exists that amparser did not create.
    """
    folder = parent if parent.name == WORKING else parent / WORKING
    descriptor = _entered(folder)
    try:
        yield folder
    finally:
        if descriptor is not None:
            _leave(folder, descriptor)


def _entered(folder: Path) -> int | None:
    """Lock the folder against removal, and return its descriptor (None on Windows)."""
    while True:
        if not folder.exists():
            _make(folder)
        descriptor = None
        if sys.platform != "win32":
            try:
                descriptor = os.open(folder, os.O_RDONLY)
            except FileNotFoundError:  # another process removed it
                continue
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_SH)
            if not _is_at(folder, descriptor):
                os.close(descriptor)
                continue
        if _is_marked(folder):
            return descriptor
        if descriptor is not None:
            os.close(descriptor)
        raise InputError(
            f"{folder}: not created by amparser, which needs this name for its working files; "
            "expected another output folder"
        )


def _make(folder: Path) -> None:
    new = folder.with_name(f"{WORKING}-{uuid4().hex}")
    new.mkdir()
    try:
        (new / MARK).write_text(_TEXT, encoding="utf-8")
        new.rename(folder)
    except BaseException as error:
        (new / MARK).unlink(missing_ok=True)
        new.rmdir()
        if isinstance(error, OSError) and error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            return  # another process made the folder first, and may have removed it again
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(folder)
        raise


def _is_marked(folder: Path) -> bool:
    try:
        return (folder / MARK).read_text(encoding="utf-8").startswith(_TEXT.partition("\n")[0])
    except (OSError, UnicodeDecodeError):
        return False


def _leave(folder: Path, descriptor: int) -> None:
    try:
        # Each process releases its shared lock before it requests an exclusive one, so the last
        # process succeeds.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(folder, descriptor) and [*folder.iterdir()] == [folder / MARK]:
            (folder / MARK).unlink()
            folder.rmdir()
    except OSError:  # other processes use the folder, or the file system has no locks
        pass
    finally:
        os.close(descriptor)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


@contextmanager
def alone_in(folder: Path, seconds: float = 10.0) -> Iterator[None]:
    """Prevent other processes and threads from writing to a folder during the block.

    The block also runs if the file system has no locks, as on some network drives.

    Args:
        seconds: time to wait for another process; -1 waits forever.

    Raises:
        InputError: another process still writes to the folder.
    """
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            working = stack.enter_context(working_folder(folder))
            lock = FileLock(working / LOCK, timeout=seconds)
            lock.acquire()
            stack.callback(_unlock, lock, working / LOCK)
        except Timeout:
            raise InputError(f"{folder}: another process is writing to this folder") from None
        except OSError:
            pass
        yield


def _unlock(lock: FileLock, path: Path) -> None:
    with suppress(OSError):
        path.unlink()
    lock.release()
