"""The folder `.amparser/` inside an output folder: unfinished files, checkpoints and locks.

    DIR/.amparser/README.txt             marks the folder as made by amparser
    DIR/.amparser/lock                   locked by the one process that writes into DIR
    DIR/.amparser/model.json.x7.part     replaces DIR/model.json when it is complete
    DIR/.amparser/checkpoint-0003.json   of an unfinished training in DIR

Processes share a lock on the folder while they use it, and the last one removes it if only the
README is left. The folder stays if the file system has no locks, as on some networks, or if a
process was killed, whose parts stay.
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
"""Name of the folder."""
MARK = "README.txt"
LOCK = "lock"
_TEXT = """Working files of amparser: unfinished outputs, checkpoints and locks.

This folder can be removed if no amparser is running. A training that was stopped then starts over.
"""


@contextmanager
def working_folder(parent: Path) -> Iterator[Path]:
    """Yield the working folder of an output folder; create it, and remove it if it ends up empty.

    Raises:
        OSError: files cannot be written there.
        InputError: there is another folder of this name.
    """
    folder = parent if parent.name == WORKING else parent / WORKING
    descriptor = _entered(folder)
    try:
        yield folder
    finally:
        if descriptor is not None:
            _leave(folder, descriptor)


def _entered(folder: Path) -> int | None:
    """Return a descriptor that keeps others from removing the folder (on Windows None)."""
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
            return  # another process was faster, and may have left again
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
        # A process releases its lock before it tries, so the last one to try succeeds.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(folder, descriptor) and [*folder.iterdir()] == [folder / MARK]:
            (folder / MARK).unlink()
            folder.rmdir()
    except OSError:  # others are there, or the file system has no locks
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
    """Exclude other processes and threads from the same work in a folder.

    On a file system without locks, as on some networks, the block runs anyway.

    Args:
        seconds: time to wait for another process; -1 waits forever.

    Raises:
        InputError: another process is still at work.
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
