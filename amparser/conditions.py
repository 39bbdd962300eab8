"""Conditions on values in type annotations, such as `Annotated[int, Range(1)]`.

`amparser.schema` reads these annotations. `admits` tests a value of the right type; `str` of a
condition, such as `at least 1`, completes a message that begins with "expected".
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence, Sized as HasLength
from dataclasses import dataclass
from functools import wraps
from math import inf
from numbers import Integral, Real
from pathlib import Path
from typing import (
    Annotated,
    Any,
    ParamSpec,
    TypeVar,
)

from amparser.errors import InputError


@dataclass(frozen=True, slots=True)
class Range:
    """Condition that a number is at least `minimum`, at most `maximum` and less than `below`."""

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
    """Condition that a text is one of the given names.

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
    """Condition that a text consists of distinct names, separated by spaces; it may be empty.

    Attributes:
        names: a registry, or any collection of names.
        instead: a word that is allowed in place of the names, such as `auto`; empty if none is.
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
    """Condition that a whole text matches a regular expression.

    Attributes:
        about: description of the text, which completes "expected ...".
    """

    pattern: str
    about: str

    def admits(self, value: str) -> bool:
        """Return whether the text matches."""
        return re.fullmatch(self.pattern, value) is not None

    def __str__(self) -> str:
        return self.about


class Filled:
    """Condition that a text, list or object is not empty."""

    def admits(self, value: HasLength) -> bool:
        """Return whether the value is not empty."""
        return len(value) > 0

    def __str__(self) -> str:
        return "not empty"


class Different:
    """Condition that the values of a list are distinct."""

    def admits(self, value: Sequence[Any]) -> bool:
        """Return whether all values are distinct."""
        return len(set(value)) == len(value)

    def __str__(self) -> str:
        return "without repetitions"


class Sized:
    """Condition that names the length of a list: lists with the same name must be equally long.

    For example, `words` and `counts` of a vocabulary are both `Sized("word")`. An array has a name
    for each dimension. A name has one length per object; another object may reuse the name.
    """

    def __init__(self, *names: str) -> None:
        self.names = names


@dataclass(frozen=True)
class Index:
    """Condition that an index (from 0) is less than the length of a list named by `Sized`."""

    of: str


@dataclass(frozen=True)
class AsText:
    """Value that is stored as text.

    Attributes:
        from_str: function that reads the value; raises AMParserError.
    """

    to_str: Callable[[Any], str]
    from_str: Callable[[str], Any]


Count = Annotated[int, Range(0)]
# Names become parts of file names, so they must not contain path separators.
Name = Annotated[
    str, Matching(r"[\w+-][\w.+ -]{0,199}", "a name of letters, digits and any of . + - _")
]

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")

_TEXTS = "a list of texts"
_KINDS: dict[tuple[str, ...], tuple[Any, str]] = {
    ("folder", "data", "output", "settings"): ((str, Path), "a path"),
    ("device", "notation", "decoder", "system", "benchmark"): (str, "a name"),
    ("overrides", "metrics", "decoders", "tokens"): (Iterable, _TEXTS),
    ("k_best", "limit", "processes"): (Integral, "a whole number"),
    ("tokenizer", "on_progress", "on_report"): (Callable, "a function"),
    ("min_confidence",): (Real, "a number"),
    ("allow_unknown",): (bool, "true or false"),
    ("model",): (object, "a model, or its folder"),
}
"""For arguments of the public functions: expected type, and its description in messages."""
_BY_NAME = {name: kind for names, kind in _KINDS.items() for name in names}


def _fits(value: Any, name: str) -> bool:
    kind, expected = _BY_NAME.get(name, (object, ""))
    if kind in (Integral, Real) and isinstance(value, bool):
        return False
    if name == "model":
        return value is None or isinstance(value, str | Path) or hasattr(value, "answers")
    if expected == _TEXTS and isinstance(value, Iterable):
        return not isinstance(value, str | bytes) and all(isinstance(one, str) for one in value)
    return isinstance(value, kind)


def checked(function: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
    """Wrap a function so that it raises InputError for arguments of a wrong type."""
    signature = inspect.signature(function)

    @wraps(function)
    def call(*given: Parameters.args, **named: Parameters.kwargs) -> Value:
        for name, value in signature.bind(*given, **named).arguments.items():
            optional = signature.parameters[name].default is None
            if not (_fits(value, name) or (optional and value is None)):
                raise InputError(f"{name} = {value!r:.80}: expected {_BY_NAME[name][1]}")
        return function(*given, **named)

    return call
