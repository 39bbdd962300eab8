"""Running text and semantic roles on the command line."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import ok, run

TEXT = "Emma gave the cake to a\ncat.  Who did the boy see?\n\nA girl slept.\n"


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize("listing", ["json", "roles-json"])
def test_answers_say_where_they_stand_in_the_file(file, listing) -> None:
    rows = [json.loads(row) for row in ok("parse", "--text", file, "-f", listing).splitlines()]
    texts = [row["text"] for row in rows]
    assert len(texts) == 3
    assert "".join("".join(texts).split()) == "".join(TEXT.split())
    for row in rows:
        assert TEXT[row["start"] :].startswith(row["text"])
        for token, (start, end) in zip(row["tokens"], row.get("places", ()), strict=False):
            assert TEXT[start:end] == token
        for role in row.get("roles", ()):
            for place in ("place", "argument", "phrase"):
                span = role[place]
                assert TEXT[span["start"] : span["end"]] == span["text"]


def test_each_sentence_is_parsed_as_if_it_stood_alone(file) -> None:
    alone = ok("parse", "Emma gave the cake to a cat.", "Who did the boy see?", "A girl slept.")
    assert ok("parse", "--text", file) == alone
    assert ok("parse", "--text", "-", stdin=TEXT) == alone
    assert ok("parse", "--text", file, "--jobs", "2") == alone


def test_several_sentences_in_one_argument_are_reported() -> None:
    hint = "several sentences were read as one; --text FILE splits a text"
    assert hint in run("parse", "Emma slept. A cat ran.").stderr
    assert hint not in run("parse", "Emma slept.", "A cat ran.").stderr


def test_roles_are_a_table_and_a_picture() -> None:
    sentence = "Emma gave the cake to a cat."
    lines = ok("parse", sentence, "--format", "roles").splitlines()
    assert lines[0] == sentence
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["give", "agent", "Emma"],
        ["give", "recipient", "cat"],
        ["give", "theme", "the"],
    ]
    assert "5:9, 0:4" in lines[2]
    picture = ok("parse", sentence, "Emma slept.", "--format", "roles-svg")
    assert {"agent", "recipient", "theme"} <= {*ElementTree.fromstring(picture).itertext()}


def test_a_sentence_without_a_parse_has_no_roles() -> None:
    result = run("parse", "a\tb", "--format", "roles-json")
    assert result.exit_code == 1
    row = json.loads(result.stdout)
    assert row["roles"] == []
    assert "unexpected character" in row["failure"]
