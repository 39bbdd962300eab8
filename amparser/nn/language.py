"""Test whether a sentence is in the language of the training set.

The test adds up log odds for each word of the sentence: the word is frequent in train, another word
of train, or unknown. A lemma dictionary and a multilingual encoder help with unknown words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log
from typing import Any

from amparser.lexicon.dictionary import lemma_in
from amparser.nn.vocabulary import Vocabulary

_FREQUENT = 0.5
"""Share of training tokens that the *frequent* words (the commonest of train) cover."""
_ELSEWHERE = (0.07, 0.28, 0.65)
"""Expected shares of frequent, other known and unknown words in another language."""
_UNLISTED = 0.85
"""In another language: expected share of unknown words that the dictionary lacks."""
_OTHER_DICTIONARY = 0.6
"""A dictionary that lacks at least this share of train's rarest words is of another language."""
_COMMON = -14.0
"""Minimum log-probability (natural log) of a word that is *common* in some language."""
_COMMONS = (0.03, 0.6)
"""Expected shares of common words among unknown words: in train's language, and in others."""
_DOUBT = -1.0
"""Log odds (natural log) below which a sentence counts as being in another language."""
_KEPT = 3
"""The threshold is `_SURE`, not `_DOUBT`, if at least 1 / `_KEPT` of the words are frequent."""
_SURE = -2.5
"""Like `_DOUBT`, but for sentences that are short or have many frequent words."""
_LEAST_WORDS = 3_000
"""Minimum vocabulary size for the test by word frequencies."""
_LEAST_NEW = 0.1
"""Lower limit for the expected share of unknown words."""


class Language:
    """Language of the training set.

    Args:
        dictionary: name of a lemma dictionary, or empty. It is not used if it lacks most of train's
            rarest words.
        encoder: multilingual encoder with a method `word_logp`, or None.
    """

    def __init__(self, vocabulary: Vocabulary, dictionary: str = "", encoder: Any = None) -> None:
        self._encoder = encoder
        self._vocabulary = vocabulary
        self._dictionary = dictionary

    def problem(self, tokens: Sequence[str], unknown: Sequence[str]) -> str | None:
        """Return why a sentence seems to be in another language, or None.

        Tokens without letters are ignored.
        """
        words = [token for token in tokens if any(map(str.isalpha, token))]
        unseen = {token.lower() for token in unknown}
        strange = {word for word in unseen if not self._is_listed(word)}
        new = sum(word.lower() in strange for word in words)
        if new and all(word.lower() in unseen for word in words):
            return "another language: train has none of its words"
        if len(self._vocabulary.words) < _LEAST_WORDS:
            return None
        # Do not load the dictionary, which is slow, if no word is strange.
        if self._dictionary and not strange:
            return None
        common = {word for word in strange if self._is_common_elsewhere(word)}
        # Strange words with capitals may be names, which are the same in all languages.
        if self._has_dictionary and not any(
            word in strange or word.lower() in common for word in words
        ):
            return None
        frequent, weights = self._weights
        score, often, elsewhere = 0.0, 0, 0
        for number, word in enumerate(words):
            rarity = 2 if word.lower() in strange else 0 if word.lower() in frequent else 1
            often += rarity == 0
            # An unknown word with a capital may be a name, so it counts half.
            is_name = rarity == 2 and number > 0 and word[0].isupper()
            score += weights[rarity] * (0.5 if is_name else 1.0)
            elsewhere += word.lower() in common and not is_name
        score += elsewhere * log(_COMMONS[0] / _COMMONS[1])
        # Two words are too few to decide; the unknown words of a mostly familiar sentence may be
        # names or quoted text.
        if len(words) < 3 or _KEPT * often >= len(words):
            is_foreign = elsewhere > 0 and score < _SURE
        else:
            is_foreign = score < _DOUBT
        return (
            f"another language: train lacks {new} of its {len(words)} words" if is_foreign else None
        )

    def _is_common_elsewhere(self, word: str) -> bool:
        return self._encoder is not None and self._encoder.word_logp(word) > _COMMON

    def _is_listed(self, word: str) -> bool:
        return self._has_dictionary and lemma_in(self._dictionary, word) is not None

    @property
    def _has_dictionary(self) -> bool:
        return self._unlisted < _OTHER_DICTIONARY

    @cached_property
    def _unlisted(self) -> float:
        """Share of train's rarest words that the dictionary lacks; 1 without a dictionary."""
        if not self._dictionary:
            return 1.0
        counted = zip(self._vocabulary.counts, self._vocabulary.words, strict=True)
        rarest = sorted(pair for pair in counted if pair[1].isalpha())[:500]
        lacking = sum(lemma_in(self._dictionary, word.lower()) is None for _, word in rarest)
        return lacking / max(1, len(rarest))

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
        # Unknown words are as frequent as words that occur once in train (Good 1953).
        new = max(sum(count == 1 for count, _ in known) / total, _LEAST_NEW)
        shares = (share, max(1 - share - new, 0.01), new)
        weights = [log(own / other) for own, other in zip(shares, _ELSEWHERE, strict=True)]
        if self._has_dictionary:
            weights[2] += log(max(self._unlisted, 0.1) / _UNLISTED)
        return frozenset(frequent), weights
