"""Rows of train that are probably mistaken: those that were made wrong are found, first of all."""

import re
import runpy
from pathlib import Path

import pytest
from command_line import ok

from amparser.api import corpus_of, train
from amparser.evaluation.suspects import suspects
from amparser.parser import Parser

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Requests of which lines 4 and 12 have each other's meanings, and 51 that of line 22."""
    folder = tmp_path_factory.mktemp("calls")
    pairs = runpy.run_path(str(ROOT / "docs" / "function_calls.py"))["rows"]()[:-20]
    rows = [list(pair) for pair in pairs]
    rows[3][1], rows[11][1] = rows[11][1], rows[3][1]
    rows += [[rows[20][0].upper(), rows[21][1]], rows[5]]
    text = "".join(f"{sentence}\t{call}\n" for sentence, call in rows)
    (folder / "train.tsv").write_text(text, encoding="utf-8")
    train(folder, folder / "model", overrides=["train.epochs=15", "train.device=cpu"])
    return folder


def test_mistaken_rows_come_first(folder: Path) -> None:
    model = Parser.load(folder / "model", "cpu")
    found = suspects(corpus_of(folder, model.settings), model)
    lines = [int(one.place.rpartition(":")[2]) for one in found]
    # Line 21 is right, but nothing says so: two rows contradict each other.
    assert {*lines[:4]} == {4, 12, 21, 51}
    assert found[0].place.startswith(str(folder / "train.tsv"))
    by_line = dict(zip(lines, found, strict=True))
    assert by_line[12].other == "cancel(reminder(pay(rent)))"
    assert "in line 21" in by_line[51].reason
    assert "sure" in by_line[4].reason


def test_the_command_prints_places_and_both_meanings(folder: Path) -> None:
    asked = ("check", folder, "--model", folder / "model", "--device", "cpu")
    text = ok(*asked, "--limit", "3")
    assert re.match(rf"{folder}/train.tsv:(51|21): the same sentence has another", text)
    assert text.count("\n  row:    ") == text.count("\n  answer: ") == 3
    assert text.splitlines()[-1].endswith("of 52 rows are probably mistaken, the first 3 are shown")
