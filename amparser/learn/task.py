"""The protocol of a task: what the training loop needs of a network and its examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import NamedTuple, Protocol, TypeVar

from torch import Tensor, nn

Batch = TypeVar("Batch", bound=Sized)


class Losses(NamedTuple):
    """The loss of a batch.

    Attributes:
        total: a scalar, the mean over all learned positions, in nats; it has the gradient.
        parts: scalars without a gradient that add up to `total`, by the names that they have
            among the figures of a round.
        token_count: the number of tokens that the means are over.
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
        """The network whose parameters with a gradient are trained."""

    @property
    def size(self) -> int:
        """Width of the network, by which the schedule `noam` divides."""

    def shares(self) -> Mapping[str, float]:
        """The share of the learning rate that parameters have, by the prefix of their names.

        Parameters without such a prefix have the full rate.
        """

    def epoch(self, number: int) -> Sequence[Batch]:
        """The batches of an epoch, counted from 1; they depend only on its number."""

    def losses(self, batch: Batch) -> Losses:
        """The loss of a batch, with the network in training mode."""

    def evaluate(self) -> dict[str, float]:
        """`dev_loss` and `dev_accuracy`; empty if there is no dev."""
