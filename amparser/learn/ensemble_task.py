"""The task of an ensemble of scorers, each of which learns from samples of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar

from amparser.learn.task import WHOLE, Losses, Mean, Share, Task
from amparser.nn.heads.head import Gold
from amparser.nn.losses import losses_of
from amparser.nn.scorer import Ensemble

Examples = TypeVar("Examples")


@dataclass(frozen=True)
class MemberBatch(Generic[Examples]):
    """What one member of an ensemble learns from in one update.

    Attributes:
        member: its number.
        examples: a sequence or array of what the task learns from.
    """

    member: int
    examples: Examples

    def __len__(self) -> int:
        return len(self.examples)  # type: ignore[arg-type]


class Samples(ABC, Generic[Examples]):
    """What scorers of one kind of constants learn from; one network after the other asks for it."""

    @abstractmethod
    def drawn(self, member: int, number: int) -> Sequence[Examples]:
        """The batches of an epoch, counted from 1, of one member."""

    @abstractmethod
    def gold(self, examples: Examples) -> tuple[Sequence[Sequence[str]], Gold]:
        """The sentences of a batch, and what they are to be."""


class EnsembleTask(Task[MemberBatch[Any]]):
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

    def member(self, batch: MemberBatch[Any]) -> int:
        """See `Task`."""
        return batch.member

    def shares(self) -> Mapping[str, float]:
        """What an encoder has a rate of its own for."""
        # With a learning rate of 0 it is not trained either.
        whole = self.settings.train.learning_rate or float("inf")
        return {prefix: rate / whole for prefix, rate in self.network.rates().items()}

    def epoch(self, number: int) -> Sequence[MemberBatch[Any]]:
        """See `Task`: a batch of each member in turn."""
        rows = [
            [MemberBatch(member, examples) for examples in self._samples.drawn(member, number)]
            for member in range(self.members)
        ]
        # Numbers of batches may differ where these are limited in tokens.
        longest = max(map(len, rows))
        return list(chain.from_iterable([r[i] for r in rows if i < len(r)] for i in range(longest)))

    def part(self, batch: MemberBatch[Any], share: Share) -> MemberBatch[Any]:
        """See `Task`."""
        return MemberBatch(batch.member, share.of(batch.examples))

    def losses(self, batch: MemberBatch[Any]) -> Losses:
        """The losses of the member whose batch it is."""
        sentences, gold = self._samples.gold(batch.examples)
        scorer = self.network.scorer(batch.member)
        weights = self.settings.train.loss_weights
        return losses_of(scorer, scorer.read(sentences), gold, weights)

    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """See `Task`; empty if there is no dev."""
        return self._watch(share)
