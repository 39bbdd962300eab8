"""The protocol of a task: what the training loop must know of a network and its examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import NamedTuple, Protocol, TypeVar

from torch import Tensor, nn

Batch = TypeVar("Batch", bound=Sized)


class Losses(NamedTuple):
    """The loss of a batch.

    Attributes:
        total: a scalar, the mean over what is learned, in nats; its gradient is followed.
        parts: scalars without a gradient that add up to `total`, by the names that they have
            among the figures of a round.
        token_count: how many tokens the means are of.
    """

    total: Tensor
    parts: Mapping[str, float]
    token_count: int


class Task(Protocol[Batch]):
    """A network with the examples that it learns from.

    A batch is anything whose length is its number of sentences.
    """

    @property
    def network(self) -> nn.Module:
        """What is trained: its parameters that want a gradient."""

    @property
    def size(self) -> int:
        """Width of the network, by which the schedule `noam` divides."""

    def shares(self) -> Mapping[str, float]:
        """The share of the learning rate of parameters, by the prefix of their names.

        What has no such prefix has the whole rate.
        """

    def epoch(self, number: int) -> Sequence[Batch]:
        """The batches of an epoch, counted from 1; they depend on its number alone."""

    def losses(self, batch: Batch) -> Losses:
        """The loss of a batch, with the network in training mode."""

    def evaluate(self) -> dict[str, float]:
        """`dev_loss` and `dev_accuracy`; empty if there is no dev."""
