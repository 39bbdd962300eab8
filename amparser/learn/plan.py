"""Which examples each update of the weights learns from, by its number and the seed alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from amparser.baselines.settings import FitSettings
from amparser.learn.batches import IntArray

_POOL = 32
"""So many batches' worth of examples are sorted by length together."""


class BatchPlan:
    """The batches of a training, epoch after epoch, and where it looks at dev.

    An update is made of `accumulate` batches, and may reach into the next epoch. Rounds
    end with a look at dev; steps and rounds count from 1.

    Args:
        lengths: `[N, 2]`, of each sentence and its target.
        settings: batches, limits and seed.
    """

    def __init__(self, lengths: IntArray, settings: FitSettings) -> None:
        self.lengths = lengths
        self.settings = settings
        self._ends = [0]  # after each epoch: batches so far
        limit = settings.max_epochs
        self.total = settings.max_steps
        """Updates in all."""
        if limit:
            self.total = min(self.total, self._steps_in(limit))

    def round_end(self, number: int) -> int:
        """The step after which a round ends."""
        every = self.settings.validate_every
        return min(self.total, number * every if every else self._steps_in(number))

    def rounds(self) -> int:
        """How many rounds there are at most."""
        if every := self.settings.validate_every:
            return -(-self.total // every)
        number = 1
        while self.round_end(number) < self.total:
            number += 1
        return number

    def updates(self, first: int, last: int) -> Iterator[list[IntArray]]:
        """The batches of each update from `first` to `last`, numbers of examples."""
        size = self.settings.accumulate
        batches = self._batches_from((first - 1) * size)
        for _ in range(first, last + 1):
            yield [next(batches) for _ in range(size)]

    def epoch(self, number: int) -> list[IntArray]:
        """The batches of an epoch, counted from 1; each example stands in one.

        Examples of similar length come together, within pools drawn at random.
        """
        settings = self.settings
        random = np.random.default_rng([settings.seed, number])
        order = random.permutation(len(self.lengths))
        batches: list[IntArray] = []
        for start in range(0, len(order), _POOL * settings.batch_size):
            pool = order[start : start + _POOL * settings.batch_size]
            pool = pool[np.lexsort((self.lengths[pool, 0], self.lengths[pool, 1]))]
            batches += cut(pool, self.lengths, settings.batch_size, settings.batch_tokens)
        return [batches[i] for i in random.permutation(len(batches))]

    def _steps_in(self, epochs: int) -> int:
        while len(self._ends) <= epochs:
            self._ends.append(self._ends[-1] + len(self.epoch(len(self._ends))))
        # An epoch is one update at the least.
        return max(epochs, self._ends[epochs] // self.settings.accumulate)

    def _batches_from(self, skipped: int) -> Iterator[IntArray]:
        number = bisect_right(self._ends, skipped)
        while True:
            batches = self.epoch(number)
            before = self._ends[number - 1]
            if number == len(self._ends):
                self._ends.append(before + len(batches))
            yield from batches[max(0, skipped - before) :]
            number += 1


def cut(order: IntArray, lengths: IntArray, batch_size: int, batch_tokens: int) -> list[IntArray]:
    """Cut examples, in their order, into batches of so many examples and padded tokens.

    An example longer than `batch_tokens` is a batch; 0 is no limit.
    """
    batches: list[IntArray] = []
    start = 0
    widest = np.zeros(2, dtype=np.int64)
    for end in range(len(order)):
        wider = np.maximum(widest, lengths[order[end]])
        count = end + 1 - start
        too_many = batch_tokens and count * int(wider.sum()) > batch_tokens
        if end > start and (count > batch_size or too_many):
            batches.append(order[start:end])
            start, wider = end, lengths[order[end]]
        widest = wider
    if len(order):
        batches.append(order[start:])
    return batches
