"""Curves of trainings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self
from xml.etree import ElementTree

import pytest
from command_line import ok, refused

from amparser.errors import InputError
from amparser.experiments.curves import draw_curves, read_log


def run(folder: Path, *losses: float) -> Path:
    folder.mkdir()
    lines = [
        {"epoch": e, "loss": loss, "dev_accuracy": 1 - loss / 9, "dev_figure": 1 - loss / 9}
        for e, loss in enumerate(losses, 1)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "log.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_log_is_read_epoch_by_epoch(tmp_path: Path) -> None:
    log = read_log(run(tmp_path / "one", 3.0, 1.5))
    assert log.name == "one"
    assert log.curve("loss") == [(1, 3.0), (2, 1.5)]
    assert log.curve("nothing") == []


def test_several_runs_are_in_one_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    one, other = run(tmp_path / "one", 3.0, 1.5), run(tmp_path / "other", 2.0)
    file = tmp_path / "curves.svg"
    ok("report", "--training", one, "--training", other, "--output", file)
    svg = file.read_text(encoding="utf-8")
    ElementTree.fromstring(svg)
    # The figure that stops training is the accuracy here: one line, not two.
    assert svg.count("one: ") == 1
    assert "other: loss" in svg
    assert svg == draw_curves([read_log(one), read_log(other)])


@pytest.mark.parametrize("line", ["{", "[1]", '{"loss": 1}', '{"epoch": NaN}'])
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    folder = run(tmp_path / "one", 3.0)
    with (folder / "log.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match=r"log\.jsonl:2: expected a JSON object with 'epoch'"):
        read_log(folder)


def test_a_folder_without_a_log_is_named(tmp_path: Path) -> None:
    assert "log.jsonl" in refused("report", "--training", tmp_path)
    with pytest.raises(InputError, match="no epoch is complete"):
        read_log(run(tmp_path / "new"))
    line = refused("report", "--training", tmp_path / "new", "--benchmark", "slog")
    assert "not both" in line


class Writer:
    """The part of `SummaryWriter` that is used; an event file is made and closed, as there."""

    scalars: dict[str, list[tuple[str, float, int]]]

    def __init__(self, log_dir: str) -> None:
        self.folder = Path(log_dir)
        self.found: list[tuple[str, float, int]] = []

    def __enter__(self) -> Self:
        return self

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        self.found.append((tag, value, step))

    def __exit__(self, *_: Any) -> None:
        (self.folder / "events.out.tfevents.1").write_bytes(b"")
        self.scalars[self.folder.name] = self.found


def test_tensorboard_gets_every_figure_of_every_epoch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Writer, "scalars", {}, raising=False)
    fake = SimpleNamespace(SummaryWriter=Writer)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", fake)
    one, other = run(tmp_path / "one", 3.0, 1.5), run(tmp_path / "other", 2.0)
    call = ("report", "--training", one, "--training", other, "--tensorboard", tmp_path / "events")
    assert ok(*call).split() == [str(tmp_path / "events" / name) for name in ("one", "other")]
    assert [row for row in Writer.scalars["one"] if row[0] == "loss"] == [
        ("loss", 3.0, 1),
        ("loss", 1.5, 2),
    ]
    assert {tag for tag, _, _ in Writer.scalars["other"]} == {"loss", "dev_accuracy", "dev_figure"}
    assert "has event files already" in refused(*call)


def test_what_cannot_be_written_for_tensorboard_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, events = run(tmp_path / "one", 3.0), tmp_path / "events"
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    call = ("report", "--training", one, "--tensorboard", events)
    assert "TensorBoard is not installed: pip install tensorboard" in refused(*call)
    assert not events.exists()
    assert "not both" in refused(*call, "--output", tmp_path / "a.svg")
    assert "needs --training" in refused("report", "--benchmark", "slog", "--tensorboard", events)
    fake = SimpleNamespace(SummaryWriter=Writer)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", fake)
    (tmp_path / "elsewhere").mkdir()
    same = run(tmp_path / "elsewhere" / "one", 2.0)
    assert "two folders have the name 'one'" in refused(*call, "--training", same)
    assert not events.exists()
