"""Where machine code is kept, and that Python finds what machine code finds."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from decode_oracles import random_scores, system

from amparser.decode import astar, astar_gap, compiled, fixed_tree

PARSES = """
import sys
sys.path.insert(0, {oracles!r})
from decode_oracles import random_scores, system
from amparser.decode import astar, astar_gap, fixed_tree
for seed in range(12):
    for decoder in (astar, astar_gap, fixed_tree):
        print(decoder.decode(random_scores(system(seed % 6), 5, seed), system(seed % 6)))
"""


def test_python_finds_what_machine_code_finds() -> None:
    program = PARSES.format(oracles=str(Path(__file__).parents[1] / "oracles"))
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.stderr == ""
    expected = [
        str(decoder.decode(random_scores(system(seed % 6), 5, seed), system(seed % 6)))
        for seed in range(12)
        for decoder in (astar, astar_gap, fixed_tree)
    ]
    assert answer.stdout.splitlines() == expected


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package folder in which nothing can be written, and a home that does not exist."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "__pycache__").write_text("a file, so no folder can be made here")
    (package / "core.py").write_text("# compiled\n")
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiled, "__file__", str(package / "compiled.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    for function in (compiled._code_folder, compiled._code_folders):
        cached: Any = function
        cached.cache_clear()


def code_folder() -> Path | None:
    find: Callable[[], Path | None] = compiled._code_folder
    return find()


def test_read_only_package_keeps_its_code_in_the_cache_of_the_user(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(installed / "cache"))
    folder = code_folder()
    assert folder is not None
    assert folder.parent == installed / "cache" / "amparser"


def test_the_cache_folder_of_numba_goes_first(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(installed / "chosen"))
    folder = code_folder()
    assert folder is not None
    assert folder.parent == installed / "chosen"


def test_nowhere_to_keep_code_is_said_and_no_failure(installed: Path) -> None:
    with pytest.warns(RuntimeWarning, match="set NUMBA_CACHE_DIR to a folder that can be"):
        assert code_folder() is None


def test_changed_sources_get_a_folder_of_their_own(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(installed / "chosen"))
    before = code_folder()
    (installed / "package" / "core.py").write_text("# compiled, and changed\n")
    forget()
    assert code_folder() != before
