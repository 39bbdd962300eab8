"""A pretrained encoder from a local folder, if transformers is installed."""

import contextlib
import importlib.util
import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tiny_transformer import POSITIONS, write_bert
from toy_language import build_network, small, toy_examples, train_toy

from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.report import TrainingProgress
from amparser.nn.pretrained import pretrained_from_dict, read_pretrained
from amparser.nn.scorer import Ensemble
from amparser.nn.scores import scores_of
from amparser.nn.settings import EncoderSettings
from amparser.nn.transformers_library import checkpoint_folder
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
from amparser.presets.settings import NodeSettings

INSTALLED = importlib.util.find_spec("transformers") is not None
EXAMPLES, DEV = toy_examples(80, seed=1), toy_examples(10, seed=2)
SENTENCES = [example.tokens for example in DEV]
FROZEN = "encoder.pretrained_learning_rate=0"
WEIGHTS = "model.safetensors"
WEIGHT = "0.encoder.pretrained.model.encoder.layer.0.output.dense.weight"

needs_transformers = pytest.mark.skipif(
    not INSTALLED, reason="transformers is not installed: pip install 'amparser[pretrained]'"
)


@pytest.fixture(scope="module")
def bert(tmp_path_factory) -> Path:
    return write_bert(tmp_path_factory.mktemp("pretrained") / "bert-tiny")


def config(folder: Path, *overrides: str) -> NodeSettings:
    begin = (f"encoder.pretrained={folder}", "encoder.pretrained_learning_rate=1e-3")
    return small(*begin, "train.epochs=2", "train.epoch_sentences=1", *overrides)


def network(folder: Path, *overrides: str) -> Ensemble:
    return built(config(folder, *overrides))


def built(settings: NodeSettings) -> Ensemble:
    torch.manual_seed(1)
    words = vocabulary_from_sentences(example.tokens for example in EXAMPLES)
    return build_network(settings, words).eval()


def trained(
    bert: Path,
    output: Path,
    *overrides: str,
    resume: bool = False,
    on_progress: Callable[[TrainingProgress], None] | None = None,
) -> Parser:
    return train_toy(
        EXAMPLES, DEV, config(bert, *overrides), output, resume=resume, on_progress=on_progress
    )


def same_scores(left: Ensemble, right: Ensemble) -> bool:
    pairs = zip(scores_of(left, SENTENCES), scores_of(right, SENTENCES), strict=True)
    return all(
        np.array_equal(a.supertag_logp, b.supertag_logp)
        and np.array_equal(a.edge_logp, b.edge_logp)
        for a, b in pairs
    )


@pytest.mark.skipif(INSTALLED, reason="transformers is installed")
def test_missing_extra_is_named_with_the_command_that_installs_it(tmp_path) -> None:
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"pip install 'amparser\[pretrained\]'"):
        network(tmp_path)


@needs_transformers
def test_words_have_the_mean_state_of_their_subwords(bert) -> None:
    encoder = read_pretrained(bert, frozen=True)
    batch = encoder.batch([("The", "dog", "rolled", "\u200b", "."), ("A", "cat")])
    # [CLS] the dog r ##o ##l ##l ##ed . [SEP]; a word without subwords has none.
    assert batch.firsts.tolist() == [[1, 2, 3, 0, 8], [1, 2, 0, 0, 0]]
    assert batch.ends.tolist() == [[2, 3, 8, 0, 9], [2, 3, 0, 0, 0]]
    assert batch.counts.tolist() == [10, 4]
    states = encoder(batch)
    assert states.shape == (2, 5, 16)
    with torch.no_grad():
        ids, mask = batch.subwords[:1], torch.ones(1, 10)
        subwords = encoder.model(input_ids=ids, attention_mask=mask).last_hidden_state[0]
    expected = torch.stack([subwords[1], subwords[2], subwords[3:8].mean(0), subwords[0]])
    torch.testing.assert_close(states[0, :4], expected, atol=1e-2, rtol=1e-2)
    alone = encoder(encoder.batch([("A", "cat")]))
    torch.testing.assert_close(states[1, :2], alone[0])


@needs_transformers
def test_frozen_states_are_computed_once(bert, monkeypatch) -> None:
    encoder = read_pretrained(bert, frozen=True)
    read: list[int] = []
    encoder.model.register_forward_pre_hook(
        lambda _, __, given: read.append(len(given["input_ids"])), with_kwargs=True
    )
    first = encoder(encoder.batch(SENTENCES))
    assert sum(read) == len(set(SENTENCES))
    again = encoder(encoder.batch(SENTENCES[::-1]))
    assert sum(read) == len(set(SENTENCES))
    for one, other, tokens in zip(first, again.flip(0), SENTENCES, strict=True):
        assert torch.equal(one[: len(tokens)], other[: len(tokens)])
    monkeypatch.setattr(encoder, "_most_kept", 40)
    encoder(encoder.batch([("a", "new", "one")]))
    assert sum(map(len, encoder._kept.values())) <= 40
    read.clear()
    encoder(encoder.batch([SENTENCES[-1], ("a", "new", "one")]))
    assert read == [1], "what was read last is kept, what was read before is not"
    often = encoder.batch([("a", "b" * (i + 1)) for i in range(40)])
    encoder(often, often=True)
    read.clear()
    encoder(encoder.batch(SENTENCES))
    encoder(often, often=True)
    assert sum(read) == len(set(SENTENCES)) - 1, "what else is read leaves train where it is"


@needs_transformers
def test_threads_share_frozen_states(bert, monkeypatch) -> None:
    encoder = read_pretrained(bert, frozen=True)
    expected = encoder(encoder.batch(SENTENCES))
    monkeypatch.setattr(encoder, "_most_kept", 30)
    batches = [encoder.batch(SENTENCES) for _ in range(60)]
    with ThreadPoolExecutor(8) as pool:
        for states in pool.map(encoder, batches):
            torch.testing.assert_close(states, expected, rtol=0, atol=1e-2)
    assert encoder._kept_count == sum(map(len, encoder._kept.values())) <= 30


@needs_transformers
@pytest.mark.parametrize("overrides", [[], [FROZEN]])
def test_model_folder_needs_no_other(tmp_path, bert, overrides) -> None:
    source = shutil.copytree(bert, tmp_path / "source")
    model = trained(source, tmp_path / "model", *overrides)
    before = load_file(bert / "model.safetensors")
    after = model.model.network.state_dict()[WEIGHT]
    changed = not torch.equal(before[WEIGHT.removeprefix("0.encoder.pretrained.model.")], after)
    assert changed == (not overrides)
    shutil.rmtree(source)
    moved = shutil.move(tmp_path / "model", tmp_path / "elsewhere")
    names = {p.name for p in Path(moved).iterdir()}
    assert names == {"log.jsonl", "model.json", "model.safetensors"}
    assert same_scores(Parser.load(moved, "cpu").model.network, model.model.network)
    where = Path(moved) / "model.json"
    content = json.loads(where.read_text(encoding="utf-8"))
    del content["checksums"]
    encoder = content["content"]["encoder"]
    encoder["pretrained"]["config"]["model_type"] = "nothing"
    where.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ModelError, match=r"model\.json: the pretrained model cannot be built: "):
        Parser.load(moved, "cpu")
    del encoder["pretrained"]
    where.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ModelError, match="configuration of the pretrained model is missing"):
        Parser.load(moved, "cpu")


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _other_vocabulary(folder: Path) -> None:
    with (folder / "vocab.txt").open("a", encoding="utf-8") as file:
        file.writelines(f"word{i}\n" for i in range(50))


def _unknown_type(folder: Path) -> None:
    text = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    code = {"model_type": "mine", "auto_map": {"AutoModel": "code.Mine", "AutoConfig": "code.C"}}
    (folder / "config.json").write_text(json.dumps(text | code), encoding="utf-8")
    (folder / "code.py").write_text("raise SystemExit('code was run')\n", encoding="utf-8")


@needs_transformers
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (shutil.rmtree, "no such folder"),
        (_without("config.json"), "config.json is missing"),
        (_without("vocab.txt"), "the tokenizer is missing, expected one of tokenizer.json, "),
        (_without(WEIGHTS), "cannot be read as an encoder: "),
        (lambda folder: os.truncate(folder / WEIGHTS, 100), "cannot be read as an encoder: "),
        (
            lambda folder: (folder / WEIGHTS).rename(folder / "pytorch_model.bin"),
            "cannot be read as an encoder: ",
        ),
        (_other_vocabulary, "tokenizer and weights do not belong together"),
        (_unknown_type, "cannot be read as an encoder: "),
    ],
)
def test_bad_folder_is_an_error_of_one_line(tmp_path, bert, damage, message) -> None:
    folder = shutil.copytree(bert, tmp_path / "bert")
    damage(folder)
    with pytest.raises(ConfigError) as caught:
        network(folder)
    assert str(caught.value).startswith(f"encoder.pretrained = '{folder}': {message}")
    assert "\n" not in str(caught.value)


@needs_transformers
def test_sentence_with_too_many_subwords_is_refused(bert) -> None:
    model = network(bert)
    longest = ("cat",) * (POSITIONS - 2)
    scores_of(model, [longest])
    with pytest.raises(InputError, match=f"{POSITIONS + 1} subwords, .* at most {POSITIONS}"):
        scores_of(model, [(*longest, "cat")])


@needs_transformers
@pytest.mark.parametrize("value", [None, {}, {"config": {}, "tokenizer": {}}])
def test_damaged_description_is_named(value) -> None:
    with pytest.raises(ModelError, match="pretrained model"):
        pretrained_from_dict(value, EncoderSettings(pretrained_learning_rate=0))


_KERNELS = ("_attn_implementation", "attn_implementation", "_attn_implementation_internal")


@pytest.fixture
def no_network(monkeypatch) -> list[object]:
    """Return a list that collects the addresses of connection attempts."""
    import socket

    tried: list[object] = []

    def refuse(*arguments: object, **_: object) -> object:
        tried.append(arguments)
        raise OSError("no network here")

    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return tried


@needs_transformers
@pytest.mark.parametrize("key", _KERNELS)
def test_neither_a_model_folder_nor_a_checkpoint_can_name_a_kernel_to_fetch(
    key, bert, tmp_path, no_network
) -> None:
    encoder, kernel = read_pretrained(bert, frozen=True), {key: "somebody/flash-attention"}
    value = encoder.to_dict()
    value["config"] |= {**kernel, "inner": {**kernel, "size": 1}}
    built = pretrained_from_dict(value, EncoderSettings(pretrained_learning_rate=0))
    assert built.output_size == encoder.output_size
    assert "somebody" not in json.dumps(built.to_dict()["config"])
    path = shutil.copytree(bert, tmp_path / "bert") / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, **kernel}), encoding="utf-8")
    with contextlib.suppress(ConfigError):
        read_pretrained(path.parent, frozen=True)
    assert no_network == []


@needs_transformers
def test_names_of_a_hub_are_refused(no_network) -> None:
    for name in ("t5-base", "somebody/model", "https://example.org/model"):
        with pytest.raises(ConfigError, match="no such folder; download a checkpoint first"):
            checkpoint_folder(name, "pretrained.path")
    assert no_network == []
