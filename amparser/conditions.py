"""Conditions on values beyond their types, which stand in annotations (`amparser.schema`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Sized as HasLength
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Protocol


class Names(Protocol):
    """A container of names, which is asked for one without listing all."""

    def __contains__(self, name: object, /) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...


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
        names: a registry, or any other container of names that lists them.
        or_empty: whether the empty text is allowed too.
    """

    names: Names
    or_empty: bool = False

    def admits(self, value: object) -> bool:
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
    """

    names: Iterable[str]

    def admits(self, value: str) -> bool:
        """Whether a text has these names alone."""
        words = value.split()
        return {*words} <= {*self.names} and len({*words}) == len(words)

    def __str__(self) -> str:
        return f"some of {', '.join(self.names)}, separated by spaces"


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
