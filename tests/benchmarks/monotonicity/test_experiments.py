"""Experiments on pairs: an aspect generated, trained on, labelled, recorded, reported."""

from pathlib import Path
from typing import Any

import pytest
from command_line import ok, refused

from amparser.experiments.record import Record, read_record
from amparser.experiments.tables import TableRequest, systems_table

NETWORK = ("--set", "train.epochs=1", "--set", "hidden_size=8", "--set", "embedding_size=8")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    ok("generate", "monotonicity", "--variant", "localism-3", "--count", "120", "-o", folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def records(data: Path, folder: Path) -> dict[str, Record]:
    """A classifier's record and the parser's, over the same pairs."""
    call = ("experiment", "monotonicity", "--data", data, "--output", folder)
    ok(*call, "--system", "pair-lstm", *NETWORK, "--seeds", "2")
    ok(*call, "--set", "train.epochs=1", "--seeds", "1")
    return {
        path.stem.removeprefix("monotonicity-"): read_record(path.stem, folder)
        for path in folder.glob("*.json")
    }


def test_all_pairs_of_all_tests_are_counted(records: dict[str, Record]) -> None:
    assert len(records) == 2
    for record in records.values():
        assert record.dataset == "localism-3"
        assert set(record.splits()) == {"D1", "D2", "D3"}
        rows = [row for row in record.rows if row.tag == "" and row.measure == "label"]
        for row in rows:
            assert row.denominator == record.data["rows"][f"test-{row.split}"]
    assert {run["seed"] for run in classifier_of(records).runs} == {1, 2}


def classifier_of(records: dict[str, Any]) -> Record:
    return next(record for record in records.values() if record.system == "pair-lstm")


def test_systems_stand_beside_the_published_ones(records: dict[str, Record], folder: Path) -> None:
    assert records
    name = "monotonicity-localism-3-published.json"
    (folder / name).write_bytes((Path("training/results") / name).read_bytes())
    table = systems_table(TableRequest(["monotonicity-localism-3"], "", folder))
    (folder / name).unlink()
    lines = table.splitlines()
    assert lines[0].startswith("| train | test | BERT | LSTM | TreeLSTM | amparser | ")
    assert lines[2].startswith("| `localism-3` | D1 | 49.6 ± 0.5 | 48.8 ± 13.2 | 49.8 ± 4.1 | ")
    assert [line.split("|")[2].strip() for line in lines[2:5]] == ["D1", "D2", "D3"]


def test_pairs_are_generated_first(tmp_path: Path) -> None:
    assert "made by `amparser generate monotonicity --variant" in refused(
        "experiment", "monotonicity", "-o", tmp_path / "runs"
    )
    assert "card.json" in refused("experiment", "monotonicity", "--data", tmp_path)
