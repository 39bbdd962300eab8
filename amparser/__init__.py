"""Compositional semantic parsing with AM dependency trees.

One class covers the whole pipeline:

    from amparser import Parser
    parser = Parser.load()
    print(parser("Who did Emma give a cake to?").meaning)

Public names:

    Parser     a trained parser: sentences to meanings
    Result     the answer to one sentence: meaning, tree, graph and roles, or a failure
    check      read training data and report how much of it can be learned
    train      train a parser (or a baseline model) and write its folder
    load       load a trained parser or baseline model
    evaluate   compare a model's answers with gold meanings

Importing this package is cheap: torch is loaded only when one of these names is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amparser.api import check, evaluate, load, train
    from amparser.parser import Parser
    from amparser.results import Result

__version__ = "0.1.0"
__all__ = ["Parser", "Result", "__version__", "check", "evaluate", "load", "train"]

_MODULES = {
    "Parser": "parser",
    "Result": "results",
    "check": "api",
    "evaluate": "api",
    "load": "api",
    "train": "api",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = getattr(import_module(f"amparser.{_MODULES[name]}"), name)
        if not isinstance(value, type):
            value = import_module("amparser.conditions").checked(value)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'amparser' has no attribute {name!r}")
