"""Attachment of ignored words to the fragment before or after them.

Data augmentation moves an attached word together with its fragment.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import log

from amparser.lexicon.encoded import FIRST_FRAGMENT, IGNORE_TAG, NOBODY, Encoded


class Attachment:
    """Counts of ignored words beside fragments; they decide to which fragment a word belongs."""

    def __init__(self, derivations: Sequence[Encoded]) -> None:
        # Counts by word, side (0: before the fragment, 1: after it) and tag.
        self._beside: Counter[tuple[str, int, int]] = Counter()
        self._words: Counter[tuple[str, int]] = Counter()
        self._tags: Counter[int] = Counter()
        for derivation in derivations:
            self._tags.update(tag for tag in derivation.tags if tag >= FIRST_FRAGMENT)
            for token, left, right in _neighbours(derivation):
                word = derivation.tokens[token].lower()
                for side, piece in ((0, right), (1, left)):
                    if piece >= 0:
                        self._beside[word, side, derivation.tags[piece]] += 1
                        self._words[word, side] += 1
        self._total = max(1, self._tags.total())

    def strength(self, word: str, side: int, tag: int) -> float:
        """Return log(P(tag | word, side) / P(tag)), smoothed (natural log)."""
        prior = self._tags[tag] / self._total
        seen = self._beside[word, side, tag] + 2 * prior
        return log(seen / (self._words[word, side] + 2) / prior)

    def fill(self, derivation: Encoded) -> Encoded:
        """Attach each ignored word to the neighbouring fragment with the greater `strength`."""
        owners = list(derivation.owners)
        for token, left, right in _neighbours(derivation):
            word = derivation.tokens[token].lower()
            if right < 0:
                continue
            owners[token] = right
            if left >= 0:
                before = self.strength(word, 0, derivation.tags[right])
                after = self.strength(word, 1, derivation.tags[left])
                owners[token] = right if before >= after else left
        # All words between a word and its fragment must belong to this fragment.
        n = len(owners)
        for token in range(n - 2, -1, -1):
            ignored = derivation.tags[token] == IGNORE_TAG
            if ignored and token < owners[token] and owners[token + 1] < owners[token]:
                owners[token] = owners[token + 1]
        return replace(derivation, owners=tuple(owners))


def _neighbours(derivation: Encoded) -> list[tuple[int, int, int]]:
    """Return each ignored token with the nearest fragments before and after it (or -1)."""
    pieces = [t for t, tag in enumerate(derivation.tags) if tag >= FIRST_FRAGMENT]
    neighbours = []
    for token, tag in enumerate(derivation.tags):
        if tag == IGNORE_TAG:
            after = bisect(pieces, token)
            left = pieces[after - 1] if after else NOBODY
            neighbours.append((token, left, pieces[after] if after < len(pieces) else NOBODY))
    return neighbours
