"""T5 and LLaMA with LoRA on tiny random checkpoints: train, save, resume, write, evaluate."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
import torch
from amparser.learn.config import with_overrides
from amparser.learn.fit import trained_parameters
from command_line import ok, refused, run
from tiny_checkpoints import write_llama, write_t5
from tiny_model import rows, write_corpus

from amparser.baselines.finetuned import FinetunedModel, finetune, load_finetuned
from amparser.baselines.from_scratch import Pair
from amparser.baselines.pretrained import read_pretrained
from amparser.baselines.settings import CheckpointSettings, FinetuneConfig, SearchSettings
from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.progress import TrainingProgress
from amparser.learn.systems import system_of_model

INSTALLED = all(importlib.util.find_spec(name) for name in ("transformers", "peft"))
pytestmark = pytest.mark.skipif(
    not INSTALLED,
    reason="transformers or peft is missing: pip install 'amparser[pretrained]'",
)

torch.set_num_threads(1)

PAIRS = [Pair(tuple(sentence.split()), form) for sentence, form, _ in rows()]
DEV = PAIRS[::4]
WORDS = {w for pair in PAIRS for w in (*pair.tokens, *pair.target.split())} | {"##", "Output:"}
PROMPT = "## {input} Output:"
SYSTEMS = ("t5", "llama")


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("checkpoints")
    return {"t5": write_t5(folder / "t5", WORDS), "llama": write_llama(folder / "llama", WORDS)}


def config(system: str, checkpoints: dict[str, Path], *overrides: str) -> FinetuneConfig:
    return with_overrides(
        FinetuneConfig(),
        [
            f"system={system}",
            f"pretrained.path={str(checkpoints[system])!r}",
            f"pretrained.prompt={PROMPT!r}",
            f"pretrained.lora_rank={8 if system == 'llama' else 0}",
            "train.batch_size=8",
            "train.max_steps=6",
            "train.validate_every=2",
            "train.learning_rate=0.01",
            "train.device=cpu",
            "decode.max_length=60",
            *overrides,
        ],
    )


def weights(model: FinetunedModel) -> dict[str, torch.Tensor]:
    return {name: t.detach().clone() for name, t in model.pretrained.network.named_parameters()}


def same(left: FinetunedModel, right: FinetunedModel) -> bool:
    one, other = weights(left), weights(right)
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


def test_t5_learns_and_writes_what_it_learned(checkpoints: dict[str, Path], tmp_path: Path) -> None:
    model = finetune(
        PAIRS, DEV, config("t5", checkpoints, "max_steps=400", "validate_every=100"), tmp_path
    )
    epochs = model.metrics["epochs"]
    assert epochs[-1]["loss"] < 0.1 * epochs[0]["loss"]
    outputs = model.outputs([pair.tokens for pair in DEV])
    right = sum(o.text == pair.target for o, pair in zip(outputs, DEV, strict=True))
    assert right / len(DEV) == epochs[-1]["dev_accuracy"] > 0.2


def test_lora_learns_without_touching_the_weights(
    checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    settings = config("llama", checkpoints, "max_steps=100", "validate_every=50",
                      "learning_rate=0.03")  # fmt: skip
    model = finetune(PAIRS, DEV, settings, tmp_path)
    losses = [epoch["loss"] for epoch in model.metrics["epochs"]]
    assert losses[-1] < losses[0] - 0.05
    trained = trained_parameters(model.pretrained.network)
    assert trained
    assert all(".lora_" in name for name in trained)
    assert {name.split(".lora_")[0].rsplit(".", 1)[1] for name in trained} == {"q_proj", "v_proj"}
    assert {p.shape[0] for name, p in trained.items() if ".lora_A." in name} == {8}
    fresh = read_pretrained("llama", settings.pretrained)
    frozen = {n: p for n, p in fresh.network.named_parameters() if n not in trained}
    after = dict(model.pretrained.network.named_parameters())
    assert all(torch.equal(p, after[name]) for name, p in frozen.items())


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_the_likeliest_words_are_what_is_written(
    system: str, checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    """Greedy search in padded batches agrees with the logits of training."""
    settings = config(system, checkpoints, "max_steps=30", "max_length=12")
    with torch.enable_grad():
        model = finetune(PAIRS, [], settings, tmp_path)
    pretrained = model.pretrained
    sentences = [PAIRS[0].tokens, PAIRS[12].tokens, PAIRS[0].tokens[:2]]
    for (text, logp, ended), tokens in zip(
        pretrained.generate(sentences, model.config.decode), sentences, strict=True
    ):
        ids = pretrained.target_ids(text) if text else []
        logits, gold = pretrained.logits([pretrained.source_ids(tokens)], [ids])
        learned = (gold[0] != -100).nonzero()[:, 0]
        steps = logits[0, learned].log_softmax(1)
        best = steps.argmax(1).tolist()
        wanted = [*ids, pretrained.end] if ended else ids
        assert best[: len(wanted)] == wanted
        total = sum(float(steps[i, word]) for i, word in enumerate(wanted))
        assert logp == pytest.approx(total, abs=1e-3)
        assert ended or len(ids) <= 12


@pytest.mark.parametrize("system", SYSTEMS)
def test_beam_search_finds_no_worse_output_than_greedy_search(
    system: str, checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    steps = {"t5": 300, "llama": 60}[system]  # until some outputs end
    model = finetune(PAIRS, [], config(system, checkpoints, f"max_steps={steps}"), tmp_path)
    sentences = [pair.tokens for pair in DEV]
    greedy = model.pretrained.generate(sentences, SearchSettings(1, 40))
    beam = model.pretrained.generate(sentences, SearchSettings(4, 40))
    assert len(beam) == len(sentences)
    both = [pair for pair in zip(greedy, beam, strict=True) if all(ended for _, _, ended in pair)]
    assert both
    assert sum(one[1] - other[1] for one, other in both) <= 1e-3


class CutError(Exception):
    """The training is killed."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_killed_and_resumed_ends_with_the_same_weights(
    system: str, checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    settings = config(system, checkpoints, "accumulate=2", "select=loss")
    whole = finetune(PAIRS, DEV, settings, tmp_path / "whole")

    def kill(progress: TrainingProgress) -> None:
        if (progress.epoch, progress.batch) == (2, 2):
            raise CutError

    with pytest.raises(CutError):
        finetune(PAIRS, DEV, settings, tmp_path / "cut", on_progress=kill)
    resumed = finetune(PAIRS, DEV, settings, tmp_path / "cut", resume=True)
    assert same(whole, resumed)
    assert whole.metrics == resumed.metrics
    assert same(whole, finetune(PAIRS, DEV, settings, tmp_path / "cut", resume=True))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_model_comes_back_as_it_was(
    system: str, checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    model = finetune(PAIRS, DEV, config(system, checkpoints), tmp_path, data={"a": 1})
    again = load_finetuned(tmp_path, "cpu")
    assert same(model, again)
    assert (again.config, again.data, again.metrics) == (model.config, {"a": 1}, model.metrics)
    sentences = [pair.tokens for pair in PAIRS[:5]]
    assert again.outputs(sentences) == model.outputs(sentences)
    size = (tmp_path / "model.safetensors").stat().st_size
    trained = sum(p.numel() for p in trained_parameters(model.pretrained.network).values())
    assert 4 * trained < size < 4 * trained + 10_000


def test_a_fine_tuned_t5_needs_no_checkpoint_and_an_adapter_does(
    checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    copies = {
        system: Path(shutil.copytree(path, tmp_path / f"base-{system}"))
        for system, path in checkpoints.items()
    }
    for system in SYSTEMS:
        finetune(PAIRS, DEV, config(system, copies), tmp_path / system)
    write_llama(copies["llama"], [*WORDS, "one-more"])
    with pytest.raises(ModelError, match="not the checkpoint it was begun from"):
        load_finetuned(tmp_path / "llama", "cpu")
    for copy in copies.values():
        shutil.rmtree(copy)
    assert load_finetuned(tmp_path / "t5", "cpu").outputs([("The", "cat")])
    with pytest.raises(ConfigError, match=r"base-llama.*: no such folder"):
        load_finetuned(tmp_path / "llama", "cpu")


def test_commands_work_as_for_every_system(checkpoints: dict[str, Path], tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data")
    for system in SYSTEMS:
        folder = tmp_path / system
        sets = {
            "pretrained.path": checkpoints[system], "pretrained.prompt": f"'{PROMPT}'",
            "max_steps": 2, "validate_every": 1, "accumulate": 1, "train.batch_size": 8,
            "max_length": 30, "beam_size": 1, "dtype": "float32",
        }  # fmt: skip
        arguments = [part for key, value in sets.items() for part in ("--set", f"{key}={value}")]
        printed = ok("train", "slog", "--system", system, "--data", data, "-o", folder,
                     "--device", "cpu", *arguments)  # fmt: skip
        assert f"{system}, dev exact match" in printed
        assert system_of_model(folder) == system
        output = tmp_path / f"{system}.json"
        ok("evaluate", "-m", folder, "--data", data / "dev.tsv", "-n", "3", "-o", output)
        figures = json.loads(output.read_text())
        assert (figures["system"], figures["overall"]["count"]) == (system, 3)
        result = run("parse", "-m", folder, "--beam", "2", "The cat saw a dog .")
        assert result.exit_code in (0, 1)
        assert len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": ""}, "pretrained.path is empty"),
        ({"path": "./nowhere"}, "no such folder"),
        ({"prompt": "nothing"}, r"expected \{input\} in it"),
        ({"lora_rank": 4, "lora_targets": "w_x"}, r"pretrained\.lora_targets = 'w_x'"),
    ],
)
def test_settings_that_do_not_fit_are_named(
    checkpoints: dict[str, Path], changes: dict[str, str], message: str
) -> None:
    settings = {"path": str(checkpoints["llama"]), **changes}
    with pytest.raises(ConfigError, match=message):
        read_pretrained("llama", CheckpointSettings(**settings))  # type: ignore[arg-type]


def test_checkpoints_that_do_not_fit_are_named(
    checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="cannot be read as t5"):
        read_pretrained("t5", CheckpointSettings(path=str(checkpoints["llama"])))
    copy = Path(shutil.copytree(checkpoints["t5"], tmp_path / "t5"))
    (copy / "model.safetensors").write_bytes(b"x")
    with pytest.raises(ConfigError, match="cannot be read as t5"):
        read_pretrained("t5", CheckpointSettings(path=str(copy)))
    (copy / "config.json").unlink()
    with pytest.raises(ConfigError, match=r"no config\.json there"):
        read_pretrained("t5", CheckpointSettings(path=str(copy)))


def test_targets_that_the_tokenizer_cannot_write_are_named(
    checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    strange = [*PAIRS, Pair(("A", "cat"), "zebra ( x _ 1 )")]
    with pytest.raises(ConfigError, match=r"cannot write the target 'zebra \( x _ 1 \)'"):
        finetune(strange, DEV, config("t5", checkpoints), tmp_path)


def test_damaged_folders_and_other_trainings_are_refused(
    checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    finetune(PAIRS, DEV, config("t5", checkpoints), tmp_path)
    with pytest.raises(InputError, match="data or the lexicon has changed"):
        finetune(PAIRS[1:], DEV, config("t5", checkpoints), tmp_path, resume=True)
    path = tmp_path / "model.json"
    content = json.loads(path.read_text())
    for key in ("pretrained", "metrics", "data"):
        path.write_text(json.dumps({**content, key: None}))
        with pytest.raises(ModelError, match="is missing"):
            load_finetuned(tmp_path, "cpu")
    path.write_text(json.dumps({**content, "pretrained": {"config": {}, "tokenizer": {}}}))
    with pytest.raises(ModelError, match="cannot be built"):
        load_finetuned(tmp_path, "cpu")
    assert "cannot be built" in refused("parse", "-m", tmp_path, "A cat ran.")
