"""JSON meanings as indented text, in which each value is linked to the words it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from amparser.errors import LogicError, nesting
from amparser.notations.json_text import text_of, value_of

if TYPE_CHECKING:
    from amparser.algebra.derivation import Derivation

Piece = tuple[str, list[int]]
"""Part of the printed text, and the tokens (from 1) that its value comes from."""

Steps = tuple[str | int, ...]
"""Keys and indices (from 0) that lead to a value."""

_STYLE = (", ", ": ")


def linked_json(
    text: str, tokens: Sequence[str], derivation: Derivation | None = None
) -> list[Piece]:
    """Return a JSON meaning as pieces of indented text with their tokens; empty if not JSON."""
    try:
        pieces = [*_pieces(value_of(text), (), "", _Words(tokens, derivation))]
    except (LogicError, RecursionError):
        return []
    return [(piece, places) for _, piece, places in pieces]


def linked_values(
    text: str, tokens: Sequence[str], derivation: Derivation | None = None
) -> list[tuple[Steps, Any, list[int]]]:
    """Return the path, the value and the tokens (from 1) of each value in a JSON meaning.

    Raises:
        LogicError: the text is not JSON.
    """
    with nesting(LogicError):
        pieces = [*_pieces(value_of(text), (), "", _Words(tokens, derivation))]
    values = [
        (path, json.loads(piece), places) for path, piece, places in pieces if path is not None
    ]
    return [value for value in values if value[1] not in ({}, [])]


def _pieces(
    value: Any, path: Steps, indent: str, words: _Words
) -> Iterator[tuple[Steps | None, str, list[int]]]:
    """Yield the path, the text and the tokens (from 1) of each piece of a value.

    The path is None if the piece is a key, or punctuation such as a bracket.
    """
    if not isinstance(value, dict | list) or not value:
        text = text_of(value, _STYLE)
        key = next((step for step in reversed(path) if isinstance(step, str)), "")
        yield path, text, words.of(text, key)
        return
    deeper = indent + "  "
    is_object = isinstance(value, dict)
    yield None, "{" if is_object else "[", []
    for i, (step, item) in enumerate(
        value.items() if isinstance(value, dict) else enumerate(value)
    ):
        label = f"{text_of(step, _STYLE)}: " if is_object else ""
        yield None, f"{',' if i else ''}\n{deeper}{label}", []
        yield from _pieces(item, (*path, step), deeper, words)
    yield None, f"\n{indent}{'}' if is_object else ']'}", []


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
        """Return the positions (from 1) of the tokens that express a value."""
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
