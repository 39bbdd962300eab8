"""Training learns, is reproducible to the bit, and resumes after it was killed."""

import json
import os
import random
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from killed import KilledError, Killer, content, files_below
from toml_tables import tables
from torch import Tensor
from toy_language import LEXICON, small, toy_examples, train_toy

from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.checkpoint import TrainingState
from amparser.learn.ensemble_task import EnsembleTask
from amparser.learn.model_folder import LOG, write_pair
from amparser.learn.report import TrainingProgress
from amparser.learn.task import WHOLE, Mean, Share
from amparser.lexicon.encoded import Targets
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.observed import Observed
from amparser.nn.scorer import Ensemble
from amparser.parser import Parser
from amparser.working_folder import WORKING, working_folder

TABLES = tables(__file__)

TRAIN, DEV = toy_examples(300, seed=1), toy_examples(60, seed=2)


def run(
    folder: Path,
    *overrides: str,
    examples: Sequence[Targets] = TRAIN,
    dev: Sequence[Targets] = DEV,
    lexicon: Lexicon = LEXICON,
    **options: Any,
) -> Parser:
    return train_toy(
        examples,
        dev,
        small("encoder.dropout=0.1", "train.epochs=3", *overrides),
        folder,
        lexicon,
        **options,
    )


def log(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / LOG).read_text().splitlines()]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("uninterrupted")
    run(folder)
    return folder


@pytest.mark.parametrize(
    ("override", "epochs"),
    [("edge.type=additive", 5), ("edge.loss=tree-crf", 5), ("edge.type=biaffine", 16)],
)
def test_toy_language_is_learned(tmp_path, override, epochs) -> None:
    overrides = [override, f"train.epochs={epochs}", "edge.content_dropout=0.2"]
    model = run(tmp_path, *overrides, examples=toy_examples(600, seed=3))
    assert model.metrics["epochs"][-1]["dev_accuracy"] >= 0.95


def test_folder_contains_only_model_and_log(uninterrupted) -> None:
    names = sorted(p.name for p in uninterrupted.iterdir())
    assert names == [LOG, "model.json", "model.safetensors"]
    assert [line["epoch"] for line in log(uninterrupted)] == [1, 2, 3]
    first = log(uninterrupted)[0].keys()
    assert {"loss", "dev_accuracy", "dev_loss", "sentences_per_second", "seconds"} <= first


def test_another_seed_gives_another_model(tmp_path, uninterrupted) -> None:
    run(tmp_path, "train.seed=2", "train.epochs=1")
    weights = "model.safetensors"
    assert content(tmp_path)[weights] != content(uninterrupted)[weights]


def test_generators_of_the_caller_keep_their_state(tmp_path) -> None:
    def draw() -> tuple[float, float, float]:
        return random.random(), float(np.random.random()), float(torch.rand(1))

    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    expected = draw()
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    run(tmp_path, "train.epochs=1", examples=TRAIN[:9])
    assert draw() == expected


@pytest.mark.parametrize(
    ("epoch", "batch"),
    [(1, 4), (2, 1), (2, 7), (3, 1)],
    ids=["before-any-checkpoint", "after-an-epoch", "within-an-epoch", "in-the-last-epoch"],
)
def test_resumed_training_ends_as_if_never_killed(tmp_path, uninterrupted, epoch, batch) -> None:
    with pytest.raises(KilledError):
        run(tmp_path, on_progress=Killer(epoch, batch))
    assert not (tmp_path / "model.json").exists()
    # Files that a kill during writing leaves behind:
    with working_folder(tmp_path) as working:
        (working / "checkpoint-0003.safetensors.0.part").write_bytes(b"half")
        write_pair(working, "checkpoint-0000", {}, {})
        (working / "checkpoint-0000.json").unlink()
    run(tmp_path, resume=True)
    assert content(tmp_path) == content(uninterrupted)
    assert [line["epoch"] for line in log(tmp_path)] == [1, 2, 3]


def test_training_killed_between_weights_and_json_of_the_model_can_be_resumed(
    tmp_path, uninterrupted, monkeypatch
) -> None:
    def die(*_: object) -> None:
        write_pair(tmp_path, "model", {}, {})
        (tmp_path / "model.json").unlink()
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr("amparser.parser_training.write_model", die)
        with pytest.raises(KilledError):
            run(tmp_path)
    run(tmp_path, resume=True)
    assert content(tmp_path) == content(uninterrupted)


@pytest.mark.parametrize("number", range(4))
def test_training_that_filled_the_disk_can_be_resumed(
    number, tmp_path, uninterrupted, monkeypatch
) -> None:
    written = []

    def full(descriptor: int) -> None:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            written.append(descriptor)
        if len(written) > number:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=rf"No space left on device: '{tmp_path}/"):
            run(tmp_path)
    lines = log(tmp_path) if number else []
    assert [line["epoch"] for line in lines] == [1, 2][: (number + 2) // 3]
    run(tmp_path, resume=True)
    assert content(tmp_path) == content(uninterrupted)
    assert [line["epoch"] for line in log(tmp_path)] == [1, 2, 3]


def figures_of(*figures: float) -> Callable[[EnsembleTask, Share], dict[str, Mean]]:
    """Return a fake `EnsembleTask.evaluate` that kills the training after the last figure."""
    left = iter(figures)

    def evaluate(task: EnsembleTask, share: Share) -> dict[str, Mean]:
        assert not task.network.training
        assert share == WHOLE
        if (figure := next(left, None)) is None:
            raise KilledError
        return {"dev_accuracy": Mean(figure, 1), "dev_loss": Mean(0.0, 1)}

    return evaluate


def test_early_stopping_survives_a_kill(tmp_path, monkeypatch) -> None:
    overrides = ["train.epochs=9", "train.patience=2"]
    monkeypatch.setattr(EnsembleTask, "evaluate", figures_of(0.1, 0.6, 0.5))
    with pytest.raises(KilledError):
        run(tmp_path, *overrides, examples=TRAIN[:40])
    kept = {p.stem for p in tmp_path.glob(".amparser/checkpoint-*")}
    assert kept == {"checkpoint-0002", "checkpoint-0003"}
    monkeypatch.setattr(EnsembleTask, "evaluate", figures_of(0.4, 0.9))
    model = run(tmp_path, *overrides, resume=True, examples=TRAIN[:40])
    assert model.metrics["best_epoch"] == 2
    assert [epoch["dev_figure"] for epoch in model.metrics["epochs"]] == [0.1, 0.6, 0.5, 0.4]


def root_of(network: Ensemble) -> Tensor:
    return network.scorer(0).root


def test_the_best_epoch_is_kept(tmp_path, monkeypatch) -> None:
    weights = []
    figures = figures_of(0.5, 0.7, 0.6)

    def evaluate(task: EnsembleTask, share: Share) -> dict[str, Mean]:
        weights.append(root_of(task.network).detach().clone())
        return figures(task, share)

    monkeypatch.setattr(EnsembleTask, "evaluate", evaluate)
    model = run(tmp_path, examples=TRAIN[:40])
    assert torch.equal(root_of(model.model.network), weights[1])
    assert torch.equal(root_of(Parser.load(tmp_path, "cpu").model.network), weights[1])


@pytest.mark.parametrize(("epochs", "best", "stopped"), TABLES["epochs"])
def test_best_epoch_and_patience(epochs, best, stopped) -> None:
    state = TrainingState(epochs)
    assert state.best_epoch == best
    assert state.stopped(2) == stopped


@pytest.mark.parametrize("select", ["last", "accuracy"])
def test_without_dev_every_epoch_runs(select, tmp_path) -> None:
    overrides = ["train.patience=1", f"train.select={select}"]
    model = run(tmp_path, *overrides, examples=TRAIN[:20], dev=[])
    assert model.metrics["best_epoch"] == len(model.metrics["epochs"]) == 3


def test_resuming_a_finished_training_changes_nothing(uninterrupted) -> None:
    before = content(uninterrupted)
    model = run(uninterrupted, resume=True, on_progress=Killer(1, 1))
    assert model.metrics["best_epoch"] in (1, 2, 3)
    assert content(uninterrupted) == before


@pytest.mark.parametrize("finished", [False, True])
def test_resuming_another_training_is_refused(tmp_path, finished) -> None:
    small: dict[str, Any] = {"examples": TRAIN[:20], "dev": DEV[:5]}
    if finished:
        run(tmp_path, **small)
    else:
        with pytest.raises(KilledError):
            run(tmp_path, on_progress=Killer(2, 1), **small)
    with pytest.raises(InputError, match=r"train\.seed was 1 and is 2"):
        run(tmp_path, "train.seed=2", resume=True, **small)
    with pytest.raises(InputError, match="data or the lexicon has changed"):
        run(tmp_path, resume=True, examples=TRAIN[:21], dev=DEV[:5])
    other = replace(LEXICON, observed=Observed(below={0: {1: 1}}))
    with pytest.raises(InputError, match="data or the lexicon has changed"):
        run(tmp_path, resume=True, lexicon=other, **small)
    run(tmp_path, "train.device=auto", resume=True, **small)


def test_damaged_checkpoint_is_named(tmp_path) -> None:
    with pytest.raises(KilledError):
        run(tmp_path, on_progress=Killer(2, 1))
    path = tmp_path / WORKING / "checkpoint-0001.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelError, match=r"checkpoint-0001\.safetensors: truncated"):
        run(tmp_path, resume=True)


def kept_by_others(folder: Path) -> dict[str, bytes]:
    """Write files of a user, some with names that a training uses; return their bytes."""
    (folder / "rows").mkdir()
    for name in ("rows/train-00000.jsonl", "checkpoint-epoch9.json", "checkpoint-0001.safetensors"):
        (folder / name).write_bytes(b"mine")
    for name in (".lock", ".draft.part", ".writable-1", "model.safetensors"):
        (folder / name).write_bytes(b"mine")
    (folder / LOG).write_bytes(b'{"epoch": 1, "loss": 0.5}\n')
    return files_below(folder)


def test_files_of_others_are_kept(tmp_path) -> None:
    expected = kept_by_others(tmp_path)
    for name in ("model.safetensors", LOG):
        with pytest.raises(InputError, match=f"{name}: exists and was not written by amparser"):
            run(tmp_path, on_progress=Killer(1, 1))
        assert files_below(tmp_path) == expected
        del expected[name]
        (tmp_path / name).unlink()
    with pytest.raises(KilledError):
        run(tmp_path, on_progress=Killer(2, 1))
    run(tmp_path, resume=True)
    run(tmp_path, "train.epochs=1", "train.seed=2")
    found = files_below(tmp_path)
    assert found.keys() - expected.keys() == {LOG, "model.json", "model.safetensors"}
    assert expected.items() <= found.items()


def test_progress_counts_batches_and_time(tmp_path) -> None:
    seen: list[TrainingProgress] = []
    run(tmp_path, "train.epochs=2", examples=TRAIN[:60], on_progress=seen.append)
    assert [(p.epoch, p.batch) for p in seen] == [
        (epoch, batch) for epoch in (1, 2) for batch in range(1, seen[0].batches + 1)
    ]
    assert seen[0].dev_figure is None
    assert seen[-1].dev_figure is not None
    assert seen[-1].seconds_left == 0
    assert all(p.sentences_per_second > 0 for p in seen)


def test_runaway_loss_is_reported(tmp_path) -> None:
    with pytest.raises(ConfigError, match=r"not finite at step \d+; train\.learning_rate = 1e\+30"):
        run(tmp_path, "train.learning_rate=1e30", "train.gradient_clip=1e30")


def test_missing_gpu_is_named(tmp_path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(InputError, match="device cuda: torch finds no GPU"):
        run(tmp_path, "train.device=cuda")
