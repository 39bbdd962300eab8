"""The folder `.amparser/` below an output: unfinished files, checkpoints and locks.

    DIR/.amparser/README.txt             proves that amparser made the folder
    DIR/.amparser/lock                   is locked by the process that alone writes into DIR
    DIR/.amparser/model.json.0.part      will take the place of DIR/model.json
    DIR/.amparser/checkpoint-0003.json   of a training in DIR that has not ended

Processes share a lock of the folder while they use it, and the last one removes it if nothing but
the README is left. Without locks, as on some networks, it stays.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout, lock_descriptor

from amparser.errors import InputError

if sys.platform != "win32":
    import fcntl

WORKING = ".amparser"
"""The name of the folder."""
MARK = "README.txt"
LOCK = "lock"
_TEXT = """Working files of amparser: unfinished outputs, checkpoints and locks.

This folder can be removed if no amparser is running. A training that was stopped then starts over.
"""


@contextmanager
def working_folder(parent: Path) -> Iterator[Path]:
    """Yield the working folder below an output folder; it is made, and goes if nothing is left.

    Args:
        parent: the output folder, or a working folder itself.

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
    """Return a descriptor that keeps others from removing the folder; None on Windows."""
    while True:
        if not folder.exists():
            _make(folder)
        descriptor = None
        if sys.platform != "win32":
            try:
                descriptor = os.open(folder, os.O_RDONLY)
            except FileNotFoundError:  # another process has removed it
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
            f"{folder}: amparser did not make this, and needs the name for its working files; "
            "expected another output folder"
        )


def _make(folder: Path) -> None:
    """Make the folder; it is there with its mark, or not at all."""
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
    """Remove the folder if this process is the last one there and nothing is left in it."""
    try:
        # Whoever tries last succeeds, as nobody tries while holding a lock.
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
    """Whether an open file is still the one of this name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def open_part(folder: Path, name: str) -> tuple[Path, int]:
    """Open a new file in a working folder, locked, for a file of some name.

    The part that a killed process left takes its place; that of a living process is locked.

    Raises:
        OSError: it cannot be written.
    """
    number = 0
    while True:
        path = folder / f"{name}.{number}.part"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            try:
                descriptor = os.open(path, os.O_RDWR)
            except FileNotFoundError:  # it has just taken its place
                continue
            is_ours = _locked(descriptor) is True
        else:
            is_ours = _locked(descriptor) is not False
        if is_ours and (os.name == "nt" or _is_at(path, descriptor)):
            os.ftruncate(descriptor, 0)
            return path, descriptor
        os.close(descriptor)
        number += 1


def _locked(descriptor: int) -> bool | None:
    """Whether a file is now locked by this process alone; None where there are no locks."""
    try:
        return None if os.name == "nt" else lock_descriptor(descriptor, blocking=False)
    except OSError:  # some file systems of networks
        return None


@contextmanager
def alone_in(folder: Path, seconds: float = 10.0) -> Iterator[None]:
    """A block in which no other process or thread does the same in the folder.

    On a file system that cannot lock files, as on some networks, it runs all the same.

    Args:
        seconds: how long to wait for another process to end; -1 for ever.

    Raises:
        InputError: another process is still there.
    """
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            working = stack.enter_context(working_folder(folder))
            lock = FileLock(working / LOCK, timeout=seconds)
            lock.acquire()
            stack.callback(_unlock, lock, working / LOCK)
        except Timeout:
            raise InputError(f"{folder}: another process is writing there") from None
        except OSError:
            pass
        yield


def _unlock(lock: FileLock, path: Path) -> None:
    """Remove the file of a lock; who waits for it makes a new one."""
    with suppress(OSError):
        path.unlink()
    lock.release()
