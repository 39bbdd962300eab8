"""Bulk runs on Ray: two machines, workers and drivers that are killed, every row once."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run

ray = pytest.importorskip("ray", reason="ray is not installed (extra ray)")
psutil = pytest.importorskip("psutil", reason="psutil is not installed")

PACKAGE = Path(__file__).resolve().parents[2]
PATIENCE = float(os.environ.get("AMPARSER_PATIENCE", "180"))
VERBS = ("slept", "ran", "smiled", "laughed", "gasped", "cried", "giggled", "danced")
OPTIONS = ("--shard-rows", "50")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of two CPUs, as processes of this machine."""
    from ray.cluster_utils import Cluster

    nodes = Cluster()
    memory = 100 << 20
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # With Ray's own 15, other tests would leave the workers no time.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    for _ in range(2):
        nodes.add_node(num_cpus=2, object_store_memory=memory, include_dashboard=False)
    nodes.wait_for_nodes()
    yield nodes
    nodes.shutdown()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> Path:
    """900 rows in two files; a sentence is in a shard once, since it would be parsed once."""
    folder = tmp_path_factory.mktemp("inputs")
    for name in ("a", "b"):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for number, row in enumerate(rows * 5):
                verbs = f"and {VERBS[number % 8]} and {VERBS[number // 8 % 8]}"
                text = f"{row['sentence'].rstrip(' .')} {verbs} ."
                file.write(json.dumps({"id": f"{name}{number}", "sentence": text}) + "\n")
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, inputs: Path) -> dict[str, bytes]:
    """The shards as one process writes them."""
    output = tmp_path_factory.mktemp("one") / "out"
    result = run("bulk", inputs, "--output", output, *OPTIONS)
    assert result.exit_code == 1, result.output
    shards = content(output)
    assert len(shards) == 18
    return shards


def content(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("0*"))}


def started(inputs: Path, output: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "amparser", "bulk", str(inputs), "--output", str(output)]
    return subprocess.Popen(
        [*command, *OPTIONS, *options],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )


def ended(process: subprocess.Popen[str]) -> str:
    """What a run says that ends as one does in which some sentence has no parse."""
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, errors
    return errors


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < end, "nothing has happened for too long"
        time.sleep(0.01)


def workers() -> list[Any]:
    """The processes of the workers that this process's cluster has."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if _name(child).startswith("ray::MapWorker")]


def _name(process: Any) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def test_a_worker_that_is_killed_loses_no_row_and_doubles_none(
    tmp_path: Path, cluster: Any, inputs: Path, expected: dict[str, bytes]
) -> None:
    output = tmp_path / "out"
    process = started(inputs, output, "--address", cluster.address, "--jobs", "2")
    # A worker is killed while others are still to come.
    wait_until(lambda: len(content(output)) >= 2, process)
    victims = workers()
    assert len(victims) == 2
    victims[0].send_signal(signal.SIGKILL)
    assert len(content(output)) < 18
    errors = ended(process)
    counts = re.search(r"shards: (\d+) written, (\d+) were there", errors)
    assert counts is not None
    assert sum(map(int, counts.groups())) == 18
    assert not list(output.glob(".*")), "nothing is left behind"
    assert content(output) == expected


def test_a_driver_that_is_killed_goes_on_when_started_again(
    tmp_path: Path, cluster: Any, inputs: Path, expected: dict[str, bytes]
) -> None:
    """The second run is without the cluster: it starts Ray, and Ray ends with it."""
    output = tmp_path / "out"
    process = started(inputs, output, "--address", cluster.address, "--jobs", "2")
    wait_until(lambda: len(content(output)) >= 3, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = content(output)
    assert 3 <= len(before) < 18
    assert before.items() <= expected.items()
    errors = ended(started(inputs, output, "--jobs", "2"))
    counts = re.search(r"shards: (\d+) written, (\d+) were there", errors)
    assert counts is not None
    written, there = map(int, counts.groups())
    # Workers of the killed run may still end the shards that they had begun.
    assert written + there == 18
    assert len(before) <= there < 18
    assert content(output) == expected


def test_too_few_cpus_are_an_error(tmp_path: Path, cluster: Any, inputs: Path) -> None:
    process = started(inputs, tmp_path / "out", "--address", cluster.address, "--jobs", "5")
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "--jobs 5: each needs a CPU, and Ray has 4" in errors
