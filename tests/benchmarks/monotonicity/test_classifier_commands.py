"""Pair classifiers on the command line: training, resuming, what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import torch
from command_line import ok, refused
from toy_pairs import toy_pairs, write_pairs

from amparser.learn.systems import system_of

torch.set_num_threads(1)

SMALL = (
    "hidden_size=24",
    "embedding_size=16",
    "classifier_size=16",
    "learning_rate=0.005",
    "train.batch_size=16",
    "train.epochs=2",
)
SYSTEMS = ("pair-lstm", "pair-treelstm")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    write_pairs(folder / "train.tsv", toy_pairs() * 3)
    return folder


def train(system: str, data: Path, output: Path, *arguments: str) -> str:
    sets = [part for each in SMALL for part in ("--set", each)]
    return ok(
        "train", "monotonicity", "--system", system, "--data", data, "-o", output,
        "--device", "cpu", *sets, *arguments,
    )  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_training_resumes_and_takes_a_file(system: str, data: Path, tmp_path: Path) -> None:
    printed = train(system, data, tmp_path / "folder")
    assert f"{system}, loss " in printed
    assert printed.splitlines()[-1].startswith("there is no dev file")
    packed = tmp_path / "some.tsv.gz"
    packed.write_bytes(gzip.compress((data / "train.tsv").read_bytes()))
    train(system, packed, tmp_path / "file")
    train(system, packed, tmp_path / "file", "--resume")
    weights = [tmp_path / name / "model.safetensors" for name in ("folder", "file")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    assert system_of(tmp_path / "file").name == system
    content = json.loads((tmp_path / "folder" / "model.json").read_text())
    assert content["metrics"]["epochs"][0].keys() >= {"loss", "dev_loss", "dev_accuracy"}
    assert content["benchmark"] == "monotonicity"
    assert content["data"]["train"]["file"] == "train.tsv"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("slog", "--system", "pair-treelstm"), "slog has no settings for pair-treelstm"),
        (("monotonicity", "--system", "t5"), "monotonicity has no settings for t5"),
        (("monotonicity", "--system", "pair-lstm", "--set", "heads=2"), "unknown setting 'heads'"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: tuple[str, ...], message: str, data: Path, tmp_path: Path
) -> None:
    assert message in refused("train", *arguments, "--data", data, "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()
