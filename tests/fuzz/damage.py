"""Damage, drawn by a seeded generator: of bytes, of words and brackets, of values inside JSON."""

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
_WORDS, _BYTES = re.compile(rb"\w+|\s|[^\w\s]"), re.compile(rb".", re.DOTALL)
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}", b'"': b'"', b"'": b"'"}
_LARGE = 20_000
"""Bytes of an input that are altered at once."""


def damaged(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Return an input near to a valid one, with pieces of others; it may be compressed or JSON."""
    if data.startswith(b"\x1f\x8b") and dice.random() < 0.8:
        return gzip.compress(damaged(gzip.decompress(data), [data], dice), mtime=0)
    values = json_lines(data)
    if values is None or dice.random() < 0.3:
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            data = _rewritten(data, others, dice)
        return data
    number = dice.randrange(len(values))
    for _ in range(dice.choice((1, 1, 2, 3))):
        # A field of the outermost object is chosen as often as one of those inside.
        place = dice.choice(places(values[number]))[: dice.choice((1, None))]
        values[number] = altered(values[number], place, dice)
    return b"\n".join(map(dumped, values))


def json_lines(data: bytes) -> list[Any] | None:
    try:
        return [json.loads(one) for one in (data.splitlines() if b"\n{" in data else [data])]
    except ValueError:
        return None


def _rewritten(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Replace a piece of an input, which is words or bytes, by others or by nothing."""
    at = dice.randrange(len(data)) if len(data) > _LARGE else 0
    before, data, behind = data[:at], data[at : at + _LARGE], data[at + _LARGE :]
    cut = _WORDS if dice.random() < 0.6 else _BYTES
    pieces, other = cut.findall(data), cut.findall(dice.choice(others)[:_LARGE])
    start, end = _piece(pieces, dice)
    from_, to = _piece(other, dice)
    match dice.randrange(6):
        case 0:
            pieces[start:end] = other[from_:to]
        case 1:
            pieces[start:end] = [dice.choice((*other, *TOKENS)) for _ in range(dice.randint(0, 5))]
        case 2:
            pieces[start:end] = pieces[start:end] * dice.choice((2, 3, 40, 700))
        case 3 if pieces:
            word = bytearray(pieces[(start or 1) - 1])
            word[dice.randrange(len(word))] ^= 1 << dice.randrange(8)
            pieces[(start or 1) - 1] = bytes(word)
        case 4:
            del pieces[start:]
            behind = b""
        case _:
            lines = data.split(separator := dice.choice((b" ", b"\n")))
            pieces = [separator.join(dice.sample([*lines, dice.choice(lines)], 1 + len(lines)))]
    return before + b"".join(pieces) + behind


def _piece(pieces: Sequence[bytes], dice: Random) -> tuple[int, int]:
    opening = [i for i, piece in enumerate(pieces) if piece in _CLOSING]
    if opening and dice.random() < 0.5:
        start, depth = dice.choice(opening), 0
        for end in range(start, len(pieces)):
            closes = pieces[end] == _CLOSING[pieces[start]] and end > start
            depth += -1 if closes else pieces[end] == pieces[start]
            if depth == 0:
                return dice.choice([(start, end + 1), (start + 1, end), (start, start)])
    start = dice.randint(0, len(pieces))
    return start, min(len(pieces), start + dice.randint(0, 8))


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


def dumped(value: Any) -> bytes:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(value).encode("utf-8", "surrogatepass")
    finally:
        sys.set_int_max_str_digits(limit)
