"""One check for every JSON or TOML value that comes from outside: models, records, settings.

What is expected is written as a type, and a value that differs is reported with its file and
key:

    class Row(NamedTuple):      a list of values in this order
    class Head(TypedDict):      an object with these keys
    list[X], tuple[X, Y], dict[str, X], X | None, Literal["a", "b"], str, int, float, bool
    Annotated[int, Range(1)]    and further conditions, each with `admits` and a text

The types are those of Python's own annotations, so that type checkers see the same. A number
is no truth value, an integer may stand for a number with a fraction, and numbers are finite.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from amparser.errors import AMParserError

Checked = TypeVar("Checked")

LARGEST = 10**15
"""No count, size or identifier of the package is larger."""
_SHOWN, _FEW = 60, 5
_NAMES = {
    int: "an integer",
    float: "a number",
    str: "text",
    bool: "true or false",
    type(None): "null",
    list: "a list",
    dict: "an object",
}


class Condition(Protocol):
    """What a value must satisfy beyond its type; its text continues "expected ..."."""

    def admits(self, value: Any) -> bool:
        """Whether a value of the right type is allowed."""


@dataclass(frozen=True, slots=True)
class Range:
    """The range of a number: `minimum` and `maximum` are allowed, `below` is not."""

    minimum: float
    below: float | None = None
    maximum: float = inf

    def admits(self, value: float) -> bool:
        """Whether a finite value lies in the range."""
        if not self.minimum <= value < inf:
            return False
        return value <= self.maximum and (self.below is None or value < self.below)

    def __str__(self) -> str:
        text = f"at least {self.minimum:g}"
        if self.maximum < inf:
            text += f" and at most {self.maximum:g}"
        return text if self.below is None else f"{text} and below {self.below:g}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """A text must be one of some names.

    Attributes:
        names: a registry, or any other collection of names.
        or_empty: whether the empty text is allowed too.
    """

    names: Iterable[str]
    or_empty: bool = False

    def admits(self, value: object) -> bool:
        """Whether a value is one of the names."""
        return (self.or_empty and value == "") or value in tuple(self.names)

    def __str__(self) -> str:
        text = f"one of {', '.join(self.names)}"
        return f"{text}, or empty" if self.or_empty else text


@dataclass(frozen=True, slots=True)
class Matching:
    """A text must match a regular expression as a whole.

    Attributes:
        pattern: the expression.
        about: what it stands for, as in "expected ...".
    """

    pattern: str
    about: str

    def admits(self, value: str) -> bool:
        """Whether the text matches."""
        return re.fullmatch(self.pattern, value) is not None

    def __str__(self) -> str:
        return self.about


FILE_NAME = Matching(r"[\w+-][\w.+ -]{0,199}", "a name of letters, digits and any of . + - _")
"""A name that becomes part of the name of a file, and so must lead to no other folder."""
Count = Annotated[int, Range(0)]
Name = Annotated[str, FILE_NAME]


def checked(
    value: object,
    expected: type[Checked],
    where: object,
    key: str = "",
    *,
    error: type[AMParserError],
) -> Checked:
    """The value itself, if it is as expected.

    Args:
        value: what was read.
        expected: its type; see the module.
        where: the file, with which messages begin.
        key: the key of the value in the file, with which the keys inside begin.
        error: the class of the error.

    Raises:
        AMParserError: of the class `error`; one line that names file, key, value and what was
            expected there.
    """
    try:
        problem = _problem(value, expected, key)
    except RecursionError:
        problem = f"{key}: nested too deeply"
    if problem is not None:
        raise error(f"{where}: {problem}")
    return value  # type: ignore[return-value]


def json_of(path: Path, *, error: type[AMParserError]) -> Any:
    """The value in a JSON file, unchecked.

    Raises:
        AMParserError: of the class `error`; the file cannot be read, or is not JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except OSError as problem:
        raise error(f"{path}: cannot read it: {problem.strerror}") from None
    except RecursionError:
        raise error(f"{path}: nested too deeply") from None
    except ValueError:  # no JSON, no UTF-8, or a number with too many digits
        raise error(f"{path}: truncated or not JSON") from None


def shown(value: object) -> str:
    """A value in a message, cut where it is long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    if isinstance(value, dict | list) and len(value) > _FEW:
        return f"{_NAMES[list if isinstance(value, list) else dict]} of {len(value)}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # more digits than Python writes
        return "a huge value"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def parted(expected: Any) -> tuple[Any, Any]:
    """The type alone, and the condition on its values or None."""
    if get_origin(expected) is Annotated:
        plain, condition, *_ = get_args(expected)
        return plain, condition
    if get_origin(expected) is Literal:
        return str, OneOf(get_args(expected))
    return expected, None


def described(expected: Any) -> str:
    """What is expected, in words.

    >>> described(Annotated[int, Range(1)])
    'an integer, at least 1'
    """
    plain, condition = parted(expected)
    if isinstance(condition, OneOf | Matching):
        return str(condition)
    if get_origin(plain) in (Union, types.UnionType):
        name = " or ".join(described(one) for one in get_args(plain))
    elif get_origin(plain) is tuple or hasattr(plain, "_fields"):
        name = "a list" if _is_open(plain) else f"a list of {len(_items(plain))}"
    elif get_origin(plain) is list:
        name = _NAMES[list]
    else:
        name = _NAMES.get(plain, _NAMES[dict])
    return name if condition is None else f"{name}, {condition}"


def _problem(value: object, expected: Any, key: str) -> str | None:
    """What is wrong with a value and where, or None."""
    if expected is Any or expected is object:
        return None
    plain, condition = parted(expected)
    origin = get_origin(plain)
    if origin in (Union, types.UnionType):
        return _problem_of_union(value, plain, key)
    if not _has_type(value, plain, origin):
        return f"{key or 'the whole'} = {shown(value)}: expected {described(expected)}"
    if condition is not None and not condition.admits(value):
        return f"{key} = {shown(value)}: expected {described(expected)}"
    return _problem_inside(value, plain, origin, key)


def _has_type(value: object, plain: Any, origin: Any) -> bool:
    if plain is float:
        if type(value) is int:
            return -LARGEST <= value <= LARGEST
        return type(value) is float and -inf < value < inf
    if plain is int:
        return type(value) is int and -LARGEST <= value <= LARGEST
    if is_typeddict(plain) or origin in (dict, Mapping):
        return isinstance(value, dict)
    if origin is list or plain is list:
        return isinstance(value, list)
    if origin is tuple or hasattr(plain, "_fields"):
        right = isinstance(value, list | tuple)
        return right and (_is_open(plain) or len(value) == len(_items(plain)))  # type: ignore[arg-type]
    if plain is str:
        return type(value) is str and _is_writable(value)
    return type(value) is plain


def _is_writable(text: str) -> bool:
    """Whether a text has no half of a character, which JSON can hold and UTF-8 cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _problem_inside(value: Any, plain: Any, origin: Any, key: str) -> str | None:
    if is_typeddict(plain):
        return _problem_of_object(value, plain, key)
    if origin in (dict, Mapping):
        of_values = get_args(plain)[1]
        # JSON's keys are texts; a long one is cut.
        if not all(_has_type(name, str, None) for name in value):
            return f"{key}: a key that is no text"
        items = ((f"{key}[{shown(name)}]", one, of_values) for name, one in value.items())
    elif origin is list or (origin is tuple and _is_open(plain)):
        of_items = get_args(plain)[0]
        items = ((f"{key}[{i}]", one, of_items) for i, one in enumerate(value))
    elif origin is tuple:
        items = ((f"{key}[{i}]", *pair) for i, pair in enumerate(zip(value, _items(plain))))  # noqa: B905
    elif hasattr(plain, "_fields"):
        triples = zip(plain._fields, value, _items(plain), strict=True)
        items = ((f"{key}.{name}", one, kind) for name, one, kind in triples)
    else:
        return None
    return next((p for name, one, kind in items if (p := _problem(one, kind, name))), None)


def _problem_of_object(value: Mapping[str, Any], plain: Any, key: str) -> str | None:
    hints = _hints(plain)
    prefix = f"{key}." if key else ""
    for name, hint in hints.items():
        optional = get_origin(hint) is NotRequired
        if name in value:
            inner = get_args(hint)[0] if optional else hint
            if problem := _problem(value[name], inner, f"{prefix}{name}"):
                return problem
        # `__required_keys__` is wrong where annotations are texts.
        elif plain.__total__ and not optional:
            return f"{prefix + name!r} is missing"
    return None


def _problem_of_union(value: object, plain: Any, key: str) -> str | None:
    problems = [_problem(value, one, key) for one in get_args(plain)]
    if None in problems:
        return None
    # The problem inside the part of the right type says more than that no part fits.
    for one, problem in zip(get_args(plain), problems, strict=True):
        bare = parted(one)[0]
        if isinstance(value, dict | list) and _has_type(value, bare, get_origin(bare)):
            return problem
    return f"{key} = {shown(value)}: expected {described(plain)}"


def _is_open(plain: Any) -> bool:
    """Whether it is a list of any length."""
    return get_origin(plain) is tuple and get_args(plain)[-1:] == (Ellipsis,)


@cache
def _items(plain: Any) -> tuple[Any, ...]:
    """The types of the values in a list of fixed length."""
    return get_args(plain) if get_origin(plain) is tuple else tuple(_hints(plain).values())


@cache
def _hints(plain: Any) -> dict[str, Any]:
    return get_type_hints(plain, include_extras=True)
