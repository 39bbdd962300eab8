"""Curves of trainings."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import ok, refused

from amparser.errors import InputError
from amparser.evaluation.curves import draw_curves, read_log


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
