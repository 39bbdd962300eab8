"""Units: pieces of tokens at whose boundaries annotated words begin and end.

Raw text does not show that `can't` is two words and `New York` is one. A token is split wherever
its characters suggest a word; endings such as `'s` and prefixes such as `l'` are learned from the
corpus. Units that were split too finely are joined by the operation `PRECEDE`
(`amparser.algebra.derivation`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from amparser.conditions import Filled

_UNIT = re.compile(r"[^\W_]+(?:['\u2019.,:/][^\W_]+)*|\S")
_CLOSING = frozenset(".,;:!?%)")


@dataclass(frozen=True)
class Unit:
    """Unit: its text, whether a space is missing before it, and its token (from 0)."""

    text: str
    glued: bool
    token: int


@dataclass(frozen=True)
class Splitter:
    """Splitter of tokens into units; `endings` and `prefixes` are in lower case."""

    endings: tuple[Annotated[str, Filled()], ...] = ()
    prefixes: tuple[Annotated[str, Filled()], ...] = ()

    def units(self, tokens: Sequence[str]) -> tuple[Unit, ...]:
        """Split the tokens of a sentence; each token yields at least one unit."""
        found: list[Unit] = []
        for number, token in enumerate(tokens):
            pieces = self._pieces(token)
            for i, piece in enumerate(pieces):
                glued = bool(found) and (i > 0 or piece in _CLOSING)
                found.append(Unit(piece, glued, number))
        return tuple(found)

    def _pieces(self, token: str) -> list[str]:
        lower = token.lower()
        if lower in self.endings or lower in self.prefixes:
            return [token]
        for prefix in self.prefixes if lower.startswith(self.prefixes) else ():
            cut = len(prefix)
            if lower.startswith(prefix) and len(lower) > cut:
                return [token[:cut], *self._pieces(token[cut:])]
        for ending in self.endings if lower.endswith(self.endings) else ():
            if lower.endswith(ending) and len(lower) > len(ending):
                cut = len(token) - len(ending)
                return [*_UNIT.findall(token[:cut]), token[cut:]]
        return _UNIT.findall(token) or [token]


def splitter_of(rows: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Splitter:
    """Learn endings and prefixes from the tokens and words of each sentence."""
    endings: Counter[str] = Counter()
    prefixes: Counter[str] = Counter()
    for tokens, words in rows:
        ends = {end for _, end in _spans(words)}
        if "".join(tokens) != "".join(words).replace(" ", ""):
            continue
        for token, (start, end) in zip(tokens, _spans(tokens), strict=True):
            inside = [cut for cut in ends if start < cut < end]
            if inside:
                last = token[max(inside) - start :].lower()
                if len(last) > 1 and not last.isalnum():
                    endings[last] += 1
                first = token[: min(inside) - start].lower()
                if len(first) > 1 and first[:-1].isalnum() and not first.isalnum():
                    prefixes[first] += 1
    return Splitter(_longest_first(endings), _longest_first(prefixes))


def _longest_first(counts: Counter[str]) -> tuple[str, ...]:
    # An affix must be split off three times.
    often = [text for text, count in counts.items() if count >= 3]
    return tuple(sorted(often, key=lambda text: (-len(text), text)))


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of words in characters without spaces."""
    spans, at = [], 0
    for word in words:
        width = len(word.replace(" ", ""))
        spans.append((at, at + width))
        at += width
    return spans


def words_to_units(words: Sequence[str], units: Sequence[Unit]) -> list[int] | None:
    """Return the last unit (from 0) of each word, or None if the characters differ."""
    if "".join(words).replace(" ", "") != "".join(unit.text for unit in units):
        return None
    ends = [end for _, end in _spans([unit.text for unit in units])]
    found = []
    number = 0
    for _, end in _spans(words):
        while ends[number] < end:
            number += 1
        found.append(number)
    return found


def joined_text(units: Sequence[Unit], joint: str) -> str:
    """Return the text of adjacent units; spaces between them become `joint`."""
    return "".join(
        unit.text if i == 0 or unit.glued else joint + unit.text for i, unit in enumerate(units)
    )
