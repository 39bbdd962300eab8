"""Statistical evidence that words express labels or fragments of meanings.

A sentence is represented by the set of its words and their prefixes. A *row* is the index of a
sentence. A word *distinguishes* some rows from others if it is much more frequent in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.special import xlogy

from amparser.induction.spanning import Tree
from amparser.lexicon.spelling import CopyRule, content_of

LEAST_BITS = 8.0
"""Minimum evidence (in bits) that a word expresses a label; also the minimum saving of a merge."""
_MOST = 0.7
"""A word's evidence for a label counts if it is at least this share of the word's maximum."""
_STEM = 5
"""Length of prefixes in letters; words with the same prefix share evidence."""

Int = NDArray[np.int64]


class Words:
    """Words and prefixes of the sentences of a corpus."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        numbers: dict[str, int] = {}
        # Indices of the words of each sentence and of their prefixes.
        self._words: list[Int] = []
        for words in sentences:
            lower = sorted({word.lower() for word in words})
            features = [feature for word in lower for feature in (word, f"{word[:_STEM]}-")]
            indices = [numbers.setdefault(feature, len(numbers)) for feature in features]
            self._words.append(np.array(indices, dtype=np.int64).reshape(-1, 2))
        self._rows = [np.unique(words) for words in self._words]
        self._size = len(numbers)

    def _often(self, rows: Sequence[int]) -> NDArray[np.float64]:
        features = np.concatenate([self._rows[row] for row in rows])
        return np.bincount(features, minlength=self._size).astype(np.float64)

    def announce(self, rows: Collection[int], within: Collection[int] | None = None) -> bool:
        """Return whether at least half of the rows have a word that distinguishes them from others.

        In other sentences, this word is at most half as frequent as chance predicts. The evidence
        is at least `LEAST_BITS`.

        Args:
            rows: the sentences with a label or fragment.
            within: the sentences to compare with, including `rows`; by default the whole corpus.
        """
        return self.distinguish(rows, [self.telling(rows, within)])

    def expressing(self, sentences: Sequence[Collection[int]]) -> csr_array:
        """Return the mutual information of labels and the words that express them, in bits.

        Rows are labels, columns are words and prefixes. Entries below `LEAST_BITS`, or below
        `_MOST` of the word's maximum, are 0: these labels merely occur together with a label that
        the word expresses.

        Args:
            sentences: for each label, the sentences that have it.
        """
        total = len(self._rows)
        words = _incidence(self._rows, self._size).T
        nodes = _incidence([[*rows] for rows in sentences], total).T
        both = coo_array(words @ nodes)
        count = both.data
        word, label = words.sum(axis=1)[both.row], nodes.sum(axis=0)[both.col]
        bits = (
            sum(map(_bits, (count, word - count, label - count, total - word - label + count)))
            - sum(map(_bits, (word, total - word, label, total - label)))
            + _bits(np.float64(total))
        )
        bits[count * total <= word * label] = 0
        most = np.zeros(self._size)
        np.maximum.at(most, both.row, bits)
        kept = (bits >= LEAST_BITS) & (bits >= _MOST * most[both.row])
        ends = (both.col[kept], both.row[kept])
        return csr_array((bits[kept], ends), shape=(len(sentences), self._size))

    def distinguish(self, rows: Collection[int], fragments: Sequence[NDArray[np.bool_]]) -> bool:
        """Return whether, in at least half of the rows, a different word expresses each fragment.

        Args:
            fragments: masks of the words and prefixes that express one or two fragments.
        """

        def has_words(row: int) -> bool:
            marks = self._marks(row, fragments)
            return bool(marks.any(axis=1).all() and marks.any(axis=0).sum() >= len(fragments))

        return not fragments or 2 * sum(map(has_words, rows)) >= len(rows)

    def announce_apart(self, rows: Collection[int], part: Collection[int]) -> bool:
        """Return whether at least half of `part` have a word that distinguishes `rows`.

        `part` is a subset of `rows`. A word that is clearly more frequent in `part` than in the
        rest of `rows` does not count, because it distinguishes `part` instead. If `part` equals
        `rows`, the result is False.
        """
        here, often = self._often(sorted(part)), self._often(sorted(rows))
        # A word counts only if less than this share of its rows is in `part`.
        most = (1 + 3 * len(part) / len(rows)) / 4
        own = self.telling(rows) & (here < most * often)
        return self.distinguish(part, [own])

    def _marks(self, row: int, fragments: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
        return np.array([some[self._words[row]].any(axis=1) for some in fragments])

    def lack(self, row: int, fragments: Sequence[NDArray[np.bool_]]) -> int:
        """Return how many fragments get no word if each word expresses at most one fragment.

        Fragments that no word of the sentence can express are not counted.

        Args:
            fragments: masks of the words and prefixes that express each fragment.
        """
        marks = self._marks(row, fragments)
        marks = marks[marks.any(axis=1)]
        matched = maximum_bipartite_matching(csr_array(marks), perm_type="column")
        return int((matched < 0).sum())

    def telling(
        self, rows: Collection[int], within: Collection[int] | None = None
    ) -> NDArray[np.bool_]:
        """Return a mask of the words and prefixes that distinguish the rows; see `announce`."""
        every = range(len(self._rows)) if within is None else sorted(within)
        if len(rows) == len(every):
            return np.zeros(self._size, dtype=np.bool_)
        here, often = self._often(sorted(rows)), self._often(every)
        base = len(rows) / len(every)
        share = here / np.maximum(often, 1.0)
        some = np.clip(share, 1e-9, 1 - 1e-9)
        bits = often * (some * np.log2(some / base) + (1 - some) * np.log2((1 - some) / (1 - base)))
        telling: NDArray[np.bool_] = (share >= (1 + base) / 2) & (bits >= LEAST_BITS)
        return telling


def _incidence(members: Sequence[Sequence[int] | Int], size: int) -> csr_array:
    sets = np.repeat(np.arange(len(members)), [*map(len, members)])
    ends = sets, np.concatenate([*members])
    return csr_array((np.ones(len(sets)), ends), shape=(len(members), size))


def _bits(count: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
    bits: NDArray[np.float64] = xlogy(count, count) / np.log(2)
    return bits


def spelled_literals(
    sentences: Sequence[Sequence[str]], trees: Sequence[Tree], rule: CopyRule
) -> tuple[list[list[int]], list[list[str]]]:
    """Return the spelled literals of each tree, and the other words of each sentence.

    A literal counts as spelled if at least half of the sentences with its label spell it. The other
    words spell no literal, so they may express other nodes.
    """
    spans = [
        {node: rule.spans(tokens, content_of(tree.literal(node))) for node in tree.literals}
        for tokens, tree in zip(sentences, trees, strict=True)
    ]
    seen = Counter(tree.labels[node] for tree in trees for node in tree.literals)
    spelled = Counter(
        tree.labels[node]
        for tree, spans_of in zip(trees, spans, strict=True)
        for node in tree.literals
        if spans_of[node]
    )
    often = {label for label, count in seen.items() if 2 * spelled[label] >= count}
    literals = [[node for node in tree.literals if tree.labels[node] in often] for tree in trees]
    others = []
    for tokens, nodes, spans_of in zip(sentences, literals, spans, strict=True):
        taken = {token for node in nodes for span in spans_of[node] for token in range(*span)}
        others.append([token for number, token in enumerate(tokens) if number not in taken])
    return literals, others
