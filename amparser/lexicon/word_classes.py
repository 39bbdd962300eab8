"""Classes of words with similar supertags, induced by minimum description length.

The words of a class have the same supertag probabilities. A verb that has a recipient only in the
passive may have one in the active voice, too, because other verbs of its class do; a verb that has
only themes is unlikely to have a recipient.

At first, words with the same set of supertags form a class. Pairs of classes are then merged
greedily as long as this shortens the description: the class of each word, the supertag of each
token, and the supertag probabilities of each class (1/2 log2 N bits each, Rissanen 1983).
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
"""Pseudo-count of tokens in each class, distributed over supertags as in the whole corpus."""


@dataclass(frozen=True)
class WordClasses:
    """C classes of words, with probabilities over K supertags.

    Attributes:
        share: P(class of a word), `[C]`.
        supertags: P(supertag of a token | class of its word), `[C, K]`.
        present: whether a word of the class has the supertag in training, `[C, K]`.
        words: class of each training word.
    """

    share: Array
    supertags: Array
    present: NDArray[np.bool_]
    words: Mapping[str, int]

    @classmethod
    def of(cls, uses: Mapping[str, Mapping[int, int]], supertag_count: int) -> WordClasses:
        """Induce the classes from the supertag counts of each word."""
        sets: dict[tuple[int, ...], list[str]] = {}
        for word in sorted(uses):
            sets.setdefault(tuple(sorted(uses[word])), []).append(word)
        groups = list(sets.values()) or [[]]
        rows = np.zeros((len(groups), supertag_count))
        for row, words in zip(rows, groups, strict=True):
            for word in words:
                for supertag, count in uses[word].items():
                    row[supertag] += count
        members = _joined(rows, np.array([len(words) for words in groups], np.float64))
        counts = np.stack([rows[group].sum(axis=0) for group in members])
        every = counts.sum(axis=0) + 1
        smooth = counts + _SMOOTHING * every / every.sum()
        found = {word: c for c, group in enumerate(members) for i in group for word in groups[i]}
        sizes = np.bincount(list(found.values()), minlength=len(members)) + _SMOOTHING
        return cls(
            sizes / sizes.sum(), smooth / smooth.sum(axis=1, keepdims=True), counts > 0, found
        )

    def predicted(self, seen: Mapping[int, int]) -> Array:
        """Return P(supertag of the next token of a word), given its supertag counts, `[K]`."""
        logs = self._logs(seen)
        weights = np.exp(logs - logs.max())
        found: Array = (weights / weights.sum()) @ self.supertags
        return found

    def had(self, seen: Mapping[int, int]) -> NDArray[np.bool_]:
        """Return a mask `[K]` of the supertags of the most probable class for these counts."""
        found: NDArray[np.bool_] = self.present[int(self._logs(seen).argmax())]
        return found

    def _logs(self, seen: Mapping[int, int]) -> Array:
        """Return log P(class, supertag counts) of a word (natural log), `[C]`."""
        logs = np.log(self.share)
        for supertag, count in seen.items():
            logs = logs + count * np.log(self.supertags[:, supertag])
        return logs


def _joined(rows: Array, sizes: Array) -> list[list[int]]:
    """Merge rows of supertag counts `[R, K]` into classes; return the row indices of each class."""
    members = [[i] for i in range(len(rows))]
    words, tokens = max(sizes.sum(), 1.0), max(rows.sum(), 2.0)
    parameter = 0.5 * np.log2(tokens)
    rows, sizes = rows.copy(), sizes.copy()

    def bits(counts: Array, size: Array) -> Array:
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
        # Pairs of j with lower rows are in row j of `gain`, pairs with higher rows in column j.
        with_j = own[j] + own - bits(rows[j] + rows, sizes[j] + sizes)
        gain[j, :j] = with_j[:j]
        gain[j + 1 :, j] = with_j[j + 1 :]
    return members


def _xlogx(values: Array) -> Array:
    found: Array = values * np.log2(np.maximum(values, 1e-300))
    return found


def novelty_of(uses: Mapping[str, Mapping[int, int]]) -> float:
    """Return the pseudo-count `a` of new supertags that best predicts the training supertags.

    If a lemma has n other tokens, a token has a supertag that is new to the lemma with the
    probability `a / (n + a)`. The grid search is accurate to a factor of 1.2.
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
