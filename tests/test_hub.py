"""Models by name; a folder replaces the hub."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from amparser import api
from amparser.errors import ConfigError, ModelError
from amparser.hub import model_folder
from amparser.parser import Parser
from amparser.resources import bundled_model, bundled_models


class Hub:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, str | None]] = []

    def snapshot_download(self, repository: str, *, revision: str | None, **_: Any) -> str:
        self.asked.append((repository, revision))
        if not (self.folder / repository).is_dir():
            raise OSError("404\nnot found")
        return str(self.folder / repository)


@pytest.fixture
def hub(tmp_path, monkeypatch) -> Hub:
    found = Hub(tmp_path / "hub")
    monkeypatch.setattr("amparser.hub._library", lambda: found)
    return found


@pytest.mark.parametrize("folder", bundled_models(), ids=lambda path: path.name)
def test_packaged_model_is_found_by_name(folder) -> None:
    assert model_folder(folder.name) == folder
    assert api.load(folder.name, device="cpu").system == "amparser"


def test_only_a_model_folder_hides_a_packaged_model(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = bundled_model().name
    (tmp_path / name).mkdir()
    (tmp_path / name / "train.tsv").touch()
    assert model_folder(name) == bundled_model()
    for path in (f"./{name}", f"{name}/"):
        result = run("parse", "--model", path, "Emma slept.")
        assert result.stderr.endswith(f"{name}: not a model folder: model.json is missing\n")
    (tmp_path / name / "model.json").touch()
    assert model_folder(name) == Path(name)


def test_unknown_name_lists_packaged_models() -> None:
    with pytest.raises(ModelError, match=r"^slgo: no such model.* eds, .*; did you mean 'slog'\?$"):
        model_folder("slgo")
    with pytest.raises(ModelError, match=r"^runs/slgo: no such model folder$"):
        model_folder("runs/slgo")


def test_default_is_the_packaged_model() -> None:
    assert model_folder() == bundled_model()


def test_mistyped_path_is_not_looked_up_on_the_hub(hub) -> None:
    for name in ("runs/nothing", "nothing", "../x", "a/b/c@d"):
        with pytest.raises(ModelError):
            model_folder(name)
    assert hub.asked == []


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("hf:ann/parser", ("ann/parser", None)),
        ("ann/parser@v1.0", ("ann/parser", "v1.0")),
        ("hf:ann/parser@refs/pr/1", ("ann/parser", "refs/pr/1")),
    ],
)
def test_model_on_the_hub_is_loaded(hub, name, asked) -> None:
    shutil.copytree(bundled_model(), hub.folder / "ann" / "parser")
    [result] = Parser.load(name, device="cpu").parse(["Emma slept."])
    assert result.meaning == "sleep . agent ( x _ 1 , Emma )"
    assert hub.asked == [asked]


def test_missing_model_on_the_hub_is_a_one_line_error(hub) -> None:
    with pytest.raises(ModelError, match="ann/none@x: not loaded from the hub: 404 not found"):
        model_folder("ann/none@x")
    with pytest.raises(ModelError, match="expected hf:USER/NAME"):
        model_folder("hf:none")


def test_missing_library_error_names_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match=r"amparser\[hub\]"):
        model_folder("hf:ann/parser")
