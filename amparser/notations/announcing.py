"""Find the word of a sentence that announces an item of the meaning.

An *item* is an argument or a conjunct. The word that spells an item *announces* it: `Rome` for the
item `"rome"`. If no word spells it, the word with the greatest P(word | key) announces it; the key
of an item is, for example, its label. Items without a fixed order get the order of these words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from amparser.characters import text_of


def spelled_texts(tokens: Sequence[str]) -> frozenset[str]:
    """Return the lower-case texts of all sequences of one or more adjacent words.

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
"""Probability of a word given the key of an item, P(word | key), by (key, word)."""


def announced(rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Announced:
    """Estimate P(word | key) with 12 rounds of EM for IBM model 1 (Brown et al. 1993).

    Args:
        rows: for each example, the words of the sentence and the keys of its items.
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
    """Return the position (from 0) of the word that announces (spells or suggests) an item.

    If several words spell the item, score each by the greater P(word | key) of the two words
    before it, and return the first word with the best score.

    Args:
        key: key of the item.
        spelled: positions of words that spell the item.
        words: the words of the sentence.
        table: P(word | key).
    """
    fits = [table.get((key, word), 0.0) for word in words]
    if not spelled:
        return fits.index(max(fits)) if fits else 0
    return max(spelled, key=lambda i: (max(fits[max(0, i - 2) : i], default=0.0), -i))
