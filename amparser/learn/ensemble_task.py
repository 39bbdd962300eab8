"""The task of an ensemble of scorers, each of which learns from samples of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from amparser.learn.batches import IntArray, epoch_batches, lengths_of
from amparser.learn.settings import TrainSettings
from amparser.learn.task import WHOLE, Mean, Share, Task
from amparser.lexicon.encoded import Targets
from amparser.nn.heads.head import Gold
from amparser.nn.losses import Losses, losses_of
from amparser.nn.scorer import Ensemble
from amparser.nn.targets import collated


class HasTokens(Protocol):
    """A row of a sentence."""

    @property
    def tokens(self) -> Sequence[str]: ...  # noqa: D102


Row = TypeVar("Row", bound=HasTokens)


@dataclass(frozen=True)
class MemberBatch:
    """The rows that one member of an ensemble learns from in one update."""

    member: int
    examples: Sequence[Any]

    def __len__(self) -> int:
        return len(self.examples)


class Samples(ABC, Generic[Row]):
    """The rows that scorers learn from, and new ones made of these in each epoch.

    Args:
        settings: of the training; `batches` takes its limits.
    """

    def __init__(self, settings: TrainSettings) -> None:
        self.settings = settings

    @abstractmethod
    def rows(self, member: int, number: int) -> Sequence[Row]:
        """Return the rows of an epoch, counted from 1, of one member; they have `tokens`."""

    def targets(self, row: Row) -> Targets:
        """Return what scorers learn to predict of a row, unless it is a `Targets` itself."""
        assert isinstance(row, Targets)
        return row

    def batches(self, lengths: IntArray, member: int, number: int) -> Sequence[IntArray]:
        """Return the batches of an epoch, given the lengths `[N, 2]` of its rows."""
        return epoch_batches(lengths, self.settings, number * 101 + member)

    def drawn(self, member: int, number: int) -> list[list[Row]]:
        """Return the batches of an epoch, counted from 1, of one member."""
        rows = self.rows(member, number)
        lengths = lengths_of([(len(row.tokens), 0) for row in rows])
        return [[rows[i] for i in part] for part in self.batches(lengths, member, number)]

    def collated(self, rows: Sequence[Row]) -> Gold:
        """Return the targets of a batch."""
        return collated([self.targets(row) for row in rows])


class EnsembleTask(Task[MemberBatch]):
    """The task of all parsers.

    An update changes one member: those of an ensemble are trained as they would be alone.

    Args:
        network: with fresh weights, on its device.
        samples: what is learned from.
        settings: those of a parser, with the sections `encoder` and `train`.
        watch: the figures of a share of dev, as `Task.evaluate`.
    """

    def __init__(
        self,
        network: Ensemble,
        samples: Samples[Any],
        settings: Any,
        watch: Callable[[Share], dict[str, Mean]],
    ) -> None:
        self._network = network
        self._samples = samples
        self.settings = settings
        self._watch = watch

    @property
    def network(self) -> Ensemble:
        """See `Task`."""
        return self._network

    @property
    def size(self) -> int:
        """Width of the encoder."""
        return int(self.settings.encoder.hidden_size)

    @property
    def partial(self) -> bool:
        """A batch is that of one member, and has not all that is learned."""
        return len(self.network) > 1 or self.network.scorer(0).partial

    @property
    def members(self) -> int:
        """See `Task`."""
        return len(self.network)

    def member(self, batch: MemberBatch) -> int:
        """See `Task`."""
        return batch.member

    def shares(self) -> Mapping[str, float]:
        """What an encoder has a rate of its own for."""
        # With a learning rate of 0 it is not trained either.
        whole = self.settings.train.learning_rate or float("inf")
        return {prefix: rate / whole for prefix, rate in self.network.rates().items()}

    def epoch(self, number: int) -> Sequence[MemberBatch]:
        """See `Task`: a batch of each member in turn."""
        rows = [
            [MemberBatch(member, examples) for examples in self._samples.drawn(member, number)]
            for member in range(self.members)
        ]
        # Numbers of batches may differ where these are limited in tokens.
        longest = max(map(len, rows))
        return list(chain.from_iterable([r[i] for r in rows if i < len(r)] for i in range(longest)))

    def part(self, batch: MemberBatch, share: Share) -> MemberBatch:
        """See `Task`."""
        return MemberBatch(batch.member, share.of(batch.examples))

    def losses(self, batch: MemberBatch) -> Losses:
        """The losses of the member whose batch it is."""
        scorer = self.network.scorer(batch.member)
        reading = scorer.read([row.tokens for row in batch.examples])
        gold = self._samples.collated(batch.examples)
        return losses_of(scorer, reading, gold, self.settings.train.loss_weights)

    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """See `Task`; empty if there is no dev."""
        return self._watch(share)
