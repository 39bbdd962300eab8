"""What names are known to name: `New Mexico` an American state, `Ohio` also a river.

The package has the names of WordNet (Miller 1995): of places, persons, groups and others, with the
kinds of their senses (`tests/benchmarks/distil_wordnet.py`). The vector of a name adds up fixed
signs for these kinds and for those above them; the commonest sense counts most.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from amparser.nn.vectors.source import InPackage, SignVectors

_FILE = Path(__file__).with_name("names.txt.gz")
_LEVELS = 4
"""So many kinds, each above the one before, are read."""


class Names(InPackage, SignVectors):
    """The names of a file; a `NameSource`.

    Names have the capitals that the file has: `US` is a country, `us` is not.
    """

    def __init__(self, name: str, path: Path, licence: str, size: int) -> None:
        InPackage.__init__(self, name, path, licence)
        SignVectors.__init__(self, size)

    @cached_property
    def _read(self) -> tuple[list[list[str]], dict[str, str]]:
        """Kinds, each with the number of the one above it, and the kinds of each name."""
        kinds, names = gzip.decompress(self.content).decode().split("\n\n")
        above = [line.split("\t") for line in kinds.split("\n")]
        return above, dict(line.split("\t") for line in names.split("\n"))

    @cached_property
    def _longest(self) -> dict[str, int]:
        """How many words a name has at most, by the first."""
        longest: dict[str, int] = defaultdict(int)
        for name in self._read[1]:
            first, *others = name.split(" ")
            longest[first] = max(longest[first], 1 + len(others))
        return dict(longest)

    def spans(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """See `NameSource`."""
        names = self._read[1]
        found, end = [], 0
        for start, token in enumerate(tokens):
            if start < end:
                continue
            for size in range(min(self._longest.get(token, 0), len(tokens) - start), 0, -1):
                if " ".join(tokens[start : start + size]) in names:
                    end = start + size
                    found.append((start, end))
                    break
        return found

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`; nothing of what is no name."""
        kinds, names = self._read
        weights: dict[str, float] = defaultdict(float)
        senses = names[word].split(";") if word in names else ()
        for number, sense in enumerate(senses, 1):
            for kind in sense.split(","):
                for level in range(_LEVELS):
                    if kind:
                        what, kind = kinds[int(kind)]
                        weights[what] += 1 / number / (1 + level)
        return weights


NAMES = Names("names", _FILE, "WordNet licence", 128)
