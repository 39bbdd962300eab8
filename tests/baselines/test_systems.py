"""Laws of all systems that predict texts or labels: resuming and model folders."""

from pathlib import Path

import pytest
from trainings import (
    ALL,
    PRETRAINED,
    SCRATCH,
    SCRATCH_PAIRS,
    cut_off,
    examples_of,
    loaded,
    needs_pretrained,
    same,
    settings_of,
    train,
)

from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError
from amparser.learn.model_folder import trained_parameters
from amparser.learn.settings import with_overrides
from amparser.learn.systems import system_of

NOAM = (
    "accumulate=2", "schedule=noam", "warmup_steps=3", "learning_rate=0.3", "label_smoothing=0.1",
    "select=loss",
)  # fmt: skip
OPTIONS = {
    **dict.fromkeys(SCRATCH, NOAM),
    **dict.fromkeys(("pair-lstm", "pair-treelstm"), ("unknown=0.1",)),
    **dict.fromkeys(("t5", "llama"), ("accumulate=2", "select=loss")),
}


@pytest.fixture
def checkpoint(system, request) -> Path | None:
    found: Path | None = None
    if system in PRETRAINED:
        found = request.getfixturevalue("checkpoints")[system]
    return found


@pytest.mark.parametrize(
    ("system", "every"),
    [
        pytest.param(system, every, marks=needs_pretrained if system in PRETRAINED else ())
        for system in (*SCRATCH, *SCRATCH_PAIRS, *PRETRAINED)
        for every in ("", "train.validate_every=0")
        if system in SCRATCH or not every
    ],
)
def test_killed_and_resumed_ends_with_the_same_weights(system, every, checkpoint, tmp_path) -> None:
    options = [*OPTIONS.get(system, ()), *([every] if every else [])]
    settings = settings_of(system, checkpoint, *options)
    whole = train(system, settings, tmp_path / "whole")
    cut_off(system, settings, tmp_path / "cut", round_=3 if system.startswith("pair") else 2)
    resumed = train(system, settings, tmp_path / "cut", resume=True)
    assert same(whole, resumed)
    assert whole.metrics == resumed.metrics
    logs = [(tmp_path / name / "log.jsonl").read_text().splitlines() for name in ("whole", "cut")]
    assert len(logs[0]) == len(logs[1]) == len(whole.metrics["epochs"])
    # A finished training is not repeated.
    assert same(whole, train(system, settings, tmp_path / "cut", resume=True))
    for other, pairs, message in (
        (with_overrides(settings, ["seed=2"]), None, r"cannot resume .*train\.seed was 1 and is 2"),
        (settings, examples_of(system)[1:], "training data|data or the lexicon has changed"),
    ):
        with pytest.raises(InputError, match=message):
            train(system, other, tmp_path / "cut", pairs, resume=True)


@pytest.mark.parametrize("system", ALL)
def test_model_folder_restores_the_model(system, checkpoint, tmp_path) -> None:
    texts = not system.startswith("pair")
    settings = settings_of(system, checkpoint, *(["beam_size=3"] if system in SCRATCH else []))
    model, again = train(system, settings, tmp_path), loaded(tmp_path)
    assert same(model, again)
    for name in ("system", "settings", "notation", "benchmark", "data", "metrics", "decoders"):
        assert getattr(again, name) == getattr(model, name), name
    assert (again.notation, again.benchmark) == ("cogs" if texts else "", "mine")
    assert (again.data, again.system, system_of(tmp_path).name) == ({"a": 1}, system, system)
    sentences = [example.tokens for example in examples_of(system)[:9]]
    assert again.answers(sentences) == model.answers(sentences)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "log.jsonl", "model.json", "model.safetensors",
    ]  # fmt: skip
    size = (tmp_path / "model.safetensors").stat().st_size
    trained = sum(p.numel() for p in trained_parameters(model.predictor.network).values())
    assert 4 * trained < size < 4 * trained + 10_000


@pytest.mark.parametrize("system", ["transformer", "pair-lstm"])
def test_missing_or_malformed_examples_are_errors(system, tmp_path) -> None:
    settings = settings_of(system, None)
    with pytest.raises(InputError, match="no examples"):
        train(system, settings, tmp_path, [])
    wrong = Example(examples_of(system)[0].tokens, "maybe (", line=3)
    with pytest.raises(CorpusError, match=r"^train\.tsv:3: (label 'maybe \('|expected a meaning)"):
        train(system, settings, tmp_path, [wrong])
