"""`--schema` of check and train."""

import json
from pathlib import Path

import pytest
from command_line import ok, refused, run

from amparser.learn.model_folder import read_head
from amparser.notations.registry import NOTATIONS

SCHEMA = {
    "properties": {
        "intent": {"enum": ["timer", "light"]},
        "minutes": {"type": "integer"},
        "on": {"type": "boolean"},
    },
    "required": ["intent"],
    "additionalProperties": False,
}
ROWS = [
    *((f"set a timer for {n} minutes", {"intent": "timer", "minutes": n}) for n in range(2, 22)),
    *((f"{word} on", {"intent": "light", "on": True}) for word in ("light", "lamp", "lights")),
    *((f"{word} off", {"intent": "light", "on": False}) for word in ("light", "lamp", "lights")),
]
FAULTY = ("ten minutes", {"intent": "timer", "minutes": "ten"})


@pytest.fixture
def data(tmp_path) -> Path:
    rows = [ROWS[0], FAULTY, *ROWS[1:]]
    lines = [json.dumps({"text": text, "meaning": meaning}) for text, meaning in rows]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return tmp_path / "rows.jsonl"


def test_rows_against_the_schema_are_listed_and_the_model_keeps_it(data) -> None:
    schema = ("--schema", data.parent / "schema.json")
    fault = f'{data}:2: contradicts the schema: #/minutes: found "ten", expected integer'
    assert fault in ok("check", data, *schema)
    assert "rows with a fault: 1" in run("check", "--strict", data, *schema).stderr
    model = data.parent / "model"
    quick = ("--set", "train.epochs=1", "--set", "train.epoch_sentences=0", "--set", "preset=tree")
    train = ("train", "--data", data, "--output", model, *schema, *quick, "--device", "cpu")
    assert refused(*train, "--strict") == fault
    result = run(*train)
    assert result.exit_code == 0
    assert fault in result.stderr
    shapes = read_head(model).shapes
    assert shapes is not None
    rows = [(text.split(), json.dumps(meaning)) for text, meaning in ROWS]
    notation = NOTATIONS["json"].for_corpus(rows)
    for meaning, is_allowed in (
        ({"intent": "light", "on": True, "minutes": 4}, True),
        ({"intent": "light", "minutes": 4.5}, False),
        ({"intent": "light", "hours": 4}, False),
    ):
        graph = notation.plain(notation.graph((), json.dumps(meaning)))
        assert (shapes.problem(graph) is None) == is_allowed


def test_a_schema_that_cannot_be_used_is_an_error(data, tmp_path) -> None:
    path = tmp_path / "schema.json"
    path.write_text('{"properties": {"minutes": {"minimum": 1}}}', encoding="utf-8")
    message = refused("check", data, "--schema", path)
    assert message.startswith(f"{path}: #/properties/minutes: found the key 'minimum', expected")
    assert "missing.json: cannot be read" in refused("check", data, "--schema", "missing.json")
    terms = tmp_path / "terms.tsv"
    terms.write_text("call Ann\tcall('Ann')\n" * 9, encoding="utf-8")
    message = refused("check", terms, "--schema", path)
    assert message == f"{path}: a JSON Schema needs meanings in json, found the notation term"
