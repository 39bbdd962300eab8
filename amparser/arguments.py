"""Argument checks of public functions: a value of a wrong type is an InputError."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from amparser.errors import InputError

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
    """Wrap a function so that it raises InputError for arguments of a wrong type.

    An argument may be None if that is its default.
    """
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
