"""Task of an ensemble of scorers that learn from separate samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar

from amparser.learn.batches import IntArray, epoch_batches, lengths_of
from amparser.learn.settings import TrainSettings
from amparser.learn.task import Mean, Share, Task
from amparser.lexicon.encoded import Encoded, Targets
from amparser.nn.heads.head import Gold
from amparser.nn.scorer import Ensemble
from amparser.nn.targets import Losses, collated, losses_of

Row = TypeVar("Row", Targets, Encoded)


@dataclass(frozen=True)
class MemberBatch:
    """Rows that one member of an ensemble learns from in one update."""

    member: int
    examples: Sequence[Any]

    def __len__(self) -> int:
        return len(self.examples)


class Samples(Generic[Row]):
    """Rows that scorers learn from; each epoch may augment them."""

    def __init__(self, settings: TrainSettings, train: Sequence[Row]) -> None:
        self.settings = settings
        self.train: Sequence[Row] = train

    def rows(self, member: int, number: int) -> list[Row]:
        """Return a member's rows for an epoch (from 1); by default train, possibly repeated."""
        return list(self.train) * self.settings.times(len(self.train))

    def targets(self, row: Row) -> Targets:
        """Return the training targets of a row; by default the row itself."""
        assert isinstance(row, Targets)
        return row

    def batches(self, lengths: IntArray, member: int, number: int) -> Sequence[IntArray]:
        """Return the batches of an epoch, given the lengths `[N, 2]` of its rows."""
        return epoch_batches(lengths, self.settings, number * 101 + member)

    def drawn(self, member: int, number: int) -> list[list[Row]]:
        """Return one member's batches of an epoch (from 1)."""
        rows = self.rows(member, number)
        lengths = lengths_of([(len(row.tokens), 0) for row in rows])
        return [[rows[i] for i in part] for part in self.batches(lengths, member, number)]

    def collated(self, rows: Sequence[Row]) -> Gold:
        """Return the training targets of a batch as tensors."""
        return collated([self.targets(row) for row in rows])


class EnsembleTask(Task[MemberBatch]):
    """Training task of all parsers.

    Each update changes the weights of a single member of the ensemble, so members are independent.

    Args:
        network: untrained network, on its device.
        watch: function that returns the figures of a share of dev, like `Task.evaluate`.
    """

    network: Ensemble

    def __init__(
        self,
        network: Ensemble,
        samples: Samples[Any],
        settings: Any,
        watch: Callable[[Share], dict[str, Mean]],
    ) -> None:
        self.network, self._samples, self.settings, self._watch = network, samples, settings, watch
        self.size = int(settings.encoder.hidden_size)
        self.members = len(network)
        self.partial = self.members > 1 or network.scorer(0).partial

    def member(self, batch: MemberBatch) -> int:
        """Implement `Task.member`."""
        return batch.member

    def shares(self) -> Mapping[str, float]:
        """Return learning-rate multipliers by parameter prefix."""
        # If the learning rate is 0, encoders with rates of their own are not trained, either.
        whole = self.settings.train.learning_rate or float("inf")
        return {prefix: rate / whole for prefix, rate in self.network.rates().items()}

    def epoch(self, number: int) -> Sequence[MemberBatch]:
        """Return the batches of an epoch, one of each member in turn."""
        rows = [
            [MemberBatch(member, examples) for examples in self._samples.drawn(member, number)]
            for member in range(self.members)
        ]
        # Members may have different numbers of batches, because the tokens of a batch are limited.
        longest = max(map(len, rows))
        return list(chain.from_iterable([r[i] for r in rows if i < len(r)] for i in range(longest)))

    def part(self, batch: MemberBatch, share: Share) -> MemberBatch:
        """Implement `Task.part`."""
        return MemberBatch(batch.member, share.of(batch.examples))

    def losses(self, batch: MemberBatch) -> Losses:
        """Return the losses of the member to which the batch belongs."""
        scorer = self.network.scorer(batch.member)
        reading = scorer.read([row.tokens for row in batch.examples])
        gold = self._samples.collated(batch.examples)
        return losses_of(scorer, reading, gold, self.settings.train.loss_weights)

    def evaluate(self, share: Share) -> dict[str, Mean]:
        """Implement `Task.evaluate`."""
        return self._watch(share)
