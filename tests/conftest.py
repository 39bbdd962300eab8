"""Fixtures shared by all tests."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import command_line  # noqa: F401  makes commands quick to run
import pytest
import torch
from filelock import FileLock
from hypothesis import HealthCheck, settings
from published import DATA, missing

from amparser.parser import Parser

if "PYTEST_XDIST_WORKER" in os.environ:  # several processes share the cores
    os.environ.setdefault("OMP_NUM_THREADS", "1")
# With networks this small, a second thread costs more than it gains.
torch.set_num_threads(1)

# Slow machines must not fail a test.
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "ci", max_examples=60, deadline=None, suppress_health_check=_SLOW, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "data_dir" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    seconds = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                path = Path(report.nodeid.partition("::")[0])
                folder = "amparser" if path.parts[0] == "amparser" else path.parent.as_posix()
                seconds[folder] += report.duration
    terminalreporter.section("seconds by folder")
    for folder, spent in seconds.most_common():
        terminalreporter.write_line(f"{spent:8.1f} {folder}")


@pytest.fixture(scope="session")
def parser() -> Parser:
    return Parser.load(device="cpu")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of published benchmark files, which are not in the repository."""
    if not DATA.is_dir():
        pytest.skip(missing())
    return DATA


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Path:
    """A folder with `model`, `data` and `settings.toml`, trained once for all processes."""
    from tiny_model import train_model

    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / "tiny"
    with FileLock(base / "tiny.lock"):
        if not (folder / "model" / "model.json").exists():
            folder.mkdir(exist_ok=True)
            train_model(folder)
    return folder


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory) -> dict[str, Path]:
    """Tiny checkpoints of the systems that need one, by system."""
    from trainings import PRETRAINED, write_checkpoint

    folder = tmp_path_factory.mktemp("checkpoints")
    return {system: write_checkpoint(system, folder / system) for system in PRETRAINED}
