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
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

import amparser

SIZES = (10_000, 20_000)
FAST = 0.08
"""Seconds for the longer text, below which nobody asks further."""
RATIO = 3.2
"""A linear search of twice the text takes twice the time, a quadratic one four times."""

_OPTIONAL = ("amparser.nn.allennlp", "amparser.__main__", "amparser.ahead")


def modules() -> Iterator[str]:
    yield from (
        found.name
        for found in pkgutil.walk_packages(amparser.__path__, "amparser.")
        if not found.name.startswith(_OPTIONAL)
    )


class Found(NamedTuple):
    """A pattern: where it is, and whether it is looked for anywhere in a text."""

    place: str
    anywhere: bool


_ANYWHERE = frozenset({"search", "findall", "finditer", "sub", "subn", "split"})


@cache
def trees() -> dict[str, ast.Module]:
    """The source of each module."""
    folder = Path(str(amparser.__file__)).parent
    found = {}
    for name in modules():
        path = folder.joinpath(*name.split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def _looked_for() -> set[tuple[str, str]]:
    """The module and the name of constants whose patterns are looked for anywhere in texts.

    A public name may be used in any module, which is then the empty text.
    """
    found = set()
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in _ANYWHERE:
                value = node.value
                name = value.attr if isinstance(value, ast.Attribute) else ""
                name = value.id if isinstance(value, ast.Name) else name
                found.add((module if name.startswith("_") else "", name))
    return found


@cache
def patterns() -> dict[str, Found]:
    """All patterns of the package by their source."""
    looked_for, found = _looked_for(), dict[str, Found]()

    def add(pattern: str, place: str, anywhere: bool) -> None:
        before = found.get(pattern)
        found[pattern] = Found(place, anywhere or (before is not None and before.anywhere))

    for name, tree in trees().items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for key, value in vars(module).items():
            values = value if isinstance(value, tuple | list) else (value,)
            for one in values:
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    used = (name if key.startswith("_") else "", key)
                    add(one.pattern, f"{name}.{key}", used in looked_for)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (call := _source(node)) is not None:
                text, method = call
                if _is_pattern(text) and method != "compile":
                    add(text, f"{name}:{node.lineno}", method in _ANYWHERE)
    return found


def _source(node: ast.Call) -> tuple[str, str] | None:
    """The pattern and the function in a call of `re` or of `Matching`, if it is written there."""
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        method = function.attr if function.value.id == "re" else ""
    else:
        method = "fullmatch" if isinstance(function, ast.Name) and function.id == "Matching" else ""
    first = node.args[0] if node.args and method else None
    if isinstance(first, ast.Constant) and type(first.value) is str:
        return first.value, method
    return None


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
    dice = random.Random(ascii(pattern))
    letters = letters_of(pattern)
    units = [*letters]
    units += [a + b for a in letters for b in letters if a != b][:40]
    units += ["".join(dice.choice(letters) for _ in range(dice.randint(3, 8))) for _ in range(15)]
    for unit in units:
        body = (unit * (size // len(unit) + 1))[: size - 1]
        yield body + "\x00"
        yield dice.choice(letters) + body


def seconds(compiled: re.Pattern[str], text: str, *, anywhere: bool) -> float:
    """The processor's time of the slower way to use a pattern; a busy machine does not count."""
    slowest = 0.0
    uses = (compiled.match, compiled.findall) if anywhere else (compiled.match, compiled.fullmatch)
    for use in uses:
        started = time.thread_time()
        use(text)
        slowest = max(slowest, time.thread_time() - started)
    return slowest


def problem(pattern: str, *, anywhere: bool, sizes: tuple[int, int] = SIZES) -> str | None:
    """A text for which a pattern takes more than linear time, or None."""
    compiled, (small, large) = re.compile(pattern), sizes
    for number, text in enumerate(hostile_texts(pattern, large)):
        if seconds(compiled, text, anywhere=anywhere) < FAST:
            continue
        # Slow, or the machine is: the ratio of the best of some tells which.
        short = next(islice(hostile_texts(pattern, small), number, None))
        first = seconds(compiled, short, anywhere=anywhere)
        if first > 1:
            return f"{text[:40]!r} takes more than a second"
        times = 7 if first < FAST else 2  # a long time is measured well at once
        best = [
            min(seconds(compiled, one, anywhere=anywhere) for _ in range(times))
            for one in (short, text)
        ]
        if best[1] > FAST and best[1] > RATIO * best[0]:
            return f"{text[:40]!r} takes {best[0]:.3f} s, and twice the text {best[1]:.3f} s"
    return None


@pytest.mark.parametrize("pattern", sorted(patterns()))
def test_a_pattern_takes_linear_time(pattern: str) -> None:
    place, anywhere = patterns()[pattern]
    found = problem(pattern, anywhere=anywhere)
    assert found is None, f"{place}: {found}"


def test_a_quadratic_pattern_is_told_from_a_linear_one() -> None:
    assert len(patterns()) > 60
    assert problem(r"a+$", anywhere=True) is not None
    assert problem(r"a+$", anywhere=False) is None
    # Shorter texts do for a pattern that is slow at each place.
    assert problem(r"(a|b)*(a|b)*c", anywhere=False, sizes=(4_000, 8_000)) is not None
