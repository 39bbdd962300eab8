"""JSON as Python's values, its numbers as they are written."""

from __future__ import annotations

import json
from typing import Any

from amparser.errors import LogicError
from amparser.schema import RepeatedKeyError, once


class Number(str):
    """A number as it is written."""

    __slots__ = ()


def value_of(text: str) -> Any:
    """The value of a JSON text; raises LogicError, naming the column."""
    try:
        return json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_no_constant,
            object_pairs_hook=once,
        )
    except json.JSONDecodeError as error:
        found = error.doc[error.pos :].split()[:1]
        shown = repr(found[0]) if found else "the end"
        raise LogicError(f"column {error.colno}: not JSON: {error.msg}, found {shown}") from None
    except RepeatedKeyError as error:
        raise LogicError(str(error)) from None
    except RecursionError:
        raise LogicError("nested too deeply") from None


def _no_constant(name: str) -> Any:
    raise LogicError(f"not JSON: {name} is no value")


def text_of(value: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """The JSON text of a value; numbers are as they were written."""
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
