"""Cached functions that can be pickled."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")


class Remembered(Generic[Arguments, Value]):
    """Function with an `lru_cache`; pickling omits the cache."""

    def __init__(self, function: Callable[Arguments, Value], most: int = 1 << 16) -> None:
        self.function, self.most = function, most
        self._kept: Callable[Arguments, Value] = lru_cache(most)(function)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """Return the function's value, from the cache if possible."""
        return self._kept(*args, **kwargs)

    def __reduce__(self) -> tuple[type, tuple[Callable[Arguments, Value], int]]:
        return Remembered, (self.function, self.most)
