"""What the annotation of a value that is read says (`amparser.schema`)."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
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

from amparser.conditions import AsText, Count, Index, Matching, OneOf, Sized

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

    >>> from amparser.conditions import Range
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
