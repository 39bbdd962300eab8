"""Families of constants: their names are one but for what follows the last separator.

`loc_1` and `loc_2`, `run-01` and `run-02`, `largest` and `largest_one`: the same words say them.
A tagger that has seen a hundred times which one it is, and the other once, rules the other out.
Yet what stands around a constant may ask for that one, and the tagger cannot know what train
never put together. So a family leaves a share of its probability to all of its members.

Nor does a tagger believe that a word means the constant of its own name (`longer`, `traverse_2` of
"traverses") where train has the constant once, or has the word for another one. Such constants have
a share of what the word's other tags have.
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
"""A word has so many letters of a name at least, and may have so many others after them."""


def stem_of(label: str) -> str:
    """A name without what follows its last separator.

    >>> stem_of("traverse_1"), stem_of("run-01"), stem_of("city")
    ('traverse', 'run', 'city')
    """
    return _ENDING.sub("", label)


def spells(word: str, stem: str) -> bool:
    """Whether a word begins as a name does: the name's last letter and some of the word may differ.

    >>> [spells(word, "city") for word in ("City", "cities", "citizenship", "cite")]
    [True, True, False, True]
    """
    word, stem = word.lower(), stem.lower()
    cut, added = script_of(word, stem)
    # A word has so many letters of a name at least, and may have so many others after them.
    return len(word) - len(cut) >= _SAME and len(cut) <= 4 and len(added) <= 1


class Names:
    """The names of constants, by the words that spell them.

    Args:
        labels: the name of each tag; empty for one without a name.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self._by_beginning: dict[str, list[tuple[int, str]]] = {}
        for tag, label in enumerate(labels):
            stem = stem_of(label)
            self._by_beginning.setdefault(stem.lower()[:_SAME], []).append((tag, stem))

    def spelled_by(self, word: str) -> list[int]:
        """The tags whose names a word spells, in ascending order."""
        near = self._by_beginning.get(word.lower()[:_SAME], ())
        return [tag for tag, stem in near if spells(word, stem)]


def families_of(labels: Sequence[str | None]) -> list[list[int]]:
    """The tags of each family of two members or more, in ascending order.

    Args:
        labels: the name of each tag; none, or empty, for one without a family.
    """
    members: dict[str, list[int]] = {}
    for tag, label in enumerate(labels):
        if label:
            members.setdefault(stem_of(label), []).append(tag)
    return [family for family in members.values() if len(family) > 1]


def shared(tags: Float, families: Sequence[Sequence[int]], share: float) -> Float:
    """Scores of tags in which each family shares out a part of what its members have.

    Args:
        tags: natural logs of probabilities, `[n, T]`.
        families: as `families_of` finds them.
        share: the part, 0 to 1; all members get the same of it.
    """
    if not share:
        return tags
    found = tags.copy()
    for family in families:
        probabilities = np.exp(tags[:, family])
        each = probabilities.mean(axis=1, keepdims=True)
        found[:, family] = np.log((1 - share) * probabilities + share * each)
    return found


def named(tags: Float, spelled: Sequence[Sequence[int]], share: float) -> Float:
    """Scores of tags in which the constants that a word spells have a share of all.

    Args:
        tags: natural logs of probabilities, `[n, T]`.
        spelled: the tags whose names each token spells.
        share: what they have of the probability besides their own of the rest, 0 to 1.
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
