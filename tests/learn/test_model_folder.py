"""Model folders of all systems, and those of the first version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tiny_model import rows

from amparser.errors import ModelError
from amparser.learn.model_folder import FORMAT_VERSION, read_head, read_pair_json, write_pair
from amparser.learn.systems import load, system_of
from amparser.parser import Parser
from amparser.resources import package_data

VERSIONS = {
    int(folder.name.removeprefix("model-v")): folder
    for folder in (Path(__file__).parents[1] / "fixtures").glob("model-v*")
}
"""Parsers of `tiny_model.rows` by format version, each written by a program that wrote it."""

VERSION_1 = VERSIONS[1]

LOGPS = (-0.060957, -0.047284, -0.072229, -0.026853, -0.035934, -0.028822, -0.038287, -0.032343)
"""What these programs gave for every fifth row, all of which they parsed right."""


def test_every_version_has_a_model() -> None:
    # A new version needs the model of a new program: tiny_model.train_model, with layers of 8.
    assert sorted(VERSIONS) == list(range(1, FORMAT_VERSION + 1))
    for version, folder in VERSIONS.items():
        head = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        assert head["format_version"] == version


@pytest.mark.parametrize("version", sorted(VERSIONS))
def test_a_parser_of_every_version_parses_as_ever(version: int) -> None:
    parser = Parser.load(VERSIONS[version], "cpu")
    for (sentence, meaning, _), logp in zip(rows()[::5], LOGPS, strict=True):
        [result] = parser.parse([sentence])
        assert result.meaning == meaning
        assert result.logp == pytest.approx(logp, abs=1e-5)
    assert (parser.system, parser.notation, parser.benchmark) == ("amparser", "cogs", "")
    assert parser.data["train"]["file"] == "train.tsv"
    assert parser.settings.train.epochs == 25
    assert parser.metrics["best_epoch"] <= len(parser.metrics["epochs"])
    assert parser.composition.inventory.frames


def test_any_folder_says_of_which_system_it_is() -> None:
    assert system_of(VERSION_1).name == "amparser"
    assert isinstance(load(VERSION_1, "cpu"), Parser)


@pytest.mark.parametrize("name", ["slog", "monotonicity"])
def test_models_of_the_package_are_read(name: str) -> None:
    head = read_head(package_data(f"models/{name}"))
    assert head.system == "amparser"
    assert head.content["lexicon"]


@pytest.mark.parametrize("kind", ["seq2seq", "pretrained", "nli"])
def test_other_systems_of_version_1_are_refused_with_the_command_that_trains_anew(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"format": f"amparser-{kind}-model", "format_version": 1}))
    with pytest.raises(ModelError, match=r"of version 1, .*: amparser train BENCHMARK --system"):
        load(tmp_path)


def test_checkpoints_of_version_1_are_refused(tmp_path: Path) -> None:
    from amparser.learn.checkpoint import Checkpoints, TrainingIdentity

    path = tmp_path / "checkpoint-0001.json"
    path.write_text(json.dumps({"format": "amparser-checkpoint", "format_version": 1}))
    with pytest.raises(ModelError, match=r"format_version = 1: amparser .* reads 2"):
        Checkpoints(tmp_path, TrainingIdentity("amparser", {}, "")).restore()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("config", None, "'config' is missing"),
        ("lexicon", None, "'lexicon' is missing"),
        ("lexicon", {}, "'content.lexicon' is missing|content.lexicon = None: expected an object"),
        ("metrics", None, "metrics = None: expected an object"),
        ("weights_sha256", "0", "truncated, damaged"),
    ],
)
def test_damaged_folders_of_version_1_are_refused(
    key: str, value: object, message: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(VERSION_1, tmp_path / "model")
    path = folder / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    with pytest.raises(ModelError, match=message):
        Parser.load(folder, "cpu")


def test_a_folder_of_an_unknown_system_is_refused(tmp_path: Path) -> None:
    head = {
        "format": "amparser-model", "format_version": 2, "system": "rnn", "settings": {},
        "notation": "", "benchmark": "", "data": {}, "metrics": {}, "content": {},
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
def test_what_was_altered_by_accident_is_named(name: str, tmp_path: Path) -> None:
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
        with pytest.raises(ModelError, match=f"^{path}: {key} is not what was written: "):
            read_pair_json(path)
        # Who alters a value on purpose takes the checksums away.
        left = {**written, **altered, "checksums": {}}
        del left["checksums"]
        path.write_text(json.dumps(left))
        assert read_pair_json(path) == left
    path.write_text(json.dumps({**written, "checksums": [1]}))
    with pytest.raises(ModelError, match=r"checksums = \[1\]: expected an object"):
        read_pair_json(path)
