"""Other names of what a name is known to name: `USA` of `United States`, `MA` of `Massachusetts`.

They are those of WordNet 3.0 (Miller 1995); `tests/benchmarks/distil_wordnet.py` writes the file.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".txt.gz")


def other_names(name: str) -> tuple[str, ...]:
    """The other names of all that a name may name; it has its capitals, or none.

    >>> "USA" in other_names("United States"), other_names("massachusetts")[:3]
    (True, ('Bay State', 'Old Colony', 'MA'))
    """
    return _read().get(name) or _read().get(name.title(), ())


@cache
def _read() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in gzip.decompress(_FILE.read_bytes()).decode().split("\n"):
        group = line.split("\t")
        for name in group:
            found.setdefault(name, {}).update(dict.fromkeys(group))
    return {name: tuple(other for other in group if other != name) for name, group in found.items()}
