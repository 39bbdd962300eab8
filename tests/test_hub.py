"""Models by name, and passing a model on; the hub is replaced by a folder."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import ok, refused

from amparser import api
from amparser.errors import ConfigError, ModelError
from amparser.hub import model_folder, upload
from amparser.learn.card import model_card
from amparser.parser import Parser
from amparser.resources import bundled_model, bundled_models


class Hub:
    """What of the hub's library is used, over folders `USER/NAME`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, str | None]] = []

    def HfApi(self) -> Hub:  # noqa: N802
        return self

    def snapshot_download(self, repository: str, *, revision: str | None, **_: Any) -> str:
        self.asked.append((repository, revision))
        if not (self.folder / repository).is_dir():
            raise OSError("404\nnot found")
        return str(self.folder / repository)

    def create_repo(self, repository: str, *, private: bool, exist_ok: bool) -> None:
        (self.folder / repository).mkdir(parents=True, exist_ok=exist_ok)

    def upload_folder(self, *, folder_path: Path, repo_id: str, **patterns: Any) -> str:
        for pattern in patterns["allow_patterns"]:
            for path in Path(folder_path).glob(pattern):
                if not any(path.match(one) for one in patterns["ignore_patterns"]):
                    shutil.copy(path, self.folder / repo_id)
        return f"https://hub/{repo_id}/commit/1"

    def upload_file(
        self, *, path_or_fileobj: Path, path_in_repo: str, repo_id: str, **_: Any
    ) -> None:
        shutil.copy(path_or_fileobj, self.folder / repo_id / path_in_repo)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    found = Hub(tmp_path / "hub")
    monkeypatch.setattr("amparser.hub._library", lambda: found)
    return found


@pytest.mark.parametrize("folder", bundled_models(), ids=lambda path: path.name)
def test_a_model_of_the_package_is_found_by_name(folder: Path) -> None:
    assert model_folder(folder.name) == folder
    assert api.load(folder.name, device="cpu").system == "amparser"


def test_a_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = bundled_model().name
    (tmp_path / name).mkdir()
    assert model_folder(name) == Path(name)


def test_a_missing_name_lists_the_models_of_the_package() -> None:
    with pytest.raises(ModelError, match=r"^slgo: no such model.* eds, .*; did you mean 'slog'\?$"):
        model_folder("slgo")
    with pytest.raises(ModelError, match=r"^runs/slgo: no such model folder$"):
        model_folder("runs/slgo")


def test_the_default_is_the_bundled_model() -> None:
    assert model_folder() == bundled_model()


def test_a_mistyped_path_is_not_asked_of_the_hub(hub: Hub) -> None:
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
def test_a_model_on_the_hub_is_loaded(hub: Hub, name: str, asked: tuple[str, str | None]) -> None:
    shutil.copytree(bundled_model(), hub.folder / "ann" / "parser")
    [result] = Parser.load(name, device="cpu").parse(["Emma slept."])
    assert result.meaning == "sleep . agent ( x _ 1 , Emma )"
    assert hub.asked == [asked]


def test_a_model_that_the_hub_does_not_have_is_one_line(hub: Hub) -> None:
    with pytest.raises(ModelError, match="ann/none@x: not loaded from the hub: 404 not found"):
        model_folder("ann/none@x")
    with pytest.raises(ModelError, match="expected hf:USER/NAME"):
        model_folder("hf:none")


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match=r"amparser\[hub\]"):
        model_folder("hf:ann/parser")


def test_a_pushed_model_comes_back_the_same(hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(bundled_model(), folder)
    (folder / "checkpoint-0003.json").write_text("{}")
    (folder / "log.jsonl").write_text("{}")
    address = ok("push", folder, "ann/parser", "--licence", "mit")
    assert address == "https://hub/ann/parser/commit/1\n"
    kept = sorted(path.name for path in (hub.folder / "ann" / "parser").iterdir())
    assert kept == ["README.md", "model.json", "model.safetensors"]
    sentence = ["Who did Emma give a cake to?"]
    one, other = (
        Parser.load(name, device="cpu").parse(sentence) for name in (folder, "hf:ann/parser")
    )
    assert one == other


def test_a_malformed_repository_is_refused(hub: Hub, tmp_path: Path) -> None:
    for name in ("parser", "a/b/c", "a/b@c", "../b"):
        with pytest.raises(ModelError, match="expected USER/NAME"):
            upload(bundled_model(), name, "")


def test_a_card_names_data_training_figures_and_limits(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    content = {
        "data": "data/gen.tsv",
        "data_sha256": "abc",
        "decoders": {"astar": {"overall": {"exact": {"share": 0.5, "denominator": 10}}}},
    }
    figures.write_text(json.dumps(content))
    folder = bundled_model()
    card = model_card(folder, "ann/parser", licence="mit", figures=figures)
    head = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert card.startswith("---\nlicense: mit\n")
    for wanted in (
        head["data"]["train"]["sha256"],
        head["commit"],
        "| astar | exact | 0.5000 | 10 |",
        "## Limits",
        'load("hf:ann/parser")',
    ):
        assert wanted in card


def test_figures_of_another_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[1]")
    line = refused("push", "slog", "a/b", "--dry-run", "--figures", tmp_path / "x.json")
    assert "no figures of `amparser evaluate`" in line


def test_a_dry_run_prints_the_card(hub: Hub) -> None:
    assert "# ann/parser" in ok("push", bundled_model(), "ann/parser", "--dry-run")
    assert not hub.folder.exists()
