"""Constants whose names a word spells.

A tagger underestimates rare constants, even if their name is the word (`longer`, or `traverse_2`
for "traverses"). Constants that a word spells therefore get a fixed share of the probability mass
of its tags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amparser.lexicon.spelling import script_of

Float = NDArray[np.float64]

_ENDING = re.compile(r"(?<=.)[-_.:][^-_.:]+$")
_SAME = 3
"""Minimum number of initial letters that a word must have in common with a name."""


def stem_of(label: str) -> str:
    """Return a name without the part after its last separator.

    >>> stem_of("traverse_1"), stem_of("run-01"), stem_of("city")
    ('traverse', 'run', 'city')
    """
    return _ENDING.sub("", label)


def spells(word: str, stem: str) -> bool:
    """Return whether a word begins with a name, or with the name without its last letter.

    At most four other letters may follow.

    >>> [spells(word, "city") for word in ("City", "cities", "citizenship", "cite")]
    [True, True, False, True]
    """
    word, stem = word.lower(), stem.lower()
    cut, added = script_of(word, stem)
    return len(word) - len(cut) >= _SAME and len(cut) <= 4 and len(added) <= 1


class Names:
    """Names of constants, with a fast search for those that a word spells."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._by_beginning: dict[str, list[tuple[int, str]]] = {}
        for tag, label in enumerate(labels):
            stem = stem_of(label)
            self._by_beginning.setdefault(stem.lower()[:_SAME], []).append((tag, stem))

    def spelled_by(self, word: str) -> list[int]:
        """Return the tags whose names a word spells, in ascending order."""
        near = self._by_beginning.get(word.lower()[:_SAME], ())
        return [tag for tag, stem in near if spells(word, stem)]


def named(tags: Float, spelled: Sequence[Sequence[int]], share: float) -> Float:
    """Return tag scores in which the constants that a word spells get a share of the probability.

    Args:
        tags: log-probabilities (natural log), `[n, T]`.
        spelled: for each token, the tags whose names it spells.
        share: share of the probability that is distributed over these tags, 0 to 1; the remaining
            probability is distributed over all tags as before.
    """
    if not share:
        return tags
    found = tags.copy()
    for token, chosen in enumerate(spelled):
        if chosen:
            probabilities = (1 - share) * np.exp(tags[token])
            probabilities[chosen] += share / len(chosen)
            found[token] = np.log(probabilities)
    return found
