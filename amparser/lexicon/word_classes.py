"""Classes of words with similar supertags, induced by minimum description length.

A word shares the supertag probabilities of its class. A verb seen with a recipient only in the
passive may have one in the active voice, too, because other verbs do; a verb seen only with a theme
is unlikely to have a recipient.

Words with the same set of supertags start in one class. Two classes are merged greedily as long as
merging shortens the description, which consists of each word's class, each token's supertag, and
the supertag probabilities of each class (half a log2 N bits each, Rissanen 1983).
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
"""Pseudo-tokens per class, distributed like all tokens."""


@dataclass(frozen=True)
class WordClasses:
    """Classes of words over K supertags.

    Attributes:
        share: P(class of a word), `[C]`.
        supertags: P(supertag of a token | class), `[C, K]`.
        present: whether training has a word of the class with the supertag, `[C, K]`.
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
        """Return P(supertag of the next token) of a word with these counts, `[K]`."""
        logs = self._logs(seen)
        weights = np.exp(logs - logs.max())
        found: Array = (weights / weights.sum()) @ self.supertags
        return found

    def had(self, seen: Mapping[int, int]) -> NDArray[np.bool_]:
        """Return the supertags of the most probable class of a word with these counts, `[K]`."""
        found: NDArray[np.bool_] = self.present[int(self._logs(seen).argmax())]
        return found

    def _logs(self, seen: Mapping[int, int]) -> Array:
        """Return log P(class, counts) (natural log), `[C]`."""
        logs = np.log(self.share)
        for supertag, count in seen.items():
            logs = logs + count * np.log(self.supertags[:, supertag])
        return logs


def _joined(rows: Array, sizes: Array) -> list[list[int]]:
    """Merge rows into classes; return the row indices of each class.

    `sizes` holds the number of words in each row.
    """
    members = [[i] for i in range(len(rows))]
    words, tokens = max(sizes.sum(), 1.0), max(rows.sum(), 2.0)
    parameter = 0.5 * np.log2(tokens)
    rows, sizes = rows.copy(), sizes.copy()

    def bits(counts: Array, size: Array) -> Array:
        """Return the description length of classes with counts `[..., K]` and sizes `[...]`."""
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
        # Row j of `gain` holds the pairs of j with lower rows, column j the pairs with higher rows.
        with_j = own[j] + own - bits(rows[j] + rows, sizes[j] + sizes)
        gain[j, :j] = with_j[:j]
        gain[j + 1 :, j] = with_j[j + 1 :]
    return members


def _xlogx(values: Array) -> Array:
    found: Array = values * np.log2(np.maximum(values, 1e-300))
    return found


def novelty_of(uses: Mapping[str, Mapping[int, int]]) -> float:
    """Return the a that best predicts whether the supertag of a training token is new to its word.

    Each token is predicted from the n other tokens of its lemma: its supertag is new with
    probability a / (n + a). A grid search finds a up to a factor of 1.2.
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
