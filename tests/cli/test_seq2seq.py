"""The baselines on the command line: the same commands, and the model folder says which it is."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from command_line import SMALL, ok, refused, run
from tiny_model import rows, write_corpus

from amparser.learn.systems import system_of

torch.set_num_threads(1)


def train(
    data: Path,
    output: Path,
    *arguments: str | Path,
    benchmark: str = "slog",
    settings: Sequence[str] = (),
) -> str:
    sets = [part for setting in (*SMALL, *settings) for part in ("--set", setting)]
    return ok(
        "train", benchmark, "--data", data, "-o", output, "--device", "cpu", *sets, *arguments
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    folder = tmp_path_factory.mktemp("model") / "transformer"
    printed = train(data, folder, "--system", "transformer")
    assert "dev.tsv: exact" in printed
    return folder


def test_parse_prints_what_the_model_writes(model: Path) -> None:
    sentence, form, _ = rows()[3]
    assert ok("parse", "-m", model, sentence) == f"{form}\n"
    assert ok("parse", "-m", model, "-d", "beam-3", sentence) == f"{form}\n"
    value = json.loads(ok("parse", "-m", model, "--format", "json", sentence))
    assert (value["meaning"], value["notation"], value["failure"]) == (form, "cogs", None)
    assert value["logp"] < 0


def test_malformed_outputs_are_no_parses(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path, "--system", "lstm", settings=["max_steps=1"])
    result = run("parse", "-m", tmp_path, rows()[0][0], rows()[1][0])
    assert result.exit_code == 1
    reasons = [line.removeprefix("# no parse: ") for line in result.stdout.splitlines()]
    assert all(": " in reason for reason in reasons)
    printed = run("parse", "-m", tmp_path, "-f", "json", rows()[0][0], rows()[1][0]).stdout
    assert [json.loads(line)["failure"] for line in printed.splitlines()] == reasons
    assert "2 of 2 sentences without a parse" in result.stderr
    figures = tmp_path / "figures.json"
    printed = ok("evaluate", "-m", tmp_path, "--data", data / "dev.tsv", "-o", figures)
    count = len(rows()[::4])
    assert f"{count} without an answer" in printed
    assert "malformed" in printed
    [found] = json.loads(figures.read_text())["decoders"].values()
    assert found["failures"] == count
    assert malformed_count(found["overall"]) == count
    assert sum(malformed_count(of_tag) for of_tag in found["tags"].values()) == count
    assert found["overall"]["malformed"]["share"] == 1
    assert found["overall"]["graph"]["share"] == 0


def malformed_count(figures: dict[str, dict[str, float]]) -> float:
    """The malformed outputs of all kinds."""
    return sum(
        count["numerator"] for measure, count in figures.items() if measure.startswith("malformed:")
    )


def test_settings_of_a_file_say_the_system(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("system = 'gru'\n[train]\nmax_steps = 1\n", encoding="utf-8")
    output = tmp_path / "out"
    ok("train", "slog", "--data", data, "-o", output, "-c", path, "--set", "hidden_size=16")
    assert system_of(output).name == "gru"
    line = refused("train", "slog", "--data", data, "-o", output, "-c", path, "--system", "lstm")
    assert line.endswith("mine.toml: settings of 'gru', expected those of 'lstm'")


def test_what_does_not_fit_is_refused(model: Path, data: Path, tmp_path: Path) -> None:
    dev = data / "dev.tsv"
    searches = "unknown decoder 'astar', expected greedy or beam-N"
    assert searches in refused("parse", "-m", model, "-d", "astar", "A cat ran.")
    assert searches in refused("evaluate", "-m", model, "-d", "astar", "--data", dev)
    assert searches in refused("compare", "-m", model, "--data", dev, "--decoders", "astar")
    assert "has no trees" in refused("parse", "-m", model, "-f", "amconll", "A cat ran.")
    assert "unknown decoder 'beam-2'" in refused("parse", "-d", "beam-2", "A cat ran.")
    assert "writes cogs, not varfree" in refused(
        "parse", "-m", model, "--notation", "varfree", "A cat ran."
    )
    line = refused("train", "slog", "--data", data, "--notation", "varfree", "-o", tmp_path / "m")
    assert f"{data / 'train.tsv'}:1: column" in line
    assert "sygns has no settings for lstm, it has some for amparser" in refused(
        "train", "sygns", "--system", "lstm", "--data", data, "-o", tmp_path / "m"
    )
    assert "no such model folder" in refused("parse", "-m", tmp_path / "none", "A cat ran.")
    bad = tmp_path / "bad.tsv"
    bad.write_text("A cat ran .\trun ( agent = cat )\tx\n", encoding="utf-8")
    line = refused("evaluate", "-m", model, "--data", bad)
    assert f"{bad}:1: column" in line
    (tmp_path / "model.json").write_text('{"format": "other"}', encoding="utf-8")
    assert "not an amparser-model file" in refused("parse", "-m", tmp_path, "A cat ran.")


def test_searches_are_compared_side_by_side(model: Path, data: Path) -> None:
    printed = ok("compare", "-m", model, "--data", data / "dev.tsv", "--decoders", "greedy,beam-2")
    assert "writing, ms a sentence" in printed
    assert "right with greedy, wrong with beam-2: " in printed
    assert "trees" not in printed
