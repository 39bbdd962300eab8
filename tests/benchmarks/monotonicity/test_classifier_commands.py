"""Pair classifiers on the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import torch
from command_line import ok
from toy_pairs import toy_pairs, write_pairs

torch.set_num_threads(1)

SMALL = (
    "hidden_size=24",
    "embedding_size=16",
    "classifier_size=16",
    "learning_rate=0.005",
    "train.batch_size=16",
    "train.epochs=2",
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    write_pairs(folder / "train.tsv", toy_pairs() * 3)
    return folder


def test_training_reads_a_compressed_file(data: Path, tmp_path: Path) -> None:
    packed = tmp_path / "some.tsv.gz"
    packed.write_bytes(gzip.compress((data / "train.tsv").read_bytes()))
    sets = [part for each in SMALL for part in ("--set", each)]
    printed = ok(
        "train", "monotonicity", "--system", "pair-lstm", "--data", packed, "-o", tmp_path / "m",
        "--device", "cpu", *sets,
    )  # fmt: skip
    assert "pair-lstm, loss " in printed
    assert printed.splitlines()[-1].startswith("there is no dev file")
    content = json.loads((tmp_path / "m" / "model.json").read_text())
    assert content["metrics"]["epochs"][0].keys() >= {"loss", "dev_loss", "dev_accuracy"}
    assert content["benchmark"] == "monotonicity"
    assert content["data"]["train"]["file"] == packed.name
