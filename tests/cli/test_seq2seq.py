"""Baselines on the command line; the model folder names the system."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import SMALL, ok, run
from tiny_model import rows, write_corpus


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
def data(tmp_path_factory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def model(tmp_path_factory, data) -> Path:
    folder = tmp_path_factory.mktemp("model") / "transformer"
    printed = train(data, folder, "--system", "transformer")
    assert "dev.tsv: exact" in printed
    return folder


def test_parse_prints_what_the_model_writes(model) -> None:
    sentence, form, _ = rows()[3]
    assert ok("parse", "-m", model, sentence) == f"{form}\n"
    assert ok("parse", "-m", model, "-d", "beam-3", sentence) == f"{form}\n"
    value = json.loads(ok("parse", "-m", model, "--format", "json", sentence))
    assert (value["meaning"], value["notation"], value["failure"]) == (form, "cogs", None)
    assert value["logp"] < 0


def test_malformed_outputs_are_failures(data, tmp_path) -> None:
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
    assert found["overall"]["malformed"]["numerator"] == count
    assert sum(of_tag["malformed"]["numerator"] for of_tag in found["tags"].values()) == count
    assert found["overall"]["graph"]["share"] == 0
