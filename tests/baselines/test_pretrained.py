"""T5 and LLaMA with LoRA on tiny random checkpoints: train, save, resume, write, evaluate."""

import shutil
from pathlib import Path

import pytest
import torch
from tiny_checkpoints import write_llama
from trainings import TEXTS, WORDS, loaded, needs_pretrained, settings_of, train

from amparser.baselines.pretrained import read_pretrained
from amparser.baselines.settings import CheckpointSettings, FinetuneSettings
from amparser.corpora.example import Example
from amparser.errors import ConfigError, ModelError
from amparser.learn.model_folder import trained_parameters
from amparser.notations.registry import NOTATIONS

pytestmark = needs_pretrained

COGS = NOTATIONS["cogs"]
PAIRS = TEXTS
DEV = PAIRS[::4]
SYSTEMS = ("t5", "llama")


def config(system: str, checkpoints: dict[str, Path], *overrides: str) -> FinetuneSettings:
    return settings_of(system, checkpoints[system], *overrides)


def test_t5_learns_and_writes_what_it_learned(checkpoints, tmp_path) -> None:
    settings = config(
        "t5",
        checkpoints,
        "train.max_steps=1000",
        "train.validate_every=250",
        "train.learning_rate=0.005",
    )
    model = train("t5", settings, tmp_path)
    epochs = model.metrics["epochs"]
    assert epochs[-1]["loss"] < 0.1 * epochs[0]["loss"]
    outputs = model.answers([pair.tokens for pair in DEV])["greedy"]
    right = sum(o.output == pair.meaning for o, pair in zip(outputs, DEV, strict=True))
    assert right / len(DEV) == epochs[-1]["dev_accuracy"] > 0.2


def test_lora_learns_without_touching_the_weights(checkpoints, tmp_path) -> None:
    settings = config("llama", checkpoints, "max_steps=100", "validate_every=50",
                      "learning_rate=0.03")  # fmt: skip
    model = train("llama", settings, tmp_path)
    losses = [epoch["loss"] for epoch in model.metrics["epochs"]]
    assert losses[-1] < losses[0] - 0.05
    trained = trained_parameters(model.predictor.network)
    assert trained
    assert all(".lora_" in name for name in trained)
    assert {name.split(".lora_")[0].rsplit(".", 1)[1] for name in trained} == {"q_proj", "v_proj"}
    assert {p.shape[0] for name, p in trained.items() if ".lora_A." in name} == {8}
    fresh = read_pretrained("llama", settings.pretrained, COGS)
    frozen = {n: p for n, p in fresh.network.named_parameters() if n not in trained}
    after = dict(model.predictor.network.named_parameters())
    assert all(torch.equal(p, after[name]) for name, p in frozen.items())


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_the_likeliest_words_are_what_is_written(system, checkpoints, tmp_path) -> None:
    """Greedy search in padded batches agrees with the logits of training."""
    settings = config(system, checkpoints, "max_steps=30", "max_length=12")
    with torch.enable_grad():
        model = train(system, settings, tmp_path, dev=[])
    predictor = model.predictor
    sentences = [PAIRS[0].tokens, PAIRS[12].tokens, PAIRS[0].tokens[:2]]
    for (text, logp, ended), tokens in zip(
        predictor.write(sentences, model.settings.decode), sentences, strict=True
    ):
        ids = predictor.target_ids(text) if text else []
        logits, gold = predictor.logits([(predictor.source_ids(tokens), ids)])
        learned = (gold[0] != -100).nonzero()[:, 0]
        steps = logits[0, learned].log_softmax(1)
        best = steps.argmax(1).tolist()
        wanted = [*ids, predictor.end] if ended else ids
        assert best[: len(wanted)] == wanted
        total = sum(float(steps[i, word]) for i, word in enumerate(wanted))
        assert logp == pytest.approx(total, abs=1e-3)
        assert ended or len(ids) <= 12


def test_a_fine_tuned_t5_needs_no_checkpoint_and_an_adapter_does(checkpoints, tmp_path) -> None:
    copies = {
        system: Path(shutil.copytree(path, tmp_path / f"base-{system}"))
        for system, path in checkpoints.items()
    }
    for system in SYSTEMS:
        train(system, config(system, copies), tmp_path / system)
    write_llama(copies["llama"], [*WORDS, "one-more"])
    with pytest.raises(ModelError, match="not the checkpoint that training started from"):
        loaded(tmp_path / "llama")
    for copy in copies.values():
        shutil.rmtree(copy)
    assert loaded(tmp_path / "t5").answers([("The", "cat")])
    with pytest.raises(ConfigError, match=r"base-llama.*: no such folder"):
        loaded(tmp_path / "llama")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": ""}, "pretrained.path is empty"),
        ({"path": "./nowhere"}, "no such folder"),
        ({"prompt": "nothing"}, r"expected \{input\} in it"),
        ({"lora_rank": 4, "lora_targets": "w_x"}, r"pretrained\.lora_targets = 'w_x'"),
    ],
)
def test_settings_that_do_not_fit_are_named(checkpoints, changes, message) -> None:
    settings = {"path": str(checkpoints["llama"]), **changes}
    with pytest.raises(ConfigError, match=message):
        read_pretrained("llama", CheckpointSettings(**settings), COGS)  # type: ignore[arg-type]


def test_checkpoints_that_do_not_fit_are_named(checkpoints, tmp_path) -> None:
    with pytest.raises(ConfigError, match="cannot be read as t5"):
        read_pretrained("t5", CheckpointSettings(path=str(checkpoints["llama"])), COGS)
    copy = Path(shutil.copytree(checkpoints["t5"], tmp_path / "t5"))
    (copy / "model.safetensors").write_bytes(b"x")
    with pytest.raises(ConfigError, match="cannot be read as t5"):
        read_pretrained("t5", CheckpointSettings(path=str(copy)), COGS)
    (copy / "config.json").unlink()
    with pytest.raises(ConfigError, match=r"config\.json is missing"):
        read_pretrained("t5", CheckpointSettings(path=str(copy)), COGS)


def test_targets_that_the_tokenizer_cannot_write_are_named(checkpoints, tmp_path) -> None:
    strange = [*PAIRS, Example(("A", "cat"), "zebra ( x _ 1 )")]
    with pytest.raises(ConfigError, match=r"cannot write the target 'zebra \( x _ 1 \)'"):
        train("t5", config("t5", checkpoints), tmp_path, strange)
