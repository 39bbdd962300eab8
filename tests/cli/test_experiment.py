"""`amparser experiment`: --show, and the plan of experiments."""

import shlex
from pathlib import Path

import pytest
from command_line import ok

from amparser.benchmarks.registry import BENCHMARKS
from amparser.experiments.record import Interval, Record, Row
from amparser.resources import package_data


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    records = tmp_path / "training/results"
    records.mkdir(parents=True)
    Record(
        "toy-a",
        "About it.",
        "toy",
        runs=[{"seed": 1, "fraction": 1.0}],
        rows=[
            Row(1, 1.0, split, tag, "greedy", "exact", right, 2)
            for split, right in (("gen_sample", 1), ("test", 2))
            for tag in ("", "PP")
        ],
    ).write(records)
    paper = [Interval(1.0, "gen", tag, "Oracle", "exact", 40.0) for tag in ("", "PP")]
    Record("toy-published", "Someone 1999.", "toy", intervals=paper).write(records)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_records_are_shown(here) -> None:
    shown = ok("experiment", "--show", "toy-a", "toy-published")
    assert "| type | a, greedy | published, Oracle |" in shown
    assert "| `PP` | 50.0 | 40.0 |" in shown
    by_path = ok("experiment", "--show", "training/results/toy-a.json", "--splits", "test")
    assert "toy-a.json: test\n" in by_path
    assert "| `PP` | 100.0 |" in by_path


def test_experiment_plan_names_existing_files_and_benchmarks() -> None:
    text = package_data("training/experiments.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) == len(set(lines)) > 20
    for command, what, *others in map(shlex.split, lines):
        assert command == "experiment"
        assert what in BENCHMARKS or package_data(what).is_file()
        assert others[others.index("--data") + 1].startswith("{data}")
