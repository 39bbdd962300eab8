"""Files are written whole or not at all, also by two processes, and read with bounds."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from amparser.corpora import reading
from amparser.errors import InputError
from amparser.files import alone_in, replacing, write_atomically

ROW = "Emma ran .\trun . agent ( x _ 1 , Emma )\n"


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + ROW.replace("\n", "\r\n").encode())
    [example] = reading.read_examples(path)
    assert example.tokens == ("Emma", "ran", ".")
    assert example.meaning == "run . agent ( x _ 1 , Emma )"


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_atomically(tmp_path / "old.json", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for name in ("old.json", "model.json"):
        with pytest.raises(OSError, match="No space left"):
            write_atomically(tmp_path / name, b"{}")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_a_link_stays_a_link_and_a_mode_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    with replacing(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert target.stat().st_mode & 0o777 == 0o600
    write_atomically(link, b"newer")
    assert link.is_symlink()
    assert target.read_bytes() == b"newer"


def test_what_a_killed_process_left_goes_and_what_another_writes_stays(tmp_path: Path) -> None:
    output = tmp_path / "out [1].txt"
    (tmp_path / ".out [1].txt.killed.part").write_bytes(b"half")
    (tmp_path / ".other.txt.killed.part").write_bytes(b"half")
    with replacing(output) as first:
        assert not (tmp_path / ".out [1].txt.killed.part").exists()
        first.write("first")
        with replacing(output) as second:
            second.write("second")
        assert output.read_text(encoding="utf-8") == "second"
        write_atomically(output, b"third")
    assert output.read_text(encoding="utf-8") == "first"
    assert {path.name for path in tmp_path.iterdir()} == {output.name, ".other.txt.killed.part"}


def test_a_new_part_that_another_process_takes_for_one_that_was_left_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    make = tempfile.mkstemp
    taken: dict[str, int] = {}

    def mkstemp(*args: Any, **options: Any) -> tuple[int, str]:
        descriptor, name = make(*args, **options)
        if not taken:
            taken[name] = os.open(name, os.O_RDWR)
            fcntl.flock(taken[name], fcntl.LOCK_EX)
        return descriptor, name

    monkeypatch.setattr(tempfile, "mkstemp", mkstemp)
    output = tmp_path / "out.txt"
    with replacing(output) as file:
        [(name, descriptor)] = taken.items()
        Path(name).unlink()
        os.close(descriptor)
        file.write("whole")
    assert output.read_text(encoding="utf-8") == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_two_processes_that_write_one_file_do_not_mix(tmp_path: Path) -> None:
    output = tmp_path / "out.txt"
    script = (
        "import sys; from pathlib import Path; from amparser.files import *\n"
        "for i in range(150):\n"
        "    text = sys.argv[2] * 5000\n"
        "    write_atomically(Path(sys.argv[1]), text.encode())\n"
        "    with replacing(Path(sys.argv[1])) as file: file.write(text)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, output, letter]) for letter in "ab"]
    while any(process.poll() is None for process in both):
        if output.exists():
            assert output.read_text(encoding="utf-8") in ("a" * 5000, "b" * 5000)
    assert [process.wait() for process in both] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_one_process_trains_in_a_folder_at_a_time(tmp_path: Path) -> None:
    with (
        alone_in(tmp_path),
        pytest.raises(InputError, match="another process is writing there"),
        alone_in(tmp_path, seconds=0.1),
    ):
        pass
    with alone_in(tmp_path, seconds=0.1):
        pass
