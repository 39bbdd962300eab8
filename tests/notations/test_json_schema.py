"""JSON Schema of meanings: contradictions, examples, and faults of the schema itself."""

import json
from pathlib import Path

import pytest
from toml_tables import tables

from amparser.errors import InputError, LogicError, ModelError
from amparser.notations.json_schema import JsonSchema
from amparser.notations.json_text import value_of
from amparser.schema import from_json, to_json

TABLES = tables(__file__)
"""`values` are texts, and the schemas that the validator of jsonschema 4.26 accepts them for."""
SCHEMAS = json.loads(Path(__file__).with_name("schemas.json").read_text(encoding="utf-8"))
BOOKING = SCHEMAS["booking"]


@pytest.mark.parametrize(("text", "fitting"), TABLES["values"])
def test_values_fit_the_schemas_that_a_validator_says(text, fitting) -> None:
    found = [
        n for n, schema in SCHEMAS.items() if JsonSchema(schema).problem(value_of(text)) is None
    ]
    assert found == fitting.split()


@pytest.mark.parametrize(("name", "text", "problem"), TABLES["problems"])
def test_a_problem_names_place_value_and_expected_values(name, text, problem) -> None:
    assert JsonSchema(SCHEMAS[name]).problem(value_of(text)) == problem


@pytest.mark.parametrize(("schema", "fault"), TABLES["faults"])
def test_a_fault_of_the_schema_names_file_pointer_and_keyword(schema, fault, tmp_path) -> None:
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
        (intent, key) for intent in ("book", "stop") for key in BOOKING["properties"]
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
