"""Batches of examples for an epoch; they depend only on the seed and the number of the epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amparser.learn.settings import TrainSettings

IntArray = NDArray[np.int64]


def lengths_of(pairs: Sequence[tuple[int, int]]) -> IntArray:
    """Return pairs of lengths as an array `[N, 2]`."""
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def epoch_batches(lengths: IntArray, settings: TrainSettings, epoch: int) -> list[IntArray]:
    """Return the batches of an epoch (from 1); each example occurs in exactly one.

    The examples are distributed at random over pools of 32 batches; within a pool, examples of
    similar length form a batch. If `batch_size` is 0, there is one pool.

    Args:
        lengths: `[N, 2]`, the lengths of each sentence and its target.
        settings: sizes of batches, and the seed.
        epoch: number of the epoch.

    Returns:
        Indices of examples.
    """
    random = np.random.default_rng([settings.seed, epoch])
    order = random.permutation(len(lengths))
    # Number of examples in a pool, which is sorted by length.
    size = 32 * settings.batch_size or max(1, len(order))
    batches: list[IntArray] = []
    for start in range(0, len(order), size):
        pool = order[start : start + size]
        pool = pool[np.lexsort((lengths[pool, 0], lengths[pool, 1]))]
        batches += cut(pool, lengths, settings.batch_size, settings.batch_tokens)
    return [batches[i] for i in random.permutation(len(batches))]


def sorted_batches(lengths: IntArray, batch_size: int, batch_tokens: int) -> list[IntArray]:
    """Return all examples in batches, in the order of their lengths."""
    order = lengths.sum(axis=1).argsort(kind="stable")
    return cut(order, lengths, batch_size, batch_tokens)


def cut(order: IntArray, lengths: IntArray, batch_size: int, batch_tokens: int) -> list[IntArray]:
    """Divide examples, in order, into batches with limited numbers of examples and padded tokens.

    An example longer than `batch_tokens` is a batch of its own. A limit of 0 means no limit.
    """
    batches: list[IntArray] = []
    start = 0
    widest = np.zeros(2, dtype=np.int64)
    for end in range(len(order)):
        wider = np.maximum(widest, lengths[order[end]])
        count = end + 1 - start
        too_many = batch_size and count > batch_size
        too_wide = batch_tokens and count * int(wider.sum()) > batch_tokens
        if end > start and (too_many or too_wide):
            batches.append(order[start:end])
            start, wider = end, lengths[order[end]]
        widest = wider
    if len(order):
        batches.append(order[start:])
    return batches
