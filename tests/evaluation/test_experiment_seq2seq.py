"""Experiments with the baselines: the same records, with what was malformed beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import SMALL, refused
from tiny_model import write_corpus

from amparser.errors import AMParserError
from amparser.evaluation.experiment import experiment
from amparser.evaluation.results import results
from amparser.evaluation.seq2seq_runs import beam_of, decoder_of

OVERRIDES = [*SMALL, "max_steps=40", "validate_every=20", "train.device=cpu"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment")
    data = write_corpus(folder / "data")
    (data / "gen_sample.tsv").write_bytes((data / "dev.tsv").read_bytes())
    (folder / "slog").mkdir()
    (folder / "slog" / "tiny.toml").write_text("# A tiny one.\nsystem = 'transformer'\n")
    return folder


def run(folder: Path, **changes: Any) -> dict[str, Any]:
    return experiment(
        folder / "slog" / "tiny.toml",
        benchmark="slog",
        data=folder / "data",
        seeds=2,
        decoders=["greedy", "beam-2"],
        settings=OVERRIDES,
        runs=folder / "runs",
        results=folder / "results",
        **changes,
    )


@pytest.fixture(scope="module")
def record(folder: Path) -> dict[str, Any]:
    return run(folder)


def test_a_record_says_what_was_run(folder: Path, record: dict[str, Any]) -> None:
    assert json.loads((folder / "results" / "slog-tiny.json").read_text()) == record
    assert (record["system"], record["about"]) == ("transformer", "A tiny one.")
    assert set(record["fractions"]["1"]["gen_sample"]) == {"greedy", "beam-2"}
    for found in record["runs"]:
        for decoder in ("greedy", "beam-2"):
            counts = found["counts"]["gen_sample"][decoder]
            malformed = sum(found["malformed"]["gen_sample"][decoder].values())
            rows = sum(row[0] for row in counts.values())
            right = sum(row[3] for row in counts.values())
            assert 0 <= malformed <= rows - right


def test_what_is_done_is_not_done_again(folder: Path, record: dict[str, Any]) -> None:
    times = {p: p.stat().st_mtime_ns for p in (folder / "runs").rglob("*") if p.is_file()}
    assert len(list((folder / "runs").iterdir())) == 2
    assert run(folder) == record
    assert {p: p.stat().st_mtime_ns for p in times} == times


def test_the_length_limit_of_an_experiment_is_used(folder: Path, record: dict[str, Any]) -> None:
    before = sorted((folder / "runs").iterdir())
    OVERRIDES.append("max_length=2")
    try:
        short = run(folder, name="short")
    finally:
        OVERRIDES.pop()
    assert sorted((folder / "runs").iterdir()) == before
    for found in short["runs"]:
        kinds = found["malformed"]["gen_sample"]["greedy"]
        assert kinds["length limit"] == sum(kinds.values()) == 9


def test_records_of_the_baselines_have_tables(folder: Path, record: dict[str, Any]) -> None:
    text = results(["slog-tiny"], folder=folder / "results")
    assert "| type | greedy | beam-2 |" in text


def test_searches_have_names() -> None:
    assert [beam_of(decoder_of(size)) for size in (1, 2, 10)] == [1, 2, 10]
    for name in ("astar", "beam-0", "beam-x"):
        with pytest.raises(AMParserError, match="expected greedy or beam-N"):
            beam_of(name)


def test_bad_arguments_are_refused_before_any_training(folder: Path, tmp_path: Path) -> None:
    config, data = folder / "slog" / "tiny.toml", folder / "data"
    where = ("--data", data, "--runs", tmp_path / "runs", "--results", tmp_path / "results")
    assert "expected greedy or beam-N" in refused(
        "experiment", config, *where, "--decoders", "astar"
    )
    assert "settings of transformer, not of gru" in refused(
        "experiment", config, *where, "--system", "gru"
    )
    assert "training/sygns/lstm.toml: no such data" in refused(
        "experiment", *where, "--system", "lstm", "--benchmark", "sygns"
    )
    assert not list(tmp_path.iterdir())
