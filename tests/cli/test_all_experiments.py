"""`experiment --all`: each command of the plan, once, from one commit."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli import all_experiments
from amparser.cli.all_experiments import PLAN, commands_of, run_all
from amparser.errors import InputError
from amparser.resources import package_data

PLANNED = "# about\nexperiment --data {data}/a --name one\n\nexperiment --data {data}/b\n"


def test_the_plan_names_files_and_benchmarks_that_there_are() -> None:
    text = package_data(PLAN).read_text(encoding="utf-8")
    commands = commands_of(text, Path("data"))
    assert len(commands) == len({tuple(command) for command in commands}) > 20
    for command in commands:
        if "--benchmark" in command:
            assert command[command.index("--benchmark") + 1] in BENCHMARKS
        for part in command:
            if part.endswith(".toml"):
                assert package_data(part).is_file()


def test_lines_are_chosen_by_their_text() -> None:
    every = commands_of(PLANNED, Path("d"))
    assert every == [
        ["experiment", "--data", "d/a", "--name", "one"],
        ["experiment", "--data", "d/b"],
    ]
    assert commands_of(PLANNED, Path("d"), ["one", "nothing"]) == every[:1]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The commands that were run; the second one fails at first."""
    plan = tmp_path / "plan.txt"
    plan.write_text(PLANNED)
    found: list[list[str]] = []

    def run(command: list[str], **_: Any) -> SimpleNamespace:
        found.append(command[3:])
        return SimpleNamespace(returncode=2 if len(found) == 2 else 0)

    monkeypatch.setattr(all_experiments, "package_data", lambda _: plan)
    monkeypatch.setattr(all_experiments, "commit", lambda: "0" * 40)
    monkeypatch.setattr(subprocess, "run", run)
    return found


def test_what_has_ended_is_not_done_again(asked: list[list[str]], tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "runs": tmp_path / "runs",
        "results": tmp_path / "results",
        "jobs": 2,
        "only": (),
        "allow_dirty": False,
    }
    with pytest.raises(InputError, match=r"1 of 2 failed: experiment --data \S+/b$"):
        run_all(tmp_path, **options)
    assert len(asked) == 2
    folder = str(tmp_path / "runs" / ("0" * 12))
    assert asked[0][-6:-2] == ["--runs", folder, "--results", str(tmp_path / "results")]
    run_all(tmp_path, **options)
    assert asked[2:] == [asked[1]]
    run_all(tmp_path, **options)
    assert len(asked) == 3


@pytest.mark.parametrize("commit", [None, "0" * 40 + "+"])
def test_a_program_without_a_clean_commit_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, commit: str | None
) -> None:
    monkeypatch.setattr(all_experiments, "commit", lambda: commit)
    with pytest.raises(InputError, match="checkout without changes"):
        run_all(tmp_path, runs=tmp_path, results=tmp_path, jobs=1, only=(), allow_dirty=False)
