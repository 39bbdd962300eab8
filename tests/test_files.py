"""Files: size limits, atomic writing, and one folder of working files."""

import gzip
import os
import subprocess
import sys

import pytest

from amparser import files
from amparser.corpora import reading
from amparser.errors import AMParserError, CorpusError, InputError
from amparser.files import read_text, replacing, write_atomically
from amparser.limits import LONGEST_LINE
from amparser.working_folder import WORKING, alone_in


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_huge_file_is_an_error(name, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", 1 << 20)
    path, data = tmp_path / name, b"\0" * (LONGEST_LINE + 2)
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    with pytest.raises(AMParserError, match="more than 1 MiB of text"):
        read_text(str(path))
    with pytest.raises(AMParserError, match=f"{name}:1: a line of more than"):
        reading.read_examples(path)


def test_too_many_lines_are_an_error(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(files, "MOST_LINES", 1000)
    path = tmp_path / "a.tsv.gz"
    path.write_bytes(gzip.compress(b"\n" * 1001))
    with pytest.raises(CorpusError, match=r"a\.tsv\.gz: more than .* 1000 lines"):
        read_text(str(path))


def test_failed_write_keeps_the_old_file(tmp_path, monkeypatch) -> None:
    write_atomically(tmp_path / "old.json", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for name in ("old.json", "model.json"):
        with pytest.raises(OSError, match="No space left"):
            write_atomically(tmp_path / name, b"{}")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_replacing_keeps_links_and_modes(tmp_path) -> None:
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


def test_the_last_writer_of_a_file_wins(tmp_path) -> None:
    output = tmp_path / "out [1].txt"
    with replacing(output) as first:
        first.write("first")
        with replacing(output) as second:
            second.write("second")
        assert output.read_text(encoding="utf-8") == "second"
        write_atomically(output, b"third")
    assert output.read_text(encoding="utf-8") == "first"
    assert [*tmp_path.iterdir()] == [output]


@pytest.mark.parametrize("is_folder", [True, False])
def test_foreign_working_folder_is_an_error(is_folder, tmp_path) -> None:
    theirs = tmp_path / WORKING
    if is_folder:
        theirs.mkdir()
        (theirs / "lock").write_text("mine", encoding="utf-8")
    else:
        theirs.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"\.amparser: not created by amparser"):
        write_atomically(tmp_path / "out.txt", b"")
    with (
        pytest.raises(InputError, match=r"\.amparser: not created by amparser"),
        alone_in(tmp_path),
    ):
        pass
    kept = theirs / "lock" if is_folder else theirs
    assert kept.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == [WORKING]


def test_concurrent_writes_of_one_file_do_not_mix(tmp_path) -> None:
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


def test_one_process_trains_in_a_folder_at_a_time(tmp_path) -> None:
    with (
        alone_in(tmp_path),
        pytest.raises(InputError, match="another process is writing to this folder"),
        alone_in(tmp_path, seconds=0.1),
    ):
        pass
    with alone_in(tmp_path, seconds=0.1):
        pass
