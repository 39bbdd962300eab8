"""Model folders: what was written is read back, and nothing else passes for a model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from toy_language import LEXICON_JSON, toy_examples

from amparser.errors import InputError, ModelError
from amparser.files import write_atomically
from amparser.learn.checkpoint import Checkpoints, TrainingIdentity
from amparser.learn.model_folder import read_head, write_model
from amparser.learn.network_model import (
    NetworkModel,
    build_network,
    load_network,
    save_network,
)
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.settings import to_dict, with_overrides
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.scorer import Ensemble
from amparser.nn.tree_scores import tree_scores
from amparser.nn.vocabulary import vocabulary_from_sentences

CONFIG = with_overrides(ParserSettings(), ["encoder.word_size=4", "encoder.hidden_size=4"])
SENTENCES = [example.tokens for example in toy_examples(5, seed=1)]


def network_of(parts: list[list[int]] | None = None) -> Ensemble:
    words = vocabulary_from_sentences(SENTENCES)
    return build_network(
        CONFIG,
        lambda: encoder_of_train(CONFIG.encoder, words),
        supertag_count=5,
        operation_count=6,
        supertag_parts=parts,
    )


def model() -> NetworkModel:
    torch.manual_seed(1)
    network = network_of()
    return NetworkModel(network.eval(), CONFIG, LEXICON_JSON, {"best_epoch": 1})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_network(tmp_path, model())
    return tmp_path


def change_json(folder: Path, **changes: Any) -> None:
    path = folder / "model.json"
    content = json.loads(path.read_text())
    del content["checksums"]
    inner = {key: value for key, value in changes.items() if key in content["content"]}
    outer = {key: value for key, value in changes.items() if key not in inner}
    path.write_text(json.dumps({**content, "content": {**content["content"], **inner}, **outer}))


def test_model_round_trips(folder: Path) -> None:
    expected, found = model(), load_network(folder, "cpu")
    assert (found.settings, found.lexicon, found.metrics) == (
        expected.settings,
        expected.lexicon,
        expected.metrics,
    )
    assert not found.network.training
    for a, b in zip(*(tree_scores(m.network, SENTENCES) for m in (expected, found)), strict=True):
        assert np.array_equal(a.supertag_logp, b.supertag_logp)
        assert np.array_equal(a.edge_logp, b.edge_logp)


def test_a_network_over_parts_round_trips(tmp_path: Path) -> None:
    parts = [[0], [1, 2], [1, 3], [4, 5], [4, 6]]
    network = network_of(parts).eval()
    save_network(tmp_path, NetworkModel(network, CONFIG, LEXICON_JSON, {}))
    found = load_network(tmp_path, "cpu").network
    assert found.needs.tags.parts == parts
    for a, b in zip(*(tree_scores(n, SENTENCES) for n in (network, found)), strict=True):
        assert np.array_equal(a.supertag_logp, b.supertag_logp)


def test_same_model_is_written_in_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    save_network(again, load_network(folder, "cpu"))
    for name in ("model.json", "model.safetensors"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_loading_leaves_the_generator_alone(folder: Path) -> None:
    state = torch.random.get_rng_state()
    load_network(folder, "cpu")
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
    smaller["0.root"] = smaller["0.root"][:-1]
    write_model(folder, read_head(folder), smaller)


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
        (
            json_of(format_version=99),
            r"model\.json: format_version = 99: amparser .* reads 3; train the model again: amp",
        ),
        (json_of(settings=None), r"model\.json: settings = None: expected an object"),
        (json_of(settings=BROKEN_CONFIG), r"model\.json: encoder\.layers = 0: expected"),
        (json_of(lexicon=[]), r"model\.json: content\.lexicon = \[\]: expected an object"),
        (json_of(encoder=None), r"model\.json: content\.encoder = None: expected an object"),
        (
            json_of(encoder={"vocabulary": None}),
            r"model\.json: content\.encoder\.vocabulary = None: expected an object",
        ),
        (
            json_of(encoder={"vocabulary": {"words": ["a", "a"], "counts": [1, 1]}}),
            r"model\.json: content\.encoder\.vocabulary: expected a list of different words",
        ),
        (json_of(supertag_count="5"), r"content\.supertag_count = '5': expected an integer"),
        (json_of(supertag_count=6), r"content\.supertag_count = 6: expected 5, as the lexicon has"),
        (json_of(supertag_parts=[[0], [1]]), r"content\.supertag_parts: expected a list of parts"),
        (json_of(supertag_parts=[[0], [], [1], [1], [1]]), r"supertag_parts: expected a list of"),
        (
            another_shape,
            r"model\.safetensors: the tensor '0\.root' has shape \[7\], expected \[8\]",
        ),
        (
            json_of(settings=to_dict(with_overrides(CONFIG, ["encoder.layers=2"]))),
            r"the tensor '0\.encoder\.context\..*_l1.*' is missing",
        ),
        (
            json_of(settings=to_dict(with_overrides(CONFIG, ["edge.type=biaffine"]))),
            r"model\.safetensors: the tensor '0\.heads\.arcs\..*' (is missing|belongs to another)",
        ),
    ],
)
def test_damaged_folder_is_refused_in_one_line(
    folder: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(folder)
    with pytest.raises(ModelError, match=message) as caught:
        load_network(folder, "cpu")
    assert str(caught.value).startswith(str(folder))
    assert "\n" not in str(caught.value)


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nothing: no such model folder"):
        load_network(tmp_path / "nothing")


def test_unknown_device_is_named(folder: Path) -> None:
    with pytest.raises(InputError, match="device 'gpu': expected one of auto, cpu, cuda"):
        load_network(folder, "gpu")


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
    checkpoints = Checkpoints(tmp_path, TrainingIdentity("amparser", {}, ""))
    assert checkpoints.latest() is None
    for number in (2, 9999, 10000, 11):
        (tmp_path / f"checkpoint-{number:04d}.json").touch()
    assert checkpoints.latest() == "checkpoint-10000"
