"""JSON as trees of values (`value_trees`); the answers are valid JSON.

Objects are equal whatever the order of their keys; they are written in that of train.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import SGraph
from amparser.notations.json_text import Number, text_of, value_of
from amparser.notations.notation import Equality, Notation
from amparser.notations.value_shapes import shapes_of
from amparser.notations.value_trees import (
    Shapes,
    graph_of_value,
    value_of_graph,
)


def comparable(value: Any) -> Any:
    """A value in which numbers are such, so that equal values are equal in Python."""
    match value:
        case dict():
            return {key: comparable(inside) for key, inside in value.items()}
        case list():
            return [comparable(item) for item in value]
        case Number():
            return "number", float(value)
        case bool() | None:
            return "word", value
    return value


class JsonNotation(Notation):
    """JSON in one layout."""

    family = "json"
    needs_alignment = False
    generic = True

    def __init__(
        self, name: str, separators: tuple[str, str], shapes: Shapes | None = None
    ) -> None:
        self.name = name
        self.separators = separators
        self._shapes = shapes

    def read(self, text: str) -> object:
        """The value; raises LogicError."""
        value = value_of(text)
        if not isinstance(value, dict | list):
            raise LogicError("expected an object or an array")
        return value

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The tree of a value."""
        return graph_of_value(self.read(text), tokens, self._shapes)

    def write(self, graph: SGraph) -> str:
        """The text of a tree; raises TranslateError if it has none."""
        return text_of(value_of_graph(graph), self.separators)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """`write`; whether strings are words of the sentence makes no difference."""
        try:
            text = self.write(graph)
            self.read(text)
        except (RecursionError, LogicError) as error:
            raise TranslateError(f"no JSON: {error}") from None
        return text

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """See `Notation`: values are compared; order counts in arrays alone."""
        return comparable(value_of(text))

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """See `Notation`."""
        return Equality(wanted == found, wanted == found)

    def for_corpus(self, rows: Iterable[tuple[Sequence[str], str]]) -> JsonNotation:
        """The notation with what a corpus shows of its objects."""
        values = []
        for tokens, text in rows:
            try:
                values.append((tokens, self.read(text)))
            except LogicError:
                continue
        return JsonNotation(self.name, self.separators, shapes_of(values))

    def split(self, text: str) -> Sequence[str]:
        """Strings are cut at their spaces."""
        return re.findall(r'[\[\]{},:]|"?[^\s\[\]{},:"]+"?|"', text)


JSON = JsonNotation("json", (", ", ": "))
JSON_TIGHT = JsonNotation("json-tight", (",", ":"))
