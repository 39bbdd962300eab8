"""What a trial with hostile inputs found, each with what happens now.

Outputs that are inputs, full disks and files that are not ours are in `tests/cli/test_outputs.py`,
damaged shards in `tests/bulk/test_job.py`, closed streams and signals in `test_faults.py`.
"""

import gzip
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import ok, refused, run
from surfaces import FORMS, SENTENCES

from amparser.errors import ModelError
from amparser.learn.model_folder import read_pair, write_pair
from amparser.parser import Parser
from amparser.resources import bundled_model

SAID = {"sentence": "Emma ran .", "meaning": "run . agent ( x _ 1 , Emma )", "notation": "cogs"}
GRAPH = "(r<root> / run :agent (e / Emma))"
ROWS = {
    "a dropped alignment": ({**SAID, "alignments": [1, 2]}, "'graph', which is missing"),
    "a meaning of another graph": (
        {**SAID, "graph": GRAPH.replace("Emma", "Liam")},
        "'meaning' is not that of the graph",
    ),
    "a meaning of another tree": (
        {**SAID, "tree": [
            {"form": "Emma", "head": 0, "operation": "IGNORE"},
            {"form": "ran", "head": 0, "operation": "ROOT", "lexical_label": "see",
             "supertag": "(i<root> / --LEX--)", "type": "()"},
            {"form": ".", "head": 0, "operation": "IGNORE"},
        ]},
        "'meaning' is not that of the tree",
    ),
    "tokens of another sentence": ({**SAID, "tokens": ["Liam", "ran", "."]}, "different sentences"),
    "a truth value as a token": (
        {**SAID, "graph": GRAPH, "alignments": [True, 2]},
        "alignment True",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_row_that_says_two_things_is_refused(name: str, tmp_path: Path) -> None:
    row, message = ROWS[name]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert message in refused("convert", "--from", "json", "--to", "json", path)


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    twice = '"sentence": "few dogs ran", "sentence": "Emma ran ."'
    rows, model, out = tmp_path / "a.jsonl", tmp_path / "model", tmp_path / "out"
    rows.write_text(f"{{{twice}}}\n{{{twice.partition(', ')[0]}}}\n", encoding="utf-8")
    assert 'a.jsonl:1: not JSON: the key "sentence" stands twice' in refused(
        "bulk", rows, "-o", out, "--engine", "local"
    )
    model.mkdir()
    write_pair(model, "model", {"system": "x"}, {})
    text = (model / "model.json").read_text("utf-8")
    (model / "model.json").write_text('{"system": "y",' + text[1:], encoding="utf-8")
    with pytest.raises(ModelError, match='the key "system" stands twice'):
        read_pair(model, "model")


def _text(text: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(text, encoding="utf-8") and None


FILES: dict[str, tuple[str, Callable[[Path], object], tuple[str, ...], str]] = {
    "UTF-16": (
        "a.tsv", lambda p: p.write_text("a\tb\n", "utf-16"),
        ("convert", "--from", "cogs", "--to", "json", "{}"), "UTF-16 text, expected UTF-8",
    ),
    "settings without an end": (
        "a.toml", lambda p: p.symlink_to("/dev/zero"), ("check", "{data}", "--config", "{}"),
        "not a regular file",
    ),
    "a setting of many digits": (
        "a.toml", _text(f"[train]\nseed = {'9' * 5000}\n"), ("check", "{data}", "--config", "{}"),
        "a.toml: not TOML",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_meant_is_one_short_line(name: str, tmp_path: Path) -> None:
    file, make, line, message = FILES[name]
    data = tmp_path / "data.tsv"
    data.write_text(f"{' '.join(SENTENCES[0])}\t{FORMS['cogs']}\n", encoding="utf-8")
    make(tmp_path / file)
    said = refused(*(part.format(tmp_path / file, data=data) for part in line))
    assert message in said
    assert len(said) < 400


def _piped(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    os.mkfifo(folder / "model.safetensors")


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


FOLDERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (_piped, "not a regular file"),
    "a device": (_endless, "a link that leads out of the model folder"),
    "a link": (_linked, "a link that leads out of the model folder"),
    "weights larger than their head says": (_grown, "its head says"),
    "weights larger than memory": (_huge, "more than this machine has memory"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_a_model_folder_is_read_only_if_it_can_be_one(name: str, tmp_path: Path) -> None:
    make, message = FOLDERS[name]
    folder = tmp_path / "model"
    folder.mkdir()
    write_pair(folder, "model", {}, {})
    make(folder)
    started = time.process_time()
    with pytest.raises(ModelError, match=message):
        read_pair(folder, "model")
    assert time.process_time() - started < 2


def test_a_model_in_the_cache_of_the_hub_is_made_of_links(tmp_path: Path) -> None:
    blobs, folder = tmp_path / "models--a--b" / "blobs", tmp_path / "models--a--b" / "snapshots/1f"
    blobs.mkdir(parents=True)
    folder.mkdir(parents=True)
    write_pair(blobs, "model", {"system": "x"}, {})
    for name in ("model.json", "model.safetensors"):
        (folder / name).symlink_to(Path("../../blobs") / name)
    assert read_pair(folder, "model")[0]["system"] == "x"


def test_words_and_sentences_without_end_have_a_budget() -> None:
    parser = Parser.load(bundled_model("slog"), "cpu")
    words = sorted(parser.composition.network.encoder.vocabulary.words)
    salad = [word for word in words if word.isalpha()][:399]
    parser.parse([("Emma", "ran", ".")])
    started = time.process_time()
    [answer] = parser.parse([("Emma", "x" * 200_000, ".")])
    assert answer.unknown
    [answer] = parser.parse([tuple(salad)])
    assert answer.explain() is not None
    assert time.process_time() - started < 20


def test_a_row_that_is_not_utf_8_is_left_out_as_others_with_faults_are(tmp_path: Path) -> None:
    row = f"{' '.join(SENTENCES[0])}\t{FORMS['cogs']}\n".encode()
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(row * 3 + b"\xff\xfe\tx\n" + row))
    said = run("check", tmp_path / "a.tsv.gz")
    assert "expected UTF-8 text" in said.output
    assert "a.tsv.gz:4" in said.output


def test_two_meanings_of_one_sentence_are_told(tmp_path: Path) -> None:
    rows = "".join(f"Emma ran .\trun . agent ( x _ 1 , {name} )\n" for name in ("Emma", "Liam"))
    (tmp_path / "a.tsv").write_text(rows, encoding="utf-8")
    assert "several meanings" in ok("check", tmp_path / "a.tsv").replace("\n", " ")
