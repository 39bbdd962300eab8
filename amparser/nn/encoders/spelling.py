"""Spelling features of words: letter n-grams, prefixes, affixes and shapes.

Unknown words have features, too. The features are hashed into buckets. Bucket 0 is padding.
"""

from __future__ import annotations

import zlib

from torch import Tensor, nn

from amparser.nn.vocabulary import PADDING

_PREFIXES, _SUFFIXES = (2, 3), (1, 2, 3, 4)
AFFIX_COUNT = len(_PREFIXES) + len(_SUFFIXES)
SHAPE_COUNT = 6


def _bucket(text: str, buckets: int) -> int:
    return 1 + zlib.crc32(text.encode()) % (buckets - 1)


def letter_ngrams(word: str, buckets: int) -> list[int]:
    """Return the sorted buckets of a word's letter n-grams (n = 3 to 5, with boundary marks)."""
    text = f"<{word.lower()}>"
    grams = {text[i : i + n] for n in (3, 4, 5) for i in range(max(1, len(text) - n + 1))}
    return sorted(_bucket(gram, buckets) for gram in grams)


def spelling_of(word: str, buckets: int) -> tuple[list[int], list[int], list[int]]:
    """Return the buckets of a word's n-grams, of its first five letters, and of its affixes.

    If the word is shorter than an affix, the affix is the word.
    """
    text = word.lower()
    parts = [f"{n}<{text[:n]}" for n in _PREFIXES] + [f"{n}>{text[-n:]}" for n in _SUFFIXES]
    affixes = [_bucket(part, buckets) for part in parts]
    return letter_ngrams(word, buckets), [_bucket(text[:5], buckets)], affixes


def shape_of(word: str, first: bool) -> int:
    """Return the shape of a word, 0 to 5.

    0: lower case; 1: capitalised; 4: all capitals; 5: with a digit. For the first word of a
    sentence, 2: capitalised; 3: lower case.
    """
    if any(letter.isdigit() for letter in word):
        return 5
    if len(word) > 1 and word.isupper():
        return 4
    if word[:1].isupper():
        return 2 if first else 1
    return 3 if first else 0


def spelled_words(embedding: nn.Embedding, ngrams: Tensor) -> Tensor:
    """Return `[W, D]`: sum of each word's n-gram embeddings / square root of their number.

    Args:
        ngrams: `[W, G]`, buckets of the n-grams of W words; padding is ignored.
    """
    known = ngrams != PADDING
    summed = (embedding(ngrams) * known[:, :, None]).sum(dim=1)
    spelled: Tensor = summed / known.sum(dim=1, keepdim=True).clamp(min=1).sqrt()
    return spelled
