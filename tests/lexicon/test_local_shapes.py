"""Local shapes of meanings (`amparser.lexicon.local_shapes`)."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from amparser.errors import ModelError
from amparser.graph.sgraph import SGraph
from amparser.lexicon.local_shapes import LocalShapes, local_shapes
from amparser.notations.json_schema import JsonSchema
from amparser.notations.registry import NOTATIONS
from amparser.schema import from_json, to_json

REQUESTS = [
    *({"intent": "book", "size": n, "when": {"day": "friday", "hour": n}} for n in range(2, 9)),
    *({"intent": "book", "size": n, "outdoor": True} for n in range(2, 9)),
    *({"intent": "stop", "when": {"day": "sunday"}} for _ in range(6)),
]
TERMS = [
    *(f"ask(both({', '.join(['near(oslo)'] * n)}))" for n in range(2, 9)),
    *(f"ask(all(of('{name}')))" for name in "abcdefg"),
    *(f"ask(longest({one}))" for one in ["near(oslo)", "all(of('a'))"] * 4),
]
OPEN = [f"open({name})" for name in "abcdefghijklmnop"]


def graphs(name: str, texts: Sequence[str]) -> list[SGraph]:
    return [NOTATIONS[name].graph([], text) for text in texts]


def shapes(name: str, texts: Sequence[str]) -> LocalShapes:
    return local_shapes(graphs(name, texts))


JSON_SHAPES = shapes("json", [json.dumps(one) for one in REQUESTS])
TERM_SHAPES = shapes("term", TERMS * 5)


@pytest.mark.parametrize("text", [json.dumps(one) for one in REQUESTS])
def test_train_has_its_own_shapes(text: str) -> None:
    [graph] = graphs("json", [text])
    assert JSON_SHAPES.problem(graph) is None


@pytest.mark.parametrize(
    "value",
    [
        {"intent": "book", "size": 4, "when": {"day": "sunday", "hour": 40}, "outdoor": True},
        {"intent": "stop", "when": {"day": "monday"}, "size": 77},
    ],
)
def test_new_combinations_and_values_are_possible(value: object) -> None:
    text = json.dumps(value).replace('"monday"', '"friday"')
    [graph] = graphs("json", [text])
    assert JSON_SHAPES.problem(graph) is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"intent": "book", "size": "friday"}, "'friday' does not occur at 'size'"),
        ({"intent": "book", "size": 4, "": 4}, "no ''"),
        ({"intent": "book", "size": 4, "when": "friday"}, "'friday' does not occur at 'when'"),
        ({"intent": "book", "size": 4, "when": {"hour": 4}}, "lacks 'day'"),
        ({"intent": "book", "size": 4, "when": {}}, "does not occur at 'when'"),
        ({"when": 4}, "lacks 'intent'"),
    ],
)
def test_what_train_never_has_is_a_problem(value: object, problem: str) -> None:
    [graph] = graphs("json", [json.dumps(value)])
    assert problem in (JSON_SHAPES.problem(graph) or "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"ask(both({', '.join(['near(oslo)'] * 12)}))", None),
        ("ask(longest(longest(both(near(oslo), all(of('x'))))))", None),
        ("ask(all(of(3)))", "'3' does not occur at 'arg0' of 'of'"),
        ("ask(all(of('a'), of('b')))", "'all' has no 'arg+'"),
        ("ask(near('oslo'))", "does not occur at 'arg0' of 'near'"),
        ("all(of('a'))", "'all' cannot be a whole meaning"),
        ("ask(both(near(oslo)))", "'both' lacks 'arg1'"),
    ],
)
def test_numbers_of_arguments_and_kinds_of_values(text: str, problem: str | None) -> None:
    found = TERM_SHAPES.problem(graphs("term", [text])[0])
    assert found is None if problem is None else problem in (found or "")


def test_new_names_stand_where_train_has_many_once() -> None:
    known = shapes("term", [*OPEN, *["dim(low)", "dim(high)"] * 5])
    assert known.problem(graphs("term", ["open(kobasi)"])[0]) is None
    assert known.problem(graphs("term", ["dim(kobasi)"])[0]) is not None


def test_a_label_name_is_no_kind_of_values() -> None:
    texts = [f"at(name({one}), kind({one}))" for one in "abcdefghijklmnop"]
    texts += ["at(name('x'), kind(k))"] * 5
    found = shapes("term", texts)
    for text in (*texts, "at(name('y'), kind(new))"):
        [graph] = graphs("term", [text])
        assert found.problem(graph) is None


def test_a_model_keeps_them() -> None:
    written = json.loads(json.dumps(to_json(JSON_SHAPES, LocalShapes)))
    known = from_json(written, LocalShapes, Path("model.json"), error=ModelError)
    assert to_json(known, LocalShapes) == written


BOOKING = JsonSchema(
    {
        "properties": {
            "intent": {"enum": ["book", "stop", "ask"]},
            "size": {"type": "integer"},
            "when": {
                "properties": {"day": {"enum": ["friday", "sunday"]}, "hour": {"type": "integer"}}
            },
            "outdoor": {"type": "boolean"},
            "note": {"type": "string"},
        },
        "required": ["intent"],
        "additionalProperties": False,
    }
)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"intent": "ask", "size": 4}, None),
        ({"intent": "stop", "outdoor": False, "when": {"hour": 5}}, None),
        ({"intent": "book", "size": 4, "when": {"hour": 5, "day": "sunday"}, "note": "?"}, None),
        ({"intent": "book", "size": "friday"}, "'friday' does not occur at 'size'"),
        ({"intent": "book", "size": 4, "day": "friday"}, "has no 'day'"),
        ({"intent": "book", "size": 4.5}, "#/size: found 4.5, expected integer"),
        ({"size": 4}, "lacks 'intent'"),
    ],
)
def test_a_schema_adds_shapes_and_rules_out_contradictions(
    value: object, problem: str | None
) -> None:
    texts = [json.dumps(one) for one in REQUESTS]
    examples = [json.dumps(one) for one in BOOKING.examples({"book", "stop", "friday", "sunday"})]
    known = replace(local_shapes(graphs("json", [*texts, *examples])), schema=BOOKING)
    [graph] = graphs("json", [json.dumps(value)])
    found = known.problem(graph)
    assert found is None if problem is None else problem in (found or "")
    assert problem is not None or JSON_SHAPES.problem(graph) is not None
