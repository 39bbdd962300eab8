"""Conditions in the type annotations of values that `amparser.schema` reads.

The method `admits` of a condition tests a value that has the right type; `str` of a condition
completes a message that begins with "expected".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Sized as HasLength
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any


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


Count = Annotated[int, Range(0)]
# A name becomes part of a file name, so it must not lead to another folder.
Name = Annotated[
    str, Matching(r"[\w+-][\w.+ -]{0,199}", "a name of letters, digits and any of . + - _")
]
