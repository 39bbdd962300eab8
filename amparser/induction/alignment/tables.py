"""Scores of the association between labels and words, computed from co-occurrence counts.

The score of a label and a word (natural log) is

    log P(label | word) + 1/2 log P(word | label) + the resemblance of label and word

IBM model 1 gives the first counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from amparser.induction.alignment.search import Float, Int, Limits, Numbering

_GRAM = 3
_NAME = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1 << 16)
def resemblance(label: str, word: str) -> float:
    """Return the share of a word's letter trigrams that occur in a label's name, 0 to 1.

    Trigrams include the word's boundaries. Labels are usually named after English words ("largest"
    means `largest_one`), so the result is close to 0 for other languages.

    Args:
        label: label of a fragment as text; only its topmost node counts.
        word: word in any case.

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


def scores(numbering: Numbering, counts: Float | Int, likeness: Float) -> Float:
    """Return the score of each pair (see the module's docstring), `[P]` (natural log).

    Args:
        counts: occurrences of each pair, `[P]`.
        likeness: resemblance of label and word in each pair, `[P]`.
    """
    labels, words = numbering.pair_label, numbering.pair_feature
    label_counts = np.bincount(labels, counts, len(numbering.labels))
    word_counts = np.bincount(numbering.grid.feature, minlength=len(numbering.features))
    # The pseudo-count is small because most labels and words of a sentence are unrelated.
    smoothed = counts + 0.1 * 0.05
    of_word = smoothed / (word_counts[words] + 0.1)
    of_label = smoothed / (label_counts[labels] + 0.1)
    scores: Float = np.log(of_word) + 0.5 * np.log(of_label) + likeness
    return scores


@dataclass(frozen=True)
class WordModel:
    """P(word | label) and its estimation.

    Attributes:
        table: P(word | label) of each pair, `[P]`.
        posterior: expected count of each pair under these probabilities, `[P]`.
        likelihoods: log-likelihood of the corpus (natural log, up to a constant) after each round.
    """

    table: Float
    posterior: Float
    likelihoods: tuple[float, ...]


def ibm_model_1(numbering: Numbering, limits: Limits, rounds: int = 12) -> WordModel:
    """Estimate P(word | label) by EM (IBM model 1, Brown et al. 1993).

    Each word is emitted by one of the units that may be anchored to it, or by the empty unit.
    Complexity: O(rounds * tokens * units).
    """
    grid = numbering.grid
    rows = zip(pairwise(grid.feature_start.tolist()), np.diff(grid.unit_start), strict=True)
    tokens = [np.tile(np.arange(first, end), units) for (first, end), units in rows]
    # For each unit and each of its possible anchors: the (label, word) pair, and the token.
    source = grid.pair[limits.allowed]
    token = np.concatenate([np.zeros(0, dtype=np.int64), *tokens])[limits.allowed]
    table, nothing = np.ones(len(numbering.pair_label)), np.ones(len(numbering.features))
    likelihoods = []
    for _ in range(rounds):
        counts, left, likelihood = _expected(source, token, grid.feature, table, nothing)
        likelihoods.append(likelihood)
        of_label = np.bincount(numbering.pair_label, counts, len(numbering.labels))
        table = counts / np.maximum(of_label, 1e-300)[numbering.pair_label]
        nothing = left / max(float(left.sum()), 1e-300)
    posterior, _, likelihood = _expected(source, token, grid.feature, table, nothing)
    return WordModel(table, posterior, (*likelihoods[1:], likelihood))


def _expected(
    source: Int, token: Int, features: Int, table: Float, nothing: Float
) -> tuple[Float, Float, float]:
    """Run an E step; return (expected counts of pairs, of unlabelled features, log-likelihood).

    Token i has the feature `features[i]` and is emitted by one of the pairs `source[token == i]`,
    or by the empty unit with the probabilities `nothing`. The log-likelihood is natural, up to a
    constant.
    """
    drawn, none = table[source], nothing[features]
    total = np.maximum(none + np.bincount(token, drawn, len(features)), 1e-300)
    counts = np.bincount(source, drawn / total[token], len(table)).astype(np.float64)
    left = np.bincount(features, none / total, len(nothing)).astype(np.float64)
    return counts, left, float(np.log(total).sum())
