"""Experiments on pairs: an aspect generated, trained on, labelled, recorded, reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from amparser.benchmarks.monotonicity.pair_runs import coarse
from amparser.evaluation.results import filled
from typer.testing import CliRunner

from amparser.evaluation.report import joined

TINY = ("--count", "120", "--test-count", "40", "--seeds", "2")


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["experiment", *map(str, arguments)])


def ok(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pairs")


@pytest.fixture(scope="module")
def records(folder: Path) -> dict[str, Any]:
    """A classifier's record and the parser's, over the same pairs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        where = ("--runs", folder / "runs", "--results", folder, *TINY)
        network = ("--set", "max_epochs=1", "--set", "hidden_size=8", "--set", "embedding_size=8")
        ok("--system", "lstm", "--aspect", "localism", *network, *where)
        ok("training/monotonicity/default.toml", "--aspect", "localism", "--set", "epochs=1",
           "--seeds", "1", *where[:4], *TINY[:4])  # fmt: skip
    return {
        path.stem.removeprefix("monotonicity-"): json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob("*.json")
    }


def test_all_pairs_of_all_tests_are_counted(records: dict[str, Any]) -> None:
    assert set(records) == {"lstm-localism-3", "default-localism-3"}
    for record in records.values():
        for of_run in record["runs"]:
            assert set(of_run["counts"]) == {"D1", "D2", "D3"}
            for test, by_method in of_run["counts"].items():
                [(method, kinds)] = by_method.items()
                assert (
                    sum(row[0] for row in kinds.values()) == record["data"]["rows"][f"test-{test}"]
                )
                assert 0 <= of_run["unanswered"][test][method] <= 40
    assert [of_run["seed"] for of_run in records["lstm-localism-3"]["runs"]] == [1, 2]


def test_a_report_has_tests_directions_replacements_and_quantifiers(
    records: dict[str, Any],
) -> None:
    found = joined([records["lstm-localism-3"]])
    [column] = found.columns
    assert list(found.types)[:3] == ["D1", "D2", "D3"]
    assert {"D3 up", "D2 down", "adj", "up", "few", "at most three"} <= set(found.types)
    assert column.overall is not None
    counted = records["lstm-localism-3"]["runs"][0]["counts"]["D1"]["lstm"]
    assert column.types["D1"].mean == pytest.approx(
        sum(
            100 * row[1]
            for of_run in records["lstm-localism-3"]["runs"]
            for row in of_run["counts"]["D1"]["lstm"].values()
        )
        / (2 * sum(row[0] for row in counted.values())),
        abs=0.01,
    )


def test_systems_stand_beside_the_published_ones(records: dict[str, Any], folder: Path) -> None:
    assert records
    published = Path("training/results/monotonicity-localism-3-published.json")
    (folder / published.name).write_bytes(published.read_bytes())
    table = filled("<!-- table: inference localism-3 -->\n<!-- end -->", folder)
    (folder / published.name).unlink()
    lines = table.splitlines()
    assert lines[2] == (
        "| train | test | published: BERT | published: LSTM | published: TreeLSTM "
        "| lstm | amparser |"
    )
    assert lines[4].startswith("| `localism-3` | D1 | 49.6 ± 0.5 | 48.8 ± 13.2 | 49.8 ± 4.1 | ")
    assert [line.split("|")[2].strip() for line in lines[4:7]] == ["D1", "D2", "D3"]


def test_what_is_trained_is_kept(
    records: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    again = folder / "again"
    result = run(
        "--system", "lstm", "--aspect", "localism", *TINY, "--runs", folder / "runs",
        "--results", again, "--set", "max_epochs=1", "--set", "hidden_size=8",
        "--set", "embedding_size=8",
    )  # fmt: skip
    assert "2 runs, 2 trained" in result.stderr
    record = json.loads((again / "monotonicity-lstm-localism-3.json").read_text())
    kept = records["lstm-localism-3"]
    assert record["runs"][0]["counts"] == kept["runs"][0]["counts"]


def test_answers_are_also_counted_by_test_and_direction() -> None:
    answers = {"D1|adj|up|few": "30", "D1|rc|up|no": "3", "D1|rc|down|no": "0"}
    assert coarse(answers) == {"D1 up": "303", "D1 down": "0"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system", "lstm", "--aspect", "localism", "--depth", "2"), "a depth from 3 to 5"),
        (("--system", "gru", "--aspect", "localism"), "amparser, lstm, treelstm, bert"),
        (
            ("training/slog/lstm.toml", "--system", "bert", "--aspect", "localism"),
            "settings of lstm, expected those of bert",
        ),
        (("--system", "lstm", "--aspect", "predicate", "--only", "S9", *TINY), "has S1, S2"),
        (("--system", "lstm", "--aspect", "localism", "--data", "x"), "not with --aspect"),
        (("--system", "lstm", "--benchmark", "slog", "--depth", "3"), "with --aspect"),
    ],
)
def test_what_does_not_fit_is_refused(
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = run(*arguments, "--runs", tmp_path / "runs", "--results", tmp_path / "results")
    assert result.exit_code == 2
    assert any(part in result.stderr for part in message.split("|"))
