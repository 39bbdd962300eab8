"""Which words are spelled as the names of constants are.

Meanings are written by people, who name constants by words: "largest" stands near
`largest_one` because it is meant by it. Where a language and its constants have nothing in
common nothing is said.
"""

from __future__ import annotations

import re
from functools import lru_cache

_GRAM = 3
_NAME = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1 << 16)
def resemblance(label: str, word: str) -> float:
    """The share of a word's trigrams of letters, with the word's edges, that a name has; 0 to 1.

    Args:
        label: of a piece, as it is written; its topmost node is looked at.
        word: in any case of letters.

    >>> resemblance("largest_one(arg0 [all])", "largest")
    1.0
    >>> resemblance("largest_one(arg0 [all])", "has")
    0.0
    """
    grams = _trigrams(word)
    names = _NAME.findall(label.split("(")[0])
    named = frozenset(gram for name in names for gram in _trigrams(name))
    return len(grams & named) / len(grams)


def _trigrams(word: str) -> frozenset[str]:
    text = f"<{word.lower()}>"
    return frozenset(text[i : i + _GRAM] for i in range(max(1, len(text) - _GRAM + 1)))
