"""Training plan: the batches of each update of the weights, and when dev is evaluated.

An update (a *step*) uses `accumulate` batches, possibly of two epochs. A *round* is a sequence of
updates that ends with an evaluation on dev and a checkpoint. Steps, rounds and epochs count from 1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Generic, NamedTuple

from amparser.errors import ConfigError
from amparser.learn.settings import TrainSettings
from amparser.learn.task import Batch


class Update(NamedTuple, Generic[Batch]):
    """One update of the weights.

    Attributes:
        epochs: number of epochs before the update, such as 1.5.
    """

    batches: list[Batch]
    epochs: float


class Plan(Generic[Batch]):
    """Updates of a training run.

    The batches of an epoch are created when they are needed. Raises ConfigError if the settings
    limit neither epochs nor steps.
    """

    def __init__(self, epoch: Callable[[int], Sequence[Batch]], settings: TrainSettings) -> None:
        if not settings.epochs and not settings.max_steps:
            raise ConfigError("train.epochs = 0 and train.max_steps = 0: expected a limit")
        if settings.schedule == "fall" and not settings.epochs:
            raise ConfigError("train.schedule = 'fall': expected train.epochs of at least 1")
        self._epoch = epoch
        self._settings = settings
        self._ends = [0]  # numbers of batches up to the end of each epoch
        self._kept: tuple[int, Sequence[Batch]] = (0, ())

    @cached_property
    def total(self) -> int:
        """Number of all updates. If epochs are limited, their batches are created to be counted."""
        limits = [self._settings.max_steps] if self._settings.max_steps else []
        if self._settings.epochs:
            limits.append(self._steps_in(self._settings.epochs))
        return min(limits)

    def round_end(self, number: int) -> int:
        """Return the last step of a round."""
        if every := self._settings.validate_every:
            return min(self.total, number * every)
        steps = self._steps_in(number)
        return min(steps, self._settings.max_steps) if self._settings.max_steps else steps

    @cached_property
    def rounds(self) -> int:
        """Maximum number of rounds. If steps are limited, batches are created to be counted."""
        if every := self._settings.validate_every:
            return -(-self.total // every)
        if not self._settings.max_steps:
            return self._settings.epochs
        number = 1
        while self.round_end(number) < self.total:
            number += 1
        return number

    def steps_left(self, number: int, step: int) -> int:
        """Return the estimated number of updates after a step of a round."""
        if self._settings.max_steps or self._settings.validate_every:
            return self.total - step
        first, last = self.round_end(number - 1), self.round_end(number)
        return last - step + (self.rounds - number) * (last - first)

    def updates(self, first: int, last: int) -> Iterator[Update[Batch]]:
        """Yield the updates from step `first` to step `last`."""
        size = self._settings.accumulate
        batches = self._batches_from((first - 1) * size)
        for _ in range(first, last + 1):
            members = [next(batches) for _ in range(size)]
            yield Update([batch for batch, _ in members], members[0][1])

    def _batches(self, number: int) -> Sequence[Batch]:
        if self._kept[0] != number:
            self._kept = (number, self._epoch(number))
        return self._kept[1]

    def _end(self, number: int) -> int:
        while len(self._ends) <= number:
            self._ends.append(self._ends[-1] + len(self._batches(len(self._ends))))
        return self._ends[number]

    def _steps_in(self, epochs: int) -> int:
        steps = 0
        for number in range(1, epochs + 1):
            steps = max(steps + 1, self._end(number) // self._settings.accumulate)
        return steps

    def _batches_from(self, skipped: int) -> Iterator[tuple[Batch, float]]:
        number = bisect_right(self._ends, skipped)
        while True:
            before, end = self._end(number - 1), self._end(number)
            batches = self._batches(number)
            for i in range(max(0, skipped - before), end - before):
                yield batches[i], number - 1 + i / len(batches)
            number += 1
