"""Test whether a sentence is in the language of the training set, by word frequencies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log

from amparser.nn.vocabulary import Vocabulary

_FREQUENT = 0.5
"""Fraction of training tokens that the words called frequent cover."""
_ELSEWHERE = (0.07, 0.28, 0.65)
"""Expected fractions of frequent, other known and unknown words in a foreign sentence."""
_DOUBT = -1.0
"""Natural log odds below which a sentence counts as foreign."""
_KEPT = 3
"""A sentence is never foreign if at least one in this many of its words is frequent in train."""
_LEAST_WORDS = 3_000
"""Minimum vocabulary size for the test by word frequencies."""
_LEAST_NEW = 0.1
"""Lower bound of the expected fraction of unknown words."""


class Language:
    """The language of the training set."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def problem(self, tokens: Sequence[str], unknown: Sequence[str]) -> str | None:
        """Return why a sentence seems to be in another language, or None.

        Tokens without letters do not count.
        """
        words = [token for token in tokens if any(map(str.isalpha, token))]
        strange = {token.lower() for token in unknown}
        new = sum(word.lower() in strange for word in words)
        if words and new == len(words):
            return "another language: train has none of its words"
        # Unknown words may be names or quoted text; two words say too little.
        if len(self._vocabulary.words) < _LEAST_WORDS or len(words) < 3:
            return None
        frequent, weights = self._weights
        score, often = 0.0, 0
        for number, word in enumerate(words):
            rarity = 2 if word.lower() in strange else 0 if word.lower() in frequent else 1
            often += rarity == 0
            # An unknown capitalised word may be a name, so it counts half.
            is_name = rarity == 2 and number > 0 and word[0].isupper()
            score += weights[rarity] * (0.5 if is_name else 1.0)
        if score >= _DOUBT or _KEPT * often >= len(words):
            return None
        return f"another language: train lacks {new} of its {len(words)} words"

    @cached_property
    def _weights(self) -> tuple[frozenset[str], Sequence[float]]:
        counted = zip(self._vocabulary.words, self._vocabulary.counts, strict=True)
        known = sorted((count, w) for w, count in counted if any(map(str.isalpha, w)))
        total = max(1, sum(count for count, _ in known))
        frequent, share = set(), 0.0
        while known and share < _FREQUENT:
            count, word = known.pop()
            frequent.add(word)
            share += count / total
        # Good-Turing estimate: unknown words are as frequent as words seen once (Good 1953).
        new = max(sum(count == 1 for count, _ in known) / total, _LEAST_NEW)
        shares = (share, max(1 - share - new, 0.01), new)
        pairs = zip(shares, _ELSEWHERE, strict=True)
        return frozenset(frequent), [log(own / other) for own, other in pairs]
