"""Damage, drawn by a seeded generator: of bytes, of words and brackets, of values inside JSON."""

from __future__ import annotations

import copy
import gzip
import json
import re
from collections.abc import Sequence
from functools import reduce
from operator import getitem
from random import Random
from typing import Any

TOKENS: Sequence[bytes] = (
    b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\t", b" ",
    "\u2028".encode(), "\u00a0".encode(), "\U0001f600".encode(), "e\u0301".encode(), b"\x1b[31m",
    b"9" * 20, b"9" * 5000, b"-1", b"1e999", b"NaN", b"Infinity", b"true", b"null", b"0x1", b"1_0",
    b"(" * 60, b")" * 60, b"[" * 60, b"{" * 60, b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"~e.9",
    b"~e." + b"9" * 5000, b":ARG0", b"-of", b"/", b"*", b"x _ 1", b"x _ 999999999", b"LAMBDA a .",
    b"AND", b"NOT ", b"[SEP]", b"exists x1.", b"all x1.", b"-", b"|", b"&", b"->", b"IGNORE",
    b"ROOT", b"APP_s", b"MOD_s", b"_UNIFY_", b"<root>", b"--LEX--", b"$LEMMA$", b"#no parse:",
    b"# ::snt ", b"../../", b"%each", b"%include", b"/* ", b"//", b"=", b",", b";", b".",
)  # fmt: skip

VALUES: Sequence[Any] = (
    None, True, False, 0, -1, 1, 10**6, 10**10, 10**400, 0.5, -0.5, float("nan"), float("inf"), "",
    "x", "../x", "/tmp/x", "a\nb", "\ud800", "\x00", "()", "(" * 300, "9" * 5000, [], [[]], [1], {},
    {"a": 1}, "somebody/model",
)  # fmt: skip


OTHERS = (
    "bilstm", "transformer", "fixed-tree", "wrap", "cogs", "penman", "fol", "accuracy", "linear",
    "auto", "lstm", "t5", "layered", "slog", "()", "(s())", "IGNORE", "APP_s",
)  # fmt: skip
"""Names of other choices, in fields that have a choice."""
SIGNS = "()<>:/ \u2028x"


_PARTS = re.compile(rb"\w+|\s|[^\w\s]")
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}", b'"': b'"', b"'": b"'"}
_LARGE = 20_000
"""Of a larger input, such as the head of a whole model, only bytes and values are altered."""


def near(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """An input that is near to a valid one, also if that is compressed or JSON.

    Args:
        others: further valid ones, of which pieces are taken.
    """
    if data.startswith(b"\x1f\x8b") and dice.random() < 0.8:
        return gzip.compress(near(gzip.decompress(data), [data], dice), mtime=0)
    if dice.random() < 0.3:
        return mutated(data, others, dice)
    try:
        lines = [json.loads(one) for one in (data.splitlines() if b"\n{" in data else [data])]
    except ValueError:
        return (mutated if len(data) > _LARGE else retold)(data, others, dice)
    number = dice.randrange(len(lines))
    lines[number] = altered_json(lines[number], dice)
    return b"\n".join(map(dumped, lines))


def mutated(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """The bytes after one to four random changes."""
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        data = _changed(data, others, dice)
    return data


def retold(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """A text in which one to four pieces are replaced by others, each once or many times."""
    words = _PARTS.findall(data)
    for _ in range(dice.randint(1, 4)):
        start, end = _piece(words, dice)
        other = _PARTS.findall(dice.choice(others))
        from_, to = _piece(other, dice)
        some = [dice.choice((*other, *TOKENS)) for _ in range(dice.randint(0, 5))]
        new = dice.choice((other[from_:to], some))
        words[start:end] = new * dice.choice((1, 1, 1, 2, 40))
    return b"".join(words)


def _piece(words: Sequence[bytes], dice: Random) -> tuple[int, int]:
    """The start and end of some words, often of what is between a bracket and its partner."""
    opening = [i for i, word in enumerate(words) if word in _CLOSING]
    if opening and dice.random() < 0.5:
        start = dice.choice(opening)
        depth = 0
        for end in range(start, len(words)):
            closes = words[end] == _CLOSING[words[start]] and end > start
            depth += -1 if closes else words[end] == words[start]
            if depth == 0:
                return dice.choice([(start, end + 1), (start + 1, end), (start, start)])
    start = dice.randint(0, len(words))
    return start, min(len(words), start + dice.randint(0, 8))


def altered_json(value: Any, dice: Random) -> Any:
    """A JSON value in which one to three values are others, or are missing."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        place = dice.choice(places(value))
        if place and dice.random() < 0.3:
            value = without(value, place)
        else:
            inner = reduce(getitem, place, value)
            value = altered(value, place, dice.choice(variants(inner)))
    return value


def _changed(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    at, end = sorted((dice.randint(0, len(data)), dice.randint(0, len(data))))
    match dice.randrange(9):
        case 0 if data:
            place = dice.randrange(len(data))
            return data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :]
        case 1:
            return data[:at] + data[min(end, at + 20) :]
        case 2:
            return data[:at] + dice.choice(TOKENS) + data[at:]
        case 3:
            return data[:at] + dice.choice(TOKENS) + data[min(end, at + 8) :]
        case 4:
            return data[:at]
        case 5:
            return data[:at] + data[at:end][:200] * dice.choice((2, 3, 50, 700)) + data[at:]
        case 6:
            other = dice.choice(others)
            start = dice.randint(0, len(other))
            return data[:at] + other[start : start + dice.randint(1, 60)] + data[at:]
        case 7:
            words = data.split(b" ")
            dice.shuffle(words)
            return b" ".join(words)
        case _:
            lines = data.split(b"\n")
            lines.insert(dice.randint(0, len(lines)), dice.choice(lines))
            return b"\n".join(lines)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of each value inside JSON; of long lists and objects the first and last few."""
    found = [path]
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, inner in items if len(items) < 40 else items[:3] + items[-2:]:
        found += places(inner, (*path, key))
    return found


def altered(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """The JSON value with another value at a place."""
    if not place:
        return new
    value = copy.copy(value)
    value[place[0]] = altered(value[place[0]], place[1:], new)
    return value


def without(value: Any, place: tuple[Any, ...]) -> Any:
    """The JSON value without what is at a place."""
    value = copy.copy(value)
    if len(place) == 1:
        del value[place[0]]
    else:
        value[place[0]] = without(value[place[0]], place[1:])
    return value


def variants(value: Any) -> list[Any]:
    """What is tried in the place of a value: strange ones, names of other choices, near ones."""
    tried: list[Any] = list(VALUES)
    if type(value) is int:
        tried += [value + 1, value - 1, -value, 10**9, 10**15]
        tried += [float(value)] if abs(value) < 10**300 else []
    elif type(value) is bool:
        tried += [not value, int(value)]
    elif type(value) is float:
        tried += [value + 0.25, -value, 1e300]
    elif isinstance(value, str):
        tried += [f"{value}x", value[:-1], value.upper(), f" {value}", *OTHERS]
        tried += [value[: len(value) // 2] + sign + value[len(value) // 2 + 1 :] for sign in SIGNS]
    elif isinstance(value, list):
        tried += [[*value, *value[:2]], value[1:], value[::-1]]
    elif isinstance(value, dict):
        tried += [{**value, "unknown": 1}]
    return tried


def dumped(value: Any) -> bytes:
    """JSON, whose numbers may be longer than Python writes by itself."""
    import sys

    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(value).encode("utf-8", "surrogatepass")
    finally:
        sys.set_int_max_str_digits(limit)
