"""Find the rows of a JSON file: the objects that are examples.

Either each line is a row, or the file is a sequence of JSON values. A value is a row, an array of
rows, or an object that contains rows at some depth, as in files of SNIPS and Rasa:

    {"GetWeather": [{"data": [{"text": "weather in "}, {"text": "Paris", "entity": "city"}]}]}
    {"rasa_nlu_data": {"common_examples": [{"text": "hello", "intent": "greet"}]}}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeAlias

from amparser.corpora.usual_names import SAMPLE, is_row
from amparser.errors import AMParserError, InputError
from amparser.files import RepeatedKeyError, once
from amparser.notations.json_text import fault_of

Item: TypeAlias = tuple[int, str | AMParserError]
"""Line number, and the line or an error."""

Path: TypeAlias = tuple[str, ...]
"""Keys of the objects around a value, from the outermost to the innermost."""

_DECODER = json.JSONDecoder(object_pairs_hook=once)
_SPACE = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s,:]*")
_SPLITS = frozenset({"train", "training", "dev", "val", "valid", "validation", "test"})
_UTTERANCES = "utterances"
"""In files of snips-nlu, the key with the sentences of an intent."""


def items(lines: Iterable[Item]) -> Iterator[Item]:
    """Yield the JSON text of each row with its line number.

    If one of the first two lines is a complete JSON object, each line is a row.
    """
    lines = iter(lines)
    first: list[Item] = []
    begin: list[str] = []
    for number, line in lines:
        first.append((number, line))
        begin += [str(line)] if str(line).strip() else []
        if len(begin) == 2:
            break
    opening = begin[0].lstrip()[0] if begin else ""
    objects = [line for line in begin if _is_object(line)]
    of_lines = opening == "{" and len(begin) == 2 and objects
    if opening in ("{", "[") and not of_lines and (not objects or _has_rows(begin[0])):
        yield from _rows_of_document([*first, *lines])
    else:
        yield from chain(first, lines)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _has_rows(line: str) -> bool:
    return any(path for _, _, path in _inside(line, 0))


def _rows_of_document(lines: list[Item]) -> Iterator[Item]:
    faults = (item for item in lines if isinstance(item[1], AMParserError))
    if fault := next(faults, None):
        yield fault
        return
    text = "\n".join(str(line) for _, line in lines)
    try:
        rows = list(_rows_of_values(text))
    except json.JSONDecodeError as error:
        yield error.lineno, InputError(fault_of(error))
        return
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, RepeatedKeyError) else "nested too deeply"
        yield 1, InputError(reason)
        return
    splits = sorted(_SPLITS.intersection(name for _, _, path in rows for name in path))
    if len(splits) > 1:
        both = ", ".join(splits)
        yield 1, InputError(f"found rows of {both}, expected a separate file for each")
    elif not rows:
        yield 1, InputError(f"no rows, expected objects such as {SAMPLE}")
    else:
        at, number = 0, 1
        for place, row, _ in rows:
            number, at = number + text.count("\n", at, place), place
            yield number, json.dumps(row, ensure_ascii=False)


def _rows_of_values(text: str) -> Iterator[tuple[int, Any, Path]]:
    """Yield (position, row, keys above the row) for each row in a sequence of JSON values."""
    at = _after(text, 0, _SPACE)
    while at < len(text):
        yield from _inside(text, at)
        _, end = _DECODER.raw_decode(text, at)
        at = _after(text, end, _SPACE)


def _after(text: str, at: int, between: re.Pattern[str] = _BETWEEN) -> int:
    match = between.match(text, at)
    return at if match is None else match.end()


def _inside(text: str, at: int, path: Path = ()) -> Iterator[tuple[int, Any, Path]]:
    """Yield (position, row, keys above the row) for each row in the value at a position.

    If any item of an array is a row, every item of that array is one. Raises ValueError or
    RecursionError if the text is not JSON.
    """
    value, end = _DECODER.raw_decode(text, at)
    of_array = isinstance(value, list) and any(map(is_row, value))
    if is_row(value):
        yield at, _with_intent(value, path), path
        return
    if not isinstance(value, dict | list):
        return
    at = _after(text, at + 1)
    while at < end - 1:
        key, inner = "", at
        if isinstance(value, dict):
            key, at = _DECODER.raw_decode(text, at)
            inner = _after(text, at)
        item, at = _DECODER.raw_decode(text, inner)
        below = (*path, key) if key else path
        if of_array and not is_row(item):
            yield inner, item, below
        else:
            yield from _inside(text, inner, below)
        at = _after(text, at)


def _with_intent(row: dict[str, Any], path: Path) -> dict[str, Any]:
    """Add the intent to a row of SNIPS: the key above the row, such as `GetWeather`."""
    above = [name for name in path if name != _UTTERANCES]
    return row if "data" not in row or not above else {"intent": above[-1], **row}
