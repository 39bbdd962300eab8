"""Values from outside: objects survive a round trip, and faults name a place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray
from toml_tables import tables

from amparser.algebra.types import AMType, type_from_str, type_to_str
from amparser.conditions import AsText, Count, Different, Filled, Index, Range, Sized
from amparser.errors import ModelError
from amparser.schema import from_json, to_json

TABLES = tables(__file__)

Word = Annotated[int, Index("word")]


class Step(NamedTuple):
    name: str
    share: Annotated[float, Range(0, maximum=1)]


@dataclass(frozen=True)
class Leaf:
    label: str


@dataclass(frozen=True)
class Branch:
    below: tuple[Branch | Leaf, ...]


@dataclass
class Kept:
    """An object with all kinds of fields that a file can hold."""

    words: Annotated[tuple[str, ...], Sized("word"), Different()]
    counts: Annotated[Sequence[Count], Sized("word")]
    pairs: Mapping[tuple[Word, Word], Counter[str]]
    named: dict[str, frozenset[Word]]
    steps: list[Step]
    tree: Branch | Leaf
    type: Annotated[AMType, AsText(type_to_str, type_from_str)]
    table: Annotated[NDArray[np.float64], Sized("word", "sort")]
    maybe: Annotated[str, Filled()] | None = None
    _found: list[str] = field(default_factory=list, compare=False)

    def misfit(self) -> str | None:
        return ".words: one is bad" if "bad" in self.words else None


TREES: st.SearchStrategy[Any] = st.recursive(
    st.builds(Leaf, st.text()), lambda below: st.builds(Branch, st.lists(below).map(tuple))
)


@st.composite
def kept(draw: st.DrawFn) -> Kept:
    words = draw(st.lists(st.text("ab"), unique=True, min_size=1).map(tuple))
    word = st.integers(0, len(words) - 1)
    counts = st.dictionaries(st.text(), st.integers(1, 9)).map(Counter)
    return Kept(
        words,
        tuple(draw(st.integers(0, 9)) for _ in words),
        draw(st.dictionaries(st.tuples(word, word), counts)),
        draw(st.dictionaries(st.text(), st.frozensets(word))),
        draw(st.lists(st.builds(Step, st.text(), st.floats(0, 1)))),
        draw(TREES),
        draw(st.sampled_from(["()", "(s())", "(o(m_UNIFY_s), s())"]).map(type_from_str)),
        np.ones((len(words), 3)),
        draw(st.none() | st.text(min_size=1)),
    )


def read(value: Any) -> Kept:
    return from_json(value, Kept, "model.json", "content", error=ModelError)


@given(kept())
def test_json_round_trip_is_the_identity(value) -> None:
    stored = to_json(value, Kept)
    again = read(json.loads(json.dumps(stored)))
    assert to_json(again, Kept) == stored
    assert (again.table == value.table).all()
    for name in ("words", "counts", "pairs", "named", "steps", "tree", "type", "maybe"):
        assert getattr(again, name) == getattr(value, name)


VALUE = to_json(
    Kept(
        ("a", "b"),
        (1, 2),
        {(0, 1): Counter("x")},
        {"n": frozenset({1})},
        [Step("s", 0.5)],
        Branch((Leaf("l"),)),
        type_from_str("()"),
        np.ones((2, 3)),
    ),
    Kept,
)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *TABLES["faults"],
        ({"named": {"\ud800": []}}, r"named\['\\ud800'\] = '\\ud800': expected text"),
    ],
)
def test_fault_names_its_place(changes, message) -> None:
    read(VALUE)
    with pytest.raises(ModelError, match=rf"^model\.json: '?content\.{message}"):
        read({**VALUE, **changes})


def test_missing_fields_and_deep_nesting_are_errors() -> None:
    for name in VALUE:
        with pytest.raises(ModelError, match=rf"'content\.{name}' is missing"):
            read({key: value for key, value in VALUE.items() if key != name})
    tree: Any = {"label": ""}
    for _ in range(10_000):
        tree = {"below": [tree]}
    with pytest.raises(ModelError, match=r"^model\.json: content: nested too deeply"):
        read({**VALUE, "tree": tree})
