"""Fixtures that every test file may use."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of published benchmark files, which lie beside the repository and not in it."""
    path = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not path.is_dir():
        pytest.skip(f"no benchmark files at {path}; see the README for where they come from")
    return path
