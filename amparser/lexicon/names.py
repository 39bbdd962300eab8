"""Names in WordNet 3.0 (Miller 1995) with their kinds and synonyms.

The files in the package were written by `tests/benchmarks/distil_wordnet.py`.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).with_name("names.txt.gz")
_OTHER_NAMES = Path(__file__).with_name("other_names.txt.gz")


class Kind(NamedTuple):
    """Kind of named entity, such as `river`; `above` is the index of the next more general kind."""

    name: str
    above: int | None


def spans(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the (start, end) spans of names in a sentence, from 0, end exclusive.

    From left to right, the longest name is matched. Capitals matter: `US` is a country, `us` is
    not.

    >>> spans("Is Salt Lake City near us ?".split())
    [(1, 4)]
    """
    names, longest = read()[1], _longest()
    found, end = [], 0
    for start, token in enumerate(tokens):
        if start < end:
            continue
        for size in range(min(longest.get(token, 0), len(tokens) - start), 0, -1):
            if " ".join(tokens[start : start + size]) in names:
                end = start + size
                found.append((start, end))
                break
    return found


@cache
def read() -> tuple[tuple[Kind, ...], dict[str, str]]:
    """Return all kinds, and for each name the indices of its kinds as text, such as `3,5;7`.

    `;` separates the senses of the name, `,` the kinds of one sense.
    """
    kinds, names = gzip.decompress(PATH.read_bytes()).decode().split("\n\n")
    rows = (line.split("\t") for line in kinds.split("\n"))
    numbered = tuple(Kind(name, int(above) if above else None) for name, above in rows)
    return numbered, dict(line.split("\t") for line in names.split("\n"))


@cache
def _longest() -> dict[str, int]:
    longest: dict[str, int] = defaultdict(int)
    for name in read()[1]:
        first, *others = name.split(" ")
        longest[first] = max(longest[first], 1 + len(others))
    return dict(longest)


def other_names(name: str) -> tuple[str, ...]:
    """Return the synonyms of a name, which may be in lower case.

    >>> "USA" in other_names("United States"), other_names("massachusetts")[:3]
    (True, ('Bay State', 'Old Colony', 'MA'))
    """
    return _groups().get(name) or _groups().get(name.title(), ())


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in gzip.decompress(_OTHER_NAMES.read_bytes()).decode().split("\n"):
        group = line.split("\t")
        for name in group:
            found.setdefault(name, {}).update(dict.fromkeys(group))
    return {name: tuple(other for other in group if other != name) for name, group in found.items()}
