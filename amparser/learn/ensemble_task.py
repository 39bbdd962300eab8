"""The task of an ensemble of scorers, each of which learns from samples of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar

from amparser.learn.task import WHOLE, Losses, Share, Task
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


class EnsembleTask(Task[MemberBatch[Examples]]):
    """Base of the tasks of parsers.

    An update changes one member: those of an ensemble are trained as they would be alone.

    Args:
        network: with fresh weights, on its device.
        settings: those of a parser, with the sections `encoder` and `train`.
    """

    def __init__(self, network: Ensemble, settings: Any) -> None:
        self._network = network
        self.settings = settings

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

    def member(self, batch: MemberBatch[Examples]) -> int:
        """See `Task`."""
        return batch.member

    def shares(self) -> Mapping[str, float]:
        """What an encoder has a rate of its own for."""
        # With a learning rate of 0 it is not trained either.
        whole = self.settings.train.learning_rate or float("inf")
        return {prefix: rate / whole for prefix, rate in self.network.rates().items()}

    def epoch(self, number: int, share: Share = WHOLE) -> Sequence[MemberBatch[Examples]]:
        """See `Task`: a batch of each member in turn."""
        rows = [
            [MemberBatch(member, examples) for examples in self.samples(member, number)]
            for member in range(self.members)
        ]
        # Numbers of batches may differ where these are limited in tokens.
        longest = max(map(len, rows))
        return list(chain.from_iterable([r[i] for r in rows if i < len(r)] for i in range(longest)))

    def part(self, batch: MemberBatch[Examples], share: Share) -> MemberBatch[Examples]:
        """See `Task`."""
        return MemberBatch(batch.member, share.of(batch.examples))

    def losses(self, batch: MemberBatch[Examples]) -> Losses:
        """The losses of the member whose batch it is."""
        sentences, gold = self.gold_of(batch.examples)
        scorer = self.network.scorer(batch.member)
        return Losses(*losses_of(scorer, scorer.read(sentences), gold, self.weights()))

    def weights(self) -> Mapping[str, float]:
        """The weights of losses that are not 1 (see `losses_of`)."""
        return {}

    @abstractmethod
    def samples(self, member: int, number: int) -> Sequence[Examples]:
        """The batches of an epoch of one member."""

    @abstractmethod
    def gold_of(self, examples: Examples) -> tuple[Sequence[Sequence[str]], Gold]:
        """The sentences of examples, and what these are to be."""
