"""JSON meanings on several lines, each value with the words that it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from amparser.errors import LogicError
from amparser.notations.json_text import text_of, value_of

if TYPE_CHECKING:
    from amparser.algebra.derivation import Derivation

Piece = tuple[str, list[int]]
"""A part of a text with the tokens (from 1) that it comes from."""

_STYLE = (", ", ": ")


def linked_json(
    text: str, tokens: Sequence[str], derivation: Derivation | None = None
) -> list[Piece]:
    """Return the pieces of a JSON meaning, indented; none if the text is not JSON."""
    try:
        return [*_pieces(value_of(text), "", "", _Words(tokens, derivation))]
    except (LogicError, RecursionError):
        return []


def linked_values(
    text: str, tokens: Sequence[str], derivation: Derivation | None = None
) -> list[tuple[tuple[str | int, ...], Any, list[int]]]:
    """Return path, value and tokens (from 1) of each value of a JSON meaning.

    Raises:
        LogicError: the text is not JSON.
    """
    words = _Words(tokens, derivation)
    found: list[tuple[tuple[str | int, ...], Any, list[int]]] = []
    waiting: list[tuple[tuple[str | int, ...], str, Any]] = [((), "", value_of(text))]
    while waiting:
        path, key, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, name), name, item) for name, item in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*path, i), key, item) for i, item in reversed([*enumerate(value)])]
        else:
            text = text_of(value, _STYLE)
            found.append((path, json.loads(text), words.of(text, key)))
    return found


def _pieces(value: Any, key: str, indent: str, words: _Words) -> Iterator[Piece]:
    if not isinstance(value, dict | list) or not value:
        text = text_of(value, _STYLE)
        yield text, words.of(text, key)
        return
    deeper = indent + "  "
    is_object = isinstance(value, dict)
    items = value.items() if isinstance(value, dict) else [(key, item) for item in value]
    yield "{" if is_object else "[", []
    for i, (name, item) in enumerate(items):
        label = f"{text_of(name, _STYLE)}: " if is_object else ""
        yield f"{',' if i else ''}\n{deeper}{label}", []
        yield from _pieces(item, name, deeper, words)
    yield f"\n{indent}{'}' if is_object else ']'}", []


class _Words:
    def __init__(self, tokens: Sequence[str], derivation: Derivation | None) -> None:
        self._words = [token.casefold() for token in tokens]
        self._labels: list[list[str]] = [[] for _ in tokens]
        if derivation is None:
            return
        for labels, fragment, own in zip(
            self._labels, derivation.fragments, derivation.lexical_labels, strict=True
        ):
            nodes = () if fragment is None else fragment.graph.nodes.values()
            labels += [*own, *(node.label or "" for node in nodes)]

    def of(self, text: str, key: str) -> list[int]:
        """Return the tokens (from 1) of a value's text at a key."""
        inside = f"{text_of(key, _STYLE)}: {text}"
        holders = [
            i
            for i, labels in enumerate(self._labels, 1)
            if any(text == label or inside in label for label in labels)
        ]
        spans = [*self._spans(text.strip('"').casefold().split())]
        held = [span for span in spans if set(span) & set(holders)]
        return [i for span in held for i in span] or holders or [i for s in spans for i in s]

    def _spans(self, wanted: Sequence[str]) -> Iterator[range]:
        for start in range(len(self._words) - len(wanted) + 1):
            if wanted and self._words[start : start + len(wanted)] == wanted:
                yield range(start + 1, start + len(wanted) + 1)
