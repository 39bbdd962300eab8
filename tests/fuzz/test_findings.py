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

from amparser.errors import AMParserError, ModelError
from amparser.learn.model_folder import read_pair, write_pair
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.resources import bundled_model

SAID = {"sentence": "Emma ran .", "meaning": "run . agent ( x _ 1 , Emma )", "notation": "cogs"}
GRAPH = "(r<root> / run :agent (e / Emma))"
_TREE = [
    {"form": "Emma", "head": 0, "operation": "IGNORE"},
    {"form": "ran", "head": 0, "operation": "ROOT", "lexical_label": "see",
     "supertag": "(i<root> / --LEX--)", "type": "()"},
    {"form": ".", "head": 0, "operation": "IGNORE"},
]  # fmt: skip
ROWS: dict[str, dict[str, object]] = {
    "'graph', which is missing": {"alignments": [1, 2]},
    "'meaning' is not that of the graph": {"graph": GRAPH.replace("Emma", "Liam")},
    "'meaning' is not that of the tree": {"tree": _TREE},
    "different sentences": {"tokens": ["Liam", "ran", "."]},
    "alignment True": {"graph": GRAPH, "alignments": [True, 2]},
}


@pytest.mark.parametrize("message", ROWS)
def test_a_row_that_says_two_things_is_refused(message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**SAID, **ROWS[message]}) + "\n", encoding="utf-8")
    assert message in refused("convert", "--from", "json", "--to", "json", path)


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    twice = '"sentence": "few dogs ran", "sentence": "Emma ran ."'
    rows, model, out = tmp_path / "a.jsonl", tmp_path / "model", tmp_path / "out"
    rows.write_text(f"{{{twice}}}\n{{{twice.partition(', ')[0]}}}\n", encoding="utf-8")
    assert 'a.jsonl:1: not JSON: the key "sentence" stands twice' in refused(
        "bulk", rows, "-o", out
    )
    model.mkdir()
    write_pair(model, "model", {"system": "x"}, {})
    text = (model / "model.json").read_text("utf-8")
    (model / "model.json").write_text('{"system": "y",' + text[1:], encoding="utf-8")
    with pytest.raises(ModelError, match='the key "system" stands twice'):
        read_pair(model, "model")


FILES: dict[str, tuple[bytes | None, str]] = {
    "a.tsv": ("a\tb\n".encode("utf-16"), "UTF-16 text, expected UTF-8"),
    "endless.toml": (None, "not a regular file"),
    "digits.toml": (f"[train]\nseed = {'9' * 5000}\n".encode(), "digits.toml: not TOML"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_meant_is_one_short_line(name: str, tmp_path: Path) -> None:
    content, message = FILES[name]
    path, data = tmp_path / name, tmp_path / "data.tsv"
    data.write_text(f"{' '.join(SENTENCES[0])}\t{FORMS['cogs']}\n", encoding="utf-8")
    if content is None:
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(content)
    convert = ("convert", "--from", "cogs", "--to", "json", path)
    said = refused(*(convert if path.suffix == ".tsv" else ("check", data, "--config", path)))
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


def test_a_full_stop_is_no_word_of_a_form() -> None:
    few, two = Parser.load(bundled_model("monotonicity"), "cpu").parse(
        ["Few dogs ran.", "Slowly, few dogs ran!"]
    )
    assert few.meaning == "NOT FEW DOG RUN"
    assert two.meaning == "NOT FEW DOG AND RUN SLOWLY"


def test_a_lost_word_is_a_failure() -> None:
    """What the leftmost root does not reach has no place in the variable-free notation."""
    tokens = ("The", "cat", "saw", "a", "dog", ".")
    text = "* cat ( x _ 1 ) ; see . theme ( x _ 2 , x _ 4 ) AND dog . nmod ( x _ 4 , x _ 1 )"
    with pytest.raises(AMParserError):
        NOTATIONS["varfree"].written(tokens, NOTATIONS["cogs"].graph(tokens, text))
