"""Whether a sentence is in the language of train, given how often train has each of its words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log

from amparser.nn.vocabulary import Vocabulary

_FREQUENT = 0.5
"""Share of the words of train that the most frequent ones make up together."""
_ELSEWHERE = (0.07, 0.28, 0.65)
"""Shares of frequent, other and unknown words in sentences of other languages."""
_DOUBT = -1.0
"""Natural log of the odds of train's language below which a sentence is in another one."""
_KEPT = 3
"""A sentence is in train's language if one of so many words is a frequent one of train."""
_LEAST_WORDS = 3_000
"""Minimum number of words of train that tell a language by the frequency of its words."""
_LEAST_NEW = 0.1
"""Least share of words that are expected to be new."""


class Language:
    """The language of train.

    Args:
        vocabulary: the words of train and their counts.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def problem(self, tokens: Sequence[str], unknown: Sequence[str]) -> str | None:
        """Return why a sentence is in another language, or None; numbers and signs do not count.

        Args:
            tokens: the sentence.
            unknown: its tokens that train does not have.
        """
        words = [token for token in tokens if any(map(str.isalpha, token))]
        strange = {token.lower() for token in unknown}
        new = sum(word.lower() in strange for word in words)
        if words and new == len(words):
            return "another language: train has none of its words"
        if len(self._vocabulary.words) < _LEAST_WORDS:  # new words may be names and texts
            return None
        frequent, weights = self._weights
        score, often = 0.0, 0
        for number, word in enumerate(words):
            kind = 2 if word.lower() in strange else 0 if word.lower() in frequent else 1
            often += kind == 0
            # Half of a name counts.
            is_name = kind == 2 and number > 0 and word[0].isupper()
            score += weights[kind] * (0.5 if is_name else 1.0)
        if score >= _DOUBT or _KEPT * often >= len(words):
            return None
        return f"another language: train lacks {new} of its {len(words)} words"

    @cached_property
    def _weights(self) -> tuple[frozenset[str], Sequence[float]]:
        """The frequent words, and log odds of frequent, other and unknown words."""
        counted = zip(self._vocabulary.words, self._vocabulary.counts, strict=True)
        known = sorted((count, w) for w, count in counted if any(map(str.isalpha, w)))
        total = max(1, sum(count for count, _ in known))
        frequent, share = set(), 0.0
        while known and share < _FREQUENT:
            count, word = known.pop()
            frequent.add(word)
            share += count / total
        # Words are as often new as those that train has once (Good 1953).
        new = max(sum(count == 1 for count, _ in known) / total, _LEAST_NEW)
        shares = (share, max(1 - share - new, 0.01), new)
        pairs = zip(shares, _ELSEWHERE, strict=True)
        return frozenset(frequent), [log(own / other) for own, other in pairs]
