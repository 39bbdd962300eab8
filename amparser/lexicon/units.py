"""Units: what tokens are cut into, so that annotated words begin and end with them.

Raw text does not say that `can't` has two words and `New York` one. A token is cut wherever its
characters suggest a word; endings such as `'s` and prefixes such as `l'` are learned from the
words that a corpus gives.
What was cut too small is joined again by the operation `PRECEDE` (`amparser.algebra.derivation`).
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
    """A unit: its text, whether it follows the one before without a space, and its token."""

    text: str
    glued: bool
    token: int


@dataclass(frozen=True)
class Splitter:
    """Cuts tokens into units; `endings` and `prefixes` are in lower case."""

    endings: tuple[Annotated[str, Filled()], ...] = ()
    prefixes: tuple[Annotated[str, Filled()], ...] = ()

    def units(self, tokens: Sequence[str]) -> tuple[Unit, ...]:
        """The units of a sentence; each token has one at least."""
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
    """What a corpus cuts off tokens, given the tokens and the words of each sentence."""
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
    # An ending or beginning is cut off if train does so at least this often.
    often = [text for text, count in counts.items() if count >= 3]
    return tuple(sorted(often, key=lambda text: (-len(text), text)))


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Where words stand among the characters that are no spaces."""
    spans, at = [], 0
    for word in words:
        width = len(word.replace(" ", ""))
        spans.append((at, at + width))
        at += width
    return spans


def words_to_units(words: Sequence[str], units: Sequence[Unit]) -> list[int] | None:
    """The last unit of each word, or None if the characters differ."""
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
    """The text of neighbouring units; `joint` stands where the text has a space."""
    return "".join(
        unit.text if i == 0 or unit.glued else joint + unit.text for i, unit in enumerate(units)
    )
