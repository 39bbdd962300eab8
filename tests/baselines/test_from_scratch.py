"""Training of sequence-to-sequence models: it learns, resumes, and is kept whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_model import rows

from amparser.baselines.from_scratch import Pair, Seq2SeqModel, load_pairs_model, train_pairs
from amparser.baselines.settings import FitSettings, Seq2SeqConfig
from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.checkpoint import load_model
from amparser.learn.config import with_overrides
from amparser.learn.fit import Fitter
from amparser.learn.plan import BatchPlan, cut
from amparser.learn.progress import TrainingProgress

torch.set_num_threads(1)

PAIRS = [Pair(tuple(sentence.split()), form) for sentence, form, _ in rows()]
DEV = PAIRS[::4]

TINY = with_overrides(
    Seq2SeqConfig(),
    [
        "network.hidden_size=32",
        "network.embedding_size=24",
        "network.heads=2",
        "network.feedforward_size=48",
        "network.layers=1",
        "train.batch_size=8",
        "train.max_steps=12",
        "train.validate_every=4",
        "train.learning_rate=0.01",
        "train.device=cpu",
        "decode.max_length=60",
    ],
)
SYSTEMS = ("transformer", "lstm", "bilstm", "gru")


def settings(*overrides: str) -> Seq2SeqConfig:
    return with_overrides(TINY, overrides)


def weights(model: Seq2SeqModel) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in model.network.state_dict().items()}


def same(left: Seq2SeqModel, right: Seq2SeqModel) -> bool:
    one, other = weights(left), weights(right)
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


@pytest.mark.parametrize("system", SYSTEMS)
def test_training_learns_the_rows(system: str, tmp_path: Path) -> None:
    config = settings(
        f"system={system}", f"train.max_steps={300 if system == 'gru' else 200}",
        "train.validate_every=50", "train.select=accuracy", "network.dropout=0",
    )  # fmt: skip
    model = train_pairs(PAIRS, DEV, config, tmp_path)
    losses = [epoch["loss"] for epoch in model.metrics["epochs"]]
    assert losses[-1] < 0.1 * losses[0]
    outputs = model.outputs([pair.tokens for pair in PAIRS])
    right = sum(o.text == pair.target for o, pair in zip(outputs, PAIRS, strict=True))
    assert right > 0.25 * len(PAIRS)


def test_dev_accuracy_is_that_of_greedy_search(tmp_path: Path) -> None:
    model = train_pairs(PAIRS, DEV, settings("train.max_steps=100", "network.dropout=0"), tmp_path)
    outputs = model.outputs([pair.tokens for pair in DEV])
    right = sum(o.text == pair.target for o, pair in zip(outputs, DEV, strict=True))
    assert 0 < right < len(DEV)
    assert model.metrics["epochs"][-1]["dev_accuracy"] == right / len(DEV)


class CutError(Exception):
    """The training is killed."""


def cut_off(
    pairs: Sequence[Pair], config: Seq2SeqConfig, folder: Path, *, round_: int, batch: int
) -> None:
    def kill(progress: TrainingProgress) -> None:
        if (progress.epoch, progress.batch) == (round_, batch):
            raise CutError

    with pytest.raises(CutError):
        train_pairs(pairs, DEV, config, folder, on_progress=kill)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("every", [4, 0])
def test_killed_and_resumed_ends_with_the_same_weights(
    system: str, every: int, tmp_path: Path
) -> None:
    config = settings(
        f"system={system}", f"train.validate_every={every}", "train.accumulate=2",
        "train.schedule=noam", "train.warmup_steps=3", "train.learning_rate=0.3",
        "train.label_smoothing=0.1", "train.select=loss",
    )  # fmt: skip
    whole = train_pairs(PAIRS, DEV, config, tmp_path / "whole")
    cut_off(PAIRS, config, tmp_path / "cut", round_=2, batch=2)
    resumed = train_pairs(PAIRS, DEV, config, tmp_path / "cut", resume=True)
    assert same(whole, resumed)
    assert whole.metrics == resumed.metrics
    logs = [(tmp_path / name / "log.jsonl").read_text().splitlines() for name in ("whole", "cut")]
    assert len(logs[0]) == len(logs[1]) == len(whole.metrics["epochs"])
    # What is finished is not trained again.
    assert same(whole, train_pairs(PAIRS, DEV, config, tmp_path / "cut", resume=True))


def test_resuming_another_training_is_refused(tmp_path: Path) -> None:
    cut_off(PAIRS, TINY, tmp_path, round_=2, batch=1)
    with pytest.raises(InputError, match=r"system was 'transformer' and is 'lstm'"):
        train_pairs(PAIRS, DEV, settings("system=lstm"), tmp_path, resume=True)
    with pytest.raises(InputError, match="data or the lexicon has changed"):
        train_pairs(PAIRS[1:], DEV, TINY, tmp_path, resume=True)


def test_a_model_comes_back_as_it_was(tmp_path: Path) -> None:
    model = train_pairs(PAIRS, DEV, settings("decode.beam_size=3"), tmp_path, data={"a": 1})
    again = load_pairs_model(tmp_path, "cpu")
    assert same(model, again)
    assert (again.config, again.data, again.metrics) == (model.config, {"a": 1}, model.metrics)
    sentences = [pair.tokens for pair in PAIRS[:9]]
    assert again.outputs(sentences) == model.outputs(sentences)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "log.jsonl", "model.json", "model.safetensors",
    ]  # fmt: skip


def test_outputs_are_in_the_order_of_the_sentences(tmp_path: Path) -> None:
    model = train_pairs(PAIRS, DEV, settings("decode.batch_size=4"), tmp_path)
    sentences = [pair.tokens for pair in PAIRS[:11]]
    together = model.outputs(sentences)
    assert [o.text for o in together] == [model.outputs([one])[0].text for one in sentences]
    assert model.outputs([]) == []


def test_the_best_round_is_kept(tmp_path: Path) -> None:
    def metrics(select: str) -> tuple[int, list[dict[str, float]]]:
        config = settings(f"train.select={select}", "train.max_steps=24", "train.learning_rate=0.1")
        found = train_pairs(PAIRS, DEV, config, tmp_path / select).metrics
        return found["best_epoch"], found["epochs"]

    best, epochs = metrics("loss")
    assert epochs[best - 1]["dev_loss"] == min(epoch["dev_loss"] for epoch in epochs)
    best, epochs = metrics("accuracy")
    assert epochs[best - 1]["dev_accuracy"] == max(epoch["dev_accuracy"] for epoch in epochs)
    best, epochs = metrics("last")
    assert best == len(epochs) == 6


def test_training_stops_early_when_dev_gets_no_better(tmp_path: Path) -> None:
    config = settings(
        "train.learning_rate=0", "train.select=loss", "train.patience=2", "train.max_steps=400"
    )
    assert len(train_pairs(PAIRS, DEV, config, tmp_path).metrics["epochs"]) == 3


def test_epochs_are_a_limit_too(tmp_path: Path) -> None:
    config = settings("train.max_epochs=2", "train.validate_every=0", "train.max_steps=10000")
    epochs = train_pairs(PAIRS, DEV, config, tmp_path).metrics["epochs"]
    assert [epoch["step"] for epoch in epochs] == [5, 10]
    assert len(PAIRS) == 36


def schedule(**changes: object) -> Fitter:
    class Nothing:
        network = torch.nn.Linear(1, 1)

        def lengths(self, part: str) -> np.ndarray:
            return np.ones((4, 2), dtype=np.int64)

    return Fitter(Nothing(), replace(FitSettings(), **changes))  # type: ignore[arg-type]


def test_schedules() -> None:
    constant = schedule(learning_rate=0.5, warmup_steps=10)
    assert [constant.learning_rate(step, 512) for step in (1, 5, 10, 99)] == [0.05, 0.25, 0.5, 0.5]
    linear = schedule(learning_rate=0.5, warmup_steps=10, schedule="linear", max_steps=60)
    rates = [linear.learning_rate(step, 512) for step in (1, 5, 10, 35, 60)]
    assert rates == pytest.approx([0.05, 0.25, 0.5, 0.5 * 26 / 51, 0.5 / 51])
    short = schedule(learning_rate=0.5, schedule="linear", max_epochs=2, batch_size=1)
    assert [short.learning_rate(step, 512) for step in (1, 8)] == pytest.approx([4 / 9, 0.5 / 9])
    noam = schedule(learning_rate=2.0, schedule="noam", warmup_steps=4000)
    rates = [noam.learning_rate(step, 512) for step in (1, 2000, 4000, 16000)]
    assert rates[2] == pytest.approx(2 * 512**-0.5 * 4000**-0.5)
    assert rates[1] == pytest.approx(rates[2] / 2) == pytest.approx(rates[3])
    assert max(noam.learning_rate(step, 512) for step in range(1, 9000)) == rates[2]


def test_each_epoch_has_every_example_once_in_batches_within_limits() -> None:
    random = np.random.default_rng(0)
    lengths = random.integers(1, 40, (301, 2))
    plan = BatchPlan(lengths, replace(FitSettings(), batch_size=7, batch_tokens=150))
    for number in (1, 2):
        batches = plan.epoch(number)
        assert sorted(i for batch in batches for i in batch) == list(range(301))
        for batch in batches:
            assert len(batch) <= 7
            assert len(batch) == 1 or len(batch) * lengths[batch].max(axis=0).sum() <= 150
    assert [b.tolist() for b in plan.epoch(1)] != [b.tolist() for b in plan.epoch(2)]


@pytest.mark.parametrize("accumulate", [1, 3])
@pytest.mark.parametrize("every", [0, 7])
def test_updates_in_rounds_are_those_of_a_training_in_one_go(accumulate: int, every: int) -> None:
    lengths = np.ones((50, 2), dtype=np.int64)
    changes = {"batch_size": 8, "max_steps": 30, "validate_every": every, "accumulate": accumulate}
    plan = BatchPlan(lengths, replace(FitSettings(), **changes))  # type: ignore[arg-type]
    whole = [[b.tolist() for b in update] for update in plan.updates(1, 30)]
    parts, last = [], 0
    for number in range(1, plan.rounds() + 1):
        first, last = last + 1, plan.round_end(number)
        assert last >= first
        parts += [[b.tolist() for b in update] for update in plan.updates(first, last)]
    assert last == plan.total == 30
    assert parts == whole
    assert all(len(update) == accumulate for update in whole)


def test_an_example_that_is_too_long_is_a_batch() -> None:
    lengths = np.array([[1, 1], [50, 50], [1, 1]])
    found = [batch.tolist() for batch in cut(np.arange(3), lengths, 8, 10)]
    assert found == [[0], [1], [2]]
    assert cut(np.arange(0), lengths, 8, 10) == []


def test_label_smoothing_raises_the_loss_of_the_certain(tmp_path: Path) -> None:
    plain = train_pairs(PAIRS, DEV, settings("train.max_steps=100"), tmp_path / "a")
    smooth = train_pairs(
        PAIRS, DEV, settings("train.max_steps=100", "train.label_smoothing=0.2"), tmp_path / "b"
    )
    assert smooth.metrics["epochs"][-1]["loss"] > plain.metrics["epochs"][-1]["loss"] + 0.3


def test_a_loss_that_explodes_is_told(tmp_path: Path) -> None:
    config = settings("train.learning_rate=1e20", "train.gradient_clip=0", "train.max_steps=50")
    with pytest.raises(ConfigError, match=r"train\.learning_rate = 1e\+20 may be too high"):
        train_pairs(PAIRS, DEV, config, tmp_path)


def test_nothing_to_train_on_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no examples"):
        train_pairs([], DEV, TINY, tmp_path)
    with pytest.raises(InputError, match=r"train\.select = 'loss' needs dev"):
        train_pairs(PAIRS, [], settings("train.select=loss"), tmp_path)
    assert train_pairs(PAIRS, [], TINY, tmp_path).metrics["best_epoch"] == 3


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    train_pairs(PAIRS, DEV, settings("train.max_steps=2"), tmp_path)
    with pytest.raises(ModelError, match="not an amparser-model file"):
        load_model(tmp_path, "cpu")
    path = tmp_path / "model.json"
    content = json.loads(path.read_text())
    for key, value, message in (
        ("source_vocabulary", content["source_vocabulary"][1:], "has shape"),
        ("target_vocabulary", None, "vocabulary"),
        ("config", {**content["config"], "system": "rnn"}, "system = 'rnn': expected one of"),
        ("metrics", None, "'metrics' is missing"),
        ("format", "amparser-model", "not an amparser-seq2seq-model file"),
    ):
        path.write_text(json.dumps({**content, key: value}))
        with pytest.raises(ModelError, match=message):
            load_pairs_model(tmp_path, "cpu")
    (tmp_path / "model.safetensors").write_bytes(b"")
    path.write_text(json.dumps(content))
    with pytest.raises(ModelError, match="truncated, damaged"):
        load_pairs_model(tmp_path, "cpu")
