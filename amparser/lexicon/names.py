"""Names of places, persons, groups and others, the kinds of what they name, and its other names.

They are those of WordNet 3.0 (Miller 1995); `tests/benchmarks/distil_wordnet.py` writes the files.
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
    """A kind of things.

    Attributes:
        name: such as `river`.
        above: the number of the kind above it, if any.
    """

    name: str
    above: int | None


def spans(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Where the names of a sentence begin and end, from the left; the longest is taken.

    Names have the capitals that the file has: `US` is a country, `us` is not.

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
    """All kinds, and for each name their numbers: `;` between senses, `,` between kinds of one."""
    kinds, names = gzip.decompress(PATH.read_bytes()).decode().split("\n\n")
    rows = (line.split("\t") for line in kinds.split("\n"))
    numbered = tuple(Kind(name, int(above) if above else None) for name, above in rows)
    return numbered, dict(line.split("\t") for line in names.split("\n"))


@cache
def _longest() -> dict[str, int]:
    """How many words a name has at most, by the first."""
    longest: dict[str, int] = defaultdict(int)
    for name in read()[1]:
        first, *others = name.split(" ")
        longest[first] = max(longest[first], 1 + len(others))
    return dict(longest)


def other_names(name: str) -> tuple[str, ...]:
    """Return the other names of all that a name may name; it has its capitals, or none.

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
