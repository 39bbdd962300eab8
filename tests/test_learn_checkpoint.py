"""Model folders: what was written is read back, and nothing else passes for a model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from toy_language import LEXICON_JSON, toy_examples

from amparser.errors import InputError, ModelError
from amparser.learn.checkpoint import (
    Model,
    build_network,
    load_model,
    save_model,
    write_atomically,
    write_pair,
)
from amparser.learn.config import Config, to_dict, with_overrides
from amparser.learn.resume import Checkpoints, TrainingIdentity
from amparser.nn.vocabulary import vocabulary_from_sentences

CONFIG = with_overrides(Config(), ["encoder.word_size=4", "encoder.hidden_size=4"])
SENTENCES = [example.tokens for example in toy_examples(5, seed=1)]


def model() -> Model:
    torch.manual_seed(1)
    vocabulary = vocabulary_from_sentences(SENTENCES)
    network = build_network(CONFIG, vocabulary, supertag_count=5, operation_count=6)
    return Model(network.eval(), CONFIG, LEXICON_JSON, {"best_epoch": 1})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(tmp_path, model())
    return tmp_path


def change_json(folder: Path, **changes: Any) -> None:
    path = folder / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_model_made_before_restrictions_had_names_keeps_them(folder: Path) -> None:
    """What was a part of `words` or of `sides` is as that was."""
    lexicon = {"words": False, "sides": True, "orders": True, "word_count": 40}
    old = to_dict(CONFIG) | {"lexicon": lexicon}
    change_json(folder, config=old)
    found = load_model(folder, "cpu").config.lexicon
    assert found == replace(
        CONFIG.lexicon, words=False, followers=False, markers=False, bare_forms=False
    )
    change_json(folder, config=old | {"lexicon": lexicon | {"sides": False, "markers": True}})
    found = load_model(folder, "cpu").config.lexicon
    assert (found.markers, found.sides, found.displaced) == (True, False, False)


def test_model_round_trips(folder: Path) -> None:
    expected, found = model(), load_model(folder, "cpu")
    assert (found.config, found.lexicon, found.metrics) == (
        expected.config,
        expected.lexicon,
        expected.metrics,
    )
    assert not found.network.training
    for a, b in zip(expected.network.score(SENTENCES), found.network.score(SENTENCES), strict=True):
        assert np.array_equal(a.supertag_logp, b.supertag_logp)
        assert np.array_equal(a.edge_logp, b.edge_logp)


def test_a_network_over_parts_round_trips(tmp_path: Path) -> None:
    vocabulary = vocabulary_from_sentences(SENTENCES)
    parts = [[0], [1, 2], [1, 3], [4, 5], [4, 6]]
    network = build_network(
        CONFIG, vocabulary, supertag_count=5, operation_count=6, supertag_parts=parts
    ).eval()
    save_model(tmp_path, Model(network, CONFIG, LEXICON_JSON, {}))
    found = load_model(tmp_path, "cpu").network
    assert found.supertag_parts == parts
    for a, b in zip(network.score(SENTENCES), found.score(SENTENCES), strict=True):
        assert np.array_equal(a.supertag_logp, b.supertag_logp)


def test_same_model_is_written_in_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    save_model(again, load_model(folder, "cpu"))
    for name in ("model.json", "model.safetensors"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_loading_leaves_the_generator_alone(folder: Path) -> None:
    state = torch.random.get_rng_state()
    load_model(folder, "cpu")
    assert torch.equal(torch.random.get_rng_state(), state)


def truncate(name: str, keep: float) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(keep * len(content))])

    return damage


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def other_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def garbage_with_its_checksum(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"not tensors")
    change_json(folder, weights_sha256=hashlib.sha256(b"not tensors").hexdigest())


def json_of(**changes: Any) -> Callable[[Path], None]:
    return lambda folder: change_json(folder, **changes)


def another_shape(folder: Path) -> None:
    smaller = model().network.state_dict()
    smaller["root"] = smaller["root"][:-1]
    content = json.loads((folder / "model.json").read_text())
    kept = ("config", "supertag_count", "operation_count", "vocabulary", "lexicon", "metrics")
    write_pair(folder, "model", {key: content[key] for key in kept}, smaller)


def foreign_json(folder: Path) -> None:
    (folder / "model.json").write_text('{"model_type": "t5"}')


BROKEN_CONFIG = {**to_dict(CONFIG), "encoder": {"layers": 0}}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (without("model.json"), r"model\.json: cannot read it: No such file"),
        (without("model.safetensors"), r"model\.safetensors: cannot read the weights: No such"),
        (truncate("model.json", 0), r"model\.json: truncated or not JSON"),
        (truncate("model.json", 0.5), r"model\.json: truncated or not JSON"),
        (truncate("model.safetensors", 0), r"model\.safetensors: truncated, damaged"),
        (truncate("model.safetensors", 0.9), r"model\.safetensors: truncated, damaged"),
        (other_weights, r"model\.safetensors: truncated, damaged or of another training"),
        (garbage_with_its_checksum, r"model\.safetensors: not a safetensors file"),
        (foreign_json, r"model\.json: not an amparser-model file"),
        (json_of(format="amparser-checkpoint"), r"model\.json: not an amparser-model file"),
        (json_of(format_version=99), r"model\.json: format version 99; amparser .* reads 1"),
        (json_of(config=None), r"model\.json: 'config' is missing"),
        (json_of(config=BROKEN_CONFIG), r"model\.json: encoder\.layers = 0: expected"),
        (json_of(lexicon=[]), r"model\.json: 'lexicon' is missing"),
        (json_of(vocabulary=None), r"model\.json: the vocabulary is not"),
        (json_of(supertag_count="5"), r"model\.json: 'supertag_count' is missing"),
        (json_of(supertag_count=6), r"'supertagger\.3\.bias' has shape \[5\], expected \[6\]"),
        (json_of(supertag_parts=[[0], [1]]), r"model\.json: 'supertag_parts' has no list of parts"),
        (json_of(supertag_parts=[[0], [], [1], [1], [1]]), r"'supertag_parts' has no list"),
        (another_shape, r"model\.safetensors: the tensor 'root' has shape \[7\], expected \[8\]"),
        (
            json_of(config=to_dict(with_overrides(CONFIG, ["encoder.layers=2"]))),
            r"the tensor 'encoder\.backwards\.1\..*' is missing",
        ),
        (
            json_of(config=to_dict(with_overrides(CONFIG, ["edge.type=biaffine"]))),
            r"model\.safetensors: the tensor 'edges\..*' (is missing|belongs to another)",
        ),
    ],
)
def test_damaged_folder_is_refused_in_one_line(
    folder: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(folder)
    with pytest.raises(ModelError, match=message) as caught:
        load_model(folder, "cpu")
    assert str(caught.value).startswith(str(folder))
    assert "\n" not in str(caught.value)


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nothing: no such model folder"):
        load_model(tmp_path / "nothing")


def test_unknown_device_is_named(folder: Path) -> None:
    with pytest.raises(InputError, match="device 'gpu': expected one of auto, cpu, cuda"):
        load_model(folder, "gpu")


def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "some.json"
    write_atomically(path, b"old")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_the_latest_checkpoint_has_the_highest_number(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, TrainingIdentity({}, ""))
    assert checkpoints.latest() is None
    for number in (2, 9999, 10000, 11):
        (tmp_path / f"checkpoint-{number:04d}.json").touch()
    assert checkpoints.latest() == "checkpoint-10000"
