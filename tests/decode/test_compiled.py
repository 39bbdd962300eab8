"""Compiled cores: the cache folder, and agreement between Python and machine code."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import python
from decode_oracles import random_scores, system
from numba.core.caching import FunctionCache

from amparser.decode import astar, astar_gap, compiled, fixed_tree

PARSES = """
import sys
sys.path.insert(0, {oracles!r})
from decode_oracles import random_scores, system
from numba.core.caching import FunctionCache
from amparser.decode import astar, astar_gap, fixed_tree
for seed in range(6):
    for decoder in (astar, astar_gap, fixed_tree):
        print(decoder.decode(random_scores(system(seed), 5, seed), system(seed)))
"""


def test_python_and_machine_code_agree() -> None:
    program = PARSES.format(oracles=str(Path(__file__).parents[1] / "oracles"))
    answer = python("-W", "error", "-c", program, NUMBA_DISABLE_JIT="1")
    expected = [
        str(decoder.decode(random_scores(system(seed), 5, seed), system(seed)))
        for seed in range(6)
        for decoder in (astar, astar_gap, fixed_tree)
    ]
    assert answer.splitlines() == expected


@pytest.fixture
def installed(tmp_path, monkeypatch) -> Iterator[Path]:
    """Yield a folder with an unwritable package and a user's cache folder."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "__pycache__").write_text("a file, so no folder can be made here")
    (package / "core.py").write_text("# compiled\n")
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiled, "__file__", str(package / "compiled.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    cached: Any = compiled._code_folder
    cached.cache_clear()


def code_folder() -> Path | None:
    find: Callable[[], Path | None] = compiled._code_folder
    return find()


def test_code_is_kept_in_a_writable_folder(installed, monkeypatch) -> None:
    """The folder is in the user's cache, unless NUMBA_CACHE_DIR is set."""
    folder = code_folder()
    assert folder.parent == installed / "cache" / "amparser"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(installed / "chosen"))
    forget()
    folder = code_folder()
    assert folder.parent == installed / "chosen"


def test_missing_cache_folder_is_a_warning(installed, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(installed / "file"))
    with pytest.warns(RuntimeWarning, match="set NUMBA_CACHE_DIR to a writable folder"):
        assert code_folder() is None


def test_changed_sources_get_a_new_folder(installed, monkeypatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(installed / "chosen"))
    before = code_folder()
    (installed / "package" / "core.py").write_text("# compiled, and changed\n")
    forget()
    assert code_folder() != before


def twice(x: int) -> int:
    return 2 * x


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), RuntimeError("no compiled object yet")]
)
def test_unreadable_or_unwritable_machine_code_is_recompiled(
    tmp_path, monkeypatch, caplog, error
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    forget()

    def full(*_: object) -> None:
        raise error

    def cut_short(*_: object) -> None:
        raise EOFError

    assert compiled.compiled(twice)(3) == 6
    kept = [*tmp_path.rglob("*.nbi")]
    assert len(kept) == 1
    monkeypatch.setattr(FunctionCache, "load_overload", cut_short)
    monkeypatch.setattr(FunctionCache, "save_overload", full)
    assert compiled.compiled(twice)(3) == 6
    assert "cannot save the compiled decoder" in caplog.text
    assert str(error) in caplog.text
    forget()
