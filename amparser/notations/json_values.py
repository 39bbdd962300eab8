"""JSON values as trees (see `value_trees`); a parser's answers are valid JSON.

Comparison ignores the order of keys in objects. Answers use the key order of the training data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import SGraph
from amparser.notations.json_text import comparable, text_of, value_of
from amparser.notations.ordered_trees import Tree
from amparser.notations.styled import StyledNotation
from amparser.notations.value_shapes import shapes_of
from amparser.notations.value_trees import Shapes, json_of_tree, tree_of_value


class JsonNotation(StyledNotation):
    """JSON objects and arrays; the style `tight` omits spaces."""

    name = "json"
    sample = '{"select": "name", "city": "Rome"}'
    family = "json"
    styles: ClassVar[Mapping[str, tuple[str, str]]] = {"": (", ", ": "), "tight": (",", ":")}
    word = re.compile(r'[\[\]{},:]|"?[^\s\[\]{},:"]+"?|"')

    def read(self, text: str) -> object:
        """Return the value of a text. Raises LogicError if the text is malformed."""
        value = value_of(text)
        if not isinstance(value, dict | list):
            raise LogicError("expected an object or an array")
        return value

    def tree(self, tokens: Sequence[str], value: object) -> Tree:
        """Return the tree of a value."""
        return tree_of_value(value, tokens, self.shapes)

    def value_of(self, tree: Tree) -> object:
        """Return the value of a tree. Raises TranslateError if no value has this tree."""
        return json_of_tree(tree)

    def text_of(self, value: object, style: str) -> str:
        """Return the text of a value."""
        return text_of(value, self.styles[style])

    def shapes_of(self, rows: Sequence[tuple[Sequence[str], object]]) -> Shapes:
        """Return the types and keys of a corpus's objects."""
        return shapes_of(rows)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Implement `Notation.written`; check only that the text is JSON."""
        try:
            text = self.write(graph)
            self.read(text)
        except (RecursionError, LogicError) as error:
            raise TranslateError(f"no JSON: {error}") from None
        return text

    def value(self, tokens: Sequence[str], text: str) -> Any:
        """Return a value that `equal` compares; arrays are ordered, objects are not."""
        return comparable(value_of(text))


JSON = JsonNotation()
