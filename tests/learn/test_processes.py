"""Training in several processes: two learn the same as one, and one resumes the training of two.

Dropout is off, since each process has its own dropout.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from command_line import ok, refused
from safetensors.torch import load_file
from small_settings import LETTERS, NODES
from torch import Tensor

from amparser.errors import ConfigError
from amparser.learn.model_folder import LOG
from amparser.learn.processes import is_first_process, processes_on
from amparser.presets.registry import PRESETS

needs_accelerate = pytest.mark.skipif(
    find_spec("accelerate") is None, reason="accelerate is not installed (extra distributed)"
)

PACKAGE = Path(__file__).resolve().parents[2]
COMMON = ("train.device=cpu", "train.epochs=2", "train.max_steps=0", "train.validate_every=0")
SYSTEMS = {
    "node": (
        *NODES,
        *("encoder.dropout=0", "encoder.word_dropout=0", "supertag.dropout=0"),
        *("edge.content_dropout=0", "train.epoch_sentences=0", "train.accumulate=2"),
    ),
    "graph": (
        *(*LETTERS, "encoder.layers=1", "heads.arc_size=16", "heads.hidden_size=24"),
        *("encoder.dropout=0", "heads.dropout=0", "encoder.word_dropout=0"),
        *("heads.label_dropout=0", "data.fraction=0.4", "train.batch_size=8", "train.members=2"),
    ),
    "bilstm": (
        *("network.hidden_size=32", "network.embedding_size=24", "network.layers=1"),
        *("network.dropout=0", "train.batch_size=16", "train.batch_tokens=0"),
    ),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    ok("generate", "slog", "--output", folder, "--count", "250")
    return folder / "cogs_lf"


WITHOUT_EFFECT = "0.heads.arcs.pairs.output.bias"
"""Parameter added to the scores of all heads alike; see IN_DOUBLE_PRECISION."""
IN_DOUBLE_PRECISION = """
import torch
torch.set_default_dtype(torch.float64)
from amparser.cli.main import main
main()
"""
"""If a parameter has no effect, such as a bias shared by the scores of all heads, its gradient is
rounding noise. AdamW amplifies it: in 32 bits, the weights of two equal trainings differ there by
several hundredths.
"""
KILLED_IN_THE_SECOND_ROUND = """
import os
from amparser.learn.checkpoint import Checkpoints
save = Checkpoints.save
def dying(self, state, tensors):
    if state.epoch == 2:
        os._exit(9)
    save(self, state, tensors)
Checkpoints.save = dying
"""


class Training(NamedTuple):
    """Trainings of one system on one corpus, in double precision."""

    data: Path
    system: str

    def arguments(self, output: Path, *options: str) -> list[str]:
        kind = ("--set", f"preset={self.system}")
        kind = kind if self.system in PRESETS else ("--system", self.system)
        settings = [part for value in (*COMMON, *SYSTEMS[self.system]) for part in ("--set", value)]
        paths = ("--data", str(self.data), "--output", str(output))
        return ["train", *paths, *kind, "--notation", "cogs", *settings, *options]

    def alone(self, output: Path, *options: str) -> Path:
        torch.set_default_dtype(torch.float64)
        try:
            ok(*self.arguments(output, *options))
        finally:
            torch.set_default_dtype(torch.float32)
        return output

    def together(
        self, output: Path, *options: str, first: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Train in two processes, by `torchrun`; each first runs some code."""
        script = output.with_suffix(".py")
        script.write_text(first + IN_DOUBLE_PRECISION)
        launcher = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
        return subprocess.run(
            [sys.executable, *launcher, script, *self.arguments(output, *options)],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PACKAGE), "OMP_NUM_THREADS": "1"},
            timeout=300,
            check=False,
        )


@pytest.fixture(scope="module")
def alone(data, tmp_path_factory) -> Callable[[str], Path]:
    return cache(lambda system: Training(data, system).alone(tmp_path_factory.mktemp(system)))


def weights(folder: Path) -> Mapping[str, Tensor]:
    return load_file(folder / "model.safetensors")


def rounds(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / LOG).read_text().splitlines()]


def check_alike(left: Path, right: Path, within: float = 1e-9) -> None:
    heads = [json.loads((folder / "model.json").read_text()) for folder in (left, right)]
    assert heads[0]["metrics"]["data"] == heads[1]["metrics"]["data"], "trees and lexicon"
    assert heads[0]["content"] == heads[1]["content"]
    one, other = weights(left), weights(right)
    assert one.keys() == other.keys()
    for name in one.keys() - {WITHOUT_EFFECT}:
        torch.testing.assert_close(one[name], other[name], rtol=0, atol=within, msg=name)
    for first, second in zip(rounds(left), rounds(right), strict=True):
        for name in first.keys() - {"format", "seconds", "sentences_per_second", "processes"}:
            assert first[name] == pytest.approx(second[name], rel=1e-3, abs=1e-6), name


@needs_accelerate
@pytest.mark.parametrize("system", SYSTEMS)
def test_two_processes_learn_the_same_as_one(tmp_path, data, alone, system) -> None:
    two = tmp_path / "two"
    done = Training(data, system).together(two)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("epoch 2 of 2") == 1, "one process prints"
    assert sorted(path.name for path in two.iterdir()) == [LOG, "model.json", "model.safetensors"]
    assert [entry["processes"] for entry in rounds(two)] == [2, 2]
    # The baselines compute their loss in 32 bits, and weights are stored in 32 bits.
    check_alike(alone(system), two, within=1e-5 if system == "bilstm" else 1e-7)


@needs_accelerate
def test_one_process_resumes_the_training_of_two(tmp_path, data, alone) -> None:
    killed, training = tmp_path / "killed", Training(data, "node")
    assert training.together(killed, first=KILLED_IN_THE_SECOND_ROUND).returncode != 0
    assert [path.stem for path in killed.glob(".amparser/checkpoint-*.json")] == ["checkpoint-0001"]
    training.alone(killed, "--resume")
    assert [entry.get("processes", 1) for entry in rounds(killed)] == [2, 1]
    check_alike(alone("node"), killed)


@needs_accelerate
def test_an_error_in_the_first_process_stops_all(tmp_path, data) -> None:
    training = Training(data, "node")
    training.alone(tmp_path / "model", "--set", "train.epochs=1")
    result = training.together(tmp_path / "model", "--resume")
    assert result.returncode != 0
    assert "cannot resume the training there: train.epochs was 1 and is 2" in result.stderr


def test_several_processes_without_accelerate_name_the_extra(monkeypatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "1")
    assert not is_first_process()
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(ConfigError, match=r"2 processes needs accelerate.*pip install"):
        processes_on("cpu")


def test_an_experiment_in_several_processes_is_refused(monkeypatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert "without torchrun" in refused("experiment", "slog")
