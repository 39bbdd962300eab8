"""`experiment PLAN.txt`: each command of the plan, once, from one commit."""

import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import refused

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli import all_experiments
from amparser.cli.all_experiments import lines_of_plan, run_all
from amparser.errors import InputError
from amparser.resources import package_data

PLANNED = """# about
generate monotonicity --variant predicate -o {output}/pairs

experiment cogs --data {data}/b
"""


def test_the_plan_names_files_and_benchmarks_that_there_are() -> None:
    text = package_data("training/experiments.txt").read_text(encoding="utf-8")
    lines = lines_of_plan(text)
    assert len(lines) == len(set(lines)) > 20
    for command, what, *others in map(shlex.split, lines):
        assert command in ("experiment", "generate")
        assert what in BENCHMARKS or package_data(what).is_file()
        made = others[others.index("--data") + 1] if "--data" in others else "{data}"
        generated = any(f"-o {made}" in line for line in lines)
        assert made.startswith("{data}") or generated


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.txt"
    path.write_text(PLANNED)
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run; the second one fails at first."""
    found: list[list[str]] = []

    def run(command: list[str], **_: Any) -> SimpleNamespace:
        found.append(command[3:])
        return SimpleNamespace(returncode=2 if len(found) == 2 else 0)

    monkeypatch.setattr(all_experiments, "commit", lambda: "0" * 40)
    monkeypatch.setattr(subprocess, "run", run)
    return found


def test_commands_that_have_ended_are_not_run_again(
    plan: Path, asked: list[list[str]], tmp_path: Path
) -> None:
    def again() -> None:
        run_all(plan, Path("d"), tmp_path / "runs", 2)

    with pytest.raises(InputError, match=r"1 of 2 failed: experiment cogs --data {data}/b$"):
        again()
    folder = str(tmp_path / "runs" / ("0" * 12))
    assert asked == [
        ["generate", "monotonicity", "--variant", "predicate", "-o", f"{folder}/pairs"],
        ["experiment", "cogs", "--data", "d/b", "--output", folder, "--jobs", "2"],
    ]
    again()
    assert asked[2:] == [asked[1]]
    again()
    assert len(asked) == 3


@pytest.mark.parametrize("commit", [None, "0" * 40 + "+"])
def test_a_program_without_a_clean_commit_is_refused(
    monkeypatch: pytest.MonkeyPatch, plan: Path, tmp_path: Path, commit: str | None
) -> None:
    monkeypatch.setattr(all_experiments, "commit", lambda: commit)
    with pytest.raises(InputError, match="checkout without changes"):
        run_all(plan, tmp_path, tmp_path / "runs", 1)
    assert not (tmp_path / "runs").exists()
    assert "checkout without changes" in refused("experiment", plan, "--data", tmp_path)
    assert "a plan stands alone" in refused("experiment", plan)
    assert "a plan stands alone" in refused("experiment", plan, "slog", "--data", tmp_path)
