"""Read and write JSON; numbers keep their spelling."""

from __future__ import annotations

import json
from typing import Any

from amparser.errors import LogicError
from amparser.files import RepeatedKeyError, once

_SHOWN = 60
_FAULTS = {
    "Expecting property name": "expected a key in double quotes",
    "Illegal trailing comma": "unexpected trailing comma",
    "Expecting ':'": "expected a colon after the key",
    "Expecting ','": "expected a comma or a closing bracket",
    "Expecting value": "expected a value",
    "Extra data": "expected the end",
    "Unterminated string": "the closing quote is missing",
    "Invalid control character": "write a tab or line end in a string as \\t or \\n",
    "Invalid \\": "unknown escape",
}
"""Replacements for messages of Python's `json`, by the first words of the message."""


class Number(str):
    """Number as it is spelled in the text."""

    __slots__ = ()


def value_of(text: str) -> Any:
    """Return the value of a JSON text. Raises LogicError, naming the column."""
    try:
        return json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_no_constant,
            object_pairs_hook=once,
        )
    except json.JSONDecodeError as error:
        raise LogicError(fault_of(error)) from None
    except RepeatedKeyError as error:
        raise LogicError(str(error)) from None
    except RecursionError:
        raise LogicError("nested too deeply") from None


def fault_of(error: json.JSONDecodeError) -> str:
    """Return a message about malformed JSON: column, problem, and the text there."""
    rest = error.doc[error.pos :].split()[:1]
    what = next((ours for theirs, ours in _FAULTS.items() if error.msg.startswith(theirs)), "")
    what_follows = f"found {rest[0][:_SHOWN]!r}" if rest else "found the end"
    return f"column {error.colno}: not JSON: {what or error.msg}, {what_follows}"


def _no_constant(name: str) -> Any:
    raise LogicError(f"not JSON: {name} is not a value")


def text_of(value: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """Return the JSON text of a value; a `Number` keeps its spelling."""
    comma, colon = separators
    match value:
        case dict():
            pairs = (f"{json.dumps(k, ensure_ascii=False)}{colon}{text_of(v, separators)}"
                     for k, v in value.items())  # fmt: skip
            return f"{{{comma.join(pairs)}}}"
        case list():
            return f"[{comma.join(text_of(item, separators) for item in value)}]"
        case Number():
            return str(value)
    return json.dumps(value, ensure_ascii=False)


def comparable(value: Any) -> Any:
    """Convert a JSON value so that `==` means equality in JSON (1 equals 1.0, but not `true`)."""
    match value:
        case dict():
            return {key: comparable(inside) for key, inside in value.items()}
        case list():
            return [comparable(item) for item in value]
        case bool() | None:
            return "word", value
        case Number() | int() | float():
            return "number", float(str(value))
    return value
