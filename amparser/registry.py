"""Registries of extensions by name.

A registry maps names to objects of one kind (notations, corpus formats, benchmarks, systems,
decoders, metrics). The package's own entries are stored as `module:attribute` and imported when
first used. Other packages add entries as entry points:

    [project.entry-points."amparser.notations"]
    mine = "my_package.notation:NOTATION"

or, for a single process, by calling `register`. The error for an unknown name lists all names.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from amparser.errors import InputError, one_of

Value = TypeVar("Value")


class Registry(Generic[Value]):
    """Objects of one kind by name: built-in entries, entry points, and registered objects.

    >>> numbers = Registry("number", "amparser.numbers", {"pi": "math:pi"})
    >>> numbers["pi"] > 3, numbers.names()
    (True, ('pi',))
    >>> numbers["tau"]
    Traceback (most recent call last):
        ...
    amparser.errors.InputError: unknown number 'tau', expected one of pi

    Args:
        kind: noun for an entry in messages, such as `decoder`.
        group: name of the group of entry points.
        builtin: built-in entries of this package, by name, as `module:attribute`.
    """

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._builtin = dict(builtin)
        self._values: dict[str, Value] = {}

    @cached_property
    def _entry_points(self) -> Mapping[str, EntryPoint]:
        return {
            entry.name: entry
            for entry in entry_points(group=self.group)
            if entry.name not in self._builtin
        }

    def names(self) -> tuple[str, ...]:
        """Return all names without importing any entry."""
        return tuple(dict.fromkeys((*self._builtin, *self._entry_points, *self._values)))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __getitem__(self, name: str) -> Value:
        """Return the object with a name. Raises InputError if the name is unknown."""
        if name not in self._values:
            self._values[name] = self._load(name)
        return self._values[name]

    def values(self) -> list[Value]:
        """Return all objects; this imports all entries."""
        return [self[name] for name in self]

    def register(self, name: str, value: Value) -> None:
        """Add an entry in this process; raise InputError if the name is taken."""
        if name in self:
            raise InputError(f"there is a {self.kind} {name!r} already")
        self._values[name] = value

    def unregister(self, name: str) -> None:
        """Remove an entry that `register` added; ignore any other name."""
        if name not in self._builtin and name not in self._entry_points:
            self._values.pop(name, None)

    def check(self, name: str) -> str:
        """Return the name; raise InputError if it is unknown."""
        if name not in self:
            raise InputError(f"unknown {self.kind} {name!r}, {one_of(name, self)}")
        return name

    def _load(self, name: str) -> Value:
        self.check(name)
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            return cast("Value", getattr(importlib.import_module(module), attribute))
        entry = self._entry_points[name]
        try:
            return cast("Value", entry.load())
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"{self.kind} {name!r}: cannot import {entry.value}: {error}"
            ) from None
