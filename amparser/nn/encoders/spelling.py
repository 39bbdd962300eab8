"""What a word's spelling says: n-grams of letters, prefixes, affixes and shape.

Parts of words are hashed into buckets, so that a word that train does not have still has some.
Bucket 0 is padding.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from amparser.nn.vocabulary import PADDING

_PREFIXES, _SUFFIXES = (2, 3), (1, 2, 3, 4)
AFFIX_COUNT = len(_PREFIXES) + len(_SUFFIXES)
SHAPE_COUNT = 6


def _bucket(text: str, buckets: int) -> int:
    return 1 + zlib.crc32(text.encode()) % (buckets - 1)


def letter_ngrams(word: str, buckets: int) -> list[int]:
    """The hashed n-grams (3 to 5 letters, with the word's edges) of a word."""
    text = f"<{word.lower()}>"
    grams = {text[i : i + n] for n in (3, 4, 5) for i in range(max(1, len(text) - n + 1))}
    return sorted(_bucket(gram, buckets) for gram in grams)


def prefix_of(word: str, buckets: int) -> int:
    """The hashed prefix of a word; the word itself, if it is short."""
    # So many letters are a prefix.
    return _bucket(word.lower()[:5], buckets)


def affixes_of(word: str, buckets: int) -> list[int]:
    """The hashed prefixes and suffixes of a word, those that are too long being the word."""
    text = word.lower()
    parts = [f"{n}<{text[:n]}" for n in _PREFIXES] + [f"{n}>{text[-n:]}" for n in _SUFFIXES]
    return [_bucket(part, buckets) for part in parts]


def shape_of(word: str, first: bool) -> int:
    """0 to 5: lower case, capital, all capitals or digit; capitals apart at the beginning."""
    if any(letter.isdigit() for letter in word):
        return 5
    if len(word) > 1 and word.isupper():
        return 4
    if word[:1].isupper():
        return 2 if first else 1
    return 3 if first else 0


def spelled_words(embedding: nn.Embedding, ngrams: Tensor) -> Tensor:
    """`[W, D]`: the embeddings of words by their n-grams of letters, `[W, G]`.

    Padding has no part in it, so that a word is the same in each batch.
    """
    known = ngrams != PADDING
    summed = (embedding(ngrams) * known[:, :, None]).sum(dim=1)
    spelled: Tensor = summed / known.sum(dim=1, keepdim=True).clamp(min=1).sqrt()
    return spelled


def padded_rows(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of numbers, filled up with 0 to the longest."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PADDING] * (longest - len(row))] for row in rows])
