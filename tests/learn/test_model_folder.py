"""Model folders of all systems."""

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import ModelError
from amparser.learn.model_folder import (
    FORMAT_VERSION,
    MODEL,
    Head,
    head_of,
    read_pair,
    read_pair_json,
    write_pair,
)
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import load
from amparser.nn.packed_weights import packed, unpacked
from amparser.notations.notation import without_layout
from amparser.notations.registry import NOTATIONS, written_in
from amparser.schema import from_json, to_json
from amparser.working_folder import WORKING


@pytest.mark.parametrize(
    ("notation", "meaning"),
    [
        *(("term", text) for text in ("f(a, k = b)", "f(a,k=b)", "f(a, k=b)", "f ( a , k = b )")),
        *(("json", text) for text in ('{"a": [1, 2]}', '{"a":[1,2]}')),
        *(("sexpr", text) for text in ("(f (a b))", "( f ( a b ) )")),
        ("cogs", "sleep . agent ( x _ 1 , Emma )"),
    ],
)
def test_answers_have_the_style_of_train(notation, meaning) -> None:
    tokens = ("Emma", "slept")
    settings = SYSTEMS["lstm"].settings
    settings = replace(settings, data=replace(settings.data, notation=notation))
    corpus = Corpus([Example(tokens, meaning)], (), notation)
    head = head_of("lstm", settings, corpus, {}, {})
    kept = from_json(to_json(head, Head), Head, "model.json", error=ModelError)
    written = written_in(kept.notation, None, kept.style)
    graph = without_layout(NOTATIONS[notation].graph(tokens, meaning))
    assert written.write(graph) == meaning


def test_checkpoints_of_another_version_are_refused(tmp_path) -> None:
    from amparser.learn.checkpoint import Checkpoints, TrainingIdentity

    path = tmp_path / WORKING / "checkpoint-0001.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"format": "amparser-checkpoint", "format_version": 1}))
    with pytest.raises(ModelError, match=r"format_version = 1: amparser .* reads 7"):
        Checkpoints(tmp_path, TrainingIdentity("amparser", {}, "")).restore()


def test_a_folder_of_an_unknown_system_is_refused(tmp_path) -> None:
    head = {
        "format": "amparser-model", "format_version": FORMAT_VERSION, "system": "rnn",
        "settings": {}, "notation": "", "benchmark": "", "data": {}, "metrics": {}, "content": {},
        "confidence": None, "splitting": None,
    }  # fmt: skip
    (tmp_path / "model.json").write_text(json.dumps(head))
    with pytest.raises(ModelError, match="system = 'rnn': expected one of amparser, transformer, "):
        load(tmp_path)
    for key in ("system", "settings", "content"):
        (tmp_path / "model.json").write_text(json.dumps({**head, key: None}))
        with pytest.raises(ModelError, match=f"{key} = None: expected"):
            load(tmp_path)
    with pytest.raises(ModelError, match="no such model folder"):
        load(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["model.json", "checkpoint-0001.json"])
def test_accidental_changes_are_named(name, tmp_path) -> None:
    content = {"settings": {"train": {"seed": 1}}, "content": {"words": ["a", "b"]}, "data": {1: 2}}
    stem = name.partition(".")[0]
    write_pair(tmp_path, stem, content, {})
    path = tmp_path / name
    written = read_pair_json(path)
    assert written["data"] == {"1": 2}
    for altered, key in (
        ({"settings": {"train": {"seed": 2}}}, "settings.train.seed"),
        ({"settings": {"train": {}}}, "settings.train.seed"),
        ({"settings": {"train": {"seed": 1, "more": 1}}}, "settings.train.more"),
        ({"content": {"words": ["a", "c"]}}, "content.words"),
        ({"data": {}}, "data"),
        ({"other": 1}, "other"),
    ):
        path.write_text(json.dumps({**written, **altered}))
        with pytest.raises(ModelError, match=f"^{path}: {key} was changed: "):
            read_pair_json(path)
        # To change a value on purpose, remove the checksums.
        left = {**written, **altered, "checksums": {}}
        del left["checksums"]
        path.write_text(json.dumps(left))
        assert read_pair_json(path) == left
    path.write_text(json.dumps({**written, "checksums": [1]}))
    with pytest.raises(ModelError, match=r"checksums = \[1\]: expected an object"):
        read_pair_json(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
def test_a_pipe_is_refused(name, tmp_path) -> None:
    write_pair(tmp_path, "model", {}, {})
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    with pytest.raises(ModelError, match=f"{name}: .*not a regular file"):
        read_pair(tmp_path, "model")


def test_packed_weights_are_unpacked(tmp_path) -> None:
    torch.manual_seed(0)
    matrix = torch.randn(5, 7) * torch.tensor([1e-3, 1.0, 50.0, 0.0, 2.0])[:, None]
    vector, numbers = torch.randn(4), torch.arange(3)
    tensors = {"table": matrix, "half": matrix.half(), "bias": vector, "numbers": numbers}
    tensors["again"] = matrix.clone()
    small = packed(tensors)
    assert sum(tensor.shape == matrix.shape for tensor in small.values()) == 2
    write_pair(tmp_path, MODEL, {}, small)
    _, found = read_pair(tmp_path, MODEL)
    assert torch.equal(found["again"], found["table"])
    assert found.keys() == tensors.keys()
    step = matrix.abs().amax(dim=1, keepdim=True) / 63
    for name in ("table", "half"):
        assert found[name].dtype == tensors[name].dtype
        assert ((found[name].float() - matrix).abs() <= 0.6 * step).all()
    assert torch.equal(found["bias"], vector.half())
    assert torch.equal(found["numbers"], numbers)
    # Packing twice has no further effect.
    assert torch.equal(unpacked(packed(found), "")["table"], found["table"])


def test_packed_weights_that_do_not_fit_are_named(tmp_path) -> None:
    codes, scale = torch.ones(2, 3, dtype=torch.int8), torch.ones(2)
    for tensors, reason in (
        ({"w:scale": scale}, "'w:scale' has no integer matrix"),
        ({"w": codes.float(), "w:scale": scale}, "'w:scale' has no integer matrix"),
        ({"w": codes, "w:scale": torch.ones(3)}, r"shape \[3\], expected .* and \[2\]"),
        ({"v:as:w": torch.empty(0)}, "'v:as:w' repeats a tensor that the file lacks"),
        ({"w": codes, "w:scale": scale.int()}, r"of torch.int32 .* expected torch.float32"),
    ):
        write_pair(tmp_path, MODEL, {}, tensors)
        with pytest.raises(ModelError, match=rf"^{tmp_path}/model.safetensors: .*{reason}"):
            read_pair(tmp_path, MODEL)


def _endless(folder: Path) -> None:
    (folder / "model.json").unlink()
    (folder / "model.json").symlink_to("/dev/zero")


def _linked(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder.parent / "elsewhere")
    (folder / "model.safetensors").symlink_to(folder.parent / "elsewhere")


def _grown(folder: Path) -> None:
    with (folder / "model.safetensors").open("ab") as file:
        file.truncate(1 << 42)


def _huge(folder: Path) -> None:
    size = 1 << 42
    head = json.dumps({"w": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        file.truncate(8 + len(head) + size)


def _twice(folder: Path) -> None:
    text = (folder / "model.json").read_text("utf-8")
    (folder / "model.json").write_text('{"system": "y",' + text[1:], encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_endless, "a link that leads out of the model folder"),
        (_linked, "a link that leads out of the model folder"),
        (_grown, "exceed this machine's memory"),
        (_huge, "exceed this machine's memory"),
        (_twice, 'the key "system" occurs twice'),
    ],
)
def test_only_valid_model_folders_are_read(change, message, tmp_path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    write_pair(folder, MODEL, {"system": "x"}, {})
    change(folder)
    started = time.process_time()
    with pytest.raises(ModelError, match=message):
        read_pair(folder, MODEL)
    assert time.process_time() - started < 2


def test_a_model_in_the_cache_of_the_hub_may_consist_of_links(tmp_path) -> None:
    blobs, folder = tmp_path / "models--a--b" / "blobs", tmp_path / "models--a--b" / "snapshots/1f"
    blobs.mkdir(parents=True)
    folder.mkdir(parents=True)
    write_pair(blobs, MODEL, {"system": "x"}, {})
    for name in ("model.json", "model.safetensors"):
        (folder / name).symlink_to(Path("../../blobs") / name)
    assert read_pair(folder, MODEL)[0]["system"] == "x"
