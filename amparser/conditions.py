"""Annotations of values that are read (`amparser.schema`): types, and conditions beyond them.

A condition has `admits`, which says whether a value of the right type is allowed, and a text that
continues "expected ...".
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Sized as HasLength
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from math import inf
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)


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
        names: a registry, or any other container of names that lists them.
        or_empty: whether the empty text is allowed too.
    """

    names: Iterable[str]
    or_empty: bool = False

    def admits(self, value: str) -> bool:
        """Whether a value is one of the names."""
        return (self.or_empty and value == "") or value in self.names

    def __str__(self) -> str:
        text = f"one of {', '.join(self.names)}"
        return f"{text}, or empty" if self.or_empty else text


@dataclass(frozen=True, slots=True)
class SomeOf:
    """The words of a text, which may be empty, must be different names of some.

    Attributes:
        names: a registry, or any other collection of names.
        instead: a word that may stand in place of names; empty for none.
    """

    names: Iterable[str]
    instead: str = ""

    def admits(self, value: str) -> bool:
        """Whether a text has these names alone."""
        words = value.split()
        if value and value == self.instead:
            return True
        return {*words} <= {*self.names} and len({*words}) == len(words)

    def __str__(self) -> str:
        names = f"some of {', '.join(self.names)}, separated by spaces"
        return f"{names}, or {self.instead}" if self.instead else names


@dataclass(frozen=True, slots=True)
class Matching:
    """A text must match a regular expression as a whole.

    Attributes:
        about: what it stands for, as in "expected ...".
    """

    pattern: str
    about: str

    def admits(self, value: str) -> bool:
        """Whether the text matches."""
        return re.fullmatch(self.pattern, value) is not None

    def __str__(self) -> str:
        return self.about


class Filled:
    """A text, list or object must not be empty."""

    def admits(self, value: HasLength) -> bool:
        """Whether there is something in it."""
        return len(value) > 0

    def __str__(self) -> str:
        return "not empty"


class Different:
    """The values of a list must differ."""

    def admits(self, value: Sequence[Any]) -> bool:
        """Whether none is there twice."""
        return len(set(value)) == len(value)

    def __str__(self) -> str:
        return "each of them once"


class Sized:
    """The length of a list has a name, and all lists of this name have the same length.

    The lengths of an array have a name each. A name holds inside the item of a list or object that
    it is first seen in.
    """

    def __init__(self, *names: str) -> None:
        self.names = names


@dataclass(frozen=True)
class Index:
    """A number from 0 must be below a length that `Sized` names."""

    of: str


@dataclass(frozen=True)
class AsText:
    """A value is kept as a text.

    Attributes:
        from_str: reads it; raises AMParserError.
    """

    to_str: Callable[[Any], str]
    from_str: Callable[[str], Any]


FILE_NAME = Matching(r"[\w+-][\w.+ -]{0,199}", "a name of letters, digits and any of . + - _")
"""A name that becomes part of the name of a file, and so must lead to no other folder."""
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
    """The type alone, and the conditions on its values."""
    if get_origin(expected) is Annotated:
        return get_args(expected)
    if get_origin(expected) is Literal:
        return str, OneOf(get_args(expected))
    return (expected,)


def is_mapping(origin: Any) -> bool:
    """Whether a generic type is one of mappings."""
    return isinstance(origin, type) and issubclass(origin, Mapping)


def is_object(plain: Any) -> bool:
    """Whether JSON objects stand for objects of a type."""
    if is_mapping(get_origin(plain)):
        return is_text(of_mapping(plain)[0])
    return is_dataclass(plain) or is_typeddict(plain)


def of_mapping(plain: Any) -> tuple[Any, Any]:
    """The types of keys and values; a counter has counts."""
    of_keys, *of_values = get_args(plain)
    return of_keys, of_values[0] if of_values else Count


def is_text(expected: Any) -> bool:
    """Whether values of a type are text."""
    return unannotated(expected)[0] is str


def is_array(origin: Any) -> bool:
    """Whether a generic type is one of arrays."""
    # NumPy need not be there where no array is. From 2.5 on its `NDArray` is a named alias.
    return getattr(origin, "__name__", "") in ("ndarray", "NDArray")


def is_fixed(plain: Any) -> bool:
    """Whether it is a list of fixed length."""
    is_open = get_args(plain)[-1:] == (Ellipsis,)
    return hasattr(plain, "_fields") or (get_origin(plain) is tuple and not is_open)


@cache
def items_of(plain: Any) -> tuple[Any, ...]:
    """The types of the values in a list of fixed length."""
    return get_args(plain) if get_origin(plain) is tuple else tuple(hints_of(plain).values())


@cache
def hints_of(plain: Any) -> dict[str, Any]:
    """The types of a class's annotations by name."""
    return get_type_hints(plain, include_extras=True)


@cache
def kept_fields(plain: Any) -> dict[str, Any]:
    """The types of the public fields of a dataclass."""
    hints = hints_of(plain)
    return {one.name: hints[one.name] for one in fields(plain) if one.name[0] != "_"}


def described(expected: Any) -> str:
    """What is expected, in words.

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
