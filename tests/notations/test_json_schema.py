"""JSON Schema of meanings: contradictions, examples, and faults of the schema itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from amparser.errors import InputError, LogicError, ModelError
from amparser.notations.json_schema import JsonSchema
from amparser.notations.json_text import value_of
from amparser.schema import from_json, to_json

WHEN = {
    "type": "object",
    "properties": {"day": {"type": "string"}, "hour": {"type": ["integer", "null"]}},
    "required": ["day"],
}
BOOKING = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "intent": {"enum": ["book", "stop"]},
        "size": {"type": "integer", "description": "number of people"},
        "when": {"$ref": "#/$defs/when"},
        "guests": {"type": "array", "items": {"$ref": "#/$defs/a~1b"}},
    },
    "required": ["intent"],
    "additionalProperties": False,
    "$defs": {"when": WHEN, "a/b": {"type": "string"}},
}
ORDERS = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"do": {"const": "open"}, "at": {"enum": [1, 2.5, True, None, "x"]}},
            "required": ["do", "at"],
        },
        {
            "properties": {"do": {"const": "both"}, "of": {"items": {"$ref": "#"}}},
            "required": ["do", "of"],
            "additionalProperties": {"type": "number"},
        },
    ]
}
EITHER = {"anyOf": [{"type": "array", "items": {"type": "boolean"}}, {"properties": {"a": False}}]}
SCHEMAS = {"booking": BOOKING, "orders": ORDERS, "either": EITHER}
VALUES = [
    ('{"intent": "book", "size": 2, "when": {"day": "monday", "hour": null}}', "booking either"),
    ('{"intent": "book", "size": 2.0, "guests": ["Ann", "Bob"]}', "booking either"),
    ('{"intent": "go"}', "either"),
    ('{"intent": "stop", "size": 2.5}', "either"),
    ('{"intent": "stop", "size": "2"}', "either"),
    ('{"intent": "stop", "size": true}', "either"),
    ('{"intent": "book", "when": {"hour": 3}}', "either"),
    ('{"intent": "book", "guests": ["Ann", 3]}', "either"),
    ('{"intent": "book", "guest": "Ann"}', "either"),
    ('{"size": 3}', "either"),
    ('{"do": "open", "at": 1.0}', "orders either"),
    ('{"do": "open", "at": true}', "orders either"),
    ('{"do": "open", "at": false}', "either"),
    ('{"do": "open", "at": 2.5, "more": "x"}', "orders either"),
    ('{"do": "open"}', "either"),
    (
        '{"do": "both", "of": [{"do": "open", "at": null}, {"do": "both", "of": []}], "n": 1}',
        "orders either",
    ),
    ('{"do": "both", "of": [{"do": "open", "at": 7}]}', "either"),
    ('{"do": "both", "of": [], "n": "1"}', "either"),
    ("[]", "orders either"),
    ("[true, false]", "orders either"),
    ("[true, 0]", "orders either"),
    ('{"a": 1}', ""),
    ('{"b": 1}', "either"),
]
"""Texts, and the schemas that the validator of the library jsonschema 4.26 accepts them for."""


@pytest.mark.parametrize(("text", "fitting"), VALUES)
def test_values_fit_the_schemas_that_a_validator_says(text: str, fitting: str) -> None:
    found = [
        n for n, schema in SCHEMAS.items() if JsonSchema(schema).problem(value_of(text)) is None
    ]
    assert found == fitting.split()


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("booking", VALUES[2][0], '#/intent: found "go", expected one of ["book", "stop"]'),
        ("booking", VALUES[4][0], '#/size: found "2", expected integer'),
        ("booking", VALUES[6][0], "#/when: lacks 'day'"),
        ("booking", VALUES[7][0], "#/guests/1: found 3, expected string"),
        ("booking", VALUES[8][0], "#: found the key 'guest', expected intent, size, when, guests"),
        ("orders", VALUES[14][0], "#: lacks 'at'"),
        ("orders", VALUES[16][0], '#/of/0/at: found 7, expected one of [1, 2.5, true, null, "x"]'),
    ],
)
def test_a_problem_names_place_value_and_expected_values(
    name: str, text: str, problem: str
) -> None:
    assert JsonSchema(SCHEMAS[name]).problem(value_of(text)) == problem


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"properties": {"size": {"minimum": 3}}}, "#/properties/size: found the key 'minimum'"),
        ({"items": {"oneOf": [{}, {"pattern": "a"}]}}, "#/items/oneOf/1: found the key 'pattern'"),
        ({"$defs": {"a": {"not": {}}}}, "#/$defs/a: found the key 'not'"),
        ({"type": "text"}, '#/type: found "text", expected one of ["object"'),
        (
            {"items": {"$ref": "#/$defs/x"}},
            '#/items/$ref: found "#/$defs/x", expected one of ["#"]',
        ),
        ({"$ref": "other.json"}, '#/$ref: found "other.json"'),
        ({"required": "size"}, '#/required: found "size", expected array'),
        ({"items": [{}]}, "#/items: found [{}], expected object or boolean"),
        ([], "#: found [], expected object or boolean"),
    ],
)
def test_a_fault_of_the_schema_names_file_pointer_and_keyword(
    schema: Any, fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(schema), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        JsonSchema.read(path)
    assert str(caught.value).startswith(f"{path}: {fault}")
    with pytest.raises(ModelError, match="found"):
        from_json({"content": schema}, JsonSchema, "model.json", error=ModelError)


def test_a_model_keeps_the_schema() -> None:
    written = json.loads(json.dumps(to_json(JsonSchema(BOOKING), JsonSchema)))
    assert from_json(written, JsonSchema, "model.json", error=ModelError) == JsonSchema(BOOKING)


def test_examples_satisfy_the_schema() -> None:
    schema = JsonSchema(BOOKING)
    found = schema.examples({"book", "stop"})
    assert {schema.problem(value_of(json.dumps(example))) for example in found} == {None}


def test_examples_have_each_key_beside_each_type() -> None:
    found = JsonSchema(BOOKING).examples({"book", "stop"})
    assert {(one["intent"], key) for one in found for key in one} == {
        (intent, key)
        for intent in ("book", "stop")
        for key in BOOKING["properties"]  # type: ignore[attr-defined]
    }
    hours = [one["when"]["hour"] for one in found if "hour" in one.get("when", {})]
    assert {type(hour) for hour in hours} == {int, type(None)}


def test_one_text_stands_for_all_that_train_lacks() -> None:
    names = {"enum": [f"name {number}" for number in range(10**5)]}
    schema = JsonSchema({"properties": {"name": names, "other": names}})
    assert {one["name"] for one in schema.examples({"name 7"}) if "name" in one} == {
        "name 0",
        "name 7",
    }


def test_a_schema_that_contains_itself_has_finitely_many_examples() -> None:
    tree = {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "value": {"const": 1}}}
    found = JsonSchema(tree).examples(())
    assert {"left": {"right": {"value": 1}}} in found
    assert JsonSchema({"anyOf": [{"$ref": "#"}]}).examples(()) == []


def test_a_schema_that_names_only_itself_is_a_problem_of_each_value() -> None:
    with pytest.raises(LogicError, match="nested too deeply"):
        JsonSchema({"$ref": "#"}).problem({})
