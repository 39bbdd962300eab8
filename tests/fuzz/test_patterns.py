"""No regular expression of the package takes more than linear time.

Patterns are values of modules, and texts in calls of `re` and of `Matching`. Each reads texts of
10,000 and 20,000 characters that are made to make it try again and again: its own characters,
repeated, with an end that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import amparser

SIZES = (10_000, 20_000)
FAST = 0.08
"""Seconds for the longer text, below which nobody asks further."""
RATIO = 3.2
"""A linear search of twice the text takes twice the time, a quadratic one four times."""
_ANYWHERE = ("search", "findall", "finditer", "sub", "subn", "split")
_LEFT_OUT = ("amparser.nn.allennlp", "amparser.__main__")


@cache
def patterns() -> dict[str, bool]:
    found: dict[str, bool] = {}
    modules = {}
    for info in pkgutil.walk_packages(amparser.__path__, "amparser."):
        if not info.name.startswith(_LEFT_OUT):
            try:
                modules[info.name] = importlib.import_module(info.name)
            except ImportError:  # an extra
                continue
    sources = {name: inspect.getsource(module) for name, module in modules.items()}
    uses = {
        name: set(re.findall(rf"(\w+)\.(?:{'|'.join(_ANYWHERE)})\(", source))
        for name, source in sources.items()
    }
    everywhere = set().union(*uses.values())
    for name, module in modules.items():
        for key, value in vars(module).items():
            for one in value if isinstance(value, tuple | list) else (value,):
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    used = uses[name] if key.startswith("_") else everywhere
                    found[one.pattern] = found.get(one.pattern, False) or key in used
        for node in ast.walk(ast.parse(sources[name])):
            if isinstance(node, ast.Call) and (call := _literal(node)) is not None:
                text, method = call
                found[text] = found.get(text, False) or method in _ANYWHERE
    return found


def _literal(node: ast.Call) -> tuple[str, str] | None:
    """Return the pattern and the function in a call of `re` or `Matching` with a literal."""
    called, first = ast.unparse(node.func), next(iter(node.args), None)
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        if called == "Matching":
            return first.value, "fullmatch"
        if called.startswith("re.") and called != "re.escape":
            return first.value, called.removeprefix("re.")
    return None


def hostile_texts(pattern: str, size: int) -> Iterator[str]:
    """Yield texts that make a careless pattern go back and forth."""
    dice = Random(ascii(pattern))
    plain = dict.fromkeys(re.sub(r"\\[wdsbWDSB]|\\", "", pattern))
    letters = [*dict.fromkeys([*[*plain][:20], "a", " ", "1", "\n"])]
    pairs = [a + b for a in letters for b in letters if a != b]
    units = [*letters, *dice.sample(pairs, min(20, len(pairs)))]
    units += ["".join(dice.choices(letters, k=dice.randint(3, 8))) for _ in range(8)]
    for unit in units:
        body = (unit * (size // len(unit) + 1))[: size - 1]
        yield body + "\x00"
        yield dice.choice(letters) + body


def seconds(compiled: re.Pattern[str], text: str, *, anywhere: bool) -> float:
    """Return the time of the processor of the slower way to use a pattern."""
    slowest = 0.0
    for use in (compiled.match, compiled.findall if anywhere else compiled.fullmatch):
        started = time.thread_time()
        use(text)
        slowest = max(slowest, time.thread_time() - started)
    return slowest


def problem(pattern: str, *, anywhere: bool, sizes: tuple[int, int] = SIZES) -> str | None:
    """Return a text for which a pattern takes more than linear time, or None."""
    compiled, (small, large) = re.compile(pattern), sizes
    texts = zip(hostile_texts(pattern, small), hostile_texts(pattern, large), strict=True)
    for short, text in texts:
        if seconds(compiled, text, anywhere=anywhere) < FAST:
            continue
        # Slow, or the machine is: the ratio of the best of some tells which.
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
def test_a_pattern_takes_linear_time(pattern) -> None:
    assert problem(pattern, anywhere=patterns()[pattern]) is None


def test_a_quadratic_pattern_is_told_from_a_linear_one() -> None:
    assert len(patterns()) > 60
    # A loaded machine may hide the ratio once.
    assert any(problem(r"a+$", anywhere=True) for _ in range(3))
    assert problem(r"a+$", anywhere=False) is None
    # Shorter texts do for a pattern that is slow at each place.
    assert problem(r"(a|b)*(a|b)*c", anywhere=False, sizes=(4_000, 8_000)) is not None
