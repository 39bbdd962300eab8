"""Classes of words that have the same supertags, induced by description length.

A word of a class has each supertag with the probability of its class. So a verb that train has
with a recipient in the passive may have one in the active voice too, since other verbs do; one
that train has with a theme alone may hardly have a recipient.

Words with the same set of supertags begin together. As long as that shortens the description,
the two classes are joined whose joining shortens it most. The description is that of each
word's class, each token's supertag, and the probabilities of the supertags that a class has
(half a log2 N bits each, Rissanen 1983).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SMOOTHING = 0.05
"""So many tokens of each class are of no class of their own."""


@dataclass(frozen=True)
class WordClasses:
    """Classes of words over K supertags.

    Attributes:
        share: `[C]`, P(class of a word).
        supertags: `[C, K]`, P(supertag of a token | class).
        present: `[C, K]`, whether a word of the class has the supertag in train.
        words: the class of each word of train.
    """

    share: Array
    supertags: Array
    present: NDArray[np.bool_]
    words: Mapping[str, int]

    @classmethod
    def of(cls, uses: Mapping[str, Mapping[int, int]], supertag_count: int) -> WordClasses:
        """The classes of words, given how often each has which supertags."""
        sets: dict[tuple[int, ...], list[str]] = {}
        for word in sorted(uses):
            sets.setdefault(tuple(sorted(uses[word])), []).append(word)
        rows = np.zeros((max(1, len(sets)), supertag_count))
        for row, words in zip(rows, sets.values(), strict=False):
            for word in words:
                for supertag, count in uses[word].items():
                    row[supertag] += count
        members = _joined(rows, np.array([len(words) for words in sets.values()], np.float64))
        counts = np.stack([rows[group].sum(axis=0) for group in members])
        every = counts.sum(axis=0) + 1
        smooth = counts + _SMOOTHING * every / every.sum()
        groups = list(sets.values())
        found = {
            word: c
            for c, group in enumerate(members)
            if groups
            for i in group
            for word in groups[i]
        }
        sizes = np.bincount(list(found.values()), minlength=len(members)) + _SMOOTHING
        return cls(
            sizes / sizes.sum(), smooth / smooth.sum(axis=1, keepdims=True), counts > 0, found
        )

    def predicted(self, seen: Mapping[int, int]) -> Array:
        """`[K]`: P(supertag of another token) of a word with these counts."""
        logs = self._logs(seen)
        weights = np.exp(logs - logs.max())
        found: Array = (weights / weights.sum()) @ self.supertags
        return found

    def had(self, seen: Mapping[int, int]) -> NDArray[np.bool_]:
        """`[K]`: whether words of the likeliest class have a supertag, given a word's counts."""
        found: NDArray[np.bool_] = self.present[int(self._logs(seen).argmax())]
        return found

    def _logs(self, seen: Mapping[int, int]) -> Array:
        """`[C]`: log P(class and counts)."""
        logs = np.log(self.share)
        for supertag, count in seen.items():
            logs = logs + count * np.log(self.supertags[:, supertag])
        return logs


def _joined(rows: Array, sizes: Array) -> list[list[int]]:
    """The classes as lists of rows; `sizes` has how many words each row has."""
    members = [[i] for i in range(len(rows))]
    words, tokens = max(sizes.sum(), 1.0), max(rows.sum(), 2.0)
    parameter = 0.5 * np.log2(tokens)
    rows, sizes = rows.copy(), sizes.copy()

    def bits(counts: Array, size: Array) -> Array:
        """Of classes with these counts `[..., K]` and so many words `[...]`."""
        total = counts.sum(axis=-1)
        entropy = _xlogx(total) - _xlogx(counts).sum(axis=-1)
        of_words = size * np.log2(words) - _xlogx(size)
        found: Array = entropy + of_words + parameter * (counts > 0).sum(axis=-1)
        return found

    own = bits(rows, sizes)
    gain = np.full((len(rows), len(rows)), -np.inf)
    for i in range(1, len(rows)):
        gain[i, :i] = own[i] + own[:i] - bits(rows[i] + rows[:i], sizes[i] + sizes[:i])
    while gain.size and gain.max() > 0:
        i, j = divmod(int(gain.argmax()), len(gain))
        members[j] += members[i]
        rows[j] += rows[i]
        sizes[j] += sizes[i]
        own[j] = bits(rows[j], sizes[j])
        keep = np.arange(len(rows)) != i
        rows, sizes, own = rows[keep], sizes[keep], own[keep]
        gain = gain[keep][:, keep]
        members.pop(i)
        # Joined classes come before those that they took: j is below i.
        with_j = own[j] + own - bits(rows[j] + rows, sizes[j] + sizes)
        gain[j, :j] = with_j[:j]
        gain[j + 1 :, j] = with_j[j + 1 :]
    return members


def _xlogx(values: Array) -> Array:
    found: Array = values * np.log2(np.maximum(values, 1e-300))
    return found


def novelty_of(uses: Mapping[str, Mapping[int, int]]) -> float:
    """The a that best predicts, for each training token, whether its supertag is new to it.

    Each token is predicted from the n others with its lemma: its supertag is new
    with probability a / (n + a). A grid search finds a, to a factor of 1.2.

    Args:
        uses: for each lemma how often it had which supertag.
    """
    new, old = Counter[int](), Counter[int]()
    for counts in uses.values():
        total = sum(counts.values())
        for count in counts.values() if total > 1 else ():
            if count == 1:
                new[total - 1] += 1
            else:
                old[total - 1] += count

    def log_likelihood(a: float) -> float:
        return math.fsum(times * math.log(a / (n + a)) for n, times in new.items()) + math.fsum(
            times * math.log(n / (n + a)) for n, times in old.items()
        )

    return max((1.2**power for power in range(-40, 41)), key=log_likelihood)
