"""No regular expression of the package takes more than linear time.

All that the package compiles are found: as values of modules, and as texts in calls of `re`. Each
reads texts of 10,000 and 20,000 characters that are made to make it try again and again: parts of
its own, repeated, with an end that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import re._parser as sre  # type: ignore[import-not-found]
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import amparser
from amparser.schema import Matching

SIZES = (10_000, 20_000)
LIMIT = 0.25
"""Seconds for the longer text; a quadratic search of 20,000 characters takes longer."""
RATIO = 3.2
"""A linear search of twice the text takes twice the time, a quadratic one four times."""

_OPTIONAL = ("amparser.nn.allennlp", "amparser.__main__", "amparser.decode.__main__")


def modules() -> Iterator[str]:
    yield from (
        found.name
        for found in pkgutil.walk_packages(amparser.__path__, "amparser.")
        if not found.name.startswith(_OPTIONAL)
    )


@cache
def patterns() -> dict[str, str]:
    """The source of each pattern, with the place of one that has it."""
    found: dict[str, str] = {}
    for name in modules():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for key, value in vars(module).items():
            values = value if isinstance(value, tuple | list) else (value,)
            for one in values:
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    found.setdefault(one.pattern, f"{name}.{key}")
                elif isinstance(one, Matching):
                    found.setdefault(one.pattern, f"{name}.{key}")
        path = Path(str(module.__file__))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and (text := _source(node)) is not None
                and _is_pattern(text)
            ):
                found.setdefault(text, f"{name}:{node.lineno}")
    return found


def _source(node: ast.Call) -> str | None:
    """The pattern in a call of `re` or of `Matching`, if it is written there."""
    function = node.func
    named = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    of_re = named and function.value.id == "re"  # type: ignore[union-attr]
    if not of_re and not (isinstance(function, ast.Name) and function.id == "Matching"):
        return None
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Constant) and type(first.value) is str else None


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def letters_of(pattern: str) -> list[str]:
    """Characters that the pattern names, one for each class, and some that it does not."""
    found: dict[str, None] = {}

    def visit(items: object) -> None:
        for kind, value in items:  # type: ignore[attr-defined]
            name = str(kind)
            if name == "LITERAL":
                found[chr(value)] = None
            elif name == "NOT_LITERAL":
                found[chr((value + 1) % 0x110000 or 65)] = None
            elif name == "RANGE":
                found[chr(value[0])] = None
                found[chr(value[1])] = None
            elif name == "IN":
                visit(value)
            elif name == "CATEGORY":
                found.update(
                    dict.fromkeys(
                        {"SPACE": " ", "DIGIT": "1"}.get(str(value).rpartition("_")[2], "a")
                    )
                )
            elif name == "SUBPATTERN":
                visit(value[3])
            elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
                visit(value[2])
            elif name in ("ASSERT", "ASSERT_NOT"):
                visit(value[1])
            elif name == "BRANCH":
                for branch in value[1]:
                    visit(branch)
            elif name == "ATOMIC_GROUP":
                visit(value)

    visit(sre.parse(pattern))
    return [*dict.fromkeys([*list(found)[:14], "a", " ", "1"])]


def hostile_texts(pattern: str, size: int) -> Iterator[str]:
    """Texts that make a careless pattern go back and forth."""
    dice = random.Random(pattern)
    letters = letters_of(pattern)
    units = [*letters]
    units += [a + b for a in letters for b in letters if a != b][:60]
    units += ["".join(dice.choice(letters) for _ in range(dice.randint(3, 8))) for _ in range(30)]
    for unit in units:
        body = (unit * (size // len(unit) + 1))[: size - 1]
        yield body + "\x00"
        yield dice.choice(letters) + body


def seconds(compiled: re.Pattern[str], text: str) -> float:
    """The time of the slowest way to use a pattern."""
    slowest = 0.0
    for use in (compiled.match, compiled.fullmatch, compiled.search, compiled.sub):
        started = time.perf_counter()
        use("", text) if use is compiled.sub else use(text)  # type: ignore[operator, call-arg]
        slowest = max(slowest, time.perf_counter() - started)
    return slowest


@pytest.mark.parametrize("pattern", sorted(patterns()))
def test_a_pattern_takes_linear_time(pattern: str) -> None:
    compiled = re.compile(pattern)
    small, large = SIZES
    for short, text in zip(
        hostile_texts(pattern, small), hostile_texts(pattern, large), strict=True
    ):
        if seconds(compiled, text) < 0.03:
            continue
        # Slow, or the machine is: the ratio of the best of three tells which.
        best = [min(seconds(compiled, one) for _ in range(3)) for one in (short, text)]
        if best[1] < 0.03:
            continue
        where = f"{patterns()[pattern]}: {text[:40]!r} takes {best[1]:.2f} s"
        assert best[1] < LIMIT, where
        assert best[1] < RATIO * best[0], where


def test_the_patterns_are_found() -> None:
    assert len(patterns()) > 60


def test_a_quadratic_pattern_is_told_from_a_linear_one() -> None:
    text = "a" * SIZES[1]
    assert seconds(re.compile(r"a+$"), text + "b") > 0.03
    assert seconds(re.compile(r"[a-z]++"), text) < 0.03
