"""The notebooks of the documentation run from the first cell to the last."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from toml_tables import tables

ROOT = Path(__file__).parents[1]
NOTEBOOKS = {path.stem: path for path in (ROOT / "docs" / "notebooks").glob("*.ipynb")}
SHOWN = tables(__file__)["shown"]
"""Texts in each notebook's output, in this order."""


def run(notebook: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tests" / "run_notebook.py", notebook]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


def test_every_notebook_is_tested() -> None:
    assert set(NOTEBOOKS) == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_notebook_runs(name, tmp_path) -> None:
    done = run(NOTEBOOKS[name], tmp_path)
    assert done.returncode == 0, done.stderr
    at = 0
    for text in SHOWN[name]:
        at = done.stdout.find(text, at)
        assert at >= 0, f"{text} is not shown, or too early"
        at += len(text)


def test_failing_notebook_is_reported(tmp_path) -> None:
    cells = [{"cell_type": "code", "source": [text]} for text in ("x = 1\n", "x + 1", "x / 0")]
    file = tmp_path / "broken.ipynb"
    file.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    done = run(file, tmp_path)
    assert done.returncode == 1
    assert done.stdout == "2\n"
    assert "broken.ipynb, code cell 3" in done.stderr
