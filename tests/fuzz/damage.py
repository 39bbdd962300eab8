"""Damage, drawn by a seeded generator: of bytes, of words and brackets, of values inside JSON."""

from __future__ import annotations

import copy
import gzip
import json
import re
import sys
from collections.abc import Sequence
from functools import reduce
from operator import getitem
from random import Random
from typing import Any

Place = tuple[Any, ...]
"""Keys and indices from the outermost JSON value to one inside."""

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
CHOICES = (
    "bilstm", "transformer", "fixed-tree", "wrap", "cogs", "penman", "fol", "accuracy", "linear",
    "auto", "lstm", "t5", "layered", "slog", "()", "(s())", "IGNORE", "APP_s",
)  # fmt: skip
"""Values of settings that have a choice."""
SIGNS = [*'.?!,;(=*x_"', "[SEP]", "LAMBDA", "AND", "NOT", "wug"]
"""Signs of notations that may be words, and a word that nobody knows."""
_PARTS = re.compile(rb"\w+|\s|[^\w\s]")
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}", b'"': b'"', b"'": b"'"}
_LARGE = 20_000
"""Bytes of an input above which words and brackets are left alone."""


def damaged(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Return an input near to a valid one, which may be compressed or JSON.

    Args:
        others: valid inputs, of which pieces are taken.
    """
    if data.startswith(b"\x1f\x8b") and dice.random() < 0.8:
        return gzip.compress(damaged(gzip.decompress(data), [data], dice), mtime=0)
    values = json_lines(data)
    if values is None or dice.random() < 0.3:
        change = _bytes if len(data) > _LARGE or dice.random() < 0.3 else _words
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            data = change(data, others, dice)
        return data
    number = dice.randrange(len(values))
    for _ in range(dice.choice((1, 1, 2, 3))):
        # A field of the outermost object is chosen as often as one of those inside.
        place = dice.choice(places(values[number]))[: dice.choice((1, None))]
        values[number] = altered(values[number], place, dice)
    return b"\n".join(map(dumped, values))


def json_lines(data: bytes) -> list[Any] | None:
    """Return the values of JSON lines or of one JSON text; None if it is neither."""
    try:
        return [json.loads(one) for one in (data.splitlines() if b"\n{" in data else [data])]
    except ValueError:
        return None


def _bytes(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    at, end = sorted((dice.randint(0, len(data)), dice.randint(0, len(data))))
    start, rest = data[:at], data[at:]
    match dice.randrange(7):
        case 0 if rest:
            return start + bytes([rest[0] ^ 1 << dice.randrange(8)]) + rest[1:]
        case 1:
            return start + dice.choice(TOKENS) + data[min(end, at + 20) :]
        case 2:
            return start + dice.choice(TOKENS) + rest
        case 3:
            return start
        case 4:
            return start + data[at:end][:200] * dice.choice((2, 3, 50, 700)) + rest
        case 5:
            other = dice.choice(others)
            place = dice.randint(0, len(other))
            return start + other[place : place + dice.randint(1, 60)] + rest
        case _:
            separator = dice.choice((b" ", b"\n"))
            pieces = data.split(separator)
            return separator.join(dice.sample([*pieces, dice.choice(pieces)], 1 + len(pieces)))


def _words(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Replace a piece of a text by another, which is repeated now and then."""
    words, other = _PARTS.findall(data), _PARTS.findall(dice.choice(others))
    start, end = _piece(words, dice)
    from_, to = _piece(other, dice)
    drawn = [dice.choice((*other, *TOKENS)) for _ in range(dice.randint(0, 5))]
    words[start:end] = dice.choice((other[from_:to], drawn)) * dice.choice((1, 1, 1, 2, 40))
    return b"".join(words)


def _piece(words: Sequence[bytes], dice: Random) -> tuple[int, int]:
    """Return start and end of some words, often of those between a bracket and its partner."""
    opening = [i for i, word in enumerate(words) if word in _CLOSING]
    if opening and dice.random() < 0.5:
        start, depth = dice.choice(opening), 0
        for end in range(start, len(words)):
            closes = words[end] == _CLOSING[words[start]] and end > start
            depth += -1 if closes else words[end] == words[start]
            if depth == 0:
                return dice.choice([(start, end + 1), (start + 1, end), (start, start)])
    start = dice.randint(0, len(words))
    return start, min(len(words), start + dice.randint(0, 8))


def places(value: Any, path: Place = ()) -> list[Place]:
    """Return the place of each value in JSON; of long lists and objects those of a few."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    few = items if len(items) < 40 else items[:3] + items[-2:]
    return [path, *(place for key, inner in few for place in places(inner, (*path, key)))]


def altered(value: Any, place: Place, dice: Random) -> Any:
    """Return the JSON value with something else at a place, or with nothing there."""
    if not place:
        return dice.choice(_variants(value))
    value = copy.deepcopy(value)
    *outer, key = place
    holder = reduce(getitem, outer, value)
    if dice.random() < 0.3:
        del holder[key]
    else:
        holder[key] = dice.choice(_variants(holder[key]))
    return value


def _variants(value: Any) -> list[Any]:
    """Return what is tried in the place of a value: strange, near and of other choices."""
    tried: list[Any] = list(VALUES)
    if isinstance(value, bool):
        tried += [not value, int(value)]
    elif isinstance(value, int) and abs(value) < 10**300:
        tried += [value + 1, value - 1, -value, 10**9, 10**15, float(value)]
    elif isinstance(value, float):
        tried += [value + 0.25, -value, 1e300]
    elif isinstance(value, str):
        middle = len(value) // 2
        tried += [f"{value}x", value[:-1], value.upper(), f" {value}", *CHOICES]
        tried += [value[:middle] + sign + value[middle + 1 :] for sign in "()<>:/ \u2028x"]
    elif isinstance(value, list):
        tried += [[*value, *value[:2]], value[1:], value[::-1]]
    elif isinstance(value, dict):
        tried += [{**value, "unknown": 1}]
    return tried


def difference(old: Any, new: Any, path: Place = ()) -> list[Place]:
    """Return the places at which two JSON values differ."""
    pairs: list[tuple[Any, Any, Any]] = []
    if isinstance(old, dict) and isinstance(new, dict):
        missing = object()
        keys = dict.fromkeys([*old, *new])
        pairs = [(key, old.get(key, missing), new.get(key, missing)) for key in keys]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(key, *both) for key, both in enumerate(zip(old, new, strict=True))]
    elif type(old) is not type(new) or old != new:
        return [path]
    return [place for key, *both in pairs for place in difference(*both, (*path, key))]


def dumped(value: Any) -> bytes:
    """Return JSON, whose numbers may be longer than Python writes by itself."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(value).encode("utf-8", "surrogatepass")
    finally:
        sys.set_int_max_str_digits(limit)
