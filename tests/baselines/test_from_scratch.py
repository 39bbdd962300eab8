"""Training of sequence-to-sequence models: learning, resuming, rounds and schedules."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import trainings
from trainings import SCRATCH, TEXTS, cut_off, settings_of

from amparser.baselines.settings import SearchSettings, Seq2SeqSettings
from amparser.baselines.system import PredictorModel
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import ConfigError, CorpusError, InputError
from amparser.learn.batches import epoch_batches
from amparser.learn.plan import Plan
from amparser.learn.report import TrainingReport
from amparser.learn.settings import PredictionTrainSettings, TrainSettings, with_overrides
from amparser.learn.system_registry import SYSTEMS as REGISTRY
from amparser.learn.trainer import Trainer
from amparser.notations.registry import NOTATIONS

PAIRS = TEXTS
DEV = PAIRS[::4]
TINY = settings_of("transformer", None)


def written(model: PredictorModel, sentences: Sequence[Sequence[str]]) -> list[str | None]:
    [results] = model.answers(sentences).values()
    return [result.output for result in results]


def settings(*overrides: str) -> Seq2SeqSettings:
    return with_overrides(TINY, overrides)


def train(
    config: Seq2SeqSettings, folder: Path, system: str = "transformer", **options: Any
) -> PredictorModel:
    return trainings.train(system, config, folder, **options)


@pytest.mark.parametrize("system", SCRATCH)
def test_training_learns_the_rows(system, tmp_path) -> None:
    config = settings(
        f"train.max_steps={300 if system == 'gru' else 200}",
        "train.validate_every=50", "train.select=accuracy", "network.dropout=0",
    )  # fmt: skip
    model = train(config, tmp_path, system)
    losses = [epoch["loss"] for epoch in model.metrics["epochs"]]
    assert losses[-1] < 0.1 * losses[0]
    outputs = written(model, [pair.tokens for pair in PAIRS])
    right = sum(o == pair.meaning for o, pair in zip(outputs, PAIRS, strict=True))
    assert right > 0.25 * len(PAIRS)
    best = model.metrics["epochs"][model.metrics["best_epoch"] - 1]
    dev = written(model, [pair.tokens for pair in DEV])
    right = sum(o == pair.meaning for o, pair in zip(dev, DEV, strict=True))
    assert best["dev_accuracy"] == right / len(DEV)


def test_the_training_of_another_system_is_not_resumed(tmp_path) -> None:
    cut_off("transformer", TINY, tmp_path, batch=1)
    with pytest.raises(InputError, match=r"system was 'transformer' and is 'lstm'"):
        train(TINY, tmp_path, "lstm", resume=True)


def test_answers_say_what_is_wrong_with_malformed_outputs(tmp_path) -> None:
    model = train(settings("train.max_steps=150", "network.dropout=0"), tmp_path)
    sentences = [pair.tokens for pair in PAIRS]
    seconds: dict[str, float] = {}
    answers = model.answers(sentences, ["greedy", "beam-2"], seconds=seconds)
    assert list(answers) == ["greedy", "beam-2"]
    assert seconds.keys() == {"writing greedy", "writing beam-2"}
    outputs = model.predictor.write(sentences, SearchSettings(2, 60))
    for result, output in zip(answers["beam-2"], outputs, strict=True):
        assert result.output == output.text
        assert result.logp == pytest.approx(output.logp, abs=1e-4)
        readable = output.finished and NOTATIONS["cogs"].is_readable(output.text)
        assert (result.failure is None) == readable == (result.meaning is not None)
        assert result.meaning in (None, output.text)
    with pytest.raises(InputError, match="unknown decoder 'astar', expected greedy or beam-N"):
        model.answers(sentences, ["astar"])
    short = train(settings("decode.max_length=3"), tmp_path / "short")
    [result] = short.answers(sentences[:1])["greedy"]
    assert (result.meaning, result.failure) == (None, "length limit")


def test_meanings_are_converted_within_the_family(tmp_path) -> None:
    for name, notation in (("from-files", ""), ("from-notation", "cogs")):
        corpus = Corpus(PAIRS, DEV, notation)
        config = settings("data.notation=varfree", "train.max_steps=2")
        model = REGISTRY["gru"].train(corpus, config, tmp_path / name)
        assert model.notation == "varfree"
        assert "agent" in model.predictor.target.words
        assert "x" not in model.predictor.target.words
    with pytest.raises(ConfigError, match=r"data\.notation = '': the corpus names none"):
        REGISTRY["gru"].train(Corpus(PAIRS, DEV), TINY, tmp_path / "none")


@pytest.mark.parametrize(
    ("meaning", "message"),
    [
        ("cat ( x _", r"^train\.tsv:7: expected a meaning in the notation 'cogs': "),
        ("cat  ( x _ 1 )", r"^train\.tsv:7: expected "),
    ],
)
def test_bad_meanings_are_named(meaning, message, tmp_path) -> None:
    with pytest.raises(CorpusError, match=message):
        train(TINY, tmp_path / "m", pairs=[*PAIRS, Example(("A", "cat"), meaning, line=7)])
    assert not (tmp_path / "m").exists()


def test_the_best_round_is_kept(tmp_path) -> None:
    def metrics(select: str) -> tuple[int, list[dict[str, float]]]:
        config = settings(f"train.select={select}", "train.max_steps=24", "train.learning_rate=0.1")
        found = train(config, tmp_path / select).metrics
        return found["best_epoch"], found["epochs"]

    best, epochs = metrics("loss")
    assert epochs[best - 1]["dev_loss"] == min(epoch["dev_loss"] for epoch in epochs)
    best, epochs = metrics("accuracy")
    assert epochs[best - 1]["dev_accuracy"] == max(epoch["dev_accuracy"] for epoch in epochs)
    best, epochs = metrics("last")
    assert best == len(epochs) == 6


def test_epochs_are_a_limit_too_and_training_prints_nothing(tmp_path, capfd) -> None:
    config = settings("train.epochs=2", "train.validate_every=0", "train.max_steps=10000")
    reports: list[TrainingReport] = []
    epochs = train(config, tmp_path, on_report=reports.append).metrics["epochs"]
    assert (reports, capfd.readouterr()) == ([TrainingReport(36, 9)], ("", ""))
    assert [epoch["step"] for epoch in epochs] == [5, 10]
    assert len(PAIRS) == 36


def schedule(**changes: Any) -> Callable[[int], float]:
    class Nothing:
        network = torch.nn.Linear(1, 1)
        size = 512
        partial = False

        def shares(self) -> dict[str, float]:
            return {}

        def epoch(self, number: int) -> list[np.ndarray]:
            return epoch_batches(np.ones((4, 2), dtype=np.int64), settings, number)

        def losses(self, batch: np.ndarray) -> None:
            raise AssertionError("nothing is trained")

    settings = replace(PredictionTrainSettings(), **changes)
    trainer = Trainer(Nothing(), settings)  # type: ignore[arg-type]
    return lambda step: trainer.learning_rate(step, (step - 1) / 4)


def test_schedules() -> None:
    constant = schedule(learning_rate=0.5, warmup_steps=10)
    assert [constant(step) for step in (1, 5, 10, 99)] == [0.05, 0.25, 0.5, 0.5]
    linear = schedule(learning_rate=0.5, warmup_steps=10, schedule="linear", max_steps=60)
    rates = [linear(step) for step in (1, 5, 10, 35, 60)]
    assert rates == pytest.approx([0.05, 0.25, 0.5, 0.5 * 26 / 51, 0.5 / 51])
    short = schedule(learning_rate=0.5, schedule="linear", epochs=2, batch_size=1)
    assert [short(step) for step in (1, 8)] == pytest.approx([4 / 9, 0.5 / 9])
    fall = schedule(learning_rate=0.5, schedule="fall", epochs=2, batch_size=1)
    assert [fall(step) for step in (1, 5, 9)] == pytest.approx([0.5, 0.2625, 0.025])
    for limits in ({"max_steps": 0}, {"schedule": "fall"}):
        with pytest.raises(ConfigError, match=r"train\.(epochs|schedule)"):
            schedule(**limits)
    noam = schedule(learning_rate=2.0, schedule="noam", warmup_steps=4000)
    rates = [noam(step) for step in (1, 2000, 4000, 16000)]
    assert rates[2] == pytest.approx(2 * 512**-0.5 * 4000**-0.5)
    assert rates[1] == pytest.approx(rates[2] / 2) == pytest.approx(rates[3])
    assert max(noam(step) for step in range(1, 9000)) == rates[2]


@pytest.mark.parametrize("accumulate", [1, 3])
@pytest.mark.parametrize("every", [0, 7])
def test_updates_in_rounds_are_those_of_a_training_in_one_go(accumulate, every) -> None:
    lengths = np.ones((50, 2), dtype=np.int64)
    config = TrainSettings(batch_size=8, max_steps=30, validate_every=every, accumulate=accumulate)
    plan = Plan(lambda number: epoch_batches(lengths, config, number), config)
    whole = [[b.tolist() for b in update.batches] for update in plan.updates(1, 30)]
    parts, last = [], 0
    for number in range(1, plan.rounds + 1):
        first, last = last + 1, plan.round_end(number)
        assert last >= first
        parts += [[b.tolist() for b in update.batches] for update in plan.updates(first, last)]
    assert last == plan.total == 30
    assert parts == whole
    assert all(len(update) == accumulate for update in whole)
