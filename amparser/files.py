"""Files: reading, atomic writing, and checksums."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
import os
import stat
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, TextIO, cast

from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.limits import LARGEST_FILE, MOST_LINES
from amparser.working_folder import working_folder

STDIN = "-"
GZIP_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)
"""Errors raised when reading a damaged or truncated gzip file."""
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""Byte order marks of UTF-16 text."""
NOT_UTF16 = "UTF-16 text, expected UTF-8: iconv -f UTF-16 -t UTF-8"
_GZIP_MAGIC = b"\x1f\x8b"


def not_utf8(data: bytes, error: UnicodeDecodeError, *, begins: bool = True) -> str:
    """Return a message that names the first byte that is not UTF-8, or says that data is UTF-16.

    Args:
        data: the bytes.
        error: the error that decoding the bytes raised.
        begins: whether the bytes start at the beginning of a file.

    >>> data = "a".encode("utf-16")
    >>> try:
    ...     data.decode()
    ... except UnicodeDecodeError as error:
    ...     print(not_utf8(data, error))
    UTF-16 text, expected UTF-8: iconv -f UTF-16 -t UTF-8
    """
    if begins and data.startswith(UTF16):
        return NOT_UTF16
    byte = error.start - (data.rfind(b"\n", 0, error.start) + 1)
    return f"byte {byte + 1}: expected UTF-8 text"


def read_text(name: str) -> str:
    """Return the text of a UTF-8 file, plain or gzipped, or of standard input for `-`.

    Raises CorpusError if the file cannot be read, or is not UTF-8; the message names the line.
    """
    parts: list[bytes] = []
    size = lines = 0
    with opened(name) as file:
        while part := file.read(1 << 24):
            parts.append(part)
            size += len(part)
            lines += part.count(b"\n")
            if size > LARGEST_FILE or lines > MOST_LINES:
                most = f"{LARGEST_FILE >> 20} MiB of text or {MOST_LINES} lines"
                limit = f"more than {most}, expected a smaller file"
                raise CorpusError(located(limit, path=shown_name(name)))
    data = b"".join(parts)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = not_utf8(data, error)
        raise CorpusError(located(reason, path=shown_name(name), line=line)) from None


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """Open a file, plain or gzipped, or standard input for `-`; files on disk are unbuffered.

    Raises CorpusError if the file cannot be opened, or cannot be read within the block.
    """
    try:
        if name != STDIN:
            with Path(name).open("rb", buffering=0) as file:
                packed = file.seekable() and file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
                if file.seekable():
                    file.seek(0)
                yield cast("IO[bytes]", gzip.GzipFile(fileobj=file) if packed else file)
            return
        if sys.stdin is None:
            raise OSError(None, "it is closed", "<stdin>")
        try:
            source: Any = io.FileIO(sys.stdin.fileno(), closefd=False)
        except io.UnsupportedOperation:  # a stream without a file descriptor
            source = sys.stdin.buffer
        yield source
    except GZIP_DAMAGE as error:
        reason = f"damaged or truncated gzip file ({error})"
        raise CorpusError(located(reason, path=shown_name(name))) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CorpusError(located(reason, path=shown_name(name))) from None


def shown_name(name: str) -> str:
    """Return the name of a file for messages."""
    return "<stdin>" if name == STDIN else name


def lines_of(text: str) -> list[str]:
    """Split a text into lines; a final line end adds no empty line."""
    # str.splitlines also splits at other characters, such as form feeds.
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def check_apart(
    inputs: Iterable[tuple[str, Path | None]], outputs: Iterable[tuple[str, Path]]
) -> None:
    """Check that no output would replace an input, a file of an input folder, or another output.

    Args:
        inputs, outputs: pairs of an option and the path that it names. The path of an input is
            None if the input is not on this machine.

    Raises:
        InputError: two options name the same file; the message names both options.
    """
    taken = [(option, path.resolve()) for option, path in inputs if path is not None]
    for option, path in outputs:
        goal = path.resolve()
        if _is_special(goal):
            continue
        for other, one in taken:
            # Inside an input folder, an output replaces an input only if it is an existing file.
            is_inside = one in goal.parents and not goal.is_dir() and goal.exists()
            if is_inside or goal == one or (goal.is_file() and one.exists() and goal.samefile(one)):
                raise InputError(f"{path}: {option} would replace the file of {other}")
        taken.append((option, goal))


def _is_special(path: Path) -> bool:
    """Return whether a path is a device or pipe, and not a file or folder."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Yield a text file that replaces `path` if the block succeeds.

    A device or pipe is not replaced, but written directly. Raises InputError before the block runs
    if the path cannot be written.
    """
    with ExitStack() as stack:
        try:
            if path.is_dir():
                raise IsADirectoryError(None, "it is a folder", str(path))
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(None, "permission denied", str(path))
            options: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"}
            file = stack.enter_context(_replacing(path, "w", **options))
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(located(f"cannot be written: {reason}", path=path)) from None
        yield cast("TextIO", file)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that other programs see the old or the new content, never a part of it."""
    with _replacing(path, "wb") as file:
        file.write(content)


@contextmanager
def _replacing(path: Path, mode: str, **options: Any) -> Iterator[IO[Any]]:
    path = path.resolve() if path.is_symlink() else path
    if _is_special(path):
        with path.open(mode, **options) as file:
            yield file
        return
    permissions = _mode_of(path)
    with working_folder(path.parent) as folder:
        descriptor, name = tempfile.mkstemp(".part", f"{path.name}.", folder)
        part = Path(name)
        try:
            with os.fdopen(descriptor, mode, **options) as file:
                yield file
                file.flush()
                os.fsync(descriptor)
            part.chmod(permissions)
            part.replace(path)
        except BaseException as error:
            part.unlink(missing_ok=True)
            # Some system errors, such as a full disk, do not name the file.
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(path)
            raise
        if os.name != "nt":  # also write the folder's entry for the file to disk
            parent = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(parent)
            finally:
                os.close(parent)


def _mode_of(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def begins(path: Path, text: str, size: int = 200) -> bool:
    """Return whether the first `size` bytes of a file contain a text."""
    try:
        with path.open("rb") as file:
            return text.encode() in file.read(size)
    except OSError:
        return False


def prepare_folder(folder: Path, names: Iterable[str] = (), *, is_ours: bool = False) -> None:
    """Create a folder and check that files can be written there.

    Args:
        folder: the folder.
        names: names of the files that will be written.
        is_ours: whether amparser wrote the existing files with these names.

    Raises:
        InputError: files cannot be written, or would replace files that amparser did not write.
    """
    for name in names:
        if not is_ours and (folder / name).exists():
            raise InputError(
                f"{folder / name}: exists and was not written by amparser; expected another folder"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with working_folder(folder):
            pass
    except OSError as error:
        raise InputError(f"{folder}: cannot write to this folder: {error.strerror}") from None


def read_json(path: Path) -> Any:
    """Return the value in a JSON file; raise InputError if it cannot be read or is not JSON."""
    return json_of(path, error=InputError)


def json_of(path: Path, *, error: type[AMParserError]) -> Any:
    """Return the value in a JSON file; raise `error` if it cannot be read or is not JSON."""
    try:
        return json.loads(regular(path).read_bytes(), object_pairs_hook=once)
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None
    except RecursionError:
        raise error(f"{path}: nested too deeply") from None
    except RepeatedKeyError as problem:
        raise error(f"{path}: {problem}") from None
    except ValueError:  # it is not JSON, not UTF-8, or has a number with too many digits
        raise error(f"{path}: truncated or not JSON") from None


class RepeatedKeyError(ValueError):
    """JSON object with a repeated key."""


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a dict of key-value pairs; raise RepeatedKeyError if a key is repeated."""
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        key = next(key for key, count in counts.items() if count > 1)
        raise RepeatedKeyError(f"the key {json.dumps(key)} occurs twice in one object")
    return value


def regular(path: Path) -> Path:
    """Return the path; raise OSError for a pipe or device, because reading it may never end."""
    if _is_special(path):
        raise OSError(None, "not a regular file")
    return path


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, atomically."""
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def checksum(path: str | Path) -> str:
    """Return the SHA-256 of a file in hexadecimal; raise CorpusError if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CorpusError(located(error.strerror or str(error), path=path)) from None


def checksum_of_json(value: object) -> str:
    """Return a checksum of JSON values that ignores the order of keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def checksum_of_rows(*parts: Sequence[object]) -> str:
    """Return a checksum of lists of examples; resumed training checks that it is unchanged."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}\n".encode())
        for example in part:
            digest.update(repr(example).encode())
    return digest.hexdigest()
