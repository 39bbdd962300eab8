"""Local shapes of meanings (`amparser.lexicon.local_shapes`)."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from toml_tables import tables

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
TIMERS = [json.dumps({"minutes": n, "volume": n / 4}) for n in range(40)]
TERMS = [
    *(f"ask(both({', '.join(['near(oslo)'] * n)}))" for n in range(2, 9)),
    *(f"ask(all(of('{name}')))" for name in "abcdefg"),
    *(f"ask(longest({one}))" for one in ["near(oslo)", "all(of('a'))"] * 4),
]
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

OPEN = [f"open({name})" for name in "abcdefghijklmnop"]
NAMES = [f"at(name({one}), kind({one}))" for one in "abcdefghijklmnop"]


def graph_of(text: str) -> SGraph:
    return NOTATIONS["json" if text.startswith("{") else "term"].graph([], text)


def shapes(*texts: str) -> LocalShapes:
    return local_shapes(list(map(graph_of, texts)))


JSON = [json.dumps(one) for one in REQUESTS]
EXAMPLES = map(json.dumps, BOOKING.examples({"book", "stop", "friday", "sunday"}))
SHAPES = {
    "json": shapes(*JSON),
    "json with a schema": replace(shapes(*JSON, *EXAMPLES), schema=BOOKING),
    "numbers": shapes(*TIMERS),
    "term": shapes(*TERMS * 5),
    "open": shapes(*OPEN, *["dim(low)", "dim(high)"] * 5),
    "names": shapes(*NAMES, *["at(name('x'), kind(k))"] * 5),
}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [(name, *row) for name, table in tables(__file__).items() for row in table.items()]
    + [("json", text, "") for text in JSON]
    + [("names", text, "") for text in NAMES],
)
def test_problems_are_what_train_never_has(name, text, problem) -> None:
    found = SHAPES[name].problem(graph_of(text))
    assert problem in found if problem else found is None


def test_a_model_keeps_them() -> None:
    written = json.loads(json.dumps(to_json(SHAPES["json"], LocalShapes)))
    known = from_json(written, LocalShapes, Path("model.json"), error=ModelError)
    assert to_json(known, LocalShapes) == written
