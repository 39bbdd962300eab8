"""What may stand behind the words that training ignores.

Two facts are read off the training trees:

- what followed a frequent ignored word (`did` is followed by a noun phrase);
- which frequent supertags always followed one and the same ignored word: they *need* it (a
  participle needs `was`).

They hold for neighbours, with two exceptions:

- An ignored word of which neither is known, such as a filled pause, is *transparent*: what stands
  behind it stands behind the word before it.
- A sentence may contradict the first fact: no supertag that a word is likely to have ever stood
  behind the ignored word before it ("Who was the cake given to?"). Then the ignored word belongs
  to something further on. It leaves its neighbour free, and what needs it may stand anywhere
  behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from amparser.lexicon.observed import Observed

Bool = NDArray[np.bool_]


class Followers:
    """The rules for K supertags.

    Args:
        observed: the counts of the training trees.
        supertag_count: K.
        frequent: occurrences from which on a word or supertag is frequent.
    """

    def __init__(self, observed: Observed, supertag_count: int, frequent: int) -> None:
        self._observed = observed
        self._size = supertag_count
        self._frequent = frequent
        self._of_key: dict[str, Bool] = {}

    def after(self, word: str | None) -> Bool:
        """`[K]`: the supertags of a token right behind a word (None: the first token)."""
        key = self._key(word)
        if key not in self._of_key:
            self._of_key[key] = self._find(key)
        return self._of_key[key]

    def allowed(self, sentences: Sequence[Sequence[str]], likely: Bool) -> Bool:
        """`[N, K]`: what all tokens of some sentences may have, one sentence after the other.

        Args:
            sentences: their tokens, N in all.
            likely: `[N, K]`, what each token may well have for itself.
        """
        before: list[str | None] = []
        unseen: list[int] = []
        for tokens in sentences:
            last: str | None = None
            for token in tokens:
                before.append(last)
                if token.lower() in self._transparent:
                    unseen.append(len(before) - 1)
                else:
                    last = token
        found: Bool = np.stack([self.after(word) for word in before])
        found[unseen, 0] = True
        contradicted = np.logical_not((found & likely).any(axis=1))
        if contradicted.any():
            first = 0
            for tokens in sentences:
                rows = slice(first, first := first + len(tokens))
                if contradicted[rows].any():
                    found[rows] = self._loosened(before[rows], found[rows], contradicted[rows])
        return found

    def _loosened(self, before: Sequence[str | None], found: Bool, contradicted: Bool) -> Bool:
        """What one sentence allows if some ignored words belong to something further on."""
        found = found.copy()
        # What stands behind an ignored word that was left without a follower.
        free = np.zeros(self._size, dtype=np.bool_)
        for i, word in enumerate(before):
            key = self._key(word)
            if contradicted[i] and key in self._known:
                free |= self._needing.get(key, False)
                found[i] = True
            elif free.any():
                found[i] |= free & self._known.get(key, free)
        return found

    def _key(self, word: str | None) -> str:
        """The word in lower case; empty for all that training never ignored, which are alike."""
        key = word.lower() if word is not None else ""
        return key if key in self._observed.after else ""

    def _find(self, key: str) -> Bool:
        allowed = self._known.get(key, np.ones(self._size, dtype=np.bool_)).copy()
        for word, needing in self._needing.items():
            if word != key:
                allowed &= ~needing
        return allowed

    @cached_property
    def _known(self) -> dict[str, Bool]:
        """`[K]` for each frequent ignored word: what followed it."""
        observed = self._observed
        found: dict[str, Bool] = {}
        for word, followers in observed.after.items():
            total = sum(followers.values())
            if not word or total < self._frequent or set(observed.uses.get(word, ())) != {0}:
                continue
            once = sum(count == 1 for count in followers.values())
            # What follows a word is known unless it did so only once for a larger share of its
            # occurrences: then the next follower may well be new (Good 1953).
            if once <= 0.1 * total:
                found[word] = np.zeros(self._size, dtype=np.bool_)
                found[word][list(followers)] = True
        return found

    @cached_property
    def _transparent(self) -> frozenset[str]:
        """Words that training only ever ignored and that no fact is known of."""
        uses = self._observed.uses
        ignored = {word for word in self._observed.after if word and set(uses.get(word, ())) == {0}}
        return frozenset(ignored - self._known.keys())

    @cached_property
    def _needing(self) -> dict[str, Bool]:
        """`[K]` for ignored words: the frequent supertags that always followed this one."""
        found: dict[str, Bool] = {}
        for k in range(1, self._size):
            behind = {
                word: counts[k]
                for word, counts in self._observed.after.items()
                if k in counts and word not in self._transparent
            }
            if len(behind) == 1 and "" not in behind and sum(behind.values()) >= self._frequent:
                (word,) = behind
                found.setdefault(word, np.zeros(self._size, dtype=np.bool_))[k] = True
        return found
