"""Find the word of a sentence that announces a part of its meaning.

If words of the sentence spell the part, one of them announces it; otherwise the announcing word is
the word that is most probable for parts with the same key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from amparser.characters import text_of


def spelled_texts(tokens: Sequence[str]) -> frozenset[str]:
    """Return the lower-case texts that a word or several adjacent words of a sentence spell.

    >>> sorted(spelled_texts(["New", "York"]))
    ['new', 'new york', 'new-york', 'new_york', 'newyork', 'york']
    """
    texts = set()
    for start in range(len(tokens)):
        for end in range(start + 1, len(tokens) + 1):
            text = text_of(tokens[start:end]).lower()
            words = text.split()
            texts |= {text, *(joint.join(words) for joint in ("", "_", "-"))}
    return frozenset(texts)


Announced = Mapping[tuple[str, str], float]
"""The probability P(word | key) for each pair of a key and a word."""


def announced(rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Announced:
    """Estimate P(word | key) from rows, each with the words and the keys of an example.

    The estimate uses IBM model 1 (Brown et al. 1993) and 12 rounds of expectation maximization.
    """
    table: dict[tuple[str, str], float] = defaultdict(lambda: 1.0)
    for _ in range(12):
        counts: dict[tuple[str, str], float] = defaultdict(float)
        of_key: dict[str, float] = defaultdict(float)
        for words, keys in rows:
            for word in words:
                total = 1e-9 + sum(table[key, word] for key in keys)
                for key in keys:
                    share = table[key, word] / total
                    counts[key, word] += share
                    of_key[key] += share
        table = defaultdict(float, {pair: n / of_key[pair[0]] for pair, n in counts.items()})
    return dict(table)


def announcing_word(
    key: str, spelled: Sequence[int], words: Sequence[str], table: Announced
) -> int:
    """Return the position (from 0) of the word that announces a part with this key.

    `spelled` has the positions of the words that spell the part. Return the one whose two preceding
    words fit the key best, the first one in a tie. If no word spells the part, return the position
    of the word that fits the key best.
    """
    fits = [table.get((key, word), 0.0) for word in words]
    if not spelled:
        return fits.index(max(fits)) if fits else 0
    return max(spelled, key=lambda i: (max(fits[max(0, i - 2) : i], default=0.0), -i))
