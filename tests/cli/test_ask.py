"""The log of doubtful answers, and `amparser ask`."""

import json
from pathlib import Path

import pytest

from amparser.bulk import ColumnParser
from amparser.errors import InputError
from amparser.misses import Log, most_instructive, sentences_of
from amparser.results import Result
from amparser.serve.service import Service
from tests.command_line import ok, refused, run

SURE, UNKNOWN, FOREIGN = "Emma slept.", "The toma slept.", "Der Hund schläft tief und fest."
TEXTS = (SURE, UNKNOWN, FOREIGN)
TOMA = "* toma ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )"


def kept(path: Path) -> dict[str, dict[str, object]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["text"]: row for row in rows}


@pytest.mark.parametrize("door", ["parse", "bulk", "serve"])
def test_doubtful_answers_are_logged(door, tmp_path) -> None:
    log = tmp_path / "log.jsonl"
    if door == "parse":
        assert run("parse", "--model", "slog", "--log", log, *TEXTS).exit_code == 1
    elif door == "bulk":
        parser = ColumnParser(model="slog", device="cpu", allow_unknown=False, log=log)
        parser({"sentence": [*TEXTS, *TEXTS]})
    else:
        service = Service([Path("slog")], "cpu", log)
        for text in TEXTS:
            service.parse({"sentence": text})
    rows = kept(log)
    assert list(rows)[:1] == [UNKNOWN]
    assert rows[UNKNOWN]["meaning"] == TOMA
    assert rows[UNKNOWN]["reasons"] == ["unknown_word"]
    assert rows[UNKNOWN]["unknown"] == ["toma"]
    assert SURE not in rows
    assert set(rows) <= {*TEXTS}
    if door != "serve":
        assert "another language" in str(rows[FOREIGN]["failure"])


def test_a_log_that_cannot_be_written_is_an_error_before_parsing(tmp_path) -> None:
    assert refused("parse", "--log", tmp_path, "Emma slept.") == f"{tmp_path}: Is a directory"


def test_invalid_lines_are_not_logged(tmp_path) -> None:
    log = tmp_path / "log.jsonl"
    Log(log).add([Result((), failure="empty line"), Result(("a",), "b", confidence=0.99)])
    assert log.read_text(encoding="utf-8") == ""
    Log(log).add([Result(("a",), "b", confidence=0.2), Result(("c",), failure="none")])
    assert list(kept(log)) == ["a", "c"]


def test_readings_are_chosen_or_typed_and_not_asked_again(tmp_path) -> None:
    log, rows = tmp_path / "log.txt", tmp_path / "rows.tsv"
    log.write_text("The toma slept.\nEmma saw the wug.\n\nThe toma slept.\nA girk ran.\n")
    rows.write_text("A rose slept.\tno line end")
    lines = ["1", "see . agent ( x _ 1", TOMA, "q"]
    command = ("ask", "--model", "slog", "--from", log, "--output", rows)
    found = ok(*command, stdin="\n".join(lines))
    assert "unknown words: " in found
    assert "3 of 3" in found
    assert "column 20 (token 8): expected ',' or ')', found the end" in found
    assert f"{rows}: 2 rows added, 0 skipped" in found
    first, *new = rows.read_text(encoding="utf-8").splitlines()
    assert first == "A rose slept.\tno line end"
    answers = dict(line.split("\t") for line in new)
    girk = "girk ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )"
    assert answers == {"The toma slept.": TOMA, "A girk ran.": girk}
    found = ok(*command, stdin="s\n")
    assert "1 of 1: Emma saw the wug." in found
    assert f"{rows}: 0 rows added, 1 skipped" in found


def test_rows_are_json_for_a_file_of_json(tmp_path) -> None:
    log, rows = tmp_path / "log.txt", tmp_path / "rows.jsonl"
    log.write_text("The toma slept.\n")
    ok("ask", "--model", "slog", "--from", log, "--output", rows, stdin="1\n")
    row = json.loads(rows.read_text(encoding="utf-8"))
    assert row == {"text": "The toma slept.", "meaning": TOMA}
    assert ok("ask", "--model", "slog", "--from", log, "-o", rows).endswith(
        "0 rows added, 0 skipped\n"
    )


def test_sentences_are_read_from_any_log(tmp_path) -> None:
    path = tmp_path / "log"
    path.write_text('{"text": "a\\tb"}\n{"sentence": "c", "meaning": null}\nd e \n')
    assert sentences_of(path) == ["a b", "c", "d e"]


def test_log_needs_a_folder(tmp_path) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        Log(tmp_path / "no" / "log.jsonl").checked()


def doubtful(text: str, confidence: float = 0.9, **fields: object) -> Result:
    return Result(tuple(text.split()), "m", confidence=confidence).altered(**fields)


def test_frequent_unknown_words_come_first_and_count_once() -> None:
    some = [
        doubtful("a rare word", unknown=("rare",)),
        doubtful("a wug ran", unknown=("wug",)),
        doubtful("the wug slept", 0.8, unknown=("wug",)),
        doubtful("unsure", 0.1),
    ]
    found = [" ".join(one.tokens) for one in most_instructive(some, 4)]
    assert found == ["the wug slept", "a rare word", "unsure", "a wug ran"]


@pytest.mark.parametrize("reason", ["tie", "shape", "no_reading", "ignored_word"])
def test_a_reason_for_doubt_comes_before_none(reason) -> None:
    some = [doubtful("sure"), doubtful("doubtful", reasons=(reason,)), Result((), failure="empty")]
    assert [one.tokens for one in most_instructive(some, 9)] == [("doubtful",), ("sure",)]
    assert most_instructive(some, 1) == [some[1]]
