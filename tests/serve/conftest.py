"""A server with the packaged models, and a browser."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def serving(*arguments: str | Path) -> Iterator[str]:
    for library in ("starlette", "uvicorn"):
        pytest.importorskip(library, reason=f"{library} is not installed (extra serve)")
    command = [sys.executable, "-m", "amparser", "serve", "--port", "0", "--device", "cpu"]
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:"), process.communicate()
    yield address
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def own_server(tiny) -> Iterator[str]:
    with serving("--model", tiny / "model") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    with driver.sync_playwright() as playwright:
        # Chromium has no sandbox for root, the user of containers.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
