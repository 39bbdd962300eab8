"""Conditions in the type annotations of values that `amparser.schema` reads.

The method `admits` of a condition tests a value that has the right type; `str` of a condition
completes a message that begins with "expected".
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized as HasLength
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, wraps
from math import inf
from numbers import Integral, Real
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from amparser.errors import InputError


@dataclass(frozen=True, slots=True)
class Range:
    """Range of a number: `minimum` and `maximum` are included, `below` is not."""

    minimum: float
    below: float | None = None
    maximum: float = inf

    def admits(self, value: float) -> bool:
        """Return whether a number is finite and in the range."""
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
    """A text that is one of some names.

    Attributes:
        names: a registry, or any iterable container of names.
        or_empty: whether the empty text is allowed too.
    """

    names: Iterable[str]
    or_empty: bool = False

    def admits(self, value: str) -> bool:
        """Return whether a value is one of the names."""
        return (self.or_empty and value == "") or value in self.names

    def __str__(self) -> str:
        text = f"one of {', '.join(self.names)}"
        return f"{text}, or empty" if self.or_empty else text


@dataclass(frozen=True, slots=True)
class SomeOf:
    """A text of distinct names separated by spaces; it may be empty.

    Attributes:
        names: a registry, or any collection of names.
        instead: a word that may replace the names; empty for none.
    """

    names: Iterable[str]
    instead: str = ""

    def admits(self, value: str) -> bool:
        """Return whether a text consists of distinct names."""
        words = value.split()
        if value and value == self.instead:
            return True
        return {*words} <= {*self.names} and len({*words}) == len(words)

    def __str__(self) -> str:
        names = f"some of {', '.join(self.names)}, separated by spaces"
        return f"{names}, or {self.instead}" if self.instead else names


@dataclass(frozen=True, slots=True)
class Matching:
    """A text that matches a regular expression as a whole.

    Attributes:
        about: its description, which completes "expected ...".
    """

    pattern: str
    about: str

    def admits(self, value: str) -> bool:
        """Return whether the text matches."""
        return re.fullmatch(self.pattern, value) is not None

    def __str__(self) -> str:
        return self.about


class Filled:
    """A text, list or object that is not empty."""

    def admits(self, value: HasLength) -> bool:
        """Return whether the value is not empty."""
        return len(value) > 0

    def __str__(self) -> str:
        return "not empty"


class Different:
    """A list of distinct values."""

    def admits(self, value: Sequence[Any]) -> bool:
        """Return whether all values are distinct."""
        return len(set(value)) == len(value)

    def __str__(self) -> str:
        return "without repetitions"


class Sized:
    """A list whose length has a name; all lists of this name have equal length.

    An array has a name for each dimension. The scope of a name is the list item or object in which
    it first occurs.
    """

    def __init__(self, *names: str) -> None:
        self.names = names


@dataclass(frozen=True)
class Index:
    """A 0-based index below a length that `Sized` names."""

    of: str


@dataclass(frozen=True)
class AsText:
    """A value stored as text.

    Attributes:
        from_str: reads it; raises AMParserError.
    """

    to_str: Callable[[Any], str]
    from_str: Callable[[str], Any]


FILE_NAME = Matching(r"[\w+-][\w.+ -]{0,199}", "a name of letters, digits and any of . + - _")
"""A name that becomes part of a file name, so it must not lead to another folder."""
Count = Annotated[int, Range(0)]
Name = Annotated[str, FILE_NAME]

UNIONS = (Union, types.UnionType)
LISTS = (list, tuple, frozenset, Sequence)
NAMES = {
    int: "an integer",
    float: "a number",
    str: "text",
    bool: "true or false",
    type(None): "null",
    list: "a list",
    dict: "an object",
}


def unannotated(expected: Any) -> tuple[Any, ...]:
    """Return the plain type, followed by the conditions on its values."""
    if get_origin(expected) is Annotated:
        return get_args(expected)
    if get_origin(expected) is Literal:
        return str, OneOf(get_args(expected))
    return (expected,)


def is_mapping(origin: Any) -> bool:
    """Return whether a generic type is a mapping."""
    return isinstance(origin, type) and issubclass(origin, Mapping)


def is_object(plain: Any) -> bool:
    """Return whether values of a type are stored as JSON objects."""
    if is_mapping(get_origin(plain)):
        return is_text(of_mapping(plain)[0])
    return is_dataclass(plain) or is_typeddict(plain)


def of_mapping(plain: Any) -> tuple[Any, Any]:
    """Return the types of keys and values; values of a Counter are counts."""
    of_keys, *of_values = get_args(plain)
    return of_keys, of_values[0] if of_values else Count


def is_text(expected: Any) -> bool:
    """Return whether values of a type are text."""
    return unannotated(expected)[0] is str


def is_array(origin: Any) -> bool:
    """Return whether a generic type is a NumPy array."""
    # Compared by name to avoid importing NumPy. From NumPy 2.5 on, `NDArray` is a named alias.
    return getattr(origin, "__name__", "") in ("ndarray", "NDArray")


def is_fixed(plain: Any) -> bool:
    """Return whether a type is a list of fixed length."""
    is_open = get_args(plain)[-1:] == (Ellipsis,)
    return hasattr(plain, "_fields") or (get_origin(plain) is tuple and not is_open)


@cache
def items_of(plain: Any) -> tuple[Any, ...]:
    """Return the types of the values in a list of fixed length."""
    return get_args(plain) if get_origin(plain) is tuple else tuple(hints_of(plain).values())


@cache
def hints_of(plain: Any) -> dict[str, Any]:
    """Return the types of a class's annotations by name."""
    return get_type_hints(plain, include_extras=True)


@cache
def kept_fields(plain: Any) -> dict[str, Any]:
    """Return the types of the public fields of a dataclass by name."""
    hints = hints_of(plain)
    return {public.name: hints[public.name] for public in fields(plain) if public.name[0] != "_"}


def described(expected: Any) -> str:
    """Describe an expected value in words.

    >>> described(Annotated[int, Range(1)])
    'an integer, at least 1'
    """
    plain, condition, *_ = (*unannotated(expected), None)
    if isinstance(condition, OneOf | Matching):
        return str(condition)
    if isinstance(condition, AsText):
        return NAMES[str]
    if get_origin(plain) in UNIONS:
        name = " or ".join(dict.fromkeys(described(one) for one in get_args(plain)))
    elif is_fixed(plain):
        name = f"a list of {len(items_of(plain))}"
    else:
        name = NAMES[plain if plain in NAMES else dict if is_object(plain) else list]
    return name if isinstance(condition, Sized | Index | None) else f"{name}, {condition}"


Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _are_texts(value: object) -> bool:
    return (
        isinstance(value, Iterable)
        and not isinstance(value, str | bytes)
        and all(isinstance(one, str) for one in value)
    )


def _may_be_model(value: object) -> bool:
    return value is None or isinstance(value, str | Path) or hasattr(value, "answers")


_PATH = (lambda value: isinstance(value, str | Path), "a path")
_NAME = (lambda value: isinstance(value, str), "a name")
_TEXTS = (_are_texts, "a list of texts")
_COUNT = (_is_count, "a whole number")
_FUNCTION = (callable, "a function")
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("folder", "data", "output", "settings"), _PATH),
    **dict.fromkeys(("device", "notation", "decoder", "system", "benchmark"), _NAME),
    **dict.fromkeys(("overrides", "metrics", "decoders", "tokens"), _TEXTS),
    **dict.fromkeys(("k_best", "limit", "processes"), _COUNT),
    **dict.fromkeys(("tokenizer", "on_progress", "on_report"), _FUNCTION),
    "min_confidence": (_is_number, "a number"),
    "allow_unknown": (lambda value: isinstance(value, bool), "true or false"),
    "model": (_may_be_model, "a model, or its folder"),
}
"""Test and description of valid arguments by name, for all public functions."""


def checked(function: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
    """Wrap a function so that it raises InputError for arguments of a wrong type."""
    signature = inspect.signature(function)

    @wraps(function)
    def call(*given: Parameters.args, **named: Parameters.kwargs) -> Value:
        for name, value in signature.bind(*given, **named).arguments.items():
            fits, expected = _KINDS.get(name, (lambda _: True, ""))
            optional = signature.parameters[name].default is None
            if not (fits(value) or (optional and value is None)):
                raise InputError(f"{name} = {value!r:.80}: expected {expected}")
        return function(*given, **named)

    return call
