"""JSON as a notation: round trips, optional keys, and order that matters only in arrays."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.notations.json_values import JSON

KEYS = st.sampled_from(["intent", "a", "b c", "[x", "=", '"q"', ""])
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["-a", "=", "x=", "{}", "[]", "true", "12", "it's", "'", '"', "two words"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=4),
    max_leaves=10,
)
MEANINGS = st.lists(VALUES, max_size=3) | st.dictionaries(KEYS, VALUES, max_size=4)

HOME = tables(__file__)["home"] * 3


ROWS = [(text.split(), json.dumps(value)) for text, value in HOME]


def home() -> Any:
    return JSON.for_corpus(ROWS)


@given(MEANINGS, st.lists(st.text(min_size=1, max_size=4), max_size=4), st.booleans())
def test_values_round_trip(value, tokens, tight) -> None:
    notation = JSON.styled("tight" if tight else "")
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":") if tight else (", ", ": "))
    for one in (notation, notation.for_corpus([(tokens, text)] * 6)):
        graph = one.graph(tokens, text)
        assert json.loads(one.write(graph)) == json.loads(text)
        assert one.equality(tokens, text, one.written(tokens, graph)).graph
    assert notation.write(notation.graph(tokens, text)) == text


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (HOME[0][1], ['{"intent": "switch"}', "device", '"lamp"', "state", '"on"', *["()"] * 3]),
        (HOME[4][1], ['{"intent": "timer"}', "minutes", "5", "()"]),
        ({"at": {"h": 9}, "x": []}, ["{}", "{at}", "h", "9", "[]"]),
        (["on", {"a": 1}, [2, None]],
         ["value", '"on"', "{}", "a", "1", "value", "value", "2", "null", "()", "()"]),
    ],
)  # fmt: skip
def test_absent_optional_keys_are_leaves(value, wanted) -> None:
    graph = home().graph(["on"], json.dumps(value))
    assert [node.label for node in graph.nodes.values()] == wanted
    assert home().write(graph) == json.dumps(value)


def test_keys_have_the_order_of_train() -> None:
    text = json.dumps({"intent": "switch", "room": "hall", "state": "on", "device": "lamp"})
    written = home().write(home().graph(["lamp", "on", "hall"], text))
    assert list(json.loads(written)) == ["intent", "device", "state", "room"]
    assert home().equality([], text, written).graph
    mixed = replace(graph := home().graph([], text), edges=tuple(sorted(graph.edges)))
    ordered = JSON.styled("", JSON.order_of(ROWS)).written([], mixed)
    assert list(json.loads(ordered)) == ["intent", "device", "state", "room"]


def test_a_rare_type_has_the_optional_keys_of_the_nearest_larger_type() -> None:
    ways: list[dict[str, Any]] = [
        {"name": "tea"},
        {"hours": 1},
        {"minutes": 5},
        {"room": "hall"},
    ]
    rows: list[dict[str, Any]] = [{"intent": "resume", **way} for way in ways] * 4
    rows += [{"intent": "pause", "name": "tea"}, {"intent": "pause", "hours": 1}]
    rows += [{"intent": "cancel", **way} for way in ways[:2]] * 12
    notation = JSON.for_corpus([(["now"], json.dumps(row)) for row in rows])

    def keys(intent: str) -> set[str]:
        graph = notation.graph(["now"], json.dumps({"intent": intent, "hours": 1}))
        return {edge.label for edge in graph.edges if edge.parent == graph.root}

    assert keys("pause") == keys("resume") == {"name", "hours", "minutes", "room"}
    # In 24 objects, the further keys would have occurred.
    assert keys("cancel") == {"name", "hours"}
